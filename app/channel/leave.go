package channel

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"svc/app/api"
	"svc/messenger/platform"
	"svc/store"
	"svc/store/queue"
)

// farewell is what is needed to end webhooks and access at the network, once an account is
// disconnected here. It is gone when that is done.
type farewell struct {
	ID      string        `json:"id"`
	Network platform.Name `json:"network"`
	// External and Person are the account and who allowed it.
	External string       `json:"external"`
	Person   string       `json:"person"`
	Secret   store.Sealed `json:"secret,omitzero"`
}

var (
	farewells  = store.NewTable("channel_farewell", "", func(f *farewell) string { return f.ID })
	lastSecret = farewells.Sealed("secret", func(f *farewell) *store.Sealed { return &f.Secret })
)

// leaving is the job that does it.
type leaving struct {
	Org  string `json:"org"`
	Name string `json:"name"`
}

func (leaving) Kind() string      { return "channel.leave" }
func (leaving) Queue() queue.Name { return queue.Maintenance }

// leave disconnects an account: its token and its claim are gone with the transaction.
func (s *Service) leave(tx *store.Tx, c *api.Call, org string, a *Account, reason string) error {
	if a.Status == Disconnected {
		if a.ConnectedAt.IsZero() {
			return accounts.Delete(tx, org, a.ID)
		}
		a.Pending = ""
		return errors.Join(token.Set(tx, org, a, nil), accounts.Put(tx, org, a))
	}
	old, err := secretsOf(tx, org, a)
	if err != nil {
		return err
	}
	f := farewell{ID: tx.DB().NewID("cha"), Network: a.Platform, External: a.ExternalID, Person: a.Grantor}
	if err := s.wipe(tx, org, a); err != nil {
		return err
	}
	if err := s.apply(tx, c, org, a, WasDisconnected, reason); err != nil || old.Token == "" {
		return err
	}
	b, err := json.Marshal(old)
	if err != nil {
		return err
	}
	if err := errors.Join(lastSecret.Set(tx, org, &f, b), farewells.Insert(tx, org, &f)); err != nil {
		return err
	}
	_, err = queue.Add(tx, leaving{org, f.ID}, time.Time{}, queue.Attempts(5), queue.For(org, a.ID))
	return err
}

// wipe forgets what proves that an account may be spoken for.
func (s *Service) wipe(tx *store.Tx, org string, a *Account) error {
	a.Pending, a.PendingUntil, a.CheckAt, a.Expires, a.TokenAt, a.WebhooksOK = "", time.Time{}, time.Time{}, time.Time{}, time.Time{}, false
	return token.Set(tx, org, a, nil)
}

// goodbye ends webhooks and access at the network. The access of a person is revoked when no
// other account of theirs is connected: it is one for all of them.
func (s *Service) goodbye(ctx context.Context, j queue.Job, l leaving) error {
	var f farewell
	var old secrets
	others := false
	err := s.db.View(ctx, func(tx *store.Tx) (err error) {
		if f, err = farewells.Get(tx, l.Org, l.Name); err != nil {
			return err
		}
		if err := lastSecret.OpenJSON(tx.DB(), l.Org, &f, &old); err != nil {
			return err
		}
		list, _, err := byPeople.Walk(tx, store.Range{Span: store.Is(store.Text(f.Person)), Limit: 1000})
		for i := range list {
			others = others || list[i].Record.Live()
		}
		return err
	})
	if err != nil {
		return store.IgnoreNotFound(err)
	}
	if n := s.Network(f.Network); n != nil {
		back, owner := false, false
		err := s.db.View(ctx, func(tx *store.Tx) error { // somebody may have connected it again meanwhile
			_, _, err := external.Find(tx, externalKey(f.Network, f.External))
			back = err == nil
			return store.IgnoreNotFound(err)
		})
		if err == nil && !back {
			err = n.Unsubscribe(ctx, platform.Access{ExternalID: f.External, Token: old.Token})
			owner = true
		}
		if old.User != "" && !others && owner {
			err = errors.Join(err, n.Revoke(ctx, f.Person, old.User))
		}
		if e := platform.As(err); err != nil && (e == nil || e.Fault == platform.Uncertain || e.Fault == platform.Unsent || e.Fault == platform.Limited) && j.Attempts < j.MaxAttempts {
			return err
		}
	}
	return s.db.Update(ctx, func(tx *store.Tx) error {
		return errors.Join(store.IgnoreNotFound(farewells.Delete(tx, l.Org, l.Name)), queue.Finish(tx, j))
	})
}
