package vault

import (
	"context"
	"errors"
	"io"
	"iter"
	"time"
)

// Place is where sealed files lie, each under its name: a folder, or a bucket elsewhere.
// Names are those that Vault lets pass. Safe for concurrent use; of one name one Upload is
// made at a time.
type Place interface {
	// Create begins a file. It appears, whole and durable and in place of one of that name,
	// with Commit.
	Create(name string) (Upload, error)
	// Open opens a file. The error of one that is not there matches fs.ErrNotExist, that of
	// a place that cannot be reached matches ErrAway.
	Open(name string) (Stored, error)
	// Remove removes a file; one that is not there is no error.
	Remove(name string) error
	// Files visits the files, in no order.
	Files() iter.Seq2[Found, error]
	// RemovePartial removes what an Upload left whose process died; nothing is no error.
	RemovePartial(name string) error
}

// Upload is a file that is being written. It is for one goroutine.
type Upload interface {
	io.Writer
	// Commit makes the file durable; after an error nothing is left of it.
	Commit() error
	// Abort leaves nothing; after Commit it does nothing.
	Abort() error
}

// Stored is a file that is read. It is for one goroutine.
type Stored interface {
	io.ReaderAt
	io.Closer
	// Size is its length in bytes, sealed.
	Size() int64
}

// ErrAway is matched by errors of a place that cannot be reached now: nothing is said about
// the file.
var ErrAway = errors.New("the place of files cannot be reached")

// Found is a file of a place.
type Found struct {
	Name    string
	Partial bool      // only what a writer left that died, or writes now
	At      time.Time // when it was written last, by the clock of the place
}

// Root is where all files of an installation lie: every kind of them has its own place.
type Root interface {
	Place(kind string) Place
	// Shared: other processes write there too.
	Shared() bool
	// Check says what keeps files from being written and read there; nil: nothing.
	Check(ctx context.Context) error
	// String names the place without what is secret.
	String() string
}
