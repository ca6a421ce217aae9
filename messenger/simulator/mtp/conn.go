package mtp

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/gotd/td/bin"
	"github.com/gotd/td/crypto"
	"github.com/gotd/td/proto"
	"github.com/gotd/td/proto/codec"
)

// maxSessions is how many sessions one connection may carry; clients use one.
const maxSessions = 8

// conn is one connection. sessions is written by the reading goroutine only.
type conn struct {
	srv      *Server
	nc       net.Conn
	f        *frames
	stranger bool
	slots    chan struct{} // requests that run
	sessions []*Session

	mu      sync.Mutex
	out     []outgoing
	queued  int // bytes in out
	writing bool
	closed  bool
}

// outgoing is one message that waits to be encrypted and written.
type outgoing struct {
	ses  *Session
	kind proto.MessageType
	seq  int32
	body []byte
}

var buffers = sync.Pool{New: func() any { return new([]byte) }}

func (c *conn) close() {
	c.mu.Lock()
	c.closed, c.out, c.queued = true, nil, 0
	c.mu.Unlock()
	_ = c.nc.Close()
}

// serve reads until the connection ends.
func (c *conn) serve(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	limits := c.srv.o.Limits
	if err := c.nc.SetReadDeadline(time.Now().Add(limits.Handshake)); err != nil {
		return err
	}
	var err error
	if c.f, err = open(c.nc); err != nil {
		return err
	}
	for {
		if err := c.next(ctx); err != nil {
			return err
		}
		if c.stranger {
			continue // the deadline of the handshake stands
		}
		if err := c.nc.SetReadDeadline(time.Now().Add(limits.Idle)); err != nil {
			return err
		}
	}
}

// next takes one message. The buffer goes back when the message was decrypted out of it.
func (c *conn) next(ctx context.Context) error {
	if _, err := c.f.r.Peek(1); err != nil {
		return err // waits without holding a buffer
	}
	buf := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	limit := maxFrame
	if c.stranger {
		limit = strangerFrame
	}
	frame, err := c.f.read(*buf, limit)
	if cap(frame) <= 64<<10 {
		*buf = frame // a large one is left to the collector
	}
	if err != nil {
		return err
	}
	if len(frame) < 8 {
		return errors.New("a frame without a key id")
	}
	id := [8]byte(frame[:8])
	if id == [8]byte{} {
		return c.exchange(ctx, frame)
	}
	key, known := c.srv.o.Handler.Key(id)
	if !known {
		return c.unknownKey()
	}
	return c.encrypted(ctx, key, frame)
}

// unknownKey says that the key is not known here; the client makes a new one.
func (c *conn) unknownKey() error {
	if !c.stranger {
		// A key that was known and is forgotten.
		c.discardQueue()
	}
	code := int32(-codec.CodeAuthKeyNotFound)
	return c.write(binary.LittleEndian.AppendUint32(c.f.head(nil, 4), uint32(code)))
}

func (c *conn) discardQueue() {
	c.mu.Lock()
	c.out, c.queued = nil, 0
	c.mu.Unlock()
}

func (c *conn) encrypted(ctx context.Context, key crypto.AuthKey, frame []byte) error {
	var m crypto.EncryptedMessage
	if err := m.DecodeWithoutCopy(&bin.Buffer{Buf: frame}); err != nil {
		return err
	}
	data, err := c.srv.cipher.Decrypt(key, &m)
	if err != nil {
		return err
	}
	c.srv.known(c)
	ses, err := c.session(key, data.SessionID, data.MessageID)
	if err != nil {
		return err
	}
	return c.message(ctx, ses, data.MessageID, &bin.Buffer{Buf: data.Data()}, 0)
}

// session finds the session that a message belongs to, or begins it.
func (c *conn) session(key crypto.AuthKey, id, first int64) (*Session, error) {
	for _, s := range c.sessions {
		if s.id == id && s.Key.ID == key.ID {
			return s, nil
		}
	}
	if len(c.sessions) >= maxSessions {
		return nil, fmt.Errorf("more than %d sessions on one connection", maxSessions)
	}
	s := &Session{Key: key, id: id, conn: c}
	c.sessions = append(c.sessions, s)
	s.begin(first)
	return s, nil
}

// write sends bytes that are framed already.
func (c *conn) write(b []byte) error {
	if err := c.nc.SetWriteDeadline(time.Now().Add(c.srv.o.Limits.Write)); err != nil {
		return err
	}
	_, err := c.f.w.Write(b)
	return err
}
