package channel

import (
	"context"
	"strconv"
	"time"

	"svc/app/account"
	"svc/app/account/connection"
	"svc/app/api"
	"svc/app/recipient"
	"svc/app/recipient/field"
	"svc/app/recipient/suppression"
	"svc/app/send"
	"svc/app/signal"
	"svc/messenger"
	"svc/store"
)

// Messenger is the channel of accounts of the messenger. It takes what arrives over their
// connections (connection.Inbox) and gives it to Intake, and carries replies out through
// package send, as its Source.
type Messenger struct {
	Accounts *account.Service
	Send     *send.Service
	Intake   Intake
	Outbox   Outbox
	Bus      *signal.Bus
	// People are those of the simulator, nil with the real messenger.
	People messenger.People
}

var (
	_ Channel          = (*Messenger)(nil)
	_ connection.Inbox = (*Messenger)(nil)
	_ send.Source      = (*Messenger)(nil)
)

// window is how long after their last message somebody may be answered without consent over
// an account of no business. The messenger has no bound of its own.
const window = 24 * time.Hour

// Name implements Channel.
func (*Messenger) Name() Name { return OnMessenger }

// Rules implements Channel.
func (*Messenger) Rules() Rules {
	return Rules{
		MaxLength: 4096, Unit: "utf16", Recognises: true, Formats: true, Quotes: true, Window: window, MaxFiles: 10,
		Files: []FileKind{Photo, Video, Voice, Audio, Document, Animation},
	}
}

// Account implements Channel.
func (*Messenger) Account(tx *store.Tx, org, id string) (Account, error) {
	a, err := account.Get(tx, org, id)
	if err != nil {
		return Account{}, err
	}
	out := Account{ID: a.ID, Name: a.DisplayName(), Username: a.Username, Owner: OwnerOf(&a)}
	if !a.Sends() {
		out.Unavailable = Unavailable
	}
	return out, nil
}

// OwnerOf is what the messenger knows an account by.
func OwnerOf(a *account.Account) string {
	if a.MessengerID == 0 {
		return a.ID
	}
	return strconv.FormatInt(a.MessengerID, 10)
}

// messengerID reads the id of a person; 0 for one that is none.
func messengerID(p Person) int64 {
	id, err := strconv.ParseInt(p.ID, 10, 64)
	if err != nil {
		return 0
	}
	return id
}

// Recognise implements Channel: by messenger id, else by a username whose recipient has no
// other id.
func (*Messenger) Recognise(tx *store.Tx, org string, p Person) (string, error) {
	r, err := recipient.ByMessengerID(tx, org, messengerID(p))
	if store.IsNotFound(err) && p.Username != "" {
		r, err = recipient.ByUsername(tx, org, p.Username)
		if err == nil && r.MessengerID != 0 { // the name was another's
			return "", nil
		}
	}
	if err != nil {
		return "", store.IgnoreNotFound(err)
	}
	return r.ID, nil
}

// Standing implements Channel.
func (*Messenger) Standing(tx *store.Tx, org string, p Person, recipientID string) (s Standing, err error) {
	if recipientID != "" {
		r, err := recipient.Get(tx, org, recipientID)
		if err == nil {
			return Standing{
				RecipientID: r.ID, Consent: r.Consent, OptedOutAt: r.OptedOutAt, OptedOut: r.Consent == field.OptedOut, Suppressed: r.Suppressed,
			}, nil
		}
		if !store.IsNotFound(err) {
			return s, err
		}
	}
	s.Consent = field.Unknown
	s.Suppressed, err = suppression.Names(tx, org, field.Who{MessengerID: messengerID(p), Username: p.Username})
	return s, err
}

// OptOut implements Channel.
func (m *Messenger) OptOut(tx *store.Tx, c *api.Call, p Person) error {
	who := field.Who{MessengerID: messengerID(p), Username: p.Username}
	if who.Username != "" {
		// A recipient with this name and another id is somebody who had it before.
		x, err := recipient.ByUsername(tx, c.Org, who.Username)
		if err != nil && !store.IsNotFound(err) {
			return err
		}
		if err == nil && x.MessengerID != 0 && x.MessengerID != who.MessengerID {
			who.Username = ""
		}
	}
	source := field.ByLink // the customer said so
	if c.Caller.Kind == api.Person || c.Caller.Kind == api.Key {
		source = recipient.SourceOf(c)
	}
	_, err := recipient.OptOut(tx, c, m.Bus, who, source)
	return err
}

// MarkRead implements Channel.
func (m *Messenger) MarkRead(ctx context.Context, org, accountID string, p Person, seq int64) error {
	conn, _, err := m.Accounts.Conn(ctx, org, accountID)
	if err != nil {
		return ErrUnreachable.WithCause(err)
	}
	return refusalOf(conn.MarkRead(ctx, messenger.Target{ID: messengerID(p), Username: p.Username}, int(seq)))
}

// refusalOf is the answer for what the messenger said to a read mark; nil for nil.
func refusalOf(err error) error {
	switch e := messenger.As(err); {
	case err == nil:
		return nil
	case e == nil, e.Fault == messenger.Unreachable, e.Fault == messenger.RouteFailed, e.Fault == messenger.Busy:
		return ErrUnreachable.WithCause(err)
	case e.Fault == messenger.Flood, e.Fault == messenger.Wait:
		return ErrUnreachable.After(e.Wait).WithCause(err)
	}
	return ErrRefused.WithCause(err)
}

// at is where something arrived.
func (m *Messenger) at(tx *store.Tx, ref connection.Ref) (At, error) {
	a, err := account.Get(tx, ref.Org, ref.ID)
	return At{Org: ref.Org, Account: ref.ID, Owner: OwnerOf(&a), Channel: OnMessenger}, err
}

// Received implements connection.Inbox.
func (m *Messenger) Received(tx *store.Tx, ref connection.Ref, in messenger.Incoming) (connection.Stored, error) {
	return m.take(tx, ref, in, m.Intake.Received)
}

// Edited implements connection.Inbox.
func (m *Messenger) Edited(tx *store.Tx, ref connection.Ref, in messenger.Incoming) (connection.Stored, error) {
	return m.take(tx, ref, in, m.Intake.Edited)
}

func (m *Messenger) take(tx *store.Tx, ref connection.Ref, in messenger.Incoming, f func(*store.Tx, At, Incoming) (Stored, error)) (connection.Stored, error) {
	at, err := m.at(tx, ref)
	if err != nil {
		return connection.Stored{}, err
	}
	out, err := f(tx, at, Translate(&in))
	return connection.Stored{New: out.New, RecipientID: out.RecipientID}, err
}

// Deleted implements connection.Inbox.
func (m *Messenger) Deleted(tx *store.Tx, ref connection.Ref, ids []int) error {
	at, err := m.at(tx, ref)
	if err != nil {
		return err
	}
	list := make([]string, len(ids))
	for i, id := range ids {
		list[i] = strconv.Itoa(id)
	}
	return m.Intake.Deleted(tx, at, list)
}

// ReadByPeer implements connection.Inbox.
func (m *Messenger) ReadByPeer(tx *store.Tx, ref connection.Ref, peer int64, upTo int) error {
	at, err := m.at(tx, ref)
	if err != nil {
		return err
	}
	return m.Intake.ReadByPeer(tx, at, strconv.FormatInt(peer, 10), int64(upTo))
}

// ReadHere implements connection.Inbox.
func (m *Messenger) ReadHere(tx *store.Tx, ref connection.Ref, peer int64, upTo int) error {
	at, err := m.at(tx, ref)
	if err != nil {
		return err
	}
	return m.Intake.ReadHere(tx, at, strconv.FormatInt(peer, 10), int64(upTo))
}

// Reacted implements connection.Inbox.
func (m *Messenger) Reacted(tx *store.Tx, ref connection.Ref, id int, now []messenger.Reaction) error {
	at, err := m.at(tx, ref)
	if err != nil {
		return err
	}
	return m.Intake.Reacted(tx, at, strconv.Itoa(id), reactions(now))
}

// PersonOf is a person of the messenger.
func PersonOf(p messenger.Peer) Person {
	return Person{ID: strconv.FormatInt(p.ID, 10), Username: p.Username, FirstName: p.FirstName, LastName: p.LastName, Contact: p.Contact}
}

// Translate is a message of the messenger in the words of the inbox.
func Translate(m *messenger.Incoming) Incoming {
	in := Incoming{
		ID: strconv.Itoa(m.ID), Seq: int64(m.ID), From: PersonOf(m.Peer), Out: m.Out, At: m.At, EditedAt: m.EditedAt, Text: m.Text,
		Reactions: reactions(m.Reactions),
	}
	for _, e := range m.Entities {
		in.Entities = append(in.Entities, Entity{Type: e.Type, Offset: e.Offset, Length: e.Length, URL: e.URL, Language: e.Language})
	}
	if m.ReplyTo != 0 {
		in.ReplyTo = strconv.Itoa(m.ReplyTo)
	}
	if m.Album != 0 {
		in.Album = strconv.FormatInt(m.Album, 10)
	}
	if f := m.Forward; f != nil {
		in.Forward = &Forward{Name: f.Name, At: f.At}
	}
	if f := m.Media; f != nil {
		in.File = &IncomingFile{
			Kind: FileKind(f.Kind), Name: f.Name, MimeType: f.MimeType, Size: f.Size, Width: f.Width, Height: f.Height, Seconds: f.Seconds,
			Waveform: f.Waveform, Ref: f.Ref,
		}
	}
	if l := m.Location; l != nil {
		in.Location = &Location{Lat: l.Lat, Lon: l.Lon, Title: l.Title, Address: l.Address}
	}
	if c := m.Contact; c != nil {
		in.Card = &Card{Phone: c.Phone, FirstName: c.FirstName, LastName: c.LastName}
	}
	return in
}

func reactions(list []messenger.Reaction) (out []Reaction) {
	for _, r := range list {
		out = append(out, Reaction(r))
	}
	return out
}
