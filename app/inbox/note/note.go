// Package note keeps what colleagues write to each other beside a conversation.
//
// It promises that a note is never sent to anybody but members, that its text is sealed
// and stands in no event, audit entry, notification or log, and that whoever is mentioned
// hears of it in the transaction in which the note is stored (contract 22). It refuses to
// know who may read a conversation: its callers ask.
package note

import (
	"time"
	"unicode/utf8"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/event"
	"svc/app/inbox/conversation"
	"svc/app/notify"
	"svc/store"
)

// Bounds of a note.
const (
	MaxText     = 4000 // characters
	MaxMentions = 20
	// maxNotes bounds the notes of one conversation.
	maxNotes = 2000
)

// Note is one note as it is kept.
type Note struct {
	ID           string `json:"id"`
	Conversation string `json:"conversation"`
	// Author is the person or the key that wrote it; Person says which.
	Author    string       `json:"author"`
	Person    bool         `json:"person,omitempty"`
	Mentions  []string     `json:"mentions,omitempty"` // people
	CreatedAt time.Time    `json:"created_at"`
	Text      store.Sealed `json:"text"`
}

var (
	notes = store.NewTable("conversation_note", "nte", func(n *Note) string { return n.ID })
	text  = notes.Sealed("text", func(n *Note) *store.Sealed { return &n.Text })

	ofConversation = notes.Facet("conversation", func(n *Note) []string { return []string{n.Conversation} })
)

// Tables are what a store that holds notes is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{notes} }

// Get reads a note of a conversation: store.ErrNotFound when it has none of that id.
func Get(tx *store.Tx, org, conversationID, id string) (Note, error) {
	n, err := notes.Get(tx, org, id)
	if err == nil && n.Conversation != conversationID {
		return Note{}, store.ErrNotFound
	}
	return n, err
}

// Words is what a note says.
func (n *Note) Words(db *store.DB, org string) (string, error) {
	b, err := text.Open(db, org, n)
	return string(b), err
}

// Add stores a note of the caller and tells those whom it mentions. The caller of Add has
// checked that they may read the conversation.
func Add(tx *store.Tx, c *api.Call, k *conversation.Conversation, words string, mentions []string) (Note, error) {
	n := Note{
		ID: tx.DB().NewID("nte"), Conversation: k.ID, Author: c.Caller.ID, Person: c.Caller.Kind == api.Person, Mentions: mentions, CreatedAt: tx.DB().Now(),
	}
	switch size := utf8.RuneCountInString(words); {
	case size == 0:
		return n, api.Wrong("text", "is needed")
	case size > MaxText:
		return n, api.Wrong("text", "has %d characters; a note takes %d", size, MaxText)
	}
	if total, err := Count(tx, c.Org, k.ID); err != nil {
		return n, err
	} else if total >= maxNotes {
		return n, api.ErrConflict.WithMessage("This conversation has %d notes; delete some first.", total)
	}
	if err := text.Set(tx, c.Org, &n, []byte(words)); err != nil {
		return n, err
	}
	if err := notes.Insert(tx, c.Org, &n); err != nil {
		return n, err
	}
	if err := audit.Write(tx, c, "conversation.noted", k.Resource()); err != nil {
		return n, err
	}
	if err := announce(tx, c, k, &n, false); err != nil {
		return n, err
	}
	for _, user := range mentions {
		if user == c.Caller.ID {
			continue
		}
		err := notify.Send(tx, c.Org, notify.Notice{
			Kind: "MENTIONED", Title: "You were mentioned in a note", Body: "A colleague wants you to look at a conversation.", User: user,
			Resource: &notify.Resource{Type: "conversation", ID: k.ID}, Link: "/inbox/" + k.ID,
		})
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// Delete removes a note for good.
func Delete(tx *store.Tx, c *api.Call, k *conversation.Conversation, n *Note) error {
	if err := notes.Delete(tx, c.Org, n.ID); err != nil {
		return err
	}
	if err := audit.Write(tx, c, "conversation.note_deleted", k.Resource()); err != nil {
		return err
	}
	return announce(tx, c, k, n, true)
}

func announce(tx *store.Tx, c *api.Call, k *conversation.Conversation, n *Note, deleted bool) error {
	return conversation.Emit(tx, c.Org, k, event.ConversationNoted, map[string]any{"note_id": n.ID, "by": conversation.By(c), "deleted": deleted})
}

// List reads a page of the notes of a conversation, newest first.
func List(tx *store.Tx, org, conversationID string, q store.Query[Note]) (store.Page[Note], error) {
	q.Where = append(q.Where, ofConversation.Any(conversationID))
	q.Reverse = true
	return notes.Page(tx, org, q)
}

// Count is how many notes a conversation has.
func Count(tx *store.Tx, org, conversationID string) (int, error) {
	page, err := List(tx, org, conversationID, store.Query[Note]{Limit: 1})
	return page.Total, err
}
