package intake

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/inbox/channel"
	"svc/app/inbox/conversation"
	"svc/store"
)

// spoken is a message of the model.
type spoken struct {
	id      string // of the network
	seq     int64
	text    string
	out     bool
	deleted bool
	emoji   string
}

// talk is a conversation as simply as it can be told.
type talk struct {
	said    []*spoken
	unread  int
	waiting bool
	done    bool
	paused  bool
}

// model holds what happened, and does the same to the store.
type model struct {
	*env
	rnd   *rand.Rand
	talks map[string]*talk
}

func (m *model) talk(p channel.Person) *talk {
	if m.talks[p.ID] == nil {
		m.talks[p.ID] = &talk{}
	}
	return m.talks[p.ID]
}

// pick is a message that the network knows.
func (m *model) pick(k *talk) *spoken {
	known := slices.DeleteFunc(slices.Clone(k.said), func(x *spoken) bool { return x.id == "" })
	if len(known) == 0 {
		return nil
	}
	return known[m.rnd.IntN(len(known))]
}

// arrives is a message of the customer, or with out of the owner's app.
func (m *model) arrives(p channel.Person, out bool) {
	in := m.say(p, "text "+strconv.Itoa(m.seq))
	in.Out = out
	again := 1 + m.rnd.IntN(2) // some are handed over twice
	for range again {
		m.arrive(in)
	}
	k := m.talk(p)
	k.said = append(k.said, &spoken{id: in.ID, seq: in.Seq, text: in.Text, out: out})
	if out {
		k.unread, k.waiting = 0, false
	} else {
		k.unread, k.waiting, k.done = k.unread+1, true, false
	}
}

func (m *model) edits(p channel.Person) {
	k := m.talk(p)
	x := m.pick(k)
	if x == nil {
		return
	}
	text := "edited " + strconv.Itoa(m.rnd.IntN(1000))
	m.edit(channel.Incoming{ID: x.id, Seq: x.seq, From: p, Out: x.out, At: m.db.Now(), EditedAt: m.db.Now(), Text: text})
	if !x.deleted {
		x.text = text
	}
}

func (m *model) deletes(p channel.Person) {
	x := m.pick(m.talk(p))
	if x == nil {
		return
	}
	m.update(func(tx *store.Tx) error { return m.in.Deleted(tx, m.at, []string{x.id, "none"}) })
	x.deleted, x.text, x.emoji = true, "", ""
}

func (m *model) reacts(p channel.Person) {
	x := m.pick(m.talk(p))
	if x == nil {
		return
	}
	emoji := []string{"👍", "🔥"}[m.rnd.IntN(2)]
	m.update(func(tx *store.Tx) error { return m.in.Reacted(tx, m.at, x.id, []channel.Reaction{{Emoji: emoji}}) })
	if !x.deleted {
		x.emoji = emoji
	}
}

// change does something that a person does here.
func (m *model) change(p channel.Person, f func(tx *store.Tx, c *api.Call, k *conversation.Conversation) error) {
	m.t.Helper()
	m.update(func(tx *store.Tx) error {
		k, err := conversation.Of(tx, m.Org, channel.OnMessenger, m.at.Owner, p.ID)
		if err != nil {
			return store.IgnoreNotFound(err)
		}
		return f(tx, api.System(m.t.Context(), m.Org, m.db.Now()), &k)
	})
}

func (m *model) reads(p channel.Person) {
	m.change(p, conversation.Read)
	m.talk(p).unread = 0
}

func (m *model) finishes(p channel.Person) {
	m.change(p, conversation.Done)
	if k := m.talk(p); len(k.said) > 0 {
		k.unread, k.waiting, k.done = 0, false, true
	}
}

func (m *model) takesOver(p channel.Person) {
	m.change(p, func(tx *store.Tx, c *api.Call, k *conversation.Conversation) error {
		return conversation.Apply(tx, c, m.Org, k, conversation.Transition{Event: conversation.TakenOver, Reason: "A person answers."})
	})
	if k := m.talk(p); len(k.said) > 0 {
		k.paused = true
	}
}

func (m *model) handsBack(p channel.Person) {
	k := m.talk(p)
	if !k.paused {
		return
	}
	m.change(p, func(tx *store.Tx, c *api.Call, k *conversation.Conversation) error {
		return conversation.Apply(tx, c, m.Org, k, conversation.Transition{Event: conversation.Resumed})
	})
	k.paused = false
}

// answers is a reply from here whose outcome comes at once.
func (m *model) answers(p channel.Person) {
	k := m.talk(p)
	if len(k.said) == 0 {
		return
	}
	m.seq++
	id, text, sent, waited := strconv.Itoa(m.seq), "reply "+strconv.Itoa(m.seq), m.rnd.IntN(4) > 0, k.waiting
	part := conversation.Part{ID: id, Seq: int64(m.seq)}
	m.change(p, func(tx *store.Tx, c *api.Call, k *conversation.Conversation) error {
		x, err := conversation.Write(tx, c, k, conversation.Written{Author: conversation.Human, Text: text})
		if err != nil {
			return err
		}
		o := conversation.Outcome{Event: conversation.WasSent, At: m.db.Now(), Part: part}
		if !sent {
			o = conversation.Outcome{Event: conversation.WasFailed, Code: "TRANSPORT"}
		}
		return conversation.Settle(tx, m.Org, k, &x, o)
	})
	k.said = append(k.said, &spoken{id: id, seq: int64(m.seq), text: text, out: true})
	k.unread, k.waiting = 0, waited && !sent
	if !sent {
		k.said[len(k.said)-1].id = "" // the network does not know it: nothing finds it
	}
}

// agrees holds what is stored against the model.
func (m *model) agrees(p channel.Person) error {
	want := m.talk(p)
	k, said, list := m.of(p)
	var words []string
	for _, x := range want.said {
		words = append(words, x.text)
	}
	switch {
	case len(want.said) == 0 && k.ID == "":
		return nil
	case !slices.Equal(said, words):
		return fmt.Errorf("it says\n%q, want\n%q", said, words)
	case k.Unread != want.unread || k.WaitingSince.IsZero() == want.waiting || k.DoneAt.IsZero() == want.done:
		return fmt.Errorf("unread %d, waiting %v, done %v; want %+v", k.Unread, k.WaitingSince, k.DoneAt, want)
	case (k.AIState == conversation.PausedHandoff) != want.paused:
		return fmt.Errorf("the AI is %s, want paused %v", k.AIState, want.paused)
	case k.LastID != list[len(list)-1].ID:
		return fmt.Errorf("the last message is %s, not %s", k.LastID, list[len(list)-1].ID)
	}
	for i, x := range want.said {
		r := list[i].Reactions
		if list[i].DeletedAt.IsZero() == x.deleted || len(r) > 1 || (len(r) == 1) != (x.emoji != "") || len(r) == 1 && r[0].Emoji != x.emoji {
			return fmt.Errorf("message %d is deleted %v with %v, want %+v", i, list[i].DeletedAt, r, *x)
		}
	}
	return m.listed(p, &k, want)
}

// listed holds the lists against the model: kept counts and indexes follow each change.
func (m *model) listed(p channel.Person, k *conversation.Conversation, want *talk) (err error) {
	yes := true
	for name, f := range map[string]struct {
		filter conversation.Filter
		is     bool
	}{
		"unread": {conversation.Filter{Unread: &yes}, want.unread > 0}, "waiting": {conversation.Filter{Waiting: &yes}, want.waiting},
		"done": {conversation.Filter{Done: &yes}, want.done},
	} {
		err = m.db.View(m.t.Context(), func(tx *store.Tx) error {
			page, err := conversation.List(tx, m.Org, &f.filter, nil, conversation.ByRecent, store.Query[conversation.Conversation]{Limit: 100})
			if err != nil {
				return err
			}
			has := slices.ContainsFunc(page.Data, func(c conversation.Conversation) bool { return c.ID == k.ID })
			if has != f.is || page.Total != len(page.Data) {
				return fmt.Errorf("the list of %s has %s: %v, want %v; %d of %d", name, p.ID, has, f.is, len(page.Data), page.Total)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// TestModel does at random what happens to conversations, and holds what is stored, and
// what is listed, against a model that keeps no index. Every transaction runs twice.
func TestModel(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			m := &model{env: newEnv(t), rnd: rand.New(rand.NewPCG(seed, 7)), talks: map[string]*talk{}}
			people := []channel.Person{person(1), person(2), person(3)}
			for step := range 150 {
				p := people[m.rnd.IntN(len(people))]
				switch m.rnd.IntN(13) {
				case 0, 1, 2, 3:
					m.arrives(p, false)
				case 4:
					m.arrives(p, true)
				case 5:
					m.edits(p)
				case 6:
					m.deletes(p)
				case 7:
					m.reacts(p)
				case 8:
					m.reads(p)
				case 9:
					m.finishes(p)
				case 10:
					m.takesOver(p)
				case 11:
					m.handsBack(p)
				default:
					m.answers(p)
				}
				for _, p := range people {
					if err := m.agrees(p); err != nil {
						t.Fatalf("seed %d, step %d, person %s: %v", seed, step, p.ID, err)
					}
				}
				m.clock.Add(time.Duration(m.rnd.IntN(3)) * time.Second)
			}
		})
	}
}
