// Package event keeps what organizations are told: the recorded events that
// GET /events lists, webhooks deliver and the stream carries.
//
// It promises that an event is stored in the transaction of the change that it
// reports (contract 8.2), that the events of an organization are in
// the order of their ids, and that list, webhook and stream show the same bytes.
// Whoever passes events on reads them from here behind a place of his own, so a
// program that dies in between loses none. It refuses message text: events carry
// identifiers and states.
package event

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"svc/store"
)

// Version is the api_version of the envelope.
const Version = "v1"

// MaxData bounds the data of an event, in bytes, so that its envelope fits into
// the body of a webhook (contract 8.3: 256 KB).
const MaxData = 255 << 10

// Event is the envelope (contract 8.1).
type Event struct {
	ID             string          `json:"id"`
	Type           Type            `json:"type"`
	Timestamp      time.Time       `json:"timestamp"`
	OrganizationID string          `json:"organization_id"`
	APIVersion     string          `json:"api_version"`
	Data           json.RawMessage `json:"data"`
}

// Stored is an event with what it is found by.
type Stored struct {
	Event
	// About are the ids in its data.
	About []string `json:"about,omitempty"`
	// Personal: it is about a personal chat, which not everybody may see.
	Personal bool `json:"personal,omitempty"`
}

// deliveries counts what became of an event at the organization's webhooks.
type deliveries struct {
	ID string `json:"id"`
	Deliveries
}

// Deliveries are the counts that a list shows beside an event.
type Deliveries struct {
	Succeeded int `json:"succeeded"`
	Failed    int `json:"failed"`
	Pending   int `json:"pending"`
}

var (
	events = store.NewTable("event", "evt", func(e *Stored) string { return e.ID })
	counts = store.NewTable("event_deliveries", "evt", func(d *deliveries) string { return d.ID })

	byID      = events.Index("id", func(e *Stored) store.Key { return store.Text(e.ID) })
	across    = events.MultiAcross("across", func(e *Stored) []store.Key { return []store.Key{store.Text(e.ID)} })
	byTime    = events.Index("time", func(e *Stored) store.Key { return store.Time(e.Timestamp) })
	byAbout   = events.Multi("about", aboutKeys)
	typeFacet = events.Facet("type", func(e *Stored) []string { return []string{string(e.Type)} })
	personal  = events.Facet("personal", func(e *Stored) []string {
		if e.Personal {
			return []string{"yes"}
		}
		return nil
	})
)

// Tables are what a store that holds events is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{events, counts} }

func aboutKeys(e *Stored) (out []store.Key) {
	for _, id := range e.About {
		out = append(out, store.Text(id))
	}
	return out
}

// Topic is what the store is told when an organization has new events; with ""
// when any has.
func Topic(org string) string { return "events:" + org }

// Option adds to an event.
type Option func(*Stored)

// Personal marks an event about a personal chat.
func Personal() Option { return func(e *Stored) { e.Personal = true } }

// Emit records an event of an organization. data is a struct or a map of at most
// MaxData bytes as JSON; every string of it named id or something_id is what
// resource_id finds. The id is made here, behind those of all events that are stored, so
// that ids are in the order of what happened on all nodes.
func Emit(tx *store.Tx, org string, t Type, data any, options ...Option) error {
	if !t.Valid() {
		return fmt.Errorf("event: %q is no type of event", t)
	}
	encoded, err := jsonv1.Marshal(data)
	if err != nil {
		return fmt.Errorf("event: %s: %w", t, err)
	}
	if len(encoded) > MaxData {
		return fmt.Errorf("event: %s has %d bytes of data, more than %d", t, len(encoded), MaxData)
	}
	id, err := nextID(tx)
	if err != nil {
		return err
	}
	e := Stored{Event: Event{
		ID: id, Type: t, Timestamp: tx.DB().Now(), OrganizationID: org, APIVersion: Version, Data: encoded,
	}}
	if e.About, err = idsIn(encoded); err != nil {
		return fmt.Errorf("event: %s: %w", t, err)
	}
	for _, o := range options {
		o(&e)
	}
	if err := events.Insert(tx, org, &e); err != nil {
		return err
	}
	tx.Notify(Topic(org))
	tx.Notify(Topic(""))
	return nil
}

// afterLast is done once in a transaction: its own ids ascend.
type afterLast struct{}

// nextID is the id of the next event. Where other nodes make events too, it is made behind
// theirs: clocks differ, and whoever reads behind a place would never see what sorts before.
func nextID(tx *store.Tx) (string, error) {
	id := tx.DB().NewID("evt")
	if tx.DB().Exclusive() || !tx.First(afterLast{}) {
		return id, nil
	}
	last, err := Last(tx)
	if err == nil && last >= id {
		tx.DB().IDsBehind(last)
		id = tx.DB().NewID("evt")
	}
	return id, err
}

// Resume lets the ids of events go on behind those that are there: the clock of a
// program that starts again may stand before the last event of the program that ended,
// and whoever reads behind a place would never see ids that sort before it. Call it
// once, before the first Emit.
func Resume(tx *store.Tx) error {
	last, err := Last(tx)
	if err == nil && last != "" {
		tx.DB().IDsBehind(last)
	}
	return err
}

// idsIn are the ids in the first level of an object, sorted.
func idsIn(data []byte) ([]string, error) {
	var fields map[string]jsontext.Value
	if err := jsonv1.Unmarshal(data, &fields); err != nil {
		return nil, fmt.Errorf("its data is not an object: %w", err)
	}
	var out []string
	for name, v := range fields {
		if name != "id" && !strings.HasSuffix(name, "_id") || v.Kind() != '"' {
			continue
		}
		if id, err := jsontext.AppendUnquote(nil, v); err == nil && len(id) > 0 {
			out = append(out, string(id))
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// After reads the events of an organization behind an id, oldest first. An id that
// is gone, or never was, is a place all the same; "" is the beginning.
func After(tx *store.Tx, org, id string, limit int) ([]Stored, error) {
	var at store.Cursor
	if id != "" {
		c, ok := events.Behind(id)
		if !ok {
			return nil, store.ErrNotFound
		}
		at = c
	}
	list, _, err := events.Walk(tx, org, at, limit)
	return list, err
}

// AfterAcross reads the events of all organizations behind an id, oldest first; ""
// is the beginning.
func AfterAcross(tx *store.Tx, id string, limit int) (out []Stored, err error) {
	list, _, err := across.Walk(tx, store.Range{Span: behind(id), Limit: limit})
	for i := range list {
		out = append(out, list[i].Record)
	}
	return out, err
}

// Last is the id of the newest event of any organization, "" for none.
func Last(tx *store.Tx) (string, error) {
	list, _, err := across.Walk(tx, store.Range{Span: store.All(), Limit: 1, Reverse: true})
	if err != nil || len(list) == 0 {
		return "", err
	}
	return list[0].Record.ID, nil
}

// Newest is when the newest event of any organization happened; the zero time for none.
func Newest(tx *store.Tx) (time.Time, error) {
	list, _, err := across.Walk(tx, store.Range{Span: store.All(), Limit: 1, Reverse: true})
	if err != nil || len(list) == 0 {
		return time.Time{}, err
	}
	return list[0].Record.Timestamp, nil
}

// behind holds the ids that sort behind an id: it begins where that id with
// anything more would stand.
func behind(id string) store.Span {
	if id == "" {
		return store.All()
	}
	return store.Between(store.Text(id+"\x00"), nil)
}

// Get reads an event.
func Get(tx *store.Tx, org, id string) (Event, error) {
	e, err := events.Get(tx, org, id)
	return e.Event, err
}

// Oldest is the id of the oldest event that is kept, "" for none.
func Oldest(tx *store.Tx, org string) (string, error) {
	list, _, err := events.Walk(tx, org, nil, 1)
	if err != nil || len(list) == 0 {
		return "", err
	}
	return list[0].ID, nil
}

// Delivered changes the counts of an event's deliveries. An event that is gone
// keeps none.
func Delivered(tx *store.Tx, org, id string, change Deliveries) error {
	if has, err := events.Has(tx, org, id); err != nil || !has {
		return err
	}
	d, err := counts.Get(tx, org, id)
	if err != nil && !store.IsNotFound(err) {
		return err
	}
	d.ID = id
	d.Succeeded += change.Succeeded
	d.Failed += change.Failed
	d.Pending += change.Pending
	return counts.Put(tx, org, &d)
}

// Envelope is the event as JSON: the body of a webhook, a line of the stream.
func (e Event) Envelope() []byte { return []byte(mustJSON(e)) }

// Purge removes up to limit events from before a time, oldest first, and says how
// many there were.
func Purge(tx *store.Tx, org string, before time.Time, limit int) (int, error) {
	list, _, err := byTime.Walk(tx, org, store.Range{Span: store.Between(nil, store.Time(before)), Limit: limit})
	if err != nil {
		return 0, err
	}
	for i := range list {
		if err := events.Delete(tx, org, list[i].ID); err != nil {
			return 0, err
		}
		if err := counts.Delete(tx, org, list[i].ID); err != nil && !store.IsNotFound(err) {
			return 0, err
		}
	}
	return len(list), nil
}

// Before is the id of an organization's newest event from before a time, "" for
// none: the place to read on from to see what happened since.
func Before(tx *store.Tx, org string, t time.Time) (string, error) {
	e, err := byTime.Last(tx, org, store.Between(nil, store.Time(t)))
	if store.IsNotFound(err) {
		return "", nil
	}
	return e.ID, err
}

// Latest is when the newest event of an organization was recorded; zero for none.
func Latest(tx *store.Tx, org string) (time.Time, error) {
	e, err := byTime.Last(tx, org, store.All())
	if store.IsNotFound(err) {
		err = nil
	}
	return e.Timestamp, err
}

// Hide makes the events about a chat that became personal visible only to who may read such
// chats (contract 2.1).
func Hide(tx *store.Tx, org, about string) error {
	for e, err := range byAbout.Each(tx, org, store.Is(store.Text(about))) {
		if err != nil {
			return err
		}
		if e.Personal {
			continue
		}
		e.Personal = true
		if err := events.Put(tx, org, e); err != nil {
			return err
		}
	}
	return nil
}
