package acceptance

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// receiver is an endpoint of webhooks that verifies every request in both forms, as contract 8.3 describes them,
// and counts what it accepted. It can die
// and come back at the same address.
type receiver struct {
	t      *testing.T
	addr   string
	server *httptest.Server

	mu       sync.Mutex
	signedBy string
	seen     map[string]*heard // by event
}

// heard is an event that arrived.
type heard struct {
	kind, recipient string
	times           int
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	addr, err := freeAddress()
	if err != nil {
		t.Fatal(err)
	}
	r := &receiver{t: t, addr: addr, seen: map[string]*heard{}}
	r.comeBack()
	t.Cleanup(func() { r.die() })
	return r
}

func (r *receiver) url() string { return "http://" + r.addr + "/hook" }

func (r *receiver) comeBack() {
	r.t.Helper()
	ln, err := net.Listen("tcp", r.addr)
	if err != nil {
		r.t.Fatal(err)
	}
	r.server = &httptest.Server{Listener: ln, Config: &http.Server{Handler: r}}
	r.server.Start()
}

func (r *receiver) die() {
	r.server.CloseClientConnections()
	r.server.Close()
}

func (r *receiver) secret(s string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.signedBy = s
}

// ServeHTTP refuses what is not signed; then the delivery fails and a test that
// waits for it too.
func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return // the server was killed while it sent
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := verify(req.Header, body, r.signedBy); err != nil {
		r.t.Errorf("a webhook is not signed: %v", err)
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	var e struct {
		ID, Type string
		Data     struct {
			Recipient string `json:"recipient_id"`
		}
	}
	if err := json.Unmarshal(body, &e); err != nil || e.ID != req.Header.Get("X-Svc-Event-Id") || e.Type != req.Header.Get("X-Svc-Event") {
		r.t.Errorf("headers and body of a webhook differ: %v %v %s", err, req.Header, body)
	}
	if r.seen[e.ID] == nil {
		r.seen[e.ID] = &heard{kind: e.Type, recipient: e.Data.Recipient}
	}
	r.seen[e.ID].times++
}

// verify checks both forms of the signature, from their description alone.
func verify(h http.Header, body []byte, secret string) error {
	sum := func(key []byte, text string) []byte {
		m := hmac.New(sha256.New, key)
		m.Write([]byte(text))
		m.Write(body)
		return m.Sum(nil)
	}
	at := h.Get("webhook-timestamp")
	if want := "t=" + at + ",v1=" + hex.EncodeToString(sum([]byte(secret), at+".")); h.Get("X-Svc-Signature") != want {
		return fmt.Errorf("X-Svc-Signature is %s, want %s", h.Get("X-Svc-Signature"), want)
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || len(key) != 32 {
		return fmt.Errorf("the secret has %d bytes: %w", len(key), err)
	}
	if want := "v1," + base64.StdEncoding.EncodeToString(sum(key, h.Get("webhook-id")+"."+at+".")); h.Get("webhook-signature") != want {
		return fmt.Errorf("webhook-signature is %s, want %s", h.Get("webhook-signature"), want)
	}
	return nil
}

// until waits for so many different events of a type.
func (r *receiver) until(kind string, n int) {
	r.t.Helper()
	wait(r.t, fmt.Sprintf("%d events %s at the receiver", n, kind), func() bool { return r.count(kind) >= n })
	if got := r.count(kind); got != n {
		r.t.Errorf("%d events %s arrived, want %d", got, kind, n)
	}
}

func (r *receiver) count(kind string) (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, h := range r.seen {
		if h.kind == kind {
			n++
		}
	}
	return n
}

// about is how many different opt-outs of a recipient arrived.
func (r *receiver) about(recipient string) (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, h := range r.seen {
		if h.recipient == recipient && h.kind == "recipient.opted_out" {
			n++
		}
	}
	return n
}
