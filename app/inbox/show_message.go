package inbox

import (
	"time"

	"svc/app/api"
	"svc/app/inbox/channel"
	"svc/app/inbox/conversation"
	"svc/app/inbox/handoff"
	"svc/store"
)

// Message is a message of a conversation (contract 10.2).
type Message struct {
	ID          string                 `json:"id"`
	Direction   conversation.Direction `json:"direction" enum:"IN,OUT"`
	Author      conversation.Author    `json:"author" enum:"CUSTOMER,AI,HUMAN,OWNER_PHONE"`
	AuthorUser  *api.Named             `json:"author_user"`
	Kind        conversation.Kind      `json:"kind" enum:"TEXT,MEDIA,ALBUM,LOCATION,CONTACT,SERVICE"`
	Text        *string                `json:"text"`
	Entities    []channel.Entity       `json:"entities" doc:"Offsets and lengths count UTF-16 units."`
	Files       []File                 `json:"files"`
	ReplyTo     *Quote                 `json:"reply_to"`
	Forward     *Forward               `json:"forward"`
	Reactions   []Reaction             `json:"reactions"`
	Location    *channel.Location      `json:"location"`
	ContactCard *channel.Card          `json:"contact_card"`
	Status      conversation.Status    `json:"status" enum:"RECEIVED,QUEUED,SENDING,SENT,FAILED,CANCELLED"`
	ErrorCode   *string                `json:"error_code"`
	SendBasis   *string                `json:"send_basis" enum:"REPLY_WINDOW,CONSENT,HUMAN_AGENT"`
	ClientID    *string                `json:"client_id"`
	ExecutionID *string                `json:"execution_id"`
	DraftID     *string                `json:"draft_id"`
	Demo        bool                   `json:"demo" doc:"No language model wrote it; show it as Demo."`
	PlatformID  *string                `json:"platform_message_id"`
	MergedInto  *string                `json:"merged_into"`
	Imported    bool                   `json:"imported"`
	Purged      bool                   `json:"purged" doc:"Its text was removed because the organization keeps texts for a time only."`
	At          time.Time              `json:"at" doc:"When it was sent, or queued: the order of messages."`
	SentAt      *time.Time             `json:"sent_at"`
	ReadAt      *time.Time             `json:"read_at"`
	EditedAt    *time.Time             `json:"edited_at"`
	DeletedAt   *time.Time             `json:"deleted_at"`
	CreatedAt   time.Time              `json:"created_at"`
}

// File is a file of a message.
type File struct {
	ID       string                  `json:"id"`
	Kind     channel.FileKind        `json:"kind" enum:"PHOTO,VIDEO,VOICE,AUDIO,DOCUMENT,STICKER,ANIMATION,VIDEO_NOTE,SHARE,STORY,STORY_MENTION"`
	Status   conversation.FileStatus `json:"status" enum:"PENDING,STORED,TOO_LARGE,UNAVAILABLE,FAILED"`
	MimeType *string                 `json:"mime_type"`
	FileName *string                 `json:"file_name"`
	Size     *int64                  `json:"size_bytes"`
	Width    *int                    `json:"width"`
	Height   *int                    `json:"height"`
	Seconds  *int                    `json:"duration_seconds"`
	Waveform []byte                  `json:"waveform" doc:"Of a voice message: 5 bits a sample, in base64."`
	Thumb    bool                    `json:"thumb" doc:"There is a small picture of it: ?thumb=1."`
}

// Quote is the message that another one answers. One that is not here has no id.
type Quote struct {
	ID      *string              `json:"id"`
	Author  *conversation.Author `json:"author" enum:"CUSTOMER,AI,HUMAN,OWNER_PHONE"`
	Preview *string              `json:"preview"`
}

// Forward is where a forwarded message came from.
type Forward struct {
	Name *string    `json:"name" doc:"null when the network hides it."`
	Date *time.Time `json:"date"`
}

// Reaction is one emoji of one side.
type Reaction struct {
	Emoji string     `json:"emoji"`
	By    string     `json:"by" enum:"CUSTOMER,OWNER"`
	At    *time.Time `json:"at"`
}

// messages shows messages of one conversation.
func (s *Service) messages(tx *store.Tx, org string, k *conversation.Conversation, list []conversation.Message) ([]Message, error) {
	sending, err := s.o.Networks.Of(k.Channel).Sending(tx, org, k.AccountID, k.ID)
	if err != nil {
		return nil, err
	}
	out := make([]Message, len(list))
	for i := range list {
		if out[i], err = showMessage(tx, org, &list[i], sending); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// showMessage makes the answer for a message; sending is the one that is on its way.
func showMessage(tx *store.Tx, org string, m *conversation.Message, sending string) (out Message, err error) {
	words, err := m.Open(tx.DB(), org)
	if err != nil {
		return out, err
	}
	out = Message{
		ID: m.ID, Direction: m.Direction, Author: m.Author, AuthorUser: api.Ref(org, m.AuthorUser), Kind: m.Kind,
		Text: api.Optional(words.Text), Entities: append([]channel.Entity{}, words.Entities...), Files: files(m, &words), Reactions: []Reaction{},
		Location: words.Location, ContactCard: words.Card, Status: m.Status, ErrorCode: api.Optional(m.ErrorCode), SendBasis: api.Optional(m.SendBasis),
		ClientID: api.Optional(m.ClientID), ExecutionID: api.Optional(m.ExecutionID), DraftID: api.Optional(m.DraftID), Demo: m.Demo,
		PlatformID: api.Optional(m.PlatformID()), MergedInto: api.Optional(m.MergedInto), Imported: m.Imported, Purged: m.Purged, At: m.At,
		SentAt: api.Optional(m.SentAt), ReadAt: api.Optional(m.ReadAt), EditedAt: api.Optional(m.EditedAt), DeletedAt: api.Optional(m.DeletedAt),
		CreatedAt: m.CreatedAt,
	}
	if m.Status == conversation.Queued && m.ID == sending {
		out.Status = conversation.Sending
	}
	for _, r := range m.Reactions {
		by := "CUSTOMER"
		if r.Out {
			by = "OWNER"
		}
		out.Reactions = append(out.Reactions, Reaction{Emoji: r.Emoji, By: by, At: api.Optional(r.At)})
	}
	if f := words.Forward; f != nil {
		out.Forward = &Forward{Name: api.Optional(f.Name), Date: api.Optional(f.At)}
	}
	out.ReplyTo, err = quote(tx, org, m)
	return out, err
}

func files(m *conversation.Message, words *conversation.Content) []File {
	out := []File{}
	for _, f := range m.Files {
		w := words.Files[f.ID]
		out = append(out, File{
			ID: f.ID, Kind: f.Kind, Status: f.Status, MimeType: api.Optional(f.MimeType), FileName: api.Optional(w.Name), Size: api.Optional(f.Size),
			Width: api.Optional(f.Width), Height: api.Optional(f.Height), Seconds: api.Optional(f.Seconds), Waveform: w.Waveform, Thumb: f.Thumb,
		})
	}
	return out
}

// quote shows the message that another one answers.
func quote(tx *store.Tx, org string, m *conversation.Message) (*Quote, error) {
	if m.ReplyTo == "" {
		return nil, nil
	}
	q, err := conversation.OfPart(tx, org, m.Owner, m.ReplyTo)
	if store.IsNotFound(err) || err == nil && q.Conversation != m.Conversation {
		return &Quote{}, nil
	}
	if err != nil {
		return nil, err
	}
	words, err := q.Open(tx.DB(), org)
	return &Quote{ID: &q.ID, Author: &q.Author, Preview: api.Optional(beginning(words.Text, previewLength))}, err
}

// Handoff is a request that a person answers (contract 13).
type Handoff struct {
	ID             string           `json:"id"`
	ConversationID string           `json:"conversation_id"`
	Conversation   *api.Named       `json:"conversation"`
	Trigger        handoff.Trigger  `json:"trigger" enum:"HUMAN_REQUESTED,LOW_CONFIDENCE,COMPLAINT,SENSITIVE_TOPIC,PRICING_EXCEPTION,HIGH_VALUE_LEAD,POLICY_UNCERTAINTY,CALENDAR_AMBIGUITY,REPEATED_FAILURES,CUSTOM,MANUAL"`
	Reason         *string          `json:"reason"`
	Summary        *string          `json:"summary"`
	CustomerText   *string          `json:"customer_text" doc:"What the customer wrote that may ask to stop; null where that is no question, or the text is gone."`
	Choices        []string         `json:"choices" nullable:"false" enum:"STOP,RESUME" doc:"What decides an open one that may be a stop: STOP is POST …/stop of the conversation, RESUME is POST …/resume. Empty for all others."`
	Priority       handoff.Priority `json:"priority" enum:"NORMAL,HIGH"`
	AssignedUser   *api.Named       `json:"assigned_user"`
	Resolved       bool             `json:"resolved"`
	ResolvedAt     *time.Time       `json:"resolved_at"`
	ResolvedBy     *api.Named       `json:"resolved_by"`
	ResolutionNote *string          `json:"resolution_note"`
	CreatedAt      time.Time        `json:"created_at"`
}

func showHandoff(tx *store.Tx, org string, h *handoff.Handoff) (Handoff, error) {
	w, err := h.Open(tx.DB(), org)
	if err != nil {
		return Handoff{}, err
	}
	out := Handoff{
		ID: h.ID, ConversationID: h.Conversation, Conversation: api.Ref(org, h.Conversation), Trigger: h.Trigger, Reason: api.Optional(w.Reason),
		Summary: api.Optional(w.Summary), Choices: []string{}, Priority: h.Priority, AssignedUser: api.Ref(org, h.AssignedTo), Resolved: h.Resolved,
		ResolvedAt: api.Optional(h.ResolvedAt), ResolvedBy: api.Ref(org, h.ResolvedBy), ResolutionNote: api.Optional(w.Note), CreatedAt: h.CreatedAt,
	}
	if h.Doubt == "" {
		return out, nil
	}
	if !h.Resolved {
		out.Choices = []string{"STOP", "RESUME"}
	}
	out.CustomerText, err = textOf(tx, org, h.Doubt)
	return out, err
}

// textOf is what a message says; nil for one that is gone, was deleted or says nothing any more.
func textOf(tx *store.Tx, org, message string) (*string, error) {
	m, err := conversation.GetMessage(tx, org, message)
	if err != nil || !m.DeletedAt.IsZero() {
		return nil, store.IgnoreNotFound(err)
	}
	words, err := m.Open(tx.DB(), org)
	return api.Optional(words.Text), err
}
