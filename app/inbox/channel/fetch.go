package channel

import (
	"context"
	"errors"
	"io"
	"strconv"
	"time"

	"svc/messenger"
	"svc/store"
)

// Fetch says which file of a message is wanted.
type Fetch struct {
	Org, Account string
	Person       Person
	Part         string // the network's id of the message that carries it
	Ref          []byte // IncomingFile.Ref
	From         int64  // bytes that are there already
	Most         int64  // bytes that the file may have
}

// Errors of Channel.Fetch that another try does not change.
var (
	ErrFileGone     = errors.New("the network does not have the file any more")
	ErrFileTooLarge = errors.New("the file is larger than it may be")
)

// Later is the error of what the network asks to do later.
type Later struct{ After time.Duration }

// Error says for how long.
func (l *Later) Error() string { return "the network asks to wait " + l.After.String() }

// Fetch implements Channel.
func (m *Messenger) Fetch(ctx context.Context, f Fetch, w io.Writer) (int64, error) {
	conn, _, err := m.Accounts.Conn(ctx, f.Org, f.Account)
	if err != nil {
		return 0, FaultOf(err)
	}
	id, err := strconv.Atoi(f.Part)
	if err != nil {
		return 0, ErrFileGone
	}
	n, err := conn.Download(ctx, messenger.FileRef{Peer: messengerID(f.Person), MessageID: id, Ref: f.Ref, From: f.From}, w, f.Most)
	return n, FaultOf(err)
}

// FaultOf is what an error of the messenger means for what is read from it: *Later for a
// wait, the errors of Fetch, or itself.
func FaultOf(err error) error {
	e := messenger.As(err)
	if e == nil {
		return err
	}
	switch e.Fault {
	case messenger.Flood, messenger.Wait:
		return &Later{max(e.Wait, time.Second)}
	case messenger.FileGone:
		return ErrFileGone
	case messenger.FileTooLarge:
		return ErrFileTooLarge
	}
	return err
}

// Elsewhere implements Channel.
func (m *Messenger) Elsewhere(tx *store.Tx, account string) (bool, error) {
	return m.Accounts.Elsewhere(tx, account)
}
