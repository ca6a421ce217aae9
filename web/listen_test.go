package web

import (
	"net"
	"testing"
	"testing/synctest"
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
		ln := limit(endless{}, 3)
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
