// Package channel is the one small interface by which the inbox knows a network: what
// may be sent over it, in which unit texts are counted, on which basis a person may be
// answered, who the people are that write, and whether reading can be told.
//
// It promises that nothing else of the inbox depends on one network: Messenger
// implements the interface for accounts of the messenger and translates what arrives
// (messenger.go); other networks follow. It refuses to keep anything: records are
// those of package conversation.
package channel

import (
	"context"
	"io"
	"time"

	"svc/app/api"
	"svc/app/content/markup"
	"svc/app/recipient/field"
	"svc/store"
)

// Name is a network as the API writes it.
type Name string

// The networks (contract 10.1).
const (
	OnMessenger  Name = "MESSENGER"
	PhotoNetwork Name = "PHOTO_NETWORK"
	PageNetwork  Name = "PAGE_NETWORK"
)

// FileKind is what a file of a message is.
type FileKind string

// The kinds of files (contract 10.2).
const (
	Photo     FileKind = "PHOTO"
	Video     FileKind = "VIDEO"
	Voice     FileKind = "VOICE"
	Audio     FileKind = "AUDIO"
	Document  FileKind = "DOCUMENT"
	Sticker   FileKind = "STICKER"
	Animation FileKind = "ANIMATION"
	VideoNote FileKind = "VIDEO_NOTE"
	// Share is a shared post, Story a story that is answered, StoryMention one that names the
	// account.
	Share        FileKind = "SHARE"
	Story        FileKind = "STORY"
	StoryMention FileKind = "STORY_MENTION"
)

// FileKinds lists them.
func FileKinds() []FileKind {
	return []FileKind{Photo, Video, Voice, Audio, Document, Sticker, Animation, VideoNote, Share, Story, StoryMention}
}

// Rules are what a network lets be sent.
type Rules struct {
	// MaxLength of a text in Unit: utf16, bytes or characters.
	MaxLength int
	Unit      string
	// Recognises: its people may be recipients, and are known as such (Channel.Recognise).
	Recognises bool
	// Formats: texts may have styles. Quotes: a message may answer an earlier one.
	Formats, Quotes bool
	// Files that may be sent, MaxFiles in one message.
	Files    []FileKind
	MaxFiles int
	// MaxBytes are the bounds of files by kind; a kind without one has that of the service.
	MaxBytes map[FileKind]int64
	// Window is how long after the last message of a person they may be answered without
	// consent, unless the business of the account says otherwise. WindowLimit is the most that
	// the network allows, whatever a business says; 0: no bound of its own. Early is how much
	// before that bound nothing is sent any more.
	Window, WindowLimit, Early time.Duration
	// HumanWindow is how long a person of the team may answer, and nobody else; 0: as Window.
	HumanWindow time.Duration
}

// Account is an account of a network as the inbox shows it.
type Account struct {
	ID, Name, Username string
	// Owner is what the network knows the account by. It stays when the account is
	// connected again.
	Owner string
	// Unavailable is why nothing can be sent over it now, as a code of contract 10.2; ""
	// when it sends.
	Unavailable string
}

// Standing is whether somebody may be written to, whoever they wrote to before.
type Standing struct {
	RecipientID string // "" for nobody who is on the list of recipients
	Consent     field.Consent
	OptedOutAt  *time.Time
	OptedOut    bool
	Suppressed  bool
}

// Basis says whether consent alone lets the person be written to.
func (s Standing) Basis() bool { return s.Consent.Basis() && !s.OptedOut && !s.Suppressed }

// Channel is a network. Its errors are those of the store, or an *api.Error.
type Channel interface {
	Name() Name
	Rules() Rules
	// Account reads an account: store.ErrNotFound for one that is gone.
	Account(tx *store.Tx, org, id string) (Account, error)
	// Recognise finds the recipient that somebody is, "" for none.
	Recognise(tx *store.Tx, org string, p Person) (recipientID string, err error)
	// Standing says whether somebody may be written to. recipientID is whom the
	// conversation belongs to, "" for nobody.
	Standing(tx *store.Tx, org string, p Person, recipientID string) (Standing, error)
	// OptOut opts somebody out for good.
	OptOut(tx *store.Tx, c *api.Call, p Person) error
	// MarkRead tells the network that a person's messages were read up to one. Refused is
	// ErrRefused, an account that nobody reaches ErrUnreachable.
	MarkRead(ctx context.Context, org, account string, p Person, seq int64) error
	// Fetch writes a file that somebody sent to w, from f.From on, and says how many bytes
	// it wrote, also with an error: ErrFileGone, ErrFileTooLarge, *Later, or trouble after
	// which another try may do.
	Fetch(ctx context.Context, f Fetch, w io.Writer) (n int64, err error)
	// Elsewhere says that another node connects an account, and does what needs it.
	Elsewhere(tx *store.Tx, account string) (bool, error)
	// Queue hands a reply over to be sent first of all that the account sends. Outbox is
	// asked for its words and told the outcome.
	Queue(tx *store.Tx, org string, r Reply) error
	// Cancel ends a reply that nobody sends yet, and says whether it did.
	Cancel(tx *store.Tx, c *api.Call, org, message string) (bool, error)
	// Sending says which reply of an account is on its way now, in a conversation where several
	// are, "" for none.
	Sending(tx *store.Tx, org, account, conversation string) (message string, err error)
}

// Proving is a network that has to look for a reply before it knows whether it arrived (contract
// 16.3). Others know it with the answer to the request.
type Proving interface {
	// Unproven says whether a reply of a conversation was asked for and nobody knows yet whether
	// it arrived.
	Unproven(tx *store.Tx, org, conversation string) (bool, error)
}

// Listing is a network whose replies are also in a list outside of the inbox.
type Listing interface {
	// SetPersonal notes there that a conversation is personal from now on, or not any more.
	SetPersonal(tx *store.Tx, org, conversation string, personal bool) error
}

// Reply is a reply that waits to be sent.
type Reply struct {
	Message, Conversation, Account, RecipientID string
	// Personal: the conversation is.
	Personal bool
	// AI: the seller wrote it.
	AI bool
	// NotBefore is the earliest time at which it goes out; zero: at once.
	NotBefore time.Time
}

// Errors of MarkRead (contract 18).
var (
	ErrRefused     = &api.Error{Kind: api.Conflict, Code: "platform_refused", Message: "The network refused; the conversation may be gone there."}
	ErrUnreachable = &api.Error{Kind: api.Unavailable, Code: "account_unreachable", Message: "The network cannot be reached through this account; try again.", RetryAfter: 10 * time.Second}
)

// Networks are the channels by name.
type Networks map[Name]Channel

// Of finds a channel; one that is not built is nil.
func (n Networks) Of(name Name) Channel { return n[name] }

// Have says whether an organization has an account on any network.
func (n Networks) Have(tx *store.Tx, org, account string) (bool, error) {
	for _, c := range n {
		if _, err := c.Account(tx, org, account); !store.IsNotFound(err) {
			return err == nil, err
		}
	}
	return false, nil
}

// Length is how long a text is in the unit of the network. What a network calls characters are
// UTF-16 units, as it counts them (contract 22).
func (r Rules) Length(text string) int {
	if r.Unit == "bytes" {
		return len(text)
	}
	return markup.Length(text)
}
