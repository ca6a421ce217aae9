package telegram

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gotd/td/bin"
	"github.com/gotd/td/proto/codec"

	"svc/messenger"
	"svc/messenger/telegram/dial"
)

func TestRefusalsOfHTTPProxies(t *testing.T) {
	for status, want := range map[int]messenger.Stage{
		http.StatusProxyAuthRequired: messenger.StageAuth,
		http.StatusBadGateway:        messenger.StageDataCentre, http.StatusGatewayTimeout: messenger.StageDataCentre,
		http.StatusForbidden: messenger.StageHandshake, http.StatusMethodNotAllowed: messenger.StageHandshake,
		http.StatusMovedPermanently: messenger.StageHandshake,
	} {
		var e *messenger.RouteError
		if err := dial.RefusalOf(status); !errors.As(err, &e) || e.Stage != want {
			t.Errorf("%d: %v", status, err)
		}
	}
	if err := dial.RefusalOf(200); err != nil {
		t.Error(err)
	}
}

// answered is a connection to a proxy that has said its answer already.
type answered struct {
	net.Conn
	in  io.Reader
	out bytes.Buffer
}

func (a *answered) Read(p []byte) (int, error)  { return a.in.Read(p) }
func (a *answered) Write(p []byte) (int, error) { return a.out.Write(p) }

func TestTunnelKeepsEarlyBytes(t *testing.T) {
	for _, head := range []string{"HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.0 200 Connection established\r\nContent-Length: 3\r\nVia: x\r\n\r\n"} {
		c := &answered{in: strings.NewReader(head + "first words")}
		got, err := dial.Tunnel(c, messenger.Route{Username: "user", Password: "words"}, "10.0.0.1:443")
		if err != nil {
			t.Fatal(err)
		}
		if b, err := io.ReadAll(got); string(b) != "first words" || err != nil {
			t.Errorf("%q: read %q, %v", head, b, err)
		}
		q := c.out.String()
		if !strings.HasPrefix(q, "CONNECT 10.0.0.1:443 HTTP/1.1\r\nHost: 10.0.0.1:443\r\n") ||
			!strings.Contains(q, "Proxy-Authorization: Basic dXNlcjp3b3Jkcw==\r\n") || !strings.HasSuffix(q, "\r\n\r\n") {
			t.Errorf("asked %q", q)
		}
	}
}

// A proxy may say anything for ever: it is read up to a bound.
func TestEndlessAnswerIsCutOff(t *testing.T) {
	c := &answered{in: io.MultiReader(strings.NewReader("HTTP/1.1 200 OK\r\nX: "), endless{})}
	if _, err := dial.Tunnel(c, messenger.Route{}, "10.0.0.1:443"); err == nil {
		t.Error("an endless header was taken")
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func FuzzTunnel(f *testing.F) {
	f.Add([]byte("HTTP/1.1 200 OK\r\n\r\nrest"))
	f.Add([]byte("HTTP/1.1 407 No\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"))
	f.Add([]byte("\x05\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := dial.Tunnel(&answered{in: bytes.NewReader(b)}, messenger.Route{}, "10.0.0.1:443")
		if (c == nil) == (err == nil) {
			t.Errorf("%v, %v", c, err)
		}
	})
}

// said is a transport that answers once.
type said struct {
	answer []byte
	err    error
}

func (s said) Send(context.Context, *bin.Buffer) error { return nil }
func (s said) Close() error                            { return nil }
func (s said) Recv(_ context.Context, b *bin.Buffer) error {
	b.ResetTo(bytes.Clone(s.answer))
	return s.err
}

func FuzzFirstExchange(f *testing.F) {
	f.Add(make([]byte, 40))
	f.Add(append(make([]byte, 16), 4, 0, 0, 0, 1, 2, 3, 4))
	f.Fuzz(func(t *testing.T, b []byte) {
		if err := firstExchange(t.Context(), said{answer: b}); err == nil {
			t.Error("an answer to a question that was never asked was taken")
		}
	})
}

func TestUnknownKeyIsNoReasonForANewOne(t *testing.T) {
	gone := dial.Keyed{Conn: said{err: &codec.ProtocolErr{Code: codec.CodeAuthKeyNotFound}}}
	err := gone.Recv(t.Context(), &bin.Buffer{})
	var protocol *codec.ProtocolErr
	if errors.As(err, &protocol) || messenger.As(err) == nil || messenger.As(err).Fault != messenger.SessionEnded {
		t.Errorf("%v", err)
	}
	flood := dial.Keyed{Conn: said{err: &codec.ProtocolErr{Code: codec.CodeTransportFlood}}}
	if err := flood.Recv(t.Context(), &bin.Buffer{}); !errors.As(err, &protocol) {
		t.Errorf("%v", err)
	}
}

func TestSilenceAboutASecret(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	for name, row := range map[string]struct {
		first, then error
		auth        bool
	}{
		"hangs up at once":        {first: io.EOF, auth: true},
		"hangs up after a word":   {then: io.EOF},
		"knows no key":            {first: &codec.ProtocolErr{Code: codec.CodeAuthKeyNotFound}},
		"says nothing for a time": {first: context.DeadlineExceeded},
	} {
		c := &dial.FirstWord{Conn: said{err: row.first}}
		err := c.Recv(ctx, &bin.Buffer{})
		if row.first == nil {
			c.Conn = said{err: row.then}
			err = c.Recv(ctx, &bin.Buffer{})
		}
		var e *messenger.RouteError
		if got := errors.As(err, &e); got != row.auth || err == nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	cancel()
	var e *messenger.RouteError
	if err := (&dial.FirstWord{Conn: said{err: io.EOF}}).Send(t.Context(), &bin.Buffer{}); err != nil {
		t.Error(err) // said never fails to send
	}
	if err := (&dial.FirstWord{Conn: said{err: net.ErrClosed}}).Recv(ctx, &bin.Buffer{}); errors.As(err, &e) {
		t.Errorf("our own end was taken for the proxy's: %v", err)
	}
}

// A thousand accounts do not dial in step, nor for ever at full speed.
func TestTriesSlowDown(t *testing.T) {
	b := again()
	var last time.Duration
	for range 50 {
		last = b.NextBackOff()
		if last <= 0 || last > time.Minute {
			t.Fatalf("waits %s", last)
		}
	}
	if last < 10*time.Second {
		t.Errorf("after 50 tries it waits %s", last)
	}
}
