package record

import (
	"time"

	"github.com/gotd/td/tg"
)

// Message is one message as one account sees it.
type Message struct {
	ID       int    `json:"id"`
	Peer     int64  `json:"p"`
	Out      bool   `json:"o,omitempty"`
	At       int64  `json:"at"` // seconds
	Text     string `json:"t,omitempty"`
	Entities []byte `json:"e,omitempty"` // as the platform encodes a vector of them
	File     int64  `json:"f,omitempty"`
	ReplyTo  int    `json:"r,omitempty"`
	Group    int64  `json:"g,omitempty"`
	EditedAt int64  `json:"ed,omitempty"`
	RandomID int64  `json:"rid,omitempty"`
	Extra    *Extra `json:"x,omitempty"`
	Short    bool   `json:"-"` // pushed in the short form, without the person
}

// Limit is what keeps an account from writing, or from anything.
type Limit struct {
	Until   time.Time `json:"until,omitzero"` // of a flood
	Premium bool      `json:"premium,omitempty"`
	Seconds int       `json:"seconds,omitempty"` // of a flood that counts sends
	Sends   int       `json:"sends,omitempty"`
	Refuse  string    `json:"refuse,omitempty"` // answer to every message
	Ban     string    `json:"ban,omitempty"`    // answer to every request
}

// Content is what somebody sends: a text, files, a place, a contact. Several files are
// one album, whose first carries the text.
type Content struct {
	Text     string
	Entities []tg.MessageEntityClass
	Files    []Attachment
	Place    *Place
	Card     *Card
	Forward  *Forward
	ReplyTo  int
	Short    bool      // pushed in the short form, without the person
	At       time.Time // when it was written; zero is now
}

// Attachment is a file that somebody sends.
type Attachment struct {
	// Kind is PHOTO, VIDEO, VOICE, AUDIO, DOCUMENT, STICKER, ANIMATION or VIDEO_NOTE.
	Kind, Name, Mime       string
	Content                []byte
	Width, Height, Seconds int
	Waveform               []byte
}

// Extra is what few messages have.
type Extra struct {
	Place     *Place   `json:"place,omitempty"`
	Card      *Card    `json:"card,omitempty"`
	Forward   *Forward `json:"fwd,omitempty"`
	Reactions []Mark   `json:"marks,omitempty"`
}

// Place is a point on the map, in degrees, with a title for a venue.
type Place struct {
	Lat, Lon       float64
	Title, Address string
}

// Card is a contact that somebody sends.
type Card struct {
	Phone, First, Last string
	ID                 int64
}

// Forward is where a message came from first: a name, or a person of the platform, or
// neither.
type Forward struct {
	Name string
	From int64
	At   int64 // seconds
}

// Mark is a reaction to a message.
type Mark struct {
	Emoji string
	Out   bool // of the account's owner
	At    int64
}

// File is a file that was uploaded, as the platform knows it.
type File struct {
	ID    int64  `json:"id"`
	Hash  string `json:"hash"` // SHA-256 of the content, in hex
	Size  int64  `json:"size"`
	Photo bool   `json:"photo,omitempty"`
	Name  string `json:"name,omitempty"`
	Mime  string `json:"mime,omitempty"`
	At    int64  `json:"at"`
	// Attributes as the platform encodes a vector of them.
	Attributes []byte `json:"attributes,omitempty"`
	Width      int    `json:"w,omitempty"`
	Height     int    `json:"h,omitempty"`
}

// Code is a code on its way to somebody.
type Code struct {
	Phone string    `json:"phone"`
	Hash  string    `json:"hash"`
	Ends  time.Time `json:"ends"`
	Tries int       `json:"tries,omitempty"`
	Used  bool      `json:"used,omitempty"`
}

// Sent is one message that the platform accepted from a client: a line of the
// simulator's own log.
type Sent struct {
	N         int64     `json:"n"` // counts from 1, over all accounts
	At        time.Time `json:"at"`
	Account   string    `json:"account"` // the number
	Peer      int64     `json:"peer"`
	RandomID  int64     `json:"random_id"`
	MessageID int       `json:"message_id"`
	Text      string    `json:"text,omitempty"`
	File      string    `json:"file,omitempty"`  // SHA-256 of the content, in hex
	Photo     bool      `json:"photo,omitempty"` // the file is shown as a picture
	Group     int64     `json:"group,omitempty"`
	ReplyTo   int       `json:"reply_to,omitempty"`
}

// MaxAlbum is how many messages an album has at most.
const MaxAlbum = 10
