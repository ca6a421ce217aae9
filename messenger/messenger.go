// Package messenger is how the service reaches people on a private messenger: one
// narrow interface (Driver) that says what the platform can be asked, in words that
// no platform owns.
//
// It promises that a driver reports what the platform said as data (Error), never as
// a sleep or a hidden retry: waits are obeyed by whoever keeps the queue. It refuses
// to know campaigns, consent and storage: what must survive a restart (session, peers,
// update state, uploaded files) is given to it as small interfaces (StateStore).
//
// messenger/telegram is the driver, messenger/simulator a server that it can be
// pointed at, messenger/messengertest what every driver must pass.
package messenger

import (
	"context"
	"io"
	"time"
)

// Kind names a driver to administrators (contract 17: /admin/system).
type Kind string

// The drivers.
const (
	MTProto   Kind = "MTPROTO"
	Simulator Kind = "SIMULATOR"
)

// Driver reaches one platform. Safe for concurrent use. Constructors start nothing.
type Driver interface {
	Kind() Kind
	// SendCode begins a sign-in: the platform sends a code to the owner of the
	// number, which is in international form with a plus.
	SendCode(ctx context.Context, via Route, phone string) (Step, error)
	// EnterCode goes on with the code that the owner received. state is that of the
	// step before.
	EnterCode(ctx context.Context, via Route, state []byte, code string) (Step, error)
	// EnterPassword goes on with the two-step password.
	EnterPassword(ctx context.Context, via Route, state []byte, password string) (Step, error)
	// Connect opens the one connection of an account. It answers once the platform
	// accepted the session, or with what kept it from that: a session that the
	// platform no longer knows is SessionEnded, a server that nobody reaches
	// Unreachable, before the context ends.
	Connect(ctx context.Context, a Account) (Conn, error)
	// CheckRoute dials a data centre through a proxy and completes the first
	// exchange of the protocol. Its error is a *RouteError.
	CheckRoute(ctx context.Context, via Route) (latency time.Duration, err error)
}

// Clocked is a Driver that knows what time it is on the platform.
type Clocked interface {
	// ClockSkew is how far the clock of this machine is ahead of the platform's, as it
	// was when a connection was made last; false: none was made yet.
	ClockSkew() (time.Duration, bool)
}

// StepKind says where a sign-in is.
type StepKind uint8

// The steps of a sign-in (contract 37).
const (
	CodeSent StepKind = iota + 1
	PasswordRequired
	Completed
)

// Step is what a sign-in waits for, or its end. Between steps the caller keeps State,
// sealed: it holds a key of the platform, and lets the sign-in go on after a restart.
type Step struct {
	Kind     StepKind
	CodeType string // app, sms, call, flash_call or email; with CodeSent
	Hint     string // of the password, "" for none; with PasswordRequired
	State    []byte // with CodeSent and PasswordRequired
	Session  []byte // with Completed: what Connect needs, sealed by the caller
	// UpdateState, with Completed, is where the stream of updates was at that moment,
	// for StateStore: what arrives before the first connection is heard by it. nil when the
	// platform did not say.
	UpdateState []byte
	Self        Profile
}

// Profile is the person behind an account, as the platform shows it.
type Profile struct {
	ID                            int64
	Username, FirstName, LastName string
	Premium                       bool
}

// Account is what a connection is made with.
type Account struct {
	Session []byte
	Via     Route
	State   StateStore
	// Inbound receives private chats; nil for an account that only sends, which
	// costs less.
	Inbound Inbound
}

// StateStore keeps for one account what must survive a restart.
type StateStore interface {
	// SaveSession keeps the session after the platform moved it; it is the same
	// login. The bytes are secret.
	SaveSession(ctx context.Context, session []byte) error
	// Peer finds a person that the account knows, by id.
	Peer(ctx context.Context, id int64) (p Peer, found bool, err error)
	// SavePeers notes people that the account knows from now on.
	SavePeers(ctx context.Context, peers []Peer) error
	// UpdateState is where the stream of updates was read to, nil at first.
	UpdateState(ctx context.Context) ([]byte, error)
	// SaveUpdateState is called after the updates before it were taken by Inbound.
	SaveUpdateState(ctx context.Context, state []byte) error
	// Contacts says which address book the people of SavePeers were learned from, nil at first.
	Contacts(ctx context.Context) ([]byte, error)
	// SaveContacts is called after the people of a book that changed were saved.
	SaveContacts(ctx context.Context, state []byte) error
	// File is what the platform knows an uploaded file by, nil when it was not
	// uploaded from this account. key is File.Key.
	File(ctx context.Context, key string) ([]byte, error)
	// SaveFile keeps it; nil forgets it.
	SaveFile(ctx context.Context, key string, ref []byte) error
}

// Peer is a person as one account can address them.
type Peer struct {
	ID                            int64
	AccessHash                    int64
	Username, FirstName, LastName string
	Bot, Contact                  bool
}

// Conn is the live connection of one account. Safe for concurrent use.
type Conn interface {
	// Send sends one message. The ids of m make it safe to send again what may have
	// arrived: the platform takes each id once, and answers Duplicate.
	Send(ctx context.Context, m Message) (Sent, error)
	// Check asks the platform who the session belongs to: the health check.
	Check(ctx context.Context) (Profile, error)
	// Download writes the file of a message to w, from f.From on, and says how many bytes
	// it wrote, also with an error. A file of more than most bytes is FileTooLarge, one
	// that the platform no longer has FileGone. A reference that the platform holds for
	// too old is renewed here, by asking for the message.
	Download(ctx context.Context, f FileRef, w io.Writer, most int64) (n int64, err error)
	// MarkRead tells the person that everything up to a message of theirs was read.
	MarkRead(ctx context.Context, to Target, upTo int) error
	// Dialogs lists the account's private chats with people, limit at a time (at most
	// 100), those with the newest message first. after is DialogPage.Next, "" at first.
	Dialogs(ctx context.Context, after string, limit int) (DialogPage, error)
	// History reads the messages of a chat before the id before (0: from the newest), at
	// most 100 at a time. The person is remembered with the first message.
	History(ctx context.Context, p Peer, before, limit int) (HistoryPage, error)
	// LogOut ends the session at the platform. The connection is closed after it.
	LogOut(ctx context.Context) error
	// Done is closed when the connection ended for good; Err then says why: an
	// *Error, or nil after Close. A connection that is lost is made again by the
	// driver and does not end.
	Done() <-chan struct{}
	Err() error
	// Online says whether the platform can be reached over it at the moment.
	Online() bool
	// Close ends the connection and waits until nothing of it runs.
	Close() error
}

// Target names who gets a message: an id, a username, or both. An id that the account
// knows is enough, be it from a message or from its address book; else the username is
// asked for, and when it belongs to another id, nothing is sent (contract 32.3).
type Target struct {
	ID       int64
	Username string
}

// Message is one message to one person: a text, files, or both. Several files are one
// album, whose first carries the text.
type Message struct {
	To          Target
	Text        string
	Entities    []Entity
	Files       []File
	LinkPreview bool
	ReplyTo     int // id of a message of the chat, 0 for none
	// RandomIDs are the platform's numbers against sending twice: one, or as many
	// as there are files. They are stored before the first try and never change.
	RandomIDs []int64
	// Object is asked once it is known who To names, before anything is sent. With an
	// error nothing is sent, and the error is the answer. nil: nobody objects.
	Object func(ctx context.Context, p Peer) error
}

// Entity is a formatted part of a text. Offsets and lengths are UTF-16 units. Type is
// one of app/content/markup: bold, italic, underline, strikethrough, spoiler, code, pre,
// blockquote, text_url.
type Entity struct {
	Type           string
	Offset, Length int
	URL, Language  string
	Collapsed      bool // a blockquote that opens when touched
}

// File is a file of a message.
type File struct {
	Key      string // stable name of the content, for the cache of uploads
	Kind     string // PHOTO, VIDEO, AUDIO, VOICE, DOCUMENT, ANIMATION
	Name     string
	MimeType string
	Size     int64
	Width    int
	Height   int
	Seconds  int
	Open     func() (io.ReadCloser, error)
}

// Sent is what the platform answered to a message that it took.
type Sent struct {
	// MessageID is the platform's id, 0 when it was taken by an earlier try.
	MessageID int
	At        time.Time
	Peer      Peer // who got it
	Duplicate bool // an earlier try had arrived
}
