package web

import (
	"bytes"
	"context"
	"net"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// endless is a listener at which somebody always knocks.
type endless struct{ net.Listener }

func (endless) Accept() (net.Conn, error) {
	ours, _ := net.Pipe()
	return ours, nil
}

func (endless) Close() error { return nil }

// TestConnectionsAreLimited: one more is accepted when one is closed, and a
// server that stops does not wait for a place.
func TestConnectionsAreLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ln := limit(endless{}, 3, PerAddress{})
		var open []net.Conn
		var end error
		go func() {
			for {
				conn, err := ln.Accept()
				if err != nil {
					end = err
					return
				}
				open = append(open, conn)
				if len(open) > 10 {
					return // there is no limit
				}
			}
		}()
		see := func(want int) {
			t.Helper()
			synctest.Wait()
			if len(open) != want {
				t.Fatalf("%d connections were accepted, want %d", len(open), want)
			}
		}
		see(3)
		_ = open[1].Close()
		_ = open[1].Close() // closed twice it is one place
		see(4)
		if err := ln.Close(); err != nil {
			t.Error(err)
		}
		see(4)
		if end == nil {
			t.Error("it still waits for a place")
		}
	})
}

// from is a connection of an address.
type from struct {
	net.Conn
	addr   string
	closed bool
}

func (f *from) RemoteAddr() net.Addr { return net.TCPAddrFromAddrPort(netip.MustParseAddrPort(f.addr)) }

func (f *from) Close() error {
	f.closed = true
	return nil
}

// knocks is a listener with these connections.
type knocks struct {
	net.Listener
	conns []*from
}

func (k *knocks) Accept() (net.Conn, error) {
	if len(k.conns) == 0 {
		return nil, net.ErrClosed
	}
	next := k.conns[0]
	k.conns = k.conns[1:]
	return next, nil
}

// TestConnectionsOfOneAddressAreLimited: what an address has too much is closed at once
// and takes no place; networks of IPv6 count as one; a proxy does not count.
func TestConnectionsOfOneAddressAreLimited(t *testing.T) {
	var log bytes.Buffer
	source := &knocks{}
	for _, addr := range []string{
		"192.0.2.7:1", "192.0.2.7:2", "192.0.2.7:3", "192.0.2.7:4", "[::ffff:192.0.2.7]:5", // the last three are too many
		"192.0.2.8:1", "[2001:db8::1]:1", "[2001:db8::2]:1", "[2001:db8::3]:1", "[2001:db8:0:1::1]:1", // one of the network
		"10.0.0.1:1", "10.0.0.1:2", "10.0.0.1:3",
	} {
		source.conns = append(source.conns, &from{addr: addr})
	}
	all := source.conns
	ln := limit(source, 100, PerAddress{Most: 2, Exempt: netip.MustParsePrefix("10.0.0.0/8").Contains, Log: NewLogger(&log)})
	accepted := map[string]net.Conn{}
	for {
		conn, err := ln.Accept()
		if err != nil {
			break
		}
		accepted[conn.RemoteAddr().String()] = conn
	}
	var refused []string
	for _, c := range all {
		if c.closed {
			refused = append(refused, c.addr)
		}
	}
	if got, want := strings.Join(refused, " "), "192.0.2.7:3 192.0.2.7:4 [::ffff:192.0.2.7]:5 [2001:db8::3]:1"; got != want {
		t.Errorf("refused %s, want %s", got, want)
	}
	if len(accepted) != len(all)-4 || len(ln.places) != len(accepted) {
		t.Errorf("%d accepted, %d places taken", len(accepted), len(ln.places))
	}
	if lines := strings.Count(log.String(), "--trusted-proxies"); lines != 1 || !strings.Contains(log.String(), "192.0.2.7") {
		t.Errorf("the log has %d lines: %s", lines, &log)
	}
	_ = accepted["192.0.2.7:1"].Close()
	source.conns = []*from{{addr: "192.0.2.7:6"}}
	if _, err := ln.Accept(); err != nil {
		t.Errorf("one was closed, and another may not come: %v", err)
	}
	if ln.open["192.0.2.7"] != 2 {
		t.Errorf("counted %v", ln.open)
	}
}

// TestAStopDoesNotWaitForConnectionsWithoutARequest: net/http would, for five seconds.
// A stop closes the listener and then the server, which closes it again: the second time
// is no error, or a stop would report requests that were never left unanswered.
func TestAListenerClosesTwice(t *testing.T) {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := limit(inner, 1, PerAddress{})
	for range 2 {
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAStopDoesNotWaitForConnectionsWithoutARequest(t *testing.T) {
	r := start(t, Config{})
	conn, err := (&net.Dialer{}).DialContext(context.Background(), "tcp", strings.TrimPrefix(r.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	get(t, newClient(), r.url+"/health") // the silent connection was accepted before this one
	begin := time.Now()
	r.stop()
	if err := <-r.done; err != nil {
		t.Error(err)
	}
	if took := time.Since(begin); took > 3*time.Second {
		t.Errorf("the stop took %v", took)
	}
}
