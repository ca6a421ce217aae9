package mtp

import (
	"encoding/binary"
	"net"

	"github.com/gotd/td/bin"
	"github.com/gotd/td/crypto"
	"github.com/gotd/td/mt"
	"github.com/gotd/td/proto"
)

// seen is how many requests of a session are remembered, so that one that the client
// repeats for want of an acknowledgement does not run twice.
const seen = 64

// Session is one session of a client on one connection.
type Session struct {
	Key  crypto.AuthKey
	id   int64
	conn *conn

	// Of the reading goroutine.
	recent []int64
	next   int

	// Under conn.mu.
	content int32
}

// LocalAddr is the address at which the client found the server.
func (s *Session) LocalAddr() net.Addr { return s.conn.nc.LocalAddr() }

// Close ends the connection of the session.
func (s *Session) Close() { s.conn.close() }

// salt is the server's number in every message of a key. It never changes here.
func salt(k crypto.AuthKey) int64 { return int64(binary.LittleEndian.Uint64(k.ID[:])) }

// Salt is the salt that a session file of this server names.
func Salt(k crypto.AuthKey) int64 { return salt(k) }

func (s *Session) begin(first int64) {
	s.send(proto.MessageFromServer, true, &mt.NewSessionCreated{FirstMsgID: first, UniqueID: s.id, ServerSalt: salt(s.Key)})
}

// repeated remembers a request and says whether it was here before.
func (s *Session) repeated(id int64) bool {
	for _, r := range s.recent {
		if r == id {
			return true
		}
	}
	if len(s.recent) < seen {
		s.recent = append(s.recent, id)
		return false
	}
	s.recent[s.next] = id
	s.next = (s.next + 1) % seen
	return false
}

// Push sends the client what it did not ask for. It never waits for the network; a
// client that does not read what it is sent loses its connection.
func (s *Session) Push(m bin.Encoder) error {
	start, err := s.enqueue(proto.MessageFromServer, true, m)
	if start {
		go s.conn.flush() // ends with the connection
	}
	return err
}

// send is Push for goroutines that may wait for the network.
func (s *Session) send(kind proto.MessageType, content bool, m bin.Encoder) {
	start, err := s.enqueue(kind, content, m)
	if err != nil {
		s.conn.srv.o.Log.Debug("the simulator could not answer", "error", err)
	}
	if start {
		s.conn.flush()
	}
}

// enqueue adds a message and says whether the caller has to flush.
func (s *Session) enqueue(kind proto.MessageType, content bool, m bin.Encoder) (start bool, err error) {
	var b bin.Buffer
	if err := m.Encode(&b); err != nil {
		return false, err
	}
	c := s.conn
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return false, net.ErrClosed
	}
	if c.queued+len(b.Buf) > c.srv.o.Limits.Queue {
		c.closed, c.out, c.queued = true, nil, 0
		_ = c.nc.Close()
		return false, net.ErrClosed
	}
	seq := s.content * 2
	if content {
		seq++
		s.content++
	}
	c.out = append(c.out, outgoing{ses: s, kind: kind, seq: seq, body: b.Buf})
	c.queued += len(b.Buf)
	start = !c.writing
	c.writing = true
	return start, nil
}

// flush writes what waits until nothing does. One goroutine at a time runs it, so that
// messages leave in the order in which they were queued.
func (c *conn) flush() {
	for {
		c.mu.Lock()
		batch := c.out
		c.out, c.queued = nil, 0
		if len(batch) == 0 || c.closed {
			c.writing = false
			c.mu.Unlock()
			return
		}
		c.mu.Unlock()
		if err := c.writeAll(batch); err != nil {
			c.srv.o.Log.Debug("the simulator could not write", "error", err)
			c.close()
		}
	}
}

// writeAll encrypts messages and writes them at once.
func (c *conn) writeAll(batch []outgoing) error {
	held := buffers.Get().(*[]byte)
	defer buffers.Put(held)
	all := (*held)[:0]
	var b bin.Buffer
	for _, m := range batch {
		data := crypto.EncryptedMessageData{
			Salt: salt(m.ses.Key), SessionID: m.ses.id, MessageID: c.srv.ids.New(m.kind), SeqNo: m.seq,
			MessageDataLen: int32(len(m.body)), MessageDataWithPadding: m.body,
		}
		if err := c.srv.cipher.Encrypt(m.ses.Key, data, &b); err != nil {
			return err
		}
		all = append(c.f.head(all, b.Len()), b.Buf...)
	}
	if cap(all) <= 64<<10 {
		*held = all
	}
	return c.write(all)
}
