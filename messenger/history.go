package messenger

import "time"

// FileRef names the file of a message, for Conn.Download.
type FileRef struct {
	Peer      int64 // of the chat
	MessageID int
	Ref       []byte // Media.Ref
	// From is how many bytes the caller has already, of an earlier try that broke off.
	From int64
}

// DialogPage are some of the account's private chats with people, and what was left out
// among them.
type DialogPage struct {
	Dialogs []Dialog
	// Next is where the next page begins, "" after the last. It holds secrets.
	Next string
	// Bots, Groups and Service are how many chats with bots, groups and channels, and
	// chats of the platform itself (or with nobody) were left out of this page.
	Bots, Groups, Service int
}

// Dialog is one private chat with a person.
type Dialog struct {
	Peer Peer
	Top  int // id of its newest message
	At   time.Time
}

// HistoryPage are some messages of one private chat, the newest first.
type HistoryPage struct {
	Messages []Incoming
	// Next is the id before which the next page begins, 0 after the last. A page may be
	// empty and not the last.
	Next int
}
