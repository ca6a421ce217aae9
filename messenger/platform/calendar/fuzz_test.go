package calendar

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"svc/messenger/platform"
)

// answers is a network that says the same to everything.
type answers struct {
	status int
	body   []byte
}

func (a answers) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: a.status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(string(a.body))), Request: r}, nil
}

func asked(status int, body []byte) *Client {
	return New(Options{ClientID: "c", Secret: "s", Accounts: "https://a.example", Tokens: "https://t.example", API: "https://c.example",
		HTTP: &http.Client{Transport: answers{status, body}}, Now: func() time.Time { return time.Unix(1_800_000_000, 0) }})
}

// FuzzAnswers: whatever a calendar answers, reading it ends; what is taken is a time in its order,
// and a fault says what to do.
func FuzzAnswers(f *testing.F) {
	names, err := filepath.Glob("testdata/wire/*.json")
	if err != nil || len(names) == 0 {
		f.Fatal("there are no bodies", err)
	}
	for _, name := range names {
		body, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, status := range []int{200, 400, 401, 403, 404, 410, 412, 429, 500} {
			f.Add(status, body)
		}
	}
	for _, odd := range []string{"", "null", "[]", "7", `{"error":null}`, `{"error":{"errors":[{}]}}`, `{"calendars":{"me":{}}}`, `{"calendars":{"me":{"busy":[{}]}}}`, `{"items":[null]}`} {
		f.Add(200, []byte(odd))
		f.Add(403, []byte(odd))
	}
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		if status < 200 || status > 599 || status/100 == 3 {
			return // answered by the transport itself
		}
		c, ctx := asked(status, body), t.Context()
		from := time.Unix(1_800_000_000, 0)
		busy, err := c.Busy(ctx, "token", "me", from, from.Add(time.Hour))
		for _, b := range busy {
			if err != nil || !b.Start.Before(b.End) {
				t.Errorf("taken %v, %v", b, err)
			}
		}
		if status >= 300 && platform.As(err) == nil {
			t.Errorf("status %d is no fault: %v", status, err)
		}
		_, _ = c.List(ctx, "token", "me", from, from.Add(time.Hour))
		_, _ = c.Get(ctx, "token", "me", "svc1")
		_, _ = c.Calendars(ctx, "token")
		_, _ = c.Email(ctx, "token")
		_, _, _ = c.Refresh(ctx, "token")
		if got := faultOf(status, http.Header{}, body); got.Wait < 0 {
			t.Errorf("a wait that is none: %+v", got)
		}
	})
}
