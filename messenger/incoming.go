package messenger

import (
	"context"
	"time"
)

// Inbound takes what arrives. Its methods may be called at the same time for several
// chats; an error lets the driver hand over the same again after a reconnect, so they
// must recognise what they already have by (account, message id).
type Inbound interface {
	Received(ctx context.Context, m Incoming) error
	// ReadByPeer says that the person has read everything up to a message.
	ReadByPeer(ctx context.Context, peer int64, upTo int) error
	Edited(ctx context.Context, m Incoming) error
	Deleted(ctx context.Context, ids []int) error
	// ReadHere says that the account's owner has read everything up to a message of the
	// person, in the messenger's own app.
	ReadHere(ctx context.Context, peer int64, upTo int) error
	// Reacted says which reactions a message has now.
	Reacted(ctx context.Context, peer int64, id int, now []Reaction) error
}

// Incoming is one message of a private chat with a person: never of a group, a channel,
// a bot, or the platform's own service chat with its login codes.
type Incoming struct {
	ID   int
	Peer Peer // the other side
	// Out is a message that the account's owner wrote in the messenger's own app. One
	// that was sent from here by a process that died before its answer looks the same:
	// its id is that of Sent when the send was counted, its text that of the send else.
	Out      bool
	At       time.Time
	Text     string
	Entities []Entity
	ReplyTo  int // id of a message of the chat, 0 for none
	EditedAt time.Time
	// Album is the same for the messages that the sender sent as one, 0 for none. They
	// come one by one.
	Album    int64
	Forward  *Forward
	Media    *Media
	Location *Location
	Contact  *ContactCard
	// Reactions are those that the message had when it was read; Inbound.Reacted says
	// how they change.
	Reactions []Reaction
	// Raw is the message as the platform's library encodes it. Secret.
	Raw []byte
}

// Forward is where a forwarded message came from. Name is "" when the platform hides it.
type Forward struct {
	Name string
	At   time.Time
}

// Media is the file of a message, not fetched yet: Conn.Download does that.
type Media struct {
	// Kind is PHOTO, VIDEO, VOICE, AUDIO, DOCUMENT, STICKER, ANIMATION or VIDEO_NOTE.
	Kind     string
	Name     string // as the sender called it, "" for none
	MimeType string // as the sender said, which proves nothing
	Size     int64
	Width    int
	Height   int
	Seconds  int
	Waveform []byte // of a voice message: 5 bits a sample, as the platform packs them
	// Ref is what the platform finds the file by, for Conn.Download of the same
	// account. Secret.
	Ref []byte
}

// Location is a place that somebody sent, in degrees.
type Location struct {
	Lat, Lon float64
	Title    string // of a venue, "" for none
	Address  string
}

// ContactCard is somebody whom a person sent as a contact.
type ContactCard struct {
	Phone, FirstName, LastName string
	UserID                     int64 // 0 when the platform does not know
}

// Reaction is one emoji of one side of the chat.
type Reaction struct {
	Emoji string
	// Out is a reaction of the account's owner, else the person's.
	Out bool
	At  time.Time
}
