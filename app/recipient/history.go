package recipient

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"svc/app/api"
	"svc/app/recipient/field"
	"svc/store"
)

// HistoryKind says what happened to a person.
type HistoryKind string

// What a history holds (contract 20.10).
const (
	WasCreated   HistoryKind = "CREATED"
	WasImported  HistoryKind = "IMPORTED"
	ConsentSet   HistoryKind = "CONSENT"
	HasOptedOut  HistoryKind = "OPTED_OUT"
	WasMessaged  HistoryKind = "MESSAGE"
	HasReplied   HistoryKind = "REPLY"
	WasUnblocked HistoryKind = "SUPPRESSION_REMOVED"
)

// History is one thing that happened to a person: identifiers and states, never
// message text.
type History struct {
	At             time.Time      `json:"at"`
	Kind           HistoryKind    `json:"kind" enum:"CREATED,IMPORTED,CONSENT,OPTED_OUT,MESSAGE,REPLY,SUPPRESSION_REMOVED"`
	Consent        *field.Consent `json:"consent_status"`
	Previous       *field.Consent `json:"previous_consent_status"`
	Source         *string        `json:"source"`
	Note           *string        `json:"note"`
	Actor          *string        `json:"actor" doc:"The name of who did it; null for the service itself."`
	ImportID       *string        `json:"import_id"`
	Import         *api.Named     `json:"import"`
	CampaignID     *string        `json:"campaign_id"`
	Campaign       *api.Named     `json:"campaign"`
	ConversationID *string        `json:"conversation_id"`
	MessageID      *string        `json:"message_id"`
	AccountID      *string        `json:"account_id"`
	Account        *api.Named     `json:"account"`
	Status         *string        `json:"status"`
}

// history is an entry as stored. Its id is the recipient's and a number that counts
// up from 1, so that a page of a history is a row of ids and needs no index.
type history struct {
	ID string `json:"id,omitempty"` // "" for the first entry, which its recipient has
	// The fields of History, short ones left out.
	At             time.Time     `json:"at"`
	Kind           HistoryKind   `json:"kind"`
	Consent        field.Consent `json:"consent,omitempty"`
	Previous       field.Consent `json:"previous,omitempty"`
	Source         string        `json:"source,omitempty"`
	Note           string        `json:"note,omitempty"`
	Actor          string        `json:"actor,omitempty"`
	ImportID       string        `json:"import,omitempty"`
	CampaignID     string        `json:"campaign,omitempty"`
	ConversationID string        `json:"conversation,omitempty"`
	MessageID      string        `json:"message,omitempty"`
	AccountID      string        `json:"account,omitempty"`
	Status         string        `json:"status,omitempty"`
}

var histories = store.NewTable("recipient_history", "", func(h *history) string { return h.ID })

func historyID(recipient string, n int) string { return fmt.Sprintf("%s/%08d", recipient, n) }

// note adds to the history of a recipient, which the caller saves.
func note(tx *store.Tx, org string, r *Recipient, h history) error {
	if r.begin(h) {
		return nil
	}
	r.Notes++
	h.ID = historyID(r.ID, r.Notes)
	return histories.Put(tx, org, &h)
}

// begin begins a history. One that began is left alone.
func (r *Recipient) begin(h history) bool {
	if r.Notes > 0 {
		return false
	}
	r.Notes, r.Begun = 1, &h
	return true
}

// page reads a part of a recipient's history, newest first.
func (r *Recipient) page(tx *store.Tx, org string, in api.PageIn) (api.Page[History], error) {
	ids, next, err := r.historyIDs(in)
	if err != nil {
		return api.Page[History]{}, err
	}
	found, err := histories.GetMany(tx, org, ids)
	out := make([]History, 0, len(found))
	for n, h := range found {
		if h == nil && ids[n] == historyID(r.ID, 1) {
			h = r.Begun
		}
		if h != nil {
			out = append(out, h.shown(org))
		}
	}
	return api.NewPage(out, r.Notes, in, next), err
}

// historyIDs are those of the notes on a page, newest first. A cursor is the id of the
// last note of the page before.
func (r *Recipient) historyIDs(in api.PageIn) (ids []string, next store.Cursor, err error) {
	n := r.Notes - in.Offset
	if at := in.Behind(); at != nil {
		number, of := strings.CutPrefix(string(at), r.ID+"/")
		last, err := strconv.Atoi(number)
		if !of || err != nil {
			return nil, nil, store.ErrCursor
		}
		n = last - 1
	}
	for ; n > 0 && len(ids) < in.Limit; n-- {
		ids = append(ids, historyID(r.ID, n))
	}
	if n > 0 && len(ids) > 0 {
		next = store.Cursor(ids[len(ids)-1])
	}
	return ids, next, nil
}

// hiddenAtOnce bounds the entries that one transaction looks at.
const hiddenAtOnce = 1000

// HideConversation is ForgetConversation for a chat that only some may see: the newest entries of
// the history stay, and no longer say in which chat it was.
func HideConversation(tx *store.Tx, org, id, conversation string) error {
	return editIfPresent(tx, org, id, func(r *Recipient) error {
		r.forget(conversation)
		if r.Begun != nil {
			r.Begun.hide(conversation)
		}
		ids, _, err := r.historyIDs(api.PageIn{Limit: hiddenAtOnce})
		if err != nil {
			return err
		}
		found, err := histories.GetMany(tx, org, ids)
		for _, h := range found {
			if err == nil && h != nil && h.hide(conversation) {
				err = histories.Put(tx, org, h)
			}
		}
		return err
	})
}

func (h *history) hide(conversation string) bool {
	if h.ConversationID != conversation {
		return false
	}
	h.ConversationID, h.MessageID = "", ""
	return true
}

func (h *history) shown(org string) History {
	return History{
		At: h.At, Kind: h.Kind, Consent: api.Optional(h.Consent), Previous: api.Optional(h.Previous), Source: api.Optional(h.Source),
		Note: api.Optional(h.Note), Actor: api.Optional(h.Actor), ImportID: api.Optional(h.ImportID), CampaignID: api.Optional(h.CampaignID),
		ConversationID: api.Optional(h.ConversationID), MessageID: api.Optional(h.MessageID), AccountID: api.Optional(h.AccountID),
		Import: api.Ref(org, h.ImportID), Campaign: api.Ref(org, h.CampaignID), Account: api.Ref(org, h.AccountID), Status: api.Optional(h.Status),
	}
}

// actor is who made a call, by name; "" for the service itself.
func actor(c *api.Call) string {
	if c.Caller.Kind == api.Service {
		return ""
	}
	return c.Caller.Name
}
