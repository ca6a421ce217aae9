package inbox

import (
	"time"

	"svc/app/api"
	"svc/app/inbox/channel"
	"svc/app/inbox/conversation"
	"svc/app/inbox/handoff"
	"svc/app/inbox/reply"
	"svc/app/recipient"
	"svc/app/recipient/field"
	"svc/app/setting"
	"svc/store"
)

// Conversation is a row of the inbox (contract 10.1).
type Conversation struct {
	ID             string                       `json:"id"`
	Channel        channel.Name                 `json:"channel" enum:"MESSENGER,PHOTO_NETWORK,PAGE_NETWORK"`
	Account        Account                      `json:"account"`
	Contact        Contact                      `json:"contact"`
	Recipient      *Recipient                   `json:"recipient"`
	LastMessage    *LastMessage                 `json:"last_message"`
	WaitingSince   *time.Time                   `json:"waiting_since" doc:"When the customer wrote last, when nobody answered since."`
	Unread         int                          `json:"unread_count"`
	HasFiles       bool                         `json:"has_files"`
	AIState        conversation.AIState         `json:"ai_state" enum:"ACTIVE,PAUSED_HANDOFF,STOPPED,OFF"`
	AIReason       *string                      `json:"ai_state_reason"`
	Personal       bool                         `json:"personal"`
	PersonalSource *conversation.PersonalSource `json:"personal_source" enum:"CONTACT,OWNER"`
	BusinessID     *string                      `json:"business_id"`
	Stage          *Stage                       `json:"stage"`
	AssignedUser   *api.Named                   `json:"assigned_user"`
	OpenHandoffID  *string                      `json:"open_handoff_id"`
	HandoffTrigger *handoff.Trigger             `json:"open_handoff_trigger" enum:"HUMAN_REQUESTED,LOW_CONFIDENCE,COMPLAINT,SENSITIVE_TOPIC,PRICING_EXCEPTION,HIGH_VALUE_LEAD,POLICY_UNCERTAINTY,CALENDAR_AMBIGUITY,REPEATED_FAILURES,CUSTOM,MANUAL" doc:"Why the open handoff is one."`
	PendingDraftID *string                      `json:"pending_draft_id"`
	Lead           *Lead                        `json:"lead"`
	Imported       bool                         `json:"imported" doc:"Known only from the history of the account."`
	DoneAt         *time.Time                   `json:"done_at" doc:"When somebody said that nobody needs to answer; null again with the next message of the customer."`
	CreatedAt      time.Time                    `json:"created_at"`
	UpdatedAt      time.Time                    `json:"updated_at"`

	draft *Draft // of PendingDraftID
}

// Account is the account of a conversation. One that was deleted has no name.
type Account struct {
	ID        string       `json:"id"`
	Channel   channel.Name `json:"channel" enum:"MESSENGER,PHOTO_NETWORK,PAGE_NETWORK"`
	Name      *string      `json:"name"`
	Username  *string      `json:"username"`
	AvatarURL *string      `json:"avatar_url"`
	Connected *string      `json:"connected_account_id" doc:"Of a photo or page network."`
}

// Contact is the other side of a conversation.
type Contact struct {
	Name       string  `json:"name"`
	Username   *string `json:"username"`
	AvatarURL  *string `json:"avatar_url"`
	Language   *string `json:"language"`
	PlatformID string  `json:"platform_user_id"`
}

// Recipient is whom the customer was recognised as.
type Recipient struct {
	ID         string        `json:"id"`
	Name       *string       `json:"name"`
	Consent    field.Consent `json:"consent_status" enum:"OPTED_IN,AUTHORIZED,EXISTING_RELATIONSHIP,UNKNOWN,OPTED_OUT"`
	OptedOutAt *time.Time    `json:"opted_out_at"`
}

// LastMessage is the newest message in a row of the list.
type LastMessage struct {
	Author conversation.Author `json:"author" enum:"CUSTOMER,AI,HUMAN,OWNER_PHONE"`
	Kind   conversation.Kind   `json:"kind" enum:"TEXT,MEDIA,ALBUM,LOCATION,CONTACT,SERVICE"`
	Text   *string             `json:"text" doc:"The first 80 characters."`
	Demo   bool                `json:"demo" doc:"No language model wrote it; show it as Demo."`
	At     time.Time           `json:"at"`
}

// Stage is where a conversation is in its funnel.
type Stage struct {
	Key  string  `json:"key"`
	Name *string `json:"name"`
}

// Opened is one conversation with its newest messages (contract 10.1).
type Opened struct {
	Conversation
	Messages []Message `json:"messages" doc:"The oldest first."`
	HasOlder bool      `json:"has_older" doc:"There are messages before them: ask with before."`
	Handoff  *Handoff  `json:"handoff" doc:"The open one."`
	Draft    *Draft    `json:"draft" doc:"The one that waits for a person."`
	Reply    Reply     `json:"reply"`
}

// Reply says whether a person can answer now (contract 10.3).
type Reply struct {
	Allowed         bool          `json:"allowed"`
	Basis           *reply.Basis  `json:"basis" enum:"REPLY_WINDOW,CONSENT,HUMAN_AGENT"`
	WindowEndsAt    *time.Time    `json:"window_ends_at"`
	HumanWindowEnds *time.Time    `json:"human_window_ends_at"`
	Code            *string       `json:"code" enum:"REPLY_WINDOW_CLOSED,NO_CONSENT,OPTED_OUT,SUPPRESSED,CONVERSATION_STOPPED,ACCOUNT_UNAVAILABLE,CHANNEL_AUTH_REQUIRED,CUSTOMER_BLOCKED"`
	Reason          *string       `json:"reason"`
	MaxLength       int           `json:"max_length"`
	MaxLengthUnit   string        `json:"max_length_unit" enum:"utf16,bytes,characters"`
	Formats         bool          `json:"formats" doc:"The text may have styles."`
	Quotes          bool          `json:"quotes" doc:"An earlier message may be quoted."`
	Attachments     ReplyAttached `json:"attachments"`
}

// ReplyAttached is which files a reply may have.
type ReplyAttached struct {
	AllowedKinds []channel.FileKind `json:"allowed_kinds"`
	MaxFiles     int                `json:"max_files"`
	MaxFileMB    int                `json:"max_file_mb"`
}

// previewLength is how many characters of the last message a row shows.
const previewLength = 80

// rows makes the rows of conversations.
func (s *Service) rows(tx *store.Tx, org string, list []conversation.Conversation) ([]Conversation, error) {
	acting, err := s.acting(tx, org)
	if err != nil {
		return nil, err
	}
	newest, err := conversation.Newest(tx, org, list)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(list))
	for i := range list {
		ids[i] = list[i].RecipientID
	}
	who, err := recipient.GetMany(tx, org, ids)
	if err != nil {
		return nil, err
	}
	accounts := map[string]Account{}
	business, err := s.businesses(tx, org, list)
	if err != nil {
		return nil, err
	}
	out := make([]Conversation, len(list))
	for i := range list {
		k := &list[i]
		out[i] = row(org, k, acting)
		if out[i].BusinessID = api.Optional(business[k.AccountID]); k.Stage != "" && out[i].BusinessID != nil && s.sellers.StageName != nil {
			name, err := s.sellers.StageName(tx, org, *out[i].BusinessID, k.Stage)
			if err != nil {
				return nil, err
			}
			out[i].Stage.Name = api.Optional(name)
		}
		if out[i].Account, err = s.account(tx, org, k, accounts); err != nil {
			return nil, err
		}
		if out[i].LastMessage, err = lastMessage(tx, org, newest[i]); err != nil {
			return nil, err
		}
		if r := who[i]; r != nil {
			out[i].Recipient = &Recipient{ID: r.ID, Name: api.Optional(r.DisplayName()), Consent: r.Consent, OptedOutAt: r.OptedOutAt}
		}
	}
	if err := addTriggers(tx, org, list, out); err != nil {
		return nil, err
	}
	return out, s.addSelling(tx, org, list, out)
}

// addTriggers fills in why people are needed in conversations with an open handoff.
func addTriggers(tx *store.Tx, org string, list []conversation.Conversation, out []Conversation) error {
	ids := make([]string, len(list))
	for i := range list {
		ids[i] = list[i].HandoffID
	}
	open, err := handoff.Many(tx, org, ids)
	for i, h := range open {
		if h != nil {
			out[i].HandoffTrigger = &h.Trigger
		}
	}
	return err
}

func row(org string, k *conversation.Conversation, acting conversation.Mapped) Conversation {
	out := Conversation{
		ID: k.ID, Channel: k.Channel, WaitingSince: api.Optional(k.WaitingSince), Unread: k.Unread, HasFiles: k.HasFiles,
		AIState: k.Shown(acting), AIReason: api.Optional(k.AIReason), Personal: k.Personal, PersonalSource: api.Optional(k.PersonalSource),
		AssignedUser: api.Ref(org, k.AssignedTo), OpenHandoffID: api.Optional(k.HandoffID), Imported: k.Imported,
		DoneAt: api.Optional(k.DoneAt), CreatedAt: k.CreatedAt, UpdatedAt: k.UpdatedAt,
		Contact: Contact{
			Name: k.Name(), Username: api.Optional(k.Person.Username), Language: api.Optional(k.Person.Language), PlatformID: k.Person.ID,
		},
	}
	if k.Stage != "" {
		out.Stage = &Stage{Key: k.Stage}
	}
	return out
}

// account shows the account of a conversation; known are those that were read already.
func (s *Service) account(tx *store.Tx, org string, k *conversation.Conversation, known map[string]Account) (Account, error) {
	if a, ok := known[k.AccountID]; ok {
		return a, nil
	}
	out := Account{ID: k.AccountID, Channel: k.Channel}
	a, err := s.o.Networks.Of(k.Channel).Account(tx, org, k.AccountID)
	if err == nil {
		out.Name, out.Username = api.Optional(a.Name), api.Optional(a.Username)
		if k.Channel != channel.OnMessenger {
			out.Connected = &a.ID
		}
	}
	known[k.AccountID] = out
	return out, store.IgnoreNotFound(err)
}

func lastMessage(tx *store.Tx, org string, m *conversation.Message) (*LastMessage, error) {
	if m == nil {
		return nil, nil
	}
	words, err := m.Open(tx.DB(), org)
	return &LastMessage{Author: m.Author, Kind: m.Kind, Text: api.Optional(beginning(words.Text, previewLength)), Demo: m.Demo, At: m.At}, err
}

// beginning are the first characters of a text.
func beginning(s string, characters int) string {
	for i := range s {
		if characters == 0 {
			return s[:i]
		}
		characters--
	}
	return s
}

// open makes the answer for one conversation.
func (s *Service) open(tx *store.Tx, org string, k *conversation.Conversation, before string, limit int) (out Opened, err error) {
	rows, err := s.rows(tx, org, []conversation.Conversation{*k})
	if err != nil {
		return out, err
	}
	out.Conversation, out.Draft = rows[0], rows[0].draft
	list, older, err := conversation.Older(tx, org, k.ID, before, limit)
	if err != nil {
		return out, err
	}
	out.HasOlder = older
	if out.Messages, err = s.messages(tx, org, k, list); err != nil {
		return out, err
	}
	if k.HandoffID != "" {
		h, err := handoff.Get(tx, org, k.HandoffID)
		if err != nil {
			return out, err
		}
		shown, err := showHandoff(tx, org, &h)
		if err != nil {
			return out, err
		}
		out.Handoff = &shown
	}
	out.Reply, err = s.replyOf(tx, org, k)
	return out, err
}

// replyOf says whether a person can answer now.
func (s *Service) replyOf(tx *store.Tx, org string, k *conversation.Conversation) (out Reply, err error) {
	v, err := s.o.Replies.GateOf(tx, org, k, true)
	if err != nil {
		return out, err
	}
	set, err := setting.Get(tx)
	if err != nil {
		return out, err
	}
	rules := s.o.Networks.Of(k.Channel).Rules()
	out = Reply{
		Allowed: v.Allowed, Basis: api.Optional(v.Basis), WindowEndsAt: api.Optional(v.WindowEnds), HumanWindowEnds: api.Optional(v.HumanEnds), Code: api.Optional(v.Code),
		MaxLength: rules.MaxLength, MaxLengthUnit: rules.Unit, Formats: rules.Formats, Quotes: rules.Quotes,
		Attachments: ReplyAttached{AllowedKinds: rules.Files, MaxFiles: rules.MaxFiles, MaxFileMB: set.InboxMaxFileMB},
	}
	if !v.Allowed {
		out.Reason = &v.Refusal().Message
	}
	return out, nil
}
