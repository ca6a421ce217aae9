package fakes

import (
	"context"
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
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Receiver is a server of somebody else, which webhooks are sent to.
type Receiver struct {
	mu      sync.Mutex
	server  *httptest.Server // nil while it is down
	Address string
	answers map[string]reply // by path; 200 where nothing else was said
	got     []Received
}

// reply is what it answers.
type reply struct {
	status int
	header http.Header
	body   string
}

// Received is one request.
type Received struct {
	Path   string
	Header http.Header
	Body   []byte
}

// Up lets it listen, at the address that it had.
func (rc *Receiver) Up() error {
	l, err := new(net.ListenConfig).Listen(context.Background(), "tcp", rc.Address)
	if err != nil {
		return err
	}
	rc.server = httptest.NewUnstartedServer(rc)
	_ = rc.server.Listener.Close()
	rc.server.Listener, rc.Address = l, l.Addr().String()
	rc.server.Start()
	return nil
}

// Down closes its door.
func (rc *Receiver) Down() {
	if rc != nil && rc.server != nil {
		rc.server.Close()
		rc.server = nil
	}
}

// ServeHTTP answers as it was told.
func (rc *Receiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	rc.mu.Lock()
	rc.got = append(rc.got, Received{r.URL.Path, r.Header.Clone(), body})
	a, found := rc.answers[r.URL.Path]
	rc.mu.Unlock()
	if !found {
		a.status = http.StatusOK
	}
	for name, values := range a.header {
		w.Header()[name] = values
	}
	w.WriteHeader(a.status)
	_, _ = io.WriteString(w, a.body)
}

// Answer says what it answers at a path from now on: "PATH STATUS", and behind it a
// header ("Retry-After: 60") or a body.
func (rc *Receiver) Answer(arg string) error {
	path, rest, _ := strings.Cut(arg, " ")
	status, rest, _ := strings.Cut(rest, " ")
	a := reply{header: http.Header{}, body: rest}
	var err error
	if a.status, err = strconv.Atoi(status); err != nil {
		return fmt.Errorf("write: receiver answers PATH STATUS")
	}
	if name, value, ok := strings.Cut(rest, ": "); ok && !strings.ContainsAny(name, " {") {
		a.header.Set(name, value)
		a.body = ""
	}
	rc.mu.Lock()
	defer rc.mu.Unlock()
	if rc.answers == nil {
		rc.answers = map[string]reply{}
	}
	rc.answers[path] = a
	return nil
}

// Heard is what it received since the story last asked, the events in their order.
func (rc *Receiver) Heard() []Received {
	rc.mu.Lock()
	defer rc.mu.Unlock()
	out := slices.Clone(rc.got)
	slices.SortStableFunc(out, func(a, b Received) int {
		return strings.Compare(a.order(), b.order())
	})
	return out
}

// Forget what the story has seen.
func (rc *Receiver) Forget(n int) {
	rc.mu.Lock()
	defer rc.mu.Unlock()
	rc.got = rc.got[n:]
}

func (r *Received) order() string {
	return r.Header.Get("X-Svc-Event-Id") + r.Header.Get("X-Svc-Delivery") + fmt.Sprintf("%02s", r.Header.Get("X-Svc-Attempt"))
}

// Report is the request as a story shows it. secrets are those of the story: both forms
// of the signature must be of the same ones, and of this body and time.
func (r *Received) Report(secrets []string, now time.Time) any {
	h := r.Header
	return struct {
		Path       string          `json:"path"`
		Type       string          `json:"Content-Type"`
		Agent      string          `json:"User-Agent"`
		Event      string          `json:"X-Svc-Event"`
		EventID    string          `json:"X-Svc-Event-Id"`
		Delivery   string          `json:"X-Svc-Delivery"`
		Attempt    string          `json:"X-Svc-Attempt"`
		WebhookID  string          `json:"webhook-id"`
		SignedBy   []string        `json:"signed_by"`
		StandardBy []string        `json:"standard_signed_by"`
		Ago        string          `json:"signed_ago"`
		Body       json.RawMessage `json:"body"`
	}{
		r.Path, h.Get("Content-Type"), h.Get("User-Agent"), h.Get("X-Svc-Event"), h.Get("X-Svc-Event-Id"), h.Get("X-Svc-Delivery"),
		h.Get("X-Svc-Attempt"), h.Get("webhook-id"), r.Signers(secrets), r.StandardSigners(secrets), r.Ago(now), r.Body,
	}
}

// Signers are the secrets that X-Svc-Signature is made with, in its order.
func (r *Received) Signers(secrets []string) (by []string) {
	parts := strings.Split(r.Header.Get("X-Svc-Signature"), ",")
	t, ok := strings.CutPrefix(parts[0], "t=")
	if !ok {
		return []string{"no time"}
	}
	for _, p := range parts[1:] {
		got, _ := strings.CutPrefix(p, "v1=")
		by = append(by, ownerOf(secrets, func(secret string) string {
			return hex.EncodeToString(Sign([]byte(secret), t+"."+string(r.Body)))
		}, got))
	}
	return by
}

// StandardSigners are those of the Standard Webhooks form.
func (r *Received) StandardSigners(secrets []string) (by []string) {
	h := r.Header
	for _, p := range strings.Fields(h.Get("webhook-signature")) {
		got, _ := strings.CutPrefix(p, "v1,")
		by = append(by, ownerOf(secrets, func(secret string) string {
			key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
			if err != nil {
				return ""
			}
			return base64.StdEncoding.EncodeToString(Sign(key, h.Get("webhook-id")+"."+h.Get("webhook-timestamp")+"."+string(r.Body)))
		}, got))
	}
	return by
}

// Ago is how long before now it was signed; both headers must say the same.
func (r *Received) Ago(now time.Time) string {
	t, _, _ := strings.Cut(strings.TrimPrefix(r.Header.Get("X-Svc-Signature"), "t="), ",")
	if t != r.Header.Get("webhook-timestamp") {
		return "the two times differ"
	}
	unix, err := strconv.ParseInt(t, 10, 64)
	if err != nil {
		return "no time"
	}
	return now.Sub(time.Unix(unix, 0)).Truncate(time.Second).String()
}

func ownerOf(secrets []string, signature func(secret string) string, got string) string {
	for _, s := range secrets {
		if signature(s) == got {
			return s
		}
	}
	return "nobody"
}

// Sign is the HMAC-SHA256 of a text.
func Sign(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}
