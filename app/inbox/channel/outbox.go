package channel

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"svc/app/api"
	"svc/app/content/markup"
	"svc/app/recipient"
	"svc/app/send"
	"svc/messenger"
	"svc/store"
)

// Codes of messages that were not sent (contract 10.2).
const (
	WindowClosed      = "REPLY_WINDOW_CLOSED"
	NoConsent         = "NO_CONSENT"
	OptedOut          = "OPTED_OUT"
	Suppressed        = "SUPPRESSED"
	Stopped           = "CONVERSATION_STOPPED"
	Blocked           = "CUSTOMER_BLOCKED"
	Unavailable       = "ACCOUNT_UNAVAILABLE"
	AuthRequired      = "CHANNEL_AUTH_REQUIRED"
	PeerUnresolvable  = "PEER_UNRESOLVABLE"
	PeerBlocked       = "PEER_BLOCKED"
	PrivacyRestricted = "PRIVACY_RESTRICTED"
	FileRejected      = "FILE_REJECTED"
	TextRejected      = "TEXT_REJECTED"
	RateLimited       = "RATE_LIMITED"
	Transport         = "TRANSPORT"
	// TakenOver is why a reply of the AI was cancelled, and Outdated why one was not sent: the
	// customer wrote again, or somebody answered.
	TakenOver = "TAKEN_OVER"
	Outdated  = "OUTDATED"
)

// Outgoing is a message as it goes out.
type Outgoing struct {
	To       Person
	Text     string
	Entities []Entity
	ReplyTo  string // of the network, "" for none
	Files    []messenger.File
	FileIDs  []string // of Files
	// HumanAgent: a person answers after the window of the network.
	HumanAgent bool
}

// ErrDenied is an answer of Outbox.Compose: the message is not sent, for that reason.
type ErrDenied struct{ Code string }

// Error is the reason.
func (e *ErrDenied) Error() string { return "not sent: " + e.Code }

// Result is what became of a reply.
type Result struct {
	// Sent: the network took it. Else Denied says whether nobody tried, and Code why.
	Sent, Denied bool
	Code         string
	At           time.Time
	ID           string // of the network, "" when it is not known
	Seq          int64
	// More are the ids of the other requests that the reply was sent in.
	More []string
}

// Outbox has the words of replies, and hears what became of them.
type Outbox interface {
	// Compose is called in the transaction that claims a reply; *ErrDenied ends it.
	Compose(tx *store.Tx, c *api.Call, message string) (Outgoing, error)
	// Settled is called once for each reply, with its outcome.
	Settled(tx *store.Tx, c *api.Call, message string, r Result) error
}

// jobOf is the send job of a reply, whose id has the same end.
func jobOf(message string) string { return "job_" + strings.TrimPrefix(message, "msg_") }

func messageOf(job string) string { return "msg_" + strings.TrimPrefix(job, "job_") }

// Queue implements Channel.
func (m *Messenger) Queue(tx *store.Tx, org string, r Reply) error {
	kind := send.Reply
	if r.AI {
		kind = send.AIReply
	}
	return send.Queue(tx, org, []*send.Job{{
		ID: jobOf(r.Message), Kind: kind, AccountID: r.Account, ConversationID: r.Conversation, Personal: r.Personal, RecipientID: r.RecipientID,
		RunAt: r.NotBefore,
	}})
}

var _ Listing = (*Messenger)(nil)

// SetPersonal implements Listing: replies are send jobs.
func (*Messenger) SetPersonal(tx *store.Tx, org, conversation string, personal bool) error {
	return send.SetPersonal(tx, org, conversation, personal)
}

// Cancel implements Channel.
func (m *Messenger) Cancel(tx *store.Tx, _ *api.Call, org, message string) (bool, error) {
	return m.Send.Cancel(tx, org, jobOf(message))
}

// Sending implements Channel.
func (m *Messenger) Sending(tx *store.Tx, org, accountID, _ string) (string, error) {
	job, err := send.InFlight(tx, org, accountID)
	if err != nil || job == "" {
		return "", err
	}
	return messageOf(job), nil
}

// Compose implements send.Source.
func (m *Messenger) Compose(tx *store.Tx, c *api.Call, j *send.Job, _ *recipient.Recipient) (d send.Draft, err error) {
	out, err := m.Outbox.Compose(tx, c, messageOf(j.ID))
	if no := (*ErrDenied)(nil); errors.As(err, &no) {
		return d, &send.Skip{Reason: no.Code}
	}
	if err != nil {
		return d, err
	}
	d = send.Draft{Text: out.Text, Files: out.Files, To: messenger.Target{ID: messengerID(out.To), Username: out.To.Username}}
	for _, e := range out.Entities {
		d.Entities = append(d.Entities, markup.Entity{Type: markup.Style(e.Type), Offset: e.Offset, Length: e.Length, URL: e.URL, Language: e.Language})
	}
	if out.ReplyTo != "" {
		d.ReplyTo, err = strconv.Atoi(out.ReplyTo)
	}
	return d, err
}

// Settled implements send.Source.
func (m *Messenger) Settled(tx *store.Tx, c *api.Call, j *send.Job) error {
	r := Result{At: j.SentAt}
	switch {
	case j.Status == send.Delivered:
		r.Sent = true
		if j.PlatformMessageID != 0 {
			r.ID, r.Seq = strconv.Itoa(j.PlatformMessageID), int64(j.PlatformMessageID)
		}
	case j.Status == send.Skipped:
		r.Denied, r.Code = true, deniedCode(j.SkipReason)
	case j.Status == send.Cancelled:
		r.Denied, r.Code = true, firstOf(j.SkipReason, TakenOver)
	default:
		r.Code = failedCode(j)
	}
	return m.Outbox.Settled(tx, c, messageOf(j.ID), r)
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// deniedCode is the code of a message that a rule of package send kept back.
func deniedCode(reason string) string {
	if reason == send.RecipientDeleted {
		return NoConsent
	}
	return reason
}

// failedCode is the code of contract 10.2 for what the messenger refused.
func failedCode(j *send.Job) string {
	switch {
	case j.ErrorCode == PeerBlocked, j.ErrorCode == PrivacyRestricted, j.ErrorCode == PeerUnresolvable:
		return j.ErrorCode
	case j.Status == send.Unreachable:
		return PeerUnresolvable
	case strings.HasPrefix(j.ErrorCode, "FLOOD"), strings.HasPrefix(j.ErrorCode, "SLOWMODE"):
		return RateLimited
	case j.ContentRefused && strings.HasPrefix(j.ErrorCode, "MESSAGE_"):
		return TextRejected
	case j.ContentRefused:
		return FileRejected
	}
	return Transport
}
