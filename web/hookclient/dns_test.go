package hookclient

import (
	"context"
	"encoding/binary"
	"errors"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"
)

// names is a name server of the test's own. A name with several lists of addresses
// gives one list after the other, the last one for ever: it changes its answer.
type names struct {
	mu    sync.Mutex
	known map[string][][]string
	asked map[string]int
}

// serve answers on a socket and gives a resolver that asks it.
func (n *names) serve(t testing.TB) *net.Resolver {
	t.Helper()
	n.asked = map[string]int{}
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	go func() {
		buf := make([]byte, 1500)
		for {
			size, from, err := conn.ReadFrom(buf)
			if errors.Is(err, net.ErrClosed) {
				return
			}
			if err == nil {
				_, _ = conn.WriteTo(n.answer(buf[:size]), from)
			}
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "udp", conn.LocalAddr().String())
	}}
}

// answer makes the answer to one question (RFC 1035, section 4).
func (n *names) answer(q []byte) []byte {
	end, labels := 12, []string{}
	for q[end] != 0 {
		labels = append(labels, string(q[end+1:end+1+int(q[end])]))
		end += 1 + int(q[end])
	}
	kind := binary.BigEndian.Uint16(q[end+1:])
	question := q[12 : end+5]
	addresses, exists := n.next(strings.Join(labels, "."), kind)
	flags := uint16(0x8180)
	if !exists {
		flags |= 3 // there is no such name
	}
	out := append([]byte(nil), q[:2]...)
	for _, v := range []uint16{flags, 1, uint16(len(addresses)), 0, 0} {
		out = binary.BigEndian.AppendUint16(out, v)
	}
	out = append(out, question...)
	for _, a := range addresses {
		out = append(out, 0xC0, 12) // the name of the question
		for _, v := range []uint16{kind, 1, 0, 0} {
			out = binary.BigEndian.AppendUint16(out, v)
		}
		raw := a.AsSlice()
		out = append(binary.BigEndian.AppendUint16(out, uint16(len(raw))), raw...)
	}
	return out
}

func (n *names) next(name string, kind uint16) (out []netip.Addr, exists bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	lists, exists := n.known[name]
	if !exists {
		return nil, false
	}
	at := min(n.asked[name], len(lists)-1)
	for _, a := range lists[at] {
		ip := netip.MustParseAddr(a)
		if ip.Is4() == (kind == 1) && (kind == 1 || kind == 28) {
			out = append(out, ip)
		}
	}
	if kind == 1 {
		n.asked[name]++
	}
	return out, true
}
