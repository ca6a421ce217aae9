// Package view keeps the filters of the inbox that somebody saved under a name.
//
// It promises that everybody has their own, at most Most of them, and that a view holds
// what a list may be asked for and no conversation. It refuses to list conversations.
package view

import (
	"strings"
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/inbox/channel"
	"svc/app/inbox/conversation"
	"svc/store"
)

// Bounds of views.
const (
	Most    = 50 // of one person
	maxName = 80 // bytes
)

// Filter is what a view asks the list for; what is absent does not narrow it.
type Filter struct {
	Channel     channel.Name         `json:"channel,omitempty" enum:"MESSENGER,PHOTO_NETWORK,PAGE_NETWORK"`
	AccountID   string               `json:"account_id,omitempty" maxLength:"64"`
	Unread      *bool                `json:"unread,omitempty"`
	Waiting     *bool                `json:"waiting,omitempty"`
	HasFiles    *bool                `json:"has_files,omitempty"`
	Done        *bool                `json:"done,omitempty"`
	Handoff     *bool                `json:"handoff,omitempty"`
	Personal    bool                 `json:"personal,omitempty" doc:"Needs accounts:manage when it is looked at."`
	AIState     conversation.AIState `json:"ai_state,omitempty" enum:"ACTIVE,PAUSED_HANDOFF,STOPPED,OFF"`
	Assigned    string               `json:"assigned_user_id,omitempty" maxLength:"64" doc:"A person, me or none."`
	Stage       string               `json:"stage,omitempty" maxLength:"64"`
	LeadQuality string               `json:"lead_quality,omitempty" enum:"cold,warm,hot"`
	Q           string               `json:"q,omitempty" minLength:"2" maxLength:"120"`
}

// Of is the filter as the list takes it; me is the person who looks.
func (f *Filter) Of(me string) conversation.Filter {
	out := conversation.Filter{
		Channel: f.Channel, Account: f.AccountID, Unread: f.Unread, Waiting: f.Waiting, HasFiles: f.HasFiles, Done: f.Done, Handoff: f.Handoff,
		Personal: f.Personal, AIState: f.AIState, Assigned: f.Assigned, Stage: f.Stage, LeadQuality: f.LeadQuality, Q: f.Q,
	}
	if f.Assigned == "me" {
		out.Assigned = me
	}
	return out
}

// View is one saved filter as it is kept.
type View struct {
	ID        string            `json:"id"`
	Owner     string            `json:"owner"` // a person or a key
	Name      string            `json:"name"`
	Filter    Filter            `json:"filter"`
	Sort      conversation.Sort `json:"sort"`
	CreatedAt time.Time         `json:"created_at"`
}

var (
	views = store.NewTable("inbox_view", "svw", func(v *View) string { return v.ID })

	ofOwner = views.Facet("owner", func(v *View) []string { return []string{v.Owner} })
)

// Tables are what a store that holds views is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{views} }

// Add saves a view of the caller.
func Add(tx *store.Tx, c *api.Call, v View) (View, error) {
	v.ID, v.Owner, v.CreatedAt, v.Name = tx.DB().NewID("svw"), c.Caller.ID, tx.DB().Now(), strings.TrimSpace(v.Name)
	if v.Name == "" || len(v.Name) > maxName {
		return v, api.Wrong("name", "must have 1 to %d bytes", maxName)
	}
	list, err := List(tx, c, store.Query[View]{Limit: 1})
	if err != nil {
		return v, err
	}
	if list.Total >= Most {
		return v, api.ErrConflict.WithMessage("You have %d views, which is the most; delete one first.", Most)
	}
	if err := views.Insert(tx, c.Org, &v); err != nil {
		return v, err
	}
	return v, audit.Write(tx, c, "inbox_view.created", audit.On("inbox_view", v.ID, v.Name))
}

// List reads the views of the caller, the oldest first.
func List(tx *store.Tx, c *api.Call, q store.Query[View]) (store.Page[View], error) {
	q.Where = append(q.Where, ofOwner.Any(c.Caller.ID))
	return views.Page(tx, c.Org, q)
}

// Delete removes a view of the caller: store.ErrNotFound for another's.
func Delete(tx *store.Tx, c *api.Call, id string) error {
	v, err := views.Get(tx, c.Org, id)
	if err == nil && v.Owner != c.Caller.ID {
		err = store.ErrNotFound
	}
	if err != nil {
		return err
	}
	if err := views.Delete(tx, c.Org, id); err != nil {
		return err
	}
	return audit.Write(tx, c, "inbox_view.deleted", audit.On("inbox_view", v.ID, v.Name))
}
