package dial

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/gotd/td/bin"
	"github.com/gotd/td/proto/codec"
	"github.com/gotd/td/telegram/dcs"
	"github.com/gotd/td/transport"

	"svc/messenger"
	"svc/messenger/telegram/fault"
)

// ErrUnknownKey says that the platform does not know the key of the session. The
// library would make a new key, without a word, and store it over the old session.
var ErrUnknownKey = &messenger.Error{Fault: messenger.SessionEnded, Code: fault.CodeUnknownKey}

// Watched is a resolver whose connections report an unknown key as an error that the
// library does not understand, so that it gives up instead of making a new one.
type Watched struct{ dcs.Resolver }

// Primary dials the main address of a data centre.
func (w Watched) Primary(ctx context.Context, dc int, l dcs.List) (transport.Conn, error) {
	c, err := w.Resolver.Primary(ctx, dc, l)
	if err != nil {
		return nil, err
	}
	return Keyed{c}, nil
}

// Keyed is a connection on which a key that the messenger does not know ends as ErrUnknownKey.
type Keyed struct{ transport.Conn }

// Recv reads one message.
func (k Keyed) Recv(ctx context.Context, b *bin.Buffer) error {
	err := k.Conn.Recv(ctx, b)
	var protocol *codec.ProtocolErr
	if errors.As(err, &protocol) && protocol.Code == codec.CodeAuthKeyNotFound {
		return ErrUnknownKey
	}
	return err
}

// FirstWord is a connection through an MTProto proxy. Such a proxy says nothing about a
// wrong secret: it hangs up before the first word.
type FirstWord struct {
	transport.Conn
	heard atomic.Bool
}

// Recv reads one message.
func (f *FirstWord) Recv(ctx context.Context, b *bin.Buffer) error {
	err := f.Conn.Recv(ctx, b)
	if err == nil {
		f.heard.Store(true)
	}
	return f.hungUp(ctx, err)
}

// Send writes one message.
func (f *FirstWord) Send(ctx context.Context, b *bin.Buffer) error {
	return f.hungUp(ctx, f.Conn.Send(ctx, b))
}

func (f *FirstWord) hungUp(ctx context.Context, err error) error {
	var protocol *codec.ProtocolErr
	if err == nil || f.heard.Load() || ctx.Err() != nil || TimedOut(err) || errors.As(err, &protocol) {
		return err
	}
	return &messenger.RouteError{Stage: messenger.StageAuth, Err: errHungUp}
}

// TimedOut says whether an error is that of a time limit.
func TimedOut(err error) bool {
	var t interface{ Timeout() bool }
	return errors.As(err, &t) && t.Timeout()
}
