package mtp

import (
	"context"
	"math/big"

	"github.com/gotd/td/bin"
	"github.com/gotd/td/clock"
	"github.com/gotd/td/exchange"
	"github.com/gotd/td/mt"
	"github.com/gotd/td/proto"
)

// exchange agrees on a key with a stranger, whose first message is already read.
func (c *conn) exchange(ctx context.Context, first []byte) error {
	ctx, cancel := context.WithTimeout(ctx, c.srv.o.Limits.Handshake)
	defer cancel()
	t := &clear{c: c, first: first}
	result, err := exchange.NewExchanger(t, c.srv.o.DC).WithClock(clock.System).Server(c.srv.o.Key).Run(ctx)
	if err != nil {
		return err
	}
	return c.srv.o.Handler.SaveKey(result.Key)
}

// clear is the connection as the key exchange sees it.
type clear struct {
	c     *conn
	first []byte
}

func (t *clear) Recv(_ context.Context, b *bin.Buffer) error {
	if t.first != nil {
		b.ResetTo(append([]byte(nil), t.first...))
		t.first = nil
		return nil
	}
	frame, err := t.c.f.read(nil, strangerFrame)
	b.ResetTo(frame)
	return err
}

func (t *clear) Send(_ context.Context, b *bin.Buffer) error {
	if err := easier(b); err != nil {
		return err
	}
	return t.c.write(append(t.c.f.head(nil, b.Len()), b.Buf...))
}

func (t *clear) Close() error { return t.c.nc.Close() }

// product is what a stranger factors before it may have a key. The platform asks for
// a product of 63 bits, work that keeps crowds away from it; nobody needs to be kept
// away from a simulator, and with 40 bits a sign-in begins a quarter of a second sooner.
var product = big.NewInt(1_000_003 * 1_000_033).Bytes()

// easier puts our product in the place of the library's.
func easier(b *bin.Buffer) error {
	var m proto.UnencryptedMessage
	if err := m.Decode(&bin.Buffer{Buf: b.Buf}); err != nil {
		return err
	}
	inside := &bin.Buffer{Buf: m.MessageData}
	if id, err := inside.PeekID(); err != nil || id != mt.ResPQTypeID {
		return err // a later message of the exchange
	}
	var res mt.ResPQ
	if err := res.Decode(inside); err != nil {
		return err
	}
	res.Pq = product
	inner := &bin.Buffer{}
	if err := res.Encode(inner); err != nil {
		return err
	}
	m.MessageData = inner.Buf
	b.Reset()
	return m.Encode(b)
}
