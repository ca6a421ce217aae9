package conversation

import (
	"context"
	"slices"
	"time"

	"svc/app/api"
	"svc/app/event"
	"svc/app/inbox/channel"
	"svc/app/signal"
	"svc/store"
)

// Bounds of what is kept of a message that somebody else wrote.
const (
	maxText      = 64 << 10 // bytes
	maxEntities  = 1000
	maxName      = 256 // bytes of a name
	maxReactions = 100
	maxAlbum     = 20 // parts
)

// Found says what Find found.
type Found struct {
	Made bool // the conversation is new
	// Turned: the address book makes a chat personal that was not, or the other way round; see
	// [Turn].
	Turned bool
}

// Find finds the conversation with a person, or makes it. Nothing of it is saved yet.
func Find(tx *store.Tx, org string, at channel.At, p channel.Person) (k Conversation, found Found, err error) {
	k, err = Of(tx, org, at.Channel, at.Owner, p.ID)
	if store.IsNotFound(err) {
		now := tx.DB().Now()
		k = Conversation{
			ID: tx.DB().NewID("cnv"), Channel: at.Channel, AccountID: at.Account, Owner: at.Owner, AIState: Active, CreatedAt: now, UpdatedAt: now,
		}
		found.Made, err = true, nil
	}
	if err != nil {
		return k, found, err
	}
	k.AccountID = at.Account // the same number may have been connected again
	was := k.Personal
	k.meet(p)
	found.Turned = !found.Made && k.Personal != was
	return k, found, nil
}

// SetPerson notes how the network shows the person of a conversation now.
func SetPerson(tx *store.Tx, org string, k *Conversation, p channel.Person) error {
	k.meet(p)
	return conversations.Put(tx, org, k)
}

// meet notes how the network shows the person now.
func (c *Conversation) meet(p channel.Person) {
	p.FirstName, p.LastName, p.Username = cutTo(p.FirstName, maxName), cutTo(p.LastName, maxName), cutTo(p.Username, maxName)
	if p.Language == "" {
		p.Language = c.Person.Language
	}
	c.Person = p
	if c.PersonalSource != ByOwner {
		c.Personal, c.PersonalSource = p.Contact, ""
		if p.Contact {
			c.PersonalSource = ByContact
		}
	}
}

// Arrival is what a message that arrived brings with it.
type Arrival struct {
	Made      bool // the conversation is new with it
	Quiet     bool // it was there before, and starts nothing
	Bus       *signal.Bus
	Recipient string // whom the person was recognised as
}

// Add stores a message that arrived, or that the owner wrote in the network's own app,
// with everything that follows for its conversation. The caller knows that nobody has it.
func Add(tx *store.Tx, org string, k *Conversation, in *channel.Incoming, a Arrival) (Message, error) {
	now := tx.DB().Now()
	m := Message{
		ID: tx.DB().NewID("msg"), Conversation: k.ID, Owner: k.Owner, Direction: In, Author: Customer, Status: Received,
		Parts: []Part{{in.ID, in.Seq}}, Album: in.Album, ReplyTo: in.ReplyTo, Reactions: bounded(in.Reactions, maxReactions),
		Imported: in.Imported, At: in.At.UTC(), EditedAt: in.EditedAt.UTC(), CreatedAt: now,
	}
	if in.Out {
		m.Direction, m.Author, m.Status, m.SentAt = Out, OwnerPhone, Sent, in.At.UTC()
	}
	if in.EditedAt.IsZero() {
		m.EditedAt = time.Time{}
	}
	c := Content{}
	m.describe(in, &c)
	m.attach(tx, in, &c)
	if err := m.seal(tx, org, &c); err != nil {
		return m, err
	}
	k.RecipientID = firstOf(a.Recipient, k.RecipientID)
	k.place(&m)
	notified := k.WaitingNotified
	promoted := k.arrived(&m, a.Made, a.Quiet)
	if err := messages.Insert(tx, org, &m); err != nil {
		return m, err
	}
	if err := putAnswered(tx, org, k, notified); err != nil {
		return m, err
	}
	if err := wantFiles(tx, org, k, &m, a.Bus); err != nil || m.Imported || a.Quiet {
		return m, err
	}
	return m, announce(tx, org, k, &m, map[string]any{"new_conversation": a.Made, "promoted_from_history": promoted})
}

// describe fills in what a message says.
func (m *Message) describe(in *channel.Incoming, c *Content) {
	m.Kind = Text
	switch {
	case in.Service:
		m.Kind = ServiceNote
	case in.File != nil && in.Album != "":
		m.Kind = Album
	case in.File != nil:
		m.Kind = Media
	case in.Location != nil:
		m.Kind = Place
	case in.Card != nil:
		m.Kind = ContactCard
	}
	c.Text, c.Entities = cutTo(in.Text, maxText), bounded(in.Entities, maxEntities)
	c.Forward, c.Location, c.Card = in.Forward, in.Location, in.Card
}

// attach adds the file of a part.
func (m *Message) attach(tx *store.Tx, in *channel.Incoming, c *Content) {
	f := in.File
	if f == nil {
		return
	}
	id := tx.DB().NewID("fil")
	m.Files = append(m.Files, File{
		ID: id, Kind: f.Kind, Status: Pending, MimeType: cutTo(f.MimeType, maxName), Size: f.Size, Width: f.Width, Height: f.Height, Seconds: f.Seconds,
		Part: in.ID,
	})
	if c.Files == nil {
		c.Files = map[string]FileWords{}
	}
	c.Files[id] = FileWords{Name: cutTo(f.Name, maxName), Waveform: bounded(f.Waveform, maxText), Ref: f.Ref}
}

func bounded[T any](list []T, most int) []T { return list[:min(len(list), most)] }

func firstOf(list ...string) string {
	for _, s := range list {
		if s != "" {
			return s
		}
	}
	return ""
}

// place gives a message its place behind what was said before it: networks tell times to the
// second, and what is written here is told to the microsecond. A message that comes late, because
// the account was not connected, has its place before an answer that was written meanwhile, and
// still behind the messages that the network has before it.
func (c *Conversation) place(m *Message) {
	seq := m.Seq()
	behind := seq == 0 || seq > c.LastSeq && c.LastAt.Sub(m.At) < time.Second
	if behind && !m.At.After(c.LastAt) {
		m.At = c.LastAt.Add(time.Microsecond)
	}
	if seq > c.ArrivedSeq {
		if !m.At.After(c.ArrivedAt) {
			m.At = c.ArrivedAt.Add(time.Microsecond)
		}
		c.ArrivedSeq, c.ArrivedAt = seq, m.At
	}
	c.LastSeq = max(c.LastSeq, seq)
}

// arrived changes a conversation for a message that is new in it, and says whether it was
// known only from an import until now.
func (c *Conversation) arrived(m *Message, made, quiet bool) (promoted bool) {
	if made {
		c.Imported = m.Imported
	}
	c.HasFiles = c.HasFiles || len(m.Files) > 0
	if c.LastID == "" || !m.At.Before(c.LastAt) {
		c.LastAt, c.LastID = m.At, m.ID
	}
	if m.Direction == In && m.At.After(c.LastInAt) {
		c.LastInAt = m.At
	}
	if m.Imported || quiet {
		return false
	}
	c.UpdatedAt = m.CreatedAt
	return c.live(m)
}

// live is what follows for a conversation when a message arrives in it, and not from an
// import.
func (c *Conversation) live(m *Message) (promoted bool) {
	promoted, c.Imported = c.Imported, false
	if m.Direction == In {
		c.Unread++
		c.Blocked = false // whoever writes has not blocked the account
		if c.WaitingSince.IsZero() {
			c.UnansweredSince = m.At
		}
		c.WaitingSince, c.DoneAt = m.At, time.Time{}
		return promoted
	}
	m.AnswersSince = c.Unanswered()
	c.Unread = 0
	c.answered()
	return promoted
}

// announce tells that a message is there.
func announce(tx *store.Tx, org string, k *Conversation, m *Message, more map[string]any) error {
	data := map[string]any{
		"message_id": m.ID, "channel": k.Channel, "account_id": k.AccountID, "direction": m.Direction, "author": m.Author, "kind": m.Kind,
		"new_conversation": false, "promoted_from_history": false, "client_id": api.Optional(m.ClientID), "execution_id": api.Optional(m.ExecutionID),
		"status": m.Status,
	}
	for name, v := range more {
		data[name] = v
	}
	return emit(tx, org, k, event.ConversationMessage, data)
}

// wantFiles asks for the files of a message that were not fetched.
func wantFiles(tx *store.Tx, org string, k *Conversation, m *Message, bus *signal.Bus) error {
	for _, f := range m.Files {
		if f.Status != Pending {
			continue
		}
		want := FileWanted{Org: org, Account: k.AccountID, Conversation: k.ID, Message: m.ID, File: f.ID, Kind: f.Kind, Size: f.Size, Imported: m.Imported}
		if err := signal.Publish(bus, tx, api.System(context.Background(), org, tx.DB().Now()), want); err != nil {
			return err
		}
	}
	return nil
}

// Promote makes a message live that an import brought before it arrived.
func Promote(tx *store.Tx, org string, k *Conversation, m *Message) error {
	m.Imported = false
	notified := k.WaitingNotified
	promoted := k.live(m)
	if err := messages.Put(tx, org, m); err != nil {
		return err
	}
	if err := putAnswered(tx, org, k, notified); err != nil {
		return err
	}
	return announce(tx, org, k, m, map[string]any{"promoted_from_history": promoted})
}

// Join adds a part of an album to the message that has the parts before it; nil when there
// is none, or it is full.
func Join(tx *store.Tx, org string, k *Conversation, in *channel.Incoming, bus *signal.Bus) (*Message, error) {
	if in.Album == "" || in.File == nil {
		return nil, nil
	}
	m, err := byAlbum.Last(tx, org, store.Is(store.Tuple(store.Text(k.ID), store.Text(in.Album))))
	if err != nil || len(m.Parts) >= maxAlbum || !m.DeletedAt.IsZero() || m.Purged || (m.Direction == Out) != in.Out {
		return nil, store.IgnoreNotFound(err)
	}
	c, err := m.Open(tx.DB(), org)
	if err != nil {
		return nil, err
	}
	if c.Text == "" {
		c.Text, c.Entities = cutTo(in.Text, maxText), bounded(in.Entities, maxEntities)
	}
	m.Parts = append(m.Parts, Part{in.ID, in.Seq})
	before := len(m.Files)
	m.attach(tx, in, &c)
	if err := m.seal(tx, org, &c); err != nil {
		return nil, err
	}
	if err := messages.Put(tx, org, &m); err != nil {
		return nil, err
	}
	added := m
	added.Files = m.Files[before:]
	if err := wantFiles(tx, org, k, &added, bus); err != nil || m.Imported {
		return &m, err
	}
	return &m, updated(tx, org, k, &m, "edited", nil)
}

// Edit notes what a message says now. A message that was deleted stays so.
func Edit(tx *store.Tx, org string, k *Conversation, m *Message, in *channel.Incoming) error {
	if !m.DeletedAt.IsZero() || m.Purged {
		return nil
	}
	c, err := m.Open(tx.DB(), org)
	if err != nil {
		return err
	}
	if len(m.Parts) < 2 || in.Text != "" || m.Parts[0].ID == in.ID { // an album has its text on one part
		c.Text, c.Entities = cutTo(in.Text, maxText), bounded(in.Entities, maxEntities)
	}
	if in.Location != nil {
		c.Location = in.Location
	}
	m.EditedAt = in.EditedAt.UTC()
	if in.EditedAt.IsZero() {
		m.EditedAt = tx.DB().Now()
	}
	if err := m.seal(tx, org, &c); err != nil {
		return err
	}
	if err := messages.Put(tx, org, m); err != nil {
		return err
	}
	return updated(tx, org, k, m, "edited", nil)
}

// Delete forgets what a part of a message said; an album stays with its other parts.
func Delete(tx *store.Tx, org string, m *Message, part string) error {
	if !m.DeletedAt.IsZero() {
		return nil
	}
	k, err := conversations.Get(tx, org, m.Conversation)
	if err != nil {
		return err
	}
	if len(m.Parts) > 1 {
		return dropPart(tx, org, &k, m, part)
	}
	if err := MarkDeleted(tx, org, m, tx.DB().Now()); err != nil {
		return err
	}
	return updated(tx, org, &k, m, "deleted", nil)
}

// MarkDeleted forgets what a message said and keeps its row.
func MarkDeleted(tx *store.Tx, org string, m *Message, at time.Time) error {
	m.DeletedAt, m.Files, m.Reactions = at, nil, nil
	if err := content.Set(tx, org, m, nil); err != nil {
		return err
	}
	return messages.Put(tx, org, m)
}

func dropPart(tx *store.Tx, org string, k *Conversation, m *Message, part string) error {
	c, err := m.Open(tx.DB(), org)
	if err != nil {
		return err
	}
	m.Parts = slices.DeleteFunc(m.Parts, func(p Part) bool { return p.ID == part })
	m.Files = slices.DeleteFunc(m.Files, func(f File) bool {
		if f.Part == part {
			delete(c.Files, f.ID)
		}
		return f.Part == part
	})
	m.EditedAt = tx.DB().Now()
	if err := m.seal(tx, org, &c); err != nil {
		return err
	}
	if err := messages.Put(tx, org, m); err != nil {
		return err
	}
	return updated(tx, org, k, m, "edited", nil)
}

// React notes the reactions that a message has now.
func React(tx *store.Tx, org string, m *Message, now []channel.Reaction) error {
	now = bounded(now, maxReactions)
	if !m.DeletedAt.IsZero() || slices.Equal(m.Reactions, now) {
		return nil
	}
	k, err := conversations.Get(tx, org, m.Conversation)
	if err != nil {
		return err
	}
	m.Reactions = slices.Clone(now)
	if err := messages.Put(tx, org, m); err != nil {
		return err
	}
	var last *string
	if len(now) > 0 {
		last = &now[len(now)-1].Emoji
	}
	return updated(tx, org, &k, m, "reaction", map[string]any{"reaction": last})
}
