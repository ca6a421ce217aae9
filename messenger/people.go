package messenger

import (
	"context"
	"time"
)

// People writes as people of a simulator. The real messenger has none.
type People interface {
	// Write lets somebody write to an account, which it names by its id on the platform. It
	// answers who wrote and the numbers of the messages as the account gets them.
	Write(ctx context.Context, account int64, from SimulatedPerson, m SimulatedMessage) (person int64, ids []int, err error)
}

// Populated is a Driver over a simulator in this process.
type Populated interface {
	// People are those of the simulator; nil: it is none, or runs elsewhere.
	People() People
}

// SimulatedPerson is somebody who writes: the one with the id, else with the username, else
// somebody new.
type SimulatedPerson struct {
	ID       int64
	Username string
	Name     string
	Language string
}

// SimulatedMessage is what they write.
type SimulatedMessage struct {
	Text  string
	Files []SimulatedFile
	At    time.Time // zero: now
}

// SimulatedFile is a file of such a message. Kind is PHOTO, VIDEO, VOICE, AUDIO, DOCUMENT,
// STICKER, ANIMATION or VIDEO_NOTE.
type SimulatedFile struct {
	Kind, Name string
	Content    []byte
}
