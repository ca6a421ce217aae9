package channel_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"svc/app/api/apitest"
	"svc/app/channel"
	"svc/messenger/platform/graph"
	"svc/store"
	"svc/store/storetest"
)

// TestStates is the life of an account (contract 60.50).
func TestStates(t *testing.T) {
	apitest.Table(t, "testdata/account.golden", *update, channel.Life, channel.Statuses(), channel.Events())
}

// TestSignature: a body of which one byte changed, or that is signed with another secret or not at
// all, is refused and leaves nothing (section 10, 7). The empty secret of a network that is not
// configured signs nothing.
func TestSignature(t *testing.T) {
	w := open(t, t.TempDir(), "", false)
	body := bodyOf(said{external, people[0], "m_1", "нархи\u2028\\/ \"қанча\"?", time.Now()})
	changed := slices.Clone(body)
	changed[len(changed)/2] ^= 1
	for name, answer := range map[string]apitest.Answer{
		"changed":  w.Do("POST /channels/meta/webhook", changed, "X-Hub-Signature-256", graph.Sign(body, secret)),
		"other":    w.Do("POST /channels/meta/webhook", body, "X-Hub-Signature-256", graph.Sign(body, "another")),
		"empty":    w.Do("POST /channels/meta/webhook", body, "X-Hub-Signature-256", graph.Sign(body, "")),
		"unsigned": w.Do("POST /channels/meta/webhook", body),
		"no hash":  w.Do("POST /channels/meta/webhook", body, "X-Hub-Signature-256", "sha256=zz"),
	} {
		t.Run(name, func(*testing.T) { answer.Refused(channel.ErrSignature) })
	}
	if n := w.stored(); n != 0 {
		t.Errorf("%d webhooks are stored", n)
	}
	w.post(body).Want(200)
	if n := w.stored(); n != 1 {
		t.Errorf("%d webhooks are stored, want 1", n)
	}
}

func (w *world) stored() (n int) {
	w.t.Helper()
	err := w.a.DB.View(w.t.Context(), func(tx *store.Tx) (err error) {
		n, err = channel.TestDeliveries(tx)
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}

// TestIntake: whatever is repeated is one message; messages of a person stand in the order of
// their time, in whatever order a webhook holds them; accounts that nobody has, and signed
// nonsense, are taken and left (section 10, 8 and 12).
func TestIntake(t *testing.T) {
	w := open(t, t.TempDir(), "", true)
	start := time.Now().Add(-time.Hour).Truncate(time.Millisecond)
	want := map[string][]string{}
	var last []byte
	n := 0
	for round := range 30 {
		var list []said
		for _, person := range people {
			for range 3 {
				text := fmt.Sprintf("%d of %s", n, person)
				list = append(list, said{external, person, numbered(n), text, start.Add(time.Duration(n) * 10 * time.Millisecond)})
				want[person] = append(want[person], text)
				n++
			}
		}
		list = append(list, said{"nobody", people[0], numbered(n), "of an account that nobody has", start})
		rand.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
		body := bodyOf(list...)
		for range 5 {
			w.post(body).Want(200)
		}
		if round%7 == 0 {
			w.post([]byte(fmt.Sprintf(`{"object":"instagram","entry":[{"id":%d},7,null]}`, round))).Want(200)
			w.post([]byte(fmt.Sprintf(`nonsense %d`, round))).Want(200)
		}
		last = body
	}
	storetest.Eventually(t, "the webhooks are not taken in", func() bool { return cmp.Equal(want, w.texts()) })
	w.post(last).Want(200) // once more, and with other bytes
	w.post(append([]byte(" "), last...)).Want(200)
	w.post(bodyOf(said{external, people[0], "m_end", "the end", start.Add(time.Hour)})).Want(200)
	want[people[0]] = append(want[people[0]], "the end")
	storetest.Eventually(t, "the last one is not taken in", func() bool { return len(w.texts()[people[0]]) >= len(want[people[0]]) })
	if d := cmp.Diff(want, w.texts()); d != "" {
		t.Error(d)
	}
}

// TestBatch: a webhook of a thousand updates, three of accounts that nobody has, is taken in whole, in
// the order of its times, and once however often it comes (section 10, 12).
func TestBatch(t *testing.T) {
	w := open(t, t.TempDir(), "", true)
	start := time.Now().Add(-time.Hour).Truncate(time.Millisecond)
	want := map[string][]string{}
	list := []said{}
	for n := range 997 {
		person, text := people[n%len(people)], fmt.Sprint(n)
		list = append(list, said{external, person, numbered(n), text, start.Add(time.Duration(n) * 10 * time.Millisecond)})
		want[person] = append(want[person], text)
	}
	for n := range 3 {
		list = append(list, said{fmt.Sprint("nobody", n), people[0], numbered(1000 + n), "of nobody", start})
	}
	rand.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
	body := bodyOf(list...)
	for range 2 {
		w.post(body).Want(200)
	}
	storetest.Eventually(t, "the batch is not taken in", func() bool { return cmp.Equal(want, w.texts()) })
}
