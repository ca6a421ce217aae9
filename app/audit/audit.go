// Package audit keeps who changed what: an append-only log for each organization
// and one for the platform.
//
// It promises that an entry is written in the transaction of the change itself,
// that nobody can edit or remove one, and that the entries form a chain: each hash
// covers the hash before it and needs a key, so a changed, lost or added entry shows,
// also when somebody with the file counts the hashes again (contract 9.2, 20
// and 21.3). The ends of the chains are anchored outside of the database. It refuses secrets and message text: a field that holds
// one is named with Hidden, without its values.
package audit

import (
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"svc/app/api"
	"svc/store"
)

// ActorType says what kind of actor changed something.
type ActorType string

// The kinds of actor (contract 9.2).
const (
	User          ActorType = "USER"
	APIKey        ActorType = "API_KEY"
	PlatformAdmin ActorType = "PLATFORM_ADMIN"
	System        ActorType = "SYSTEM"
	Customer      ActorType = "CUSTOMER"
)

// Actor is who changed something.
type Actor struct {
	Type ActorType `json:"type"`
	ID   *string   `json:"id"`
	Name *string   `json:"name"`
}

// Resource is what was changed.
type Resource struct {
	Type string  `json:"type"`
	ID   string  `json:"id"`
	Name *string `json:"name"`
}

// On names a resource; name may be "".
func On(kind, id, name string) Resource { return Resource{kind, id, api.Optional(name)} }

// Change is the value of one field before and after.
type Change struct {
	From json.RawMessage `json:"from"`
	To   json.RawMessage `json:"to"`
}

// Entry is one line of the log.
type Entry struct {
	ID               string            `json:"id"`
	Seq              int64             `json:"seq" doc:"Its place in the chain, from 1."`
	At               time.Time         `json:"at"`
	Actor            Actor             `json:"actor"`
	Action           string            `json:"action" example:"campaign.started"`
	Resource         Resource          `json:"resource"`
	Changes          map[string]Change `json:"changes"`
	Reason           *string           `json:"reason"`
	IP               *string           `json:"ip"`
	UserAgent        *string           `json:"user_agent"`
	RequestID        *string           `json:"request_id"`
	SupportSessionID *string           `json:"support_session_id"`
	Hash             string            `json:"hash" doc:"HMAC-SHA-256 with a key of the installation over the hash before and this entry, in hex; SHA-256 in entries before the one of the action audit.keyed."`
}

// head is the end of one chain: how many entries there are, and the last hash.
type head struct {
	ID   string `json:"id"`
	Seq  int64  `json:"seq"`
	Hash string `json:"hash"`
	MAC  string `json:"mac,omitempty"` // of whose chain it is, place and hash
}

const headID = "head"

var (
	entries = store.NewTable("audit", "aud", func(e *Entry) string { return e.ID }).Shared()
	heads   = store.NewTable("audit_head", "", func(h *head) string { return h.ID }).Shared()

	bySeq        = entries.Index("seq", func(e *Entry) store.Key { return store.Int(e.Seq) })
	byAt         = entries.Index("at", func(e *Entry) store.Key { return store.Time(e.At) })
	byActor      = entries.Multi("actor", func(e *Entry) []store.Key { return textKey(e.Actor.ID) })
	byResource   = entries.Multi("resource", func(e *Entry) []store.Key { return textKey(&e.Resource.ID) })
	actionFacet  = entries.Facet("action", func(e *Entry) []string { return []string{e.Action} })
	actorFacet   = entries.Facet("actor_type", func(e *Entry) []string { return []string{string(e.Actor.Type)} })
	resourceType = entries.Facet("resource_type", func(e *Entry) []string { return []string{e.Resource.Type} })
)

// Tables are what a store that holds the log is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{entries, heads, anchors} }

// Detail adds to an entry.
type Detail func(*Entry) error

// Changed notes a field that changed. Values that are equal are left out.
func Changed(field string, from, to any) Detail {
	return func(e *Entry) error {
		if reflect.DeepEqual(from, to) {
			return nil
		}
		before, err := json.Marshal(from)
		if err != nil {
			return fmt.Errorf("audit: %s: %w", field, err)
		}
		after, err := json.Marshal(to)
		if err != nil {
			return fmt.Errorf("audit: %s: %w", field, err)
		}
		if string(before) != string(after) {
			e.note(field, Change{before, after})
		}
		return nil
	}
}

// Hidden notes that a field changed whose values the log may not show.
func Hidden(field string) Detail {
	return func(e *Entry) error {
		hidden := json.RawMessage(`"hidden"`)
		e.note(field, Change{hidden, hidden})
		return nil
	}
}

// Because notes the reason that somebody gave.
func Because(reason string) Detail {
	return func(e *Entry) error {
		e.Reason = api.Optional(reason)
		return nil
	}
}

func (e *Entry) note(field string, c Change) {
	if e.Changes == nil {
		e.Changes = map[string]Change{}
	}
	e.Changes[field] = c
}

// Write appends an entry to the log of the call's organization, or to the
// platform's when the call has none. The action is the thing and what happened to
// it, as in "campaign.started".
func Write(tx *store.Tx, c *api.Call, action string, on Resource, details ...Detail) error {
	return WriteTo(tx, c.Org, c, action, on, details...)
}

// WriteTo is Write into the log of another organization, or of the platform
// (store.Platform).
func WriteTo(tx *store.Tx, org string, c *api.Call, action string, on Resource, details ...Detail) error {
	e := Entry{
		ID: entries.NewID(tx), At: tx.DB().Now(), Actor: actorOf(c), Action: action, Resource: on,
		IP: api.Optional(c.IP), UserAgent: api.Optional(c.UserAgent), RequestID: api.Optional(c.RequestID), SupportSessionID: api.Optional(c.Caller.Support),
	}
	for _, d := range details {
		if err := d(&e); err != nil {
			return err
		}
	}
	last, err := headOf(tx, org)
	if err != nil {
		return err
	}
	k, err := keysOf(tx.DB())
	if err != nil {
		return err
	}
	return add(tx, org, &e, last, k)
}

// Reads is what Write is going to read of an organization's log (store.Tx.Ahead).
func Reads(org string) []store.Read {
	return []store.Read{heads.Read(org, headID), entries.ReadNext(org)}
}

func actorOf(c *api.Call) Actor {
	a := Actor{ID: api.Optional(c.Caller.ID), Name: api.Optional(c.Caller.Name)}
	switch {
	case c.Caller.Kind == api.Key:
		a.Type = APIKey
	case c.Caller.Kind == api.Person && (c.Administration() || c.Caller.Support != ""):
		a.Type = PlatformAdmin
	case c.Caller.Kind == api.Person:
		a.Type = User
	case c.Caller.Kind == api.Customer:
		a.Type = Customer
	default:
		a.Type = System
	}
	return a
}

func textKey(s *string) []store.Key {
	if s == nil || *s == "" {
		return nil
	}
	return []store.Key{store.Text(*s)}
}
