package connection

import (
	"testing"

	"svc/messenger"
	"svc/store"
)

// TestLogOut: the session of an account that is gone is ended at the platform, and nothing
// of the account stays, here and in package account.
func TestLogOut(t *testing.T) {
	h := newEnv(t)
	id := h.account(number, true)
	h.run()
	h.eventually("the account is connected", func() bool { return h.state(id) == Online })
	if _, err := h.w.Say("@demo_user_1", number, "hello"); err != nil {
		t.Fatal(err)
	}
	h.eventually("the message is stored", func() bool { return len(signals[Received](h)) == 1 })
	if err := (stateStore{h.p, h.Org, id}).SaveFile(t.Context(), "key", []byte("ref")); err != nil {
		t.Fatal(err)
	}
	a, _ := h.accounts.of(id)
	h.accounts.mu.Lock()
	h.accounts.list[id].gone, h.accounts.list[id].left = true, 3
	h.accounts.mu.Unlock()
	h.update(func(tx *store.Tx) error {
		if err := LogOut(tx, h.Org, id, a.wanted.Session, messenger.Route{}); err != nil {
			return err
		}
		h.p.AdjustAfter(tx, h.Org, id)
		return ForgetUpdates(tx, h.Org, id)
	})
	h.eventually("the session ended and everything is gone", func() bool {
		left := 0
		h.view(func(tx *store.Tx) error {
			left = 0
			for _, count := range []func(*store.Tx, string) (int, error){peers.Count, files.Count, updates.Count, pendingLogouts.Count} {
				n, err := count(tx, h.Org)
				if err != nil {
					return err
				}
				left += n
			}
			return nil
		})
		h.accounts.mu.Lock()
		defer h.accounts.mu.Unlock()
		return left+h.accounts.list[id].left == 0 && len(h.w.Devices(number)) == 0
	})
}
