// Package platform is how the service speaks with outside networks: the photo network, the
// page network and the video network. It holds the words that they share; packages photo, page
// and video speak the wire, package sim answers it.
//
// It promises that nobody above it sees a shape of the wire: accounts, messages, posts,
// comments and faults have one form for all networks, and an address that holds a secret is in no
// error. It refuses to keep anything and to decide when something is tried again: it only
// says what is known of a request (see Fault).
package platform

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"time"
)

// Name is a network.
type Name string

// The networks.
const (
	Photo Name = "PHOTO_NETWORK"
	Page  Name = "PAGE_NETWORK"
	Video Name = "VIDEO_NETWORK"
)

// Fault is what an error means for whoever asked.
type Fault int

// The faults. Uncertain: the network may have done what it was asked. Unsent: certainly not,
// it was never reached. Limited: certainly not, it asks to wait.
const (
	Refused Fault = iota // for good
	Uncertain
	Unsent
	Limited
	TokenInvalid  // the token is not accepted: to be verified once
	NoPermission  // for this request; says nothing of the account
	WindowClosed  // the person wrote too long ago
	OtherApp      // another application controls the thread
	PersonBlocked // the person cannot be written to, mostly a block
	PersonUnknown // the person is not known, or may not write
	NoConsent     // of a profile: the person wrote nothing yet
	FileRejected  // a file could not be fetched or is not taken
	TextRejected  // the text is not taken
	NotAnswerable // the comment was answered, or cannot be
	Restricted    // the account is held back by the network
	Gone          // what was asked for is deleted
)

// Error is what a network answered, without any of its addresses.
type Error struct {
	Fault         Fault
	Code, Subcode int
	Trace         string // of the network, for its support
	// Wait is what the network asks to wait, 0 when it does not say.
	Wait time.Duration
	Text string // of the network, cut short
	// Reason is the name of the error where the network has names instead of numbers.
	Reason string
}

// Error says what was answered.
func (e *Error) Error() string {
	return fmt.Sprintf("platform: fault %d, code %d/%d %s (%s)", e.Fault, e.Code, e.Subcode, e.Text, e.Trace)
}

// As finds the Error in an error, nil for none.
func As(err error) *Error {
	for err != nil {
		if e, ok := err.(*Error); ok { //nolint:errorlint // the chain is walked here
			return e
		}
		switch x := err.(type) { //nolint:errorlint // the chain is walked here
		case interface{ Unwrap() error }:
			err = x.Unwrap()
		case interface{ Unwrap() []error }:
			for _, each := range x.Unwrap() {
				if e := As(each); e != nil {
					return e
				}
			}
			return nil
		default:
			return nil
		}
	}
	return nil
}

// Usage is how much of its allowance an application or account has used, in percent.
type Usage struct {
	Percent int
	// Regain is when there is room again, 0 when the network does not say.
	Regain time.Duration
}

// Access is an account that is spoken for, with what proves that it may be.
type Access struct {
	ExternalID string
	Token      string // a secret
	// Seen hears how much of its allowance is used; nil: nobody listens.
	Seen func(Usage)
	// Spend is asked before each call of a network that counts units, which is not made when
	// it refuses; nil: nobody counts.
	Spend func(ctx context.Context, units int) error
}

// Grant is what somebody allowed on a consent page.
type Grant struct {
	// UserID is the person who allowed it, as deauthorizations name them.
	UserID   string
	Scopes   []string
	Accounts []Granted
}

// Granted is one account of a grant.
type Granted struct {
	ExternalID string // what webhooks name it by
	// ScopedID is the account as signed requests name it, "" for none.
	ScopedID        string
	Name, Username  string
	AvatarURL       string
	Token           string    // a secret
	TokenExpires    time.Time // zero: it does not
	UserToken       string    // a secret: of the person, for revoking; "" for none
	Scopes          []string
	Unconnectable   string // why it cannot be connected, "" when it can
	FollowersKnown  bool
	FollowersNumber int
}

// Health is what a check found.
type Health struct {
	Name, Username, AvatarURL string
	Scopes                    []string
	// DataExpires is until when the network gives data without a new sign-in, zero: not said.
	DataExpires time.Time
	Subscribed  bool
	// Unpublished: the account is hidden, so that nobody writes.
	Unpublished bool
}

// File is what a part sends.
type File struct {
	Kind string // image, video, audio, file
	Name string
	Type string
	Size int64
	// URL is where the network fetches it; "": it is uploaded with Open.
	URL  string
	Open func() (io.ReadCloser, error)
}

// Part is one request of a message: a text or a file.
type Part struct {
	// ID of ours, which comes back in the echo where the network allows that.
	ID      string
	To      string // the person
	Text    string
	File    *File
	ReplyTo string // mid that is quoted
	// HumanAgent: a person answers after the window.
	HumanAgent bool
}

// Sent is what the network knows a part by.
type Sent struct{ ID string }

// Person is somebody who writes to an account.
type Person struct {
	ID, Name, FirstName, LastName, Username, AvatarURL string
}

// Thread is a conversation as the network lists it.
type Thread struct {
	ID      string
	Person  Person
	Updated time.Time
}

// Threads is a page of them.
type Threads struct {
	Data []Thread
	Next string // "" after the last
}

// Challenge is the PKCE challenge of a verifier (S256).
func Challenge(verifier string) string {
	sum := sha256.Sum256([]byte(verifier))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// Network is one network. Errors are *Error, or those of the context.
type Network interface {
	Name() Name
	// Scopes are all that is asked for.
	Scopes() []string
	// Authorize is the consent page. A network with PKCE binds the code to the verifier.
	Authorize(redirect, state, verifier string) string
	// Exchange makes a grant of a code, with the verifier of its consent page.
	Exchange(ctx context.Context, code, redirect, verifier string) (Grant, error)
	// Refresh makes a token anew; a network whose tokens do not expire answers the old one.
	Refresh(ctx context.Context, a Access) (token string, expires time.Time, err error)
	// Check looks at token, scopes, subscription and name.
	Check(ctx context.Context, a Access) (Health, error)
	// Alive asks whether the token is accepted.
	Alive(ctx context.Context, a Access) error
	Subscribe(ctx context.Context, a Access) error
	// Unsubscribe ends webhooks, and Revoke what a person allowed (Granted.UserToken).
	Unsubscribe(ctx context.Context, a Access) error
	Revoke(ctx context.Context, userID, userToken string) error

	Send(ctx context.Context, a Access, p *Part) (Sent, error)
	// PrivateReply answers a comment in private; once for each.
	PrivateReply(ctx context.Context, a Access, comment, text string) (Sent, error)
	// PublicReply answers a comment below it.
	PublicReply(ctx context.Context, a Access, comment, text string) (id string, err error)
	// MarkSeen and Typing tell the person that the account reads and writes.
	MarkSeen(ctx context.Context, a Access, person string) error
	Typing(ctx context.Context, a Access, person string) error
	// TakeThread takes control of a thread from another application.
	TakeThread(ctx context.Context, a Access, person string) error
	Profile(ctx context.Context, a Access, person string) (Person, error)
	// Threads lists conversations, the newest first; Messages the newest of one, at most 20.
	Threads(ctx context.Context, a Access, after string) (Threads, error)
	// ThreadWith finds the conversation with a person, Gone when there is none.
	ThreadWith(ctx context.Context, a Access, person string) (Thread, error)
	Messages(ctx context.Context, a Access, thread string, limit int) ([]Message, error)
	// Download writes a file of a message, or the picture of a post, to w.
	Download(ctx context.Context, url string, w io.Writer, from, most int64) (int64, error)

	Reader
}

// Attachment is a file or a shared thing of a message.
type Attachment struct {
	Kind string // photo, video, audio, document, sticker, animation, share, story, story_mention
	URL  string // where it is now; "" when the network gave none
	Name string
}

// Message is one message, from a webhook or from the history.
type Message struct {
	ID       string
	From, To string
	At       time.Time
	Text     string
	ReplyTo  string // mid
	// Story is the story that is answered, "" for none.
	Story       string
	Attachments []Attachment
	Reactions   []Reacted
	Unsupported bool
	Deleted     bool
	// Echo: the account wrote it; App is with which application, "" when not said, and Tag
	// what a part of ours was sent with.
	Echo     bool
	App, Tag string
	Referral *Referral
}

// Reacted is a reaction that a message has.
type Reacted struct {
	Person, Emoji string
}

// Referral is what led somebody here.
type Referral struct {
	Ref, Source, Type, AdID string
}

// UpdateKind is what a webhook tells.
type UpdateKind int

// The kinds.
const (
	MessageCame UpdateKind = iota
	MessageEdited
	MessageUnsent
	ReactionChanged
	WasRead
	WasDelivered
	PostbackCame
	ReferralCame
	OptInCame
	ControlChanged
	PolicyEnforced
	CommentChanged
	Nothing // known and not needed
)

// Update is one thing that a webhook tells.
type Update struct {
	Network Name
	Account string // Granted.ExternalID
	Kind    UpdateKind
	At      time.Time
	Person  string // the other side
	// Standby: another application answers.
	Standby bool
	Message Message
	// Edits counts the edits of a message.
	Edits int
	// Emoji of a reaction; Off: it was taken back.
	Emoji string
	Off   bool
	// MIDs and Watermark say what was read or delivered.
	MIDs      []string
	Watermark time.Time
	Payload   string
	OptIn     OptIn
	// Action and Reason of an enforcement; Action is block, warning, unblock.
	Action, Reason string
	NewOwner       string
	Comment        Comment
}

// OptIn is a subscription to a topic.
type OptIn struct {
	Topic, Token, Status string
	Expires              time.Time
}

// Comment is a comment, or what became of it.
type Comment struct {
	ID, Post, Parent string
	From, FromName   string
	Text             string
	At               time.Time
	// Verb is add, edited, remove, hide, unhide.
	Verb string
	Live bool
	// Likes and Hidden are known of comments that were read, not of those of webhooks.
	Likes  int64
	Hidden bool
}

// Deauthorized is what a signed request names.
type Deauthorized struct {
	UserID string
	At     time.Time
}
