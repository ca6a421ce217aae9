package conversation

import (
	"encoding/json"
	"time"
	"unicode/utf8"

	"svc/app/inbox/channel"
	"svc/store"
)

// Direction says who wrote to whom.
type Direction string

// The directions.
const (
	In  Direction = "IN"
	Out Direction = "OUT"
)

// Author says who wrote a message (contract 10.2).
type Author string

// The authors. OwnerPhone is the account's owner in the network's own app.
const (
	Customer   Author = "CUSTOMER"
	AI         Author = "AI"
	Human      Author = "HUMAN"
	OwnerPhone Author = "OWNER_PHONE"
)

// Kind is what a message is.
type Kind string

// The kinds (contract 10.2).
const (
	Text        Kind = "TEXT"
	Media       Kind = "MEDIA"
	Album       Kind = "ALBUM"
	Place       Kind = "LOCATION"
	ContactCard Kind = "CONTACT"
	ServiceNote Kind = "SERVICE"
)

// FileStatus is where a file is on its way here (contract 60.21).
type FileStatus string

// The statuses.
const (
	Pending     FileStatus = "PENDING"
	Stored      FileStatus = "STORED"
	TooLarge    FileStatus = "TOO_LARGE"
	Unavailable FileStatus = "UNAVAILABLE"
	FileFailed  FileStatus = "FAILED"
)

// FileStatuses lists them.
func FileStatuses() []FileStatus {
	return []FileStatus{Pending, Stored, TooLarge, Unavailable, FileFailed}
}

// File is a file of a message. Its name is sealed with the text.
type File struct {
	ID       string           `json:"id"`
	Kind     channel.FileKind `json:"kind"`
	Status   FileStatus       `json:"status"`
	MimeType string           `json:"mime_type,omitempty"`
	Size     int64            `json:"size,omitempty"`
	Width    int              `json:"width,omitempty"`
	Height   int              `json:"height,omitempty"`
	Seconds  int              `json:"seconds,omitempty"`
	Thumb    bool             `json:"thumb,omitempty"`
	// Part is the network's id of the message that carries it.
	Part string `json:"part,omitempty"`
}

// Part is one message of the network; an album has several.
type Part struct {
	ID  string `json:"id"`
	Seq int64  `json:"seq,omitempty"`
}

// Message is one message of a conversation.
type Message struct {
	ID           string    `json:"id"`
	Conversation string    `json:"conversation"`
	Owner        string    `json:"owner"`
	Direction    Direction `json:"direction"`
	Author       Author    `json:"author"`
	AuthorUser   string    `json:"author_user,omitempty"`
	Kind         Kind      `json:"kind"`
	Status       Status    `json:"status"`
	ErrorCode    string    `json:"error_code,omitempty"`
	SendBasis    string    `json:"send_basis,omitempty"`
	ClientID     string    `json:"client_id,omitempty"`
	ExecutionID  string    `json:"execution_id,omitempty"`
	DraftID      string    `json:"draft_id,omitempty"`
	// Demo: no language model wrote it, the demo model did.
	Demo bool `json:"demo,omitempty"`
	// AnswersSeq is up to which message of the customer the AI answered with it; 0: none.
	AnswersSeq int64 `json:"answers_seq,omitempty"`
	// Anyway: an answer of the AI that goes out although the customer went on writing.
	Anyway bool `json:"anyway,omitempty"`
	// BesideHandoff: an answer of the AI that goes out although a person got the conversation
	// with it.
	BesideHandoff bool `json:"beside_handoff,omitempty"`
	// Nth tells apart what the AI writes to the same messages: 0 is the answer, more the
	// follow-ups, -1 an answer that goes out although the customer went on writing.
	Nth int `json:"nth,omitempty"`
	// Parts are what the network knows it by; none for one that waits to be sent.
	Parts []Part `json:"parts,omitempty"`
	Album string `json:"album,omitempty"`
	// ReplyTo is the network's id of the message that this one answers.
	ReplyTo    string             `json:"reply_to,omitempty"`
	Files      []File             `json:"files,omitempty"`
	Reactions  []channel.Reaction `json:"reactions,omitempty"`
	MergedInto string             `json:"merged_into,omitempty"`
	Imported   bool               `json:"imported,omitempty"`
	// Purged: the text was removed because the organization keeps texts for a time only.
	Purged bool `json:"purged,omitempty"`
	// Answers: it took the customer from those who wait.
	Answers bool `json:"answers,omitempty"`
	// AnswersSince is since when the customer waited for it.
	AnswersSince time.Time `json:"answers_since,omitzero"`

	At        time.Time    `json:"at"` // orders messages: when it was sent, or queued
	SentAt    time.Time    `json:"sent_at,omitzero"`
	ReadAt    time.Time    `json:"read_at,omitzero"`
	EditedAt  time.Time    `json:"edited_at,omitzero"`
	DeletedAt time.Time    `json:"deleted_at,omitzero"`
	CreatedAt time.Time    `json:"created_at"`
	Content   store.Sealed `json:"content"`
}

// Seq is the last of its parts, 0 for one without parts.
func (m *Message) Seq() (seq int64) {
	for _, p := range m.Parts {
		seq = max(seq, p.Seq)
	}
	return seq
}

// PlatformID is the network's id of its first part, "" for none.
func (m *Message) PlatformID() string {
	if len(m.Parts) == 0 {
		return ""
	}
	return m.Parts[0].ID
}

// Content is what is sealed of a message.
type Content struct {
	Text     string               `json:"text,omitempty"`
	Entities []channel.Entity     `json:"entities,omitempty"`
	Forward  *channel.Forward     `json:"forward,omitempty"`
	Location *channel.Location    `json:"location,omitempty"`
	Card     *channel.Card        `json:"card,omitempty"`
	Files    map[string]FileWords `json:"files,omitempty"` // by id
}

// FileWords is what is sealed of a file: what the sender called it, and what the network
// finds it by.
type FileWords struct {
	Name     string `json:"name,omitempty"`
	Waveform []byte `json:"waveform,omitempty"`
	Ref      []byte `json:"ref,omitempty"`
}

var (
	messages = store.NewTable("conversation_message", "msg", func(m *Message) string { return m.ID })
	content  = messages.Sealed("content", func(m *Message) *store.Sealed { return &m.Content })

	// inOrder are the messages of a conversation, the oldest first.
	inOrder = messages.Index("order", func(m *Message) store.Key {
		if m.MergedInto != "" {
			return nil
		}
		return orderKey(m)
	})
	byPart   = messages.Multi("part", partKeys)
	byAlbum  = messages.Multi("album", albumKeys)
	byClient = messages.Unique("client", func(m *Message) store.Key {
		if m.ClientID == "" {
			return nil
		}
		return store.Tuple(store.Text(m.Conversation), store.Text(m.ClientID))
	})
	// The AI answers the same messages once.
	_ = messages.Unique("answered", func(m *Message) store.Key {
		if m.AnswersSeq == 0 || m.Author != AI || m.Status == Cancelled {
			return nil
		}
		return store.Tuple(store.Text(m.Conversation), store.Int(m.AnswersSeq), store.Int(int64(m.Nth)))
	})
	// unreadOut are messages that the customer has not read, toSend those that wait.
	unreadOut = messages.Multi("unread_out", func(m *Message) []store.Key {
		if m.Direction != Out || !m.ReadAt.IsZero() || m.Seq() == 0 || m.MergedInto != "" {
			return nil
		}
		return []store.Key{store.Tuple(store.Text(m.Conversation), store.Int(m.Seq()))}
	})
	toSend = messages.Multi("to_send", func(m *Message) []store.Key {
		if m.Status != Queued {
			return nil
		}
		return []store.Key{store.Text(m.Conversation)}
	})
	// kept are those whose text is there, by time, for retention.
	kept = messages.Multi("kept", func(m *Message) []store.Key {
		if m.Purged || m.Content.IsZero() && len(m.Files) == 0 {
			return nil
		}
		return []store.Key{store.Time(m.At)}
	})
)

func orderKey(m *Message) store.Key {
	seq := int64(0)
	if len(m.Parts) > 0 && m.Author != Human && m.Author != AI {
		seq = m.Parts[0].Seq
	}
	return store.Tuple(store.Text(m.Conversation), store.Time(m.At), store.Int(seq), store.Text(m.ID))
}

func partKey(owner, id string) store.Key { return store.Tuple(store.Text(owner), store.Text(id)) }

func partKeys(m *Message) (out []store.Key) {
	for _, p := range m.Parts {
		out = append(out, partKey(m.Owner, p.ID))
	}
	return out
}

func albumKeys(m *Message) []store.Key {
	if m.Album == "" {
		return nil
	}
	return []store.Key{store.Tuple(store.Text(m.Conversation), store.Text(m.Album))}
}

// Open reads what a message says; of one that was deleted or purged it is empty.
func (m *Message) Open(db *store.DB, org string) (out Content, err error) {
	err = content.OpenJSON(db, org, m, &out)
	return out, err
}

// seal puts what a message says into its record.
func (m *Message) seal(tx *store.Tx, org string, c *Content) error {
	b, err := json.Marshal(c)
	if err != nil {
		return err
	}
	if len(b) == len("{}") {
		b = nil
	}
	return content.Set(tx, org, m, b)
}

// GetMessage reads a message: store.ErrNotFound when the organization has none of that id.
func GetMessage(tx *store.Tx, org, id string) (Message, error) { return messages.Get(tx, org, id) }

// OfPart finds the message that the network knows by an id, or answers store.ErrNotFound.
func OfPart(tx *store.Tx, org, owner, id string) (Message, error) {
	return byPart.First(tx, org, store.Is(partKey(owner, id)))
}

// OfClient finds a reply by the id that its sender gave it, or answers store.ErrNotFound.
func OfClient(tx *store.Tx, org, conversation, client string) (Message, error) {
	return byClient.Find(tx, org, store.Tuple(store.Text(conversation), store.Text(client)))
}

// Waiting are the replies of a conversation that wait to be sent or are on their way.
func Waiting(tx *store.Tx, org, conversation string) ([]Message, error) {
	list, _, err := toSend.Walk(tx, org, store.Range{Span: store.Is(store.Text(conversation)), Limit: maxWaiting})
	return list, err
}

// maxWaiting bounds the replies of one conversation that wait.
const maxWaiting = 200

// Older reads up to limit messages of a conversation before one, or the newest with "",
// oldest first; more says whether there are others before them.
func Older(tx *store.Tx, org, conversation, before string, limit int) (list []Message, more bool, err error) {
	of := store.Tuple(store.Text(conversation))
	span := store.Is(of)
	if before != "" {
		m, err := messages.Get(tx, org, before)
		if err != nil {
			return nil, false, err
		}
		if m.Conversation != conversation {
			return nil, false, store.ErrNotFound
		}
		span = store.Between(of, orderKey(&m))
	}
	list, next, err := inOrder.Walk(tx, org, store.Range{Span: span, Limit: limit, Reverse: true})
	for i, j := 0, len(list)-1; i < j; i, j = i+1, j-1 {
		list[i], list[j] = list[j], list[i]
	}
	return list, next != nil, err
}

// cutTo shortens a text to some bytes, between letters.
func cutTo(s string, bytes int) string {
	if len(s) <= bytes {
		return s
	}
	for bytes > 0 && !utf8.RuneStart(s[bytes]) {
		bytes--
	}
	return s[:bytes]
}
