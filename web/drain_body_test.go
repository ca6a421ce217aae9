package web

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"
)

// refusing is a server that refuses every body unread, and a connection to it.
func refusing(t *testing.T, change func(*Server)) net.Conn {
	t.Helper()
	s, _ := testServer(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, "who are you?")
	})
	change(s)
	ts := httptest.NewServer(s.Handler())
	t.Cleanup(ts.Close)
	conn, err := net.Dial("tcp", ts.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	return conn
}

// TestATricklingClientIsCut: it hears the refusal at once, or when the server has waited
// for a small body, and the server does not wait for the rest.
func TestATricklingClientIsCut(t *testing.T) {
	soon := func(s *Server) { s.lingerTimeout = 20 * time.Millisecond }
	full := func(s *Server) { s.lingerTimeout, s.lingering = time.Hour, make(chan struct{}) }
	for _, tt := range []struct {
		name, headers string
		bound         func(*Server)
	}{
		{"large", "Content-Length: 8000000\r\n", soon},
		{"without a length", "Transfer-Encoding: chunked\r\n", soon},
		{"small", "Content-Length: 1000\r\n", soon},
		{"one who goes", "Content-Length: 1000\r\nConnection: close\r\n", soon},
		{"one too many", "Content-Length: 8000000\r\n", full},
		{"more than is ever dropped", "Content-Length: 80000000\r\n", func(s *Server) { s.lingerTimeout = time.Hour }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			conn := refusing(t, tt.bound)
			if _, err := io.WriteString(conn, "POST /api/search HTTP/1.1\r\nHost: x\r\n"+tt.headers+"\r\n4\r\nabcd\r\n"); err != nil {
				t.Fatal(err)
			}
			answer := bufio.NewReader(conn)
			resp, err := http.ReadResponse(answer, nil)
			if err != nil {
				t.Fatal(err)
			}
			if body, err := io.ReadAll(resp.Body); string(body) != "who are you?" || err != nil || resp.StatusCode != http.StatusUnauthorized || !resp.Close {
				t.Errorf("%d %q, %v", resp.StatusCode, body, err)
			}
			if _, err := answer.ReadByte(); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("the connection is still there: %v", err)
			}
		})
	}
}

// TestARefusedSmallBodyKeepsTheConnection: the next request comes over it.
func TestARefusedSmallBodyKeepsTheConnection(t *testing.T) {
	conn := refusing(t, func(*Server) {})
	answer := bufio.NewReader(conn)
	for range 2 {
		if _, err := io.WriteString(conn, "POST /api/search HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}"); err != nil {
			t.Fatal(err)
		}
		resp, err := http.ReadResponse(answer, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, resp.Body); err != nil || resp.Close {
			t.Errorf("closed: %v, %v", resp.Close, err)
		}
	}
}

// zeros is a body without end that counts what was read of it.
type zeros struct{ n int64 }

func (z *zeros) Read(p []byte) (int, error) {
	z.n += int64(len(p))
	return len(p), nil
}

func TestWhatIsDroppedIsBounded(t *testing.T) {
	s, _ := testServer(nil)
	var body zeros
	s.drop(&body)
	if body.n != maxLingered || len(s.lingering) != 0 {
		t.Errorf("%d bytes were dropped, %d places are taken", body.n, len(s.lingering))
	}
}
