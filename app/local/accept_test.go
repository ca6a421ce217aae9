package local

import (
	"context"
	"errors"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
)

// failing is a listener whose Accept answers what it is told, in order, and then waits
// until it is closed.
type failing struct {
	net.Listener
	answers []error // nil: a connection
	closed  chan struct{}
}

func (f *failing) Accept() (net.Conn, error) {
	if len(f.answers) == 0 {
		<-f.closed
		return nil, net.ErrClosed
	}
	err := f.answers[0]
	f.answers = f.answers[1:]
	if err != nil {
		return nil, &net.OpError{Op: "accept", Err: os.NewSyscallError("accept4", err)}
	}
	ours, _ := net.Pipe()
	return ours, nil
}

// TestDescriptorsThatRanOutDoNotEndTheServer: whatever may pass is tried again, with
// pauses; what cannot pass is an error (contract 21.3, Descriptors).
func TestDescriptorsThatRanOutDoNotEndTheServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &failing{answers: []error{syscall.EMFILE, syscall.EMFILE, syscall.ENFILE, syscall.ECONNABORTED, nil, syscall.ENOMEM, nil}, closed: make(chan struct{})}
		ctx, stop := context.WithCancel(t.Context())
		handled := make(chan struct{}, 2)
		ended := make(chan error, 1)
		go func() { ended <- serve(ctx, l, func(net.Conn) { handled <- struct{}{} }) }()
		<-handled
		<-handled
		stop()
		close(l.closed)
		if err := <-ended; err != nil {
			t.Errorf("it ended with %v", err)
		}
	})
	l := &failing{answers: []error{syscall.EBADF}}
	if err := serve(t.Context(), l, func(net.Conn) {}); !errors.Is(err, syscall.EBADF) || !strings.Contains(err.Error(), "local commands") {
		t.Errorf("a listener that is broken: %v", err)
	}
}
