package dial

import (
	"context"
	"net"

	"github.com/gotd/td/telegram/dcs"
)

// The library writes the length of each packet by itself: a system call and a network
// packet for four bytes. Holding them back until the packet follows saves a sixth of what
// a send costs.
const (
	corkHead = 4       // what is held back: the longest length of a packet, in bytes
	corkMost = 4 << 10 // packets beyond it are written as they come
)

// corked holds short writes back until a longer one follows, which one always does: no
// packet of the protocol is as short as its length. One writer at a time.
type corked struct {
	net.Conn
	held []byte
}

// Write writes b, with what was held back before it.
func (c *corked) Write(b []byte) (int, error) {
	if len(b) <= corkHead {
		c.held = append(c.held, b...)
		return len(b), nil
	}
	if len(c.held) == 0 {
		return c.Conn.Write(b)
	}
	before := len(c.held)
	if before+len(b) > corkMost {
		held := c.held
		c.held = nil
		if _, err := c.Conn.Write(held); err != nil {
			return 0, err
		}
		return c.Conn.Write(b)
	}
	c.held = append(c.held, b...)
	n, err := c.Conn.Write(c.held)
	c.held = c.held[:0]
	return max(n-before, 0), err
}

// plain is the library's way to the data centres over dial.
func plain(dial dcs.DialFunc) dcs.Resolver {
	return dcs.Plain(dcs.PlainOptions{Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &corked{Conn: c}, nil
	}})
}
