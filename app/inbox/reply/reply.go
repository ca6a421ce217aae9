package reply

import (
	"errors"
	"slices"
	"time"

	"svc/app/api"
	"svc/app/content/markup"
	"svc/app/event"
	"svc/app/inbox/channel"
	"svc/app/inbox/conversation"
	"svc/app/recipient"
	"svc/app/signal"
	"svc/messenger"
	"svc/store"
)

// Uploads are the files that people add to a reply (package file).
type Uploads interface {
	// Take makes uploads of a conversation the files of a message. An upload that is not
	// there is a *api.Error of upload_ids, one that is too old upload_expired.
	Take(tx *store.Tx, c *api.Call, conversationID, message string, ids []string) ([]conversation.File, map[string]conversation.FileWords, error)
	// Outgoing are the files of a message as they go out.
	Outgoing(tx *store.Tx, org string, m *conversation.Message) ([]messenger.File, error)
}

// Options of New.
type Options struct {
	Networks channel.Networks
	// Uploads: nil for none.
	Uploads Uploads
	// Window is the reply window of the business that an account speaks for, 0 for an account
	// of none; nil: there are no businesses.
	Window func(tx *store.Tx, org, account string) (time.Duration, error)
	// Bus hears what became of each reply ([Settled]); nil: nobody listens.
	Bus *signal.Bus
}

// Settled is published when a reply has its outcome, with the message and its conversation
// as they are then.
type Settled struct {
	Org          string
	Conversation conversation.Conversation
	Message      conversation.Message
}

// Service writes to customers.
type Service struct{ o Options }

var _ channel.Outbox = (*Service)(nil)

// New makes the service.
func New(o Options) *Service { return &Service{o} }

// SetUploads says who keeps uploads. Call it before anything is answered.
func (s *Service) SetUploads(u Uploads) { s.o.Uploads = u }

// SetWindow says how long businesses let their customers be answered. Call it before anything
// is answered.
func (s *Service) SetWindow(f func(tx *store.Tx, org, account string) (time.Duration, error)) {
	s.o.Window = f
}

// Words are what a person writes.
type Words struct {
	Text             string
	Format           markup.Format // "" is plain
	Uploads          []string
	ReplyToMessageID string
	ClientID         string
	// Draft is what the AI proposed and the caller approved; nil: the caller wrote it.
	Draft *Draft
}

// Draft names a text of the AI that a person sends. Demo: the demo model wrote it.
type Draft struct {
	ID, Execution string
	Demo          bool
}

// Queue keeps a reply of the caller and hands it over to be sent. With a client_id that a
// reply has already, that reply is the answer, whatever it says.
func (s *Service) Queue(tx *store.Tx, c *api.Call, k *conversation.Conversation, w Words) (conversation.Message, error) {
	if w.ClientID != "" {
		m, err := conversation.OfClient(tx, c.Org, k.ID, w.ClientID)
		if err == nil || !store.IsNotFound(err) {
			return m, err
		}
	}
	v, err := s.GateOf(tx, c.Org, k, true)
	if err != nil {
		return conversation.Message{}, err
	}
	if !v.Allowed {
		return conversation.Message{}, v.Refusal()
	}
	out := conversation.Written{
		ID: tx.DB().NewID("msg"), Author: conversation.Human, ClientID: w.ClientID, Basis: string(v.Basis),
	}
	if c.Caller.Kind == api.Person {
		out.User = c.Caller.ID
	}
	if w.Draft != nil {
		out.Author, out.DraftID, out.ExecutionID, out.Demo = conversation.AI, w.Draft.ID, w.Draft.Execution, w.Draft.Demo
	}
	if err := s.read(tx, c, k, &w, &out); err != nil {
		return conversation.Message{}, err
	}
	m, err := conversation.Write(tx, c, k, out)
	if err != nil {
		return m, err
	}
	return m, s.o.Networks.Of(k.Channel).Queue(tx, c.Org, channel.Reply{
		Message: m.ID, Conversation: k.ID, Account: k.AccountID, RecipientID: v.Standing.RecipientID, AI: w.Draft != nil,
		Personal: k.Personal,
	})
}

// read checks what a person wrote against what the network takes.
func (s *Service) read(tx *store.Tx, c *api.Call, k *conversation.Conversation, w *Words, out *conversation.Written) error {
	rules := s.o.Networks.Of(k.Channel).Rules()
	if err := readText(rules, w, out); err != nil {
		return err
	}
	if api.Blank(out.Text) {
		out.Text, out.Entities = "", nil
	}
	switch nothing := out.Text == "" && len(w.Uploads) == 0; {
	case nothing && w.Draft != nil:
		return api.Wrong("text", "must not be blank")
	case nothing:
		return api.Wrong("text", "or upload_ids is needed")
	}
	if err := s.readQuote(tx, c, k, rules, w, out); err != nil || len(w.Uploads) == 0 {
		return err
	}
	if len(w.Uploads) > rules.MaxFiles {
		return api.Wrong("upload_ids", "are %d files; %d go into one message", len(w.Uploads), rules.MaxFiles)
	}
	if s.o.Uploads == nil {
		return api.Wrong("upload_ids", "there is no upload %.64s", w.Uploads[0])
	}
	var err error
	out.Files, out.FileWords, err = s.o.Uploads.Take(tx, c, k.ID, out.ID, w.Uploads)
	if err != nil {
		return err
	}
	return checkFiles(&rules, out.Files)
}

// checkFiles refuses files that the network does not take.
func checkFiles(rules *channel.Rules, files []conversation.File) error {
	for _, f := range files {
		if !slices.Contains(rules.Files, f.Kind) {
			return api.Wrong("upload_ids", "are of a kind that this network does not take here: %s", f.Kind)
		}
		if most := rules.MaxBytes[f.Kind]; most > 0 && f.Size > most {
			return api.Wrong("upload_ids", "have %d MB; this network takes %d MB of a %s", f.Size>>20, most>>20, f.Kind)
		}
	}
	return nil
}

func readText(rules channel.Rules, w *Words, out *conversation.Written) error {
	out.Text = w.Text
	if w.Format != "" && w.Format != markup.Plain && w.Text != "" && rules.Formats {
		t, err := markup.Parse(w.Text, w.Format)
		if bad := (*markup.SyntaxError)(nil); errors.As(err, &bad) {
			return api.Wrong("text", "%v", bad)
		}
		if err != nil {
			return err
		}
		if len(t.Variables()) > 0 {
			return api.Wrong("text", "has {{%s}}; a reply goes to one person and has no variables", t.Variables()[0])
		}
		r := t.Render(func(string) (string, bool) { return "", false })
		out.Text = r.Text
		for _, e := range r.Entities {
			out.Entities = append(out.Entities, channel.Entity{Type: string(e.Type), Offset: e.Offset, Length: e.Length, URL: e.URL, Language: e.Language})
		}
	}
	if n := rules.Length(out.Text); n > rules.MaxLength {
		return api.Wrong("text", "has %d %s units; this network takes %d", n, rules.Unit, rules.MaxLength)
	}
	return nil
}

func (s *Service) readQuote(tx *store.Tx, c *api.Call, k *conversation.Conversation, rules channel.Rules, w *Words, out *conversation.Written) error {
	if w.ReplyToMessageID == "" {
		return nil
	}
	if !rules.Quotes {
		return api.Wrong("reply_to_message_id", "this network cannot quote a message; leave it out")
	}
	m, err := conversation.GetMessage(tx, c.Org, w.ReplyToMessageID)
	if store.IsNotFound(err) || err == nil && m.Conversation != k.ID {
		return api.Wrong("reply_to_message_id", "there is no message %.64s in this conversation", w.ReplyToMessageID)
	}
	if err == nil && (m.PlatformID() == "" || !m.DeletedAt.IsZero()) {
		return api.Wrong("reply_to_message_id", "the message was not sent yet, or was deleted")
	}
	out.ReplyTo = m.PlatformID()
	return err
}

// CancelAI cancels what the AI has queued in a conversation by itself and nobody sends yet.
// What a person approved stays: they chose.
func (s *Service) CancelAI(tx *store.Tx, c *api.Call, k *conversation.Conversation) error {
	list, err := conversation.Waiting(tx, c.Org, k.ID)
	if err != nil {
		return err
	}
	for i := range list {
		if list[i].Author != conversation.AI || list[i].DraftID != "" {
			continue
		}
		if _, err := s.o.Networks.Of(k.Channel).Cancel(tx, c, c.Org, list[i].ID); err != nil {
			return err
		}
	}
	return nil
}

// Compose implements channel.Outbox: the gate is asked again.
func (s *Service) Compose(tx *store.Tx, c *api.Call, message string) (out channel.Outgoing, err error) {
	m, err := conversation.GetMessage(tx, c.Org, message)
	if err != nil {
		return out, err
	}
	k, err := conversation.Get(tx, c.Org, m.Conversation)
	if err != nil {
		return out, err
	}
	v, err := s.GateOf(tx, c.Org, &k, m.Author == conversation.Human || m.DraftID != "")
	if err != nil {
		return out, err
	}
	if !v.Allowed {
		return out, &channel.ErrDenied{Code: v.Code}
	}
	if code, err := outdated(tx, c.Org, &k, &m); err != nil {
		return out, err
	} else if code != "" {
		return out, &channel.ErrDenied{Code: code}
	}
	words, err := m.Open(tx.DB(), c.Org)
	if err != nil {
		return out, err
	}
	out = channel.Outgoing{To: k.Person, HumanAgent: v.Basis == HumanAgent, Text: words.Text, Entities: words.Entities, ReplyTo: m.ReplyTo}
	if len(m.Files) > 0 && s.o.Uploads != nil {
		out.Files, err = s.o.Uploads.Outgoing(tx, c.Org, &m)
		for _, f := range m.Files {
			out.FileIDs = append(out.FileIDs, f.ID)
		}
	}
	return out, err
}

// Settled implements channel.Outbox.
func (s *Service) Settled(tx *store.Tx, c *api.Call, message string, r channel.Result) error {
	m, err := conversation.GetMessage(tx, c.Org, message)
	if err != nil {
		return store.IgnoreNotFound(err)
	}
	k, err := conversation.Get(tx, c.Org, m.Conversation)
	if err != nil {
		return store.IgnoreNotFound(err)
	}
	o := conversation.Outcome{Event: conversation.WasFailed, Code: r.Code, At: r.At, Part: conversation.Part{ID: r.ID, Seq: r.Seq}}
	switch {
	case r.Sent:
		o.Event, o.Code = conversation.WasProven, ""
		for _, id := range r.More {
			o.More = append(o.More, conversation.Part{ID: id, Seq: r.Seq})
		}
		if m.Status == conversation.Queued {
			o.Event = conversation.WasSent
		}
	case r.Denied:
		o.Event = conversation.WasDenied
	}
	err = conversation.Settle(tx, c.Org, &k, &m, o)
	if errors.Is(err, api.ErrState) {
		return nil // it has its outcome
	}
	if err != nil {
		return err
	}
	if err := s.follow(tx, c, &k, &m); err != nil || !r.Sent {
		return err
	}
	return conversation.NoteContact(tx, c.Org, &k, recipient.Contact{At: r.At, Sent: true, MessageID: m.ID, Status: string(m.Status)})
}

// follow is what the outcome of a reply starts: that the network took one of the AI is
// announced.
func (s *Service) follow(tx *store.Tx, c *api.Call, k *conversation.Conversation, m *conversation.Message) error {
	if m.Author == conversation.AI && m.Status == conversation.Sent {
		err := conversation.Emit(tx, c.Org, k, event.ReplySent, map[string]any{
			"message_id": m.ID, "channel": k.Channel, "account_id": k.AccountID, "execution_id": api.Optional(m.ExecutionID), "draft_id": api.Optional(m.DraftID),
		})
		if err != nil {
			return err
		}
	}
	return signal.Publish(s.o.Bus, tx, c, Settled{c.Org, *k, *m})
}
