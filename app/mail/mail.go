// Package mail sends mail to people, when the installation has a mail server
// (contract 21.2, Mail).
//
// It promises that a mail is asked for in the transaction of its cause and sent after
// it, by a job that tries again for some hours and then gives up; that nothing of a
// mail stands in a job, in an error or in a log, and that its text is sealed until it
// was sent and gone afterwards; that nobody gets more mails of one sort than its
// limits say; and that no text of a person reaches a header unchecked. Without a mail
// server asking for a mail does nothing, and links are copied by hand.
//
// It refuses to decide who gets which mail: slices ask with Add.
package mail

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"svc/store"
	"svc/store/queue"
)

// Kind is the sort of a mail: its words.
type Kind string

// The kinds of mail. Notice is one of the notifications (notices.json).
const (
	Invitation        Kind = "invitation"
	PasswordReset     Kind = "password_reset"
	EmailConfirmation Kind = "email_confirmation"
	EmailChanging     Kind = "email_changing"
	Notice            Kind = "notice"
)

// Message is a mail that is asked for.
type Message struct {
	Kind Kind
	// To is the address, checked by whoever stored it.
	To string
	// Language is uz, ru or en; anything else is uz.
	Language string
	// Vars are the values of the words: see words.go.
	Vars map[string]string
	// Until is when it is of no use any more; zero is three days from now.
	Until time.Time
	// Limits bound how often; the mail is not sent when one is reached.
	Limits []Limit
}

// Limit is at most so many mails of one key within a time.
type Limit struct {
	Key    string
	Most   int // at most 100
	Within time.Duration
}

// outgoing is a mail that waits, or what is remembered of one that was sent.
type outgoing struct {
	ID        string       `json:"id"`
	Kind      Kind         `json:"kind"`
	Keys      []string     `json:"keys,omitempty"`
	Content   store.Sealed `json:"content,omitzero"`
	Until     time.Time    `json:"until"`
	CreatedAt time.Time    `json:"created_at"`
	// Ended: it was sent or given up; the content is gone.
	Ended bool `json:"ended,omitempty"`
}

// content is what is sealed.
type content struct {
	To       string            `json:"to"`
	Language string            `json:"language"`
	Vars     map[string]string `json:"vars"`
}

// state says what the installation can do.
type state struct {
	ID  string `json:"id"`
	On  bool   `json:"on"`
	URL string `json:"url"`
}

const stateID = "state"

var (
	table   = store.NewTable("mail", "eml", func(m *outgoing) string { return m.ID }).Global()
	byTime  = table.Index("time", func(m *outgoing) store.Key { return store.Time(m.CreatedAt) })
	byKey   = table.Multi("key", keysOf)
	sealed  = table.Sealed("content", func(m *outgoing) *store.Sealed { return &m.Content })
	states  = store.NewTable("mail_state", "", func(s *state) string { return s.ID }).Global()
	errKind = errors.New("mail: there is no such kind")
)

func keysOf(m *outgoing) (out []store.Key) {
	for _, k := range m.Keys {
		out = append(out, store.Tuple(store.Text(k), store.Time(m.CreatedAt)))
	}
	return out
}

// Tables are what a store that holds mail is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{table, states} }

// Configure keeps whether this installation sends mail, and the address under which
// people reach it, without a slash at its end: links in mails begin with it and never
// with what a request says about the host.
func Configure(tx *store.Tx, on bool, url string) error {
	return states.Put(tx, store.Platform, &state{ID: stateID, On: on && url != "", URL: url})
}

// Base is the beginning of links in mails; on is false when no mail is sent.
func Base(tx *store.Tx) (url string, on bool, err error) {
	s, err := states.Get(tx, store.Platform, stateID)
	if errors.Is(err, store.ErrNotFound) {
		return "", false, nil
	}
	return s.URL, s.On, err
}

// Enabled says whether mail is sent.
func Enabled(tx *store.Tx) (bool, error) {
	_, on, err := Base(tx)
	return on, err
}

// useful is how long a mail is worth sending that says nothing else.
const useful = 3 * 24 * time.Hour

// Add asks for a mail, which is sent after the transaction. queued is false when the
// installation sends none, or a limit is reached.
func Add(tx *store.Tx, m Message) (queued bool, err error) {
	on, err := Enabled(tx)
	if err != nil || !on {
		return false, err
	}
	if _, known := words[english][m.Kind]; !known && m.Kind != Notice {
		return false, fmt.Errorf("%w: %s", errKind, m.Kind)
	}
	now := tx.DB().Now()
	out := outgoing{ID: tx.DB().NewID("eml"), Kind: m.Kind, Until: m.Until, CreatedAt: now}
	if out.Until.IsZero() {
		out.Until = now.Add(useful)
	}
	for _, l := range m.Limits {
		if reached, err := l.reached(tx, now); err != nil || reached {
			return false, err
		}
		out.Keys = append(out.Keys, l.Key)
	}
	slices.Sort(out.Keys)
	out.Keys = slices.Compact(out.Keys)
	plain, err := json.Marshal(content{m.To, m.Language, m.Vars})
	if err != nil {
		return false, err
	}
	if err := sealed.Set(tx, store.Platform, &out, plain); err != nil {
		return false, err
	}
	if err := table.Insert(tx, store.Platform, &out); err != nil {
		return false, err
	}
	_, err = queue.Add(tx, delivery{out.ID}, time.Time{}, queue.Attempts(attempts), queue.InLane(laneOf(out.ID)), queue.For("", out.ID))
	return true, err
}

func (l Limit) reached(tx *store.Tx, now time.Time) (bool, error) {
	r := store.Range{
		Span:  store.Between(store.Tuple(store.Text(l.Key), store.Time(now.Add(-l.Within))), store.Tuple(store.Text(l.Key), store.Time(now.Add(time.Hour)))),
		Limit: l.Most,
	}
	ids, _, err := byKey.IDs(tx, store.Platform, r)
	return len(ids) >= l.Most, err
}

// keep is how long an ended mail is remembered for the limits, without its content.
const keep = 24 * time.Hour

// Purge removes up to limit mails of which nothing is needed any more, and says how
// many there were.
func Purge(tx *store.Tx, limit int) (int, error) {
	now := tx.DB().Now()
	list, _, err := byTime.Walk(tx, store.Platform, store.Range{Span: store.Between(nil, store.Time(now.Add(-keep))), Limit: limit})
	n := 0
	for i := range list {
		if err == nil && (list[i].Ended || now.After(list[i].Until.Add(keep))) {
			err = table.Delete(tx, store.Platform, list[i].ID)
			n++
		}
	}
	return n, err
}
