package channel

import (
	"time"

	"svc/store"
)

// At is where something arrived.
type At struct {
	Org, Account string
	// Owner is Account.Owner of the account.
	Owner   string
	Channel Name
}

// Person is the other side of a conversation, as the network shows them.
type Person struct {
	ID        string // of the network
	Username  string
	FirstName string
	LastName  string
	Language  string // "" when nobody knows it
	// Contact: the account's owner has them in the address book.
	Contact bool
}

// Incoming is one message as it arrives, of any network.
type Incoming struct {
	ID  string // of the network, unique for an owner
	Seq int64  // orders messages of one moment, and says up to where somebody read
	// From is the other side, also of a message that the owner wrote.
	From     Person
	Out      bool
	At       time.Time
	EditedAt time.Time
	Text     string
	Entities []Entity
	ReplyTo  string // ID of another message, "" for none
	// Album is the same for messages that were sent as one, "" for none.
	Album     string
	Forward   *Forward
	File      *IncomingFile
	Location  *Location
	Card      *Card
	Reactions []Reaction
	// Service: the network cannot show what it is.
	Service bool
	// Elsewhere: another application answers, so that the AI does not.
	Elsewhere bool
	// Imported: it was read from the history of the account, and starts nothing.
	Imported bool
}

// Entity is a formatted part of a text, in UTF-16 units.
type Entity struct {
	Type     string `json:"type"`
	Offset   int    `json:"offset"`
	Length   int    `json:"length"`
	URL      string `json:"url,omitempty"`
	Language string `json:"language,omitempty"`
}

// Forward is where a forwarded message came from.
type Forward struct {
	Name string    `json:"name,omitempty"` // "" when the network hides it
	At   time.Time `json:"date,omitzero"`
}

// IncomingFile is a file that was not fetched yet.
type IncomingFile struct {
	Kind     FileKind
	Name     string
	MimeType string // as the sender said
	Size     int64
	Width    int
	Height   int
	Seconds  int
	Waveform []byte
	Ref      []byte // finds it at the network; secret
}

// Location is a place, in degrees.
type Location struct {
	Lat     float64 `json:"lat"`
	Lon     float64 `json:"lon"`
	Title   string  `json:"title,omitempty"`
	Address string  `json:"address,omitempty"`
}

// Card is somebody who was sent as a contact.
type Card struct {
	Phone     string `json:"phone,omitempty"`
	FirstName string `json:"first_name,omitempty"`
	LastName  string `json:"last_name,omitempty"`
}

// Reaction is one emoji of one side.
type Reaction struct {
	Emoji string    `json:"emoji"`
	Out   bool      `json:"out,omitempty"` // of the account's owner
	At    time.Time `json:"at,omitzero"`
}

// Stored is what became of a message that arrived.
type Stored struct {
	// New: nobody had it before.
	New          bool
	Conversation string
	Message      string
	RecipientID  string
}

// Intake takes what arrives, each call in the transaction that it is given.
type Intake interface {
	Received(tx *store.Tx, at At, m Incoming) (Stored, error)
	Edited(tx *store.Tx, at At, m Incoming) (Stored, error)
	Deleted(tx *store.Tx, at At, ids []string) error
	// ReadByPeer says that the person has read up to a message, ReadHere that the
	// account's owner has, in the network's own app.
	ReadByPeer(tx *store.Tx, at At, person string, seq int64) error
	ReadHere(tx *store.Tx, at At, person string, seq int64) error
	Reacted(tx *store.Tx, at At, id string, now []Reaction) error
}
