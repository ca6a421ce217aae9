// Package record is what is written down of a world of the simulator: people, numbers, messages,
// files, limits, the line of the journal that carries each change of them, and the line of the log
// that tells of a message that was sent.
//
// It knows how they are encoded and refuses to know what they mean: package world applies them.
package record

// The kinds of records. They stand in files and never change.
const (
	KindSecret  = "secret"
	KindKey     = "key"    // a key, what it is signed in to, or how it ended
	KindForget  = "forget" // a key that the platform no longer knows
	KindPhone   = "phone"
	KindPerson  = "person"
	KindCode    = "code"
	KindMessage = "message"
	KindRead    = "read" // the account read what a person wrote
	KindSeen    = "seen" // a person read what the account wrote
	KindEdit    = "edit"
	KindDelete  = "delete"
	KindReact   = "react" // a message has other reactions
	KindLimit   = "limit"
	KindContact = "contact"
	KindFile    = "file"
	KindEpoch   = "epoch"
	KindAccount = "account" // counters, in a snapshot
	KindIDs     = "ids"     // random ids, in a snapshot
	KindNext    = "next"    // which journal goes on from a snapshot
)

// Record is one change of the world, a line of the journal. A snapshot is records too:
// those that lead to the same world.
type Record struct {
	K       string   `json:"k"`
	Account int64    `json:"a,omitempty"`
	Peer    int64    `json:"p,omitempty"`
	UpTo    int      `json:"u,omitempty"`
	Pts     int      `json:"pts,omitempty"`
	Tries   int      `json:"t,omitempty"`
	N       int64    `json:"n,omitempty"`
	IDs     []int64  `json:"i,omitempty"`
	Key     []byte   `json:"key,omitempty"`
	DC      int      `json:"dc,omitempty"`
	Pending int64    `json:"w,omitempty"`
	Ended   string   `json:"e,omitempty"`
	Message *Message `json:"m,omitempty"`
	Phone   *Phone   `json:"ph,omitempty"`
	Person  *Person  `json:"pe,omitempty"`
	Code    *Code    `json:"c,omitempty"`
	Limit   *Limit   `json:"l,omitempty"`
	File    *File    `json:"f,omitempty"`
}
