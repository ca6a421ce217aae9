package apiv1

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"svc/app/api/replay"
)

func TestIdempotency(t *testing.T) {
	f := setup(t)
	do := func(body, key string, headers ...string) (int, string, bool) {
		t.Helper()
		if len(headers) == 0 {
			headers = []string{"Authorization", "Bearer key"}
		}
		resp := f.do(t, "POST /things", body, append(headers, "Idempotency-Key", key)...)
		return resp.StatusCode, read(t, resp), resp.Header.Get(replayedHeader) == "true"
	}
	if status, body, replayed := do(`{"name":"a"}`, "k1"); status != 201 || replayed || body != `{"id":"t_1","secret":"shown once"}` {
		t.Fatalf("first: %d %s", status, body)
	}
	if status, body, replayed := do(`{"name":"a"}`, "k1"); status != 201 || !replayed || body != `{"id":"t_1"}` {
		t.Errorf("again: %d %s %v", status, body, replayed)
	}
	if status, body, _ := do(`{"name":"b"}`, "k1"); status != 409 || code(t, body) != "idempotency_conflict" {
		t.Errorf("another body: %d %s", status, body)
	}
	if status, _, replayed := do(`{"name":"a"}`, "k1", "Cookie", "svc_session=usr_2", "Origin", "https://svc.example.uz"); status != 201 || replayed {
		t.Error("another caller hears the answer")
	}
	if n := f.made.n.Load(); n != 2 {
		t.Errorf("made %d things, want 2", n)
	}
	// A refusal is an answer; a failure of ours is worth another try.
	for _, tt := range []struct {
		name     string
		status   int
		replayed bool
	}{{"odd", 409, true}, {"broken", 500, false}, {"panic", 500, false}} {
		for i := range 2 {
			if status, body, replayed := do(`{"name":"`+tt.name+`"}`, tt.name); status != tt.status || replayed != (tt.replayed && i == 1) {
				t.Errorf("%s, try %d: %d %s %v", tt.name, i+1, status, body, replayed)
			}
		}
	}
	for _, key := range []string{"tab\there", "long" + string(make([]byte, 130))} {
		if status, body, _ := do(`{}`, key); status != 422 || code(t, body) != "validation_failed" {
			t.Errorf("%q: %d %s", key, status, body)
		}
	}
	f.clock.Add(24 * time.Hour)
	if _, _, replayed := do(`{"name":"b"}`, "k1"); replayed {
		t.Error("remembered for longer than a day")
	}
}

// TestCarriedOut: what was changed is never changed again, although its answer could not
// be kept.
func TestCarriedOut(t *testing.T) {
	f := setup(t)
	for i, want := range []int{500, 409, 409} {
		resp := f.do(t, "POST /things", `{"name":"half"}`, "Authorization", "Bearer key", "Idempotency-Key", "k")
		if body := read(t, resp); resp.StatusCode != want || want == 409 && !strings.Contains(body, "was carried out") {
			t.Errorf("try %d: %d %.200s", i+1, resp.StatusCode, body)
		}
	}
	if n := f.made.n.Load(); n != 1 {
		t.Errorf("it ran %d times", n)
	}
}

// TestLongAnswersAreKeptInPart: their status and their id, and they say so (contract 21.3,
// Kept answers).
func TestLongAnswersAreKeptInPart(t *testing.T) {
	f := setup(t)
	for i := range 3 {
		resp := f.do(t, "POST /things", `{"name":"large"}`, "Authorization", "Bearer key", "Idempotency-Key", "k")
		body := read(t, resp)
		if resp.StatusCode != 201 {
			t.Fatalf("try %d: %d %.200s", i+1, resp.StatusCode, body)
		}
		replayed := resp.Header.Get(replayedHeader) == "true"
		if i == 0 && (replayed || len(body) < replay.MaxAnswer) {
			t.Errorf("the first answer has %d bytes", len(body))
		}
		if i > 0 && (!replayed || !strings.HasPrefix(body, `{"id":"t_large","partial":true,"message":"The request was carried out.`)) {
			t.Errorf("try %d: %.200s", i+1, body)
		}
	}
	if n := f.made.n.Load(); n != 1 {
		t.Errorf("it ran %d times", n)
	}
}

// TestOperationsThatChangeNothingKeepNothing: they run again with the same key.
func TestOperationsThatChangeNothingKeepNothing(t *testing.T) {
	f := setup(t)
	for i := range 3 {
		resp := f.do(t, "POST /things/preview", `{"name":"a"}`, "Authorization", "Bearer key", "Idempotency-Key", "k")
		if resp.StatusCode != 200 || resp.Header.Get(replayedHeader) != "" || f.made.n.Load() != int64(i+1) {
			t.Errorf("try %d: %d %v, ran %d times", i+1, resp.StatusCode, resp.Header, f.made.n.Load())
		}
	}
	if e := f.do(t, "POST /things/preview", `{"name":"b"}`, "Authorization", "Bearer key", "Idempotency-Key", "k"); e.StatusCode != 200 {
		t.Errorf("another body: %d", e.StatusCode)
	}
}

// TestTheClientLeaves: a request with a key runs to its end without its client, who
// hears the answer when he comes again; without a key nobody waits for it, and a client
// that leaves is no failure of ours.
func TestTheClientLeaves(t *testing.T) {
	f := setup(t)
	leave := func(headers ...string) *http.Response {
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-f.made.here
			cancel()
			f.made.afterward <- struct{}{}
		}()
		return f.doContext(ctx, "POST /things", `{"name":"patient"}`, append(headers, "Authorization", "Bearer key")...)
	}
	leave()
	if n := f.made.n.Load(); n != 0 || strings.Contains(f.log.String(), "failed") {
		t.Errorf("%d made without a key; log %s", n, f.log)
	}
	leave("Idempotency-Key", "k")
	resp := f.do(t, "POST /things", `{"name":"patient"}`, "Authorization", "Bearer key", "Idempotency-Key", "k")
	if n := f.made.n.Load(); n != 1 || resp.StatusCode != 201 || resp.Header.Get(replayedHeader) != "true" {
		t.Errorf("%d made, %d %v", n, resp.StatusCode, resp.Header)
	}
}

// TestOneOfManyRuns: requests with one key that come at once change one thing.
func TestOneOfManyRuns(t *testing.T) {
	f := setup(t)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			resp := f.do(t, "POST /things", `{"name":"a"}`, "Authorization", "Bearer key", "Idempotency-Key", "k")
			if resp.StatusCode != 201 && resp.StatusCode != 409 {
				t.Errorf("%d %s", resp.StatusCode, read(t, resp))
			}
		})
	}
	wait.Wait()
	if n := f.made.n.Load(); n != 1 {
		t.Errorf("made %d", n)
	}
}

// TestWithoutSecrets: what is repeated is the answer, but for what is shown once.
func TestWithoutSecrets(t *testing.T) {
	for _, tt := range []struct{ body, want string }{
		{`{"b":"x<y","key":"s","a":[1,{"key":"of another thing"}],"n":1.50}` + "\n", `{"b":"x<y","a":[1,{"key":"of another thing"}],"n":1.50}` + "\n"},
		{`{ "key": "s", "b" : null }`, `{"b" : null}` + "\n"},
		{`{"key":"s"}`, "{}\n"},
		{`["s"]`, ""},
		{`{"key":"s"`, ""},
		{``, ""},
	} {
		if got := string(withoutSecrets([]byte(tt.body), []string{"key"})); got != tt.want {
			t.Errorf("%s became %q, want %q", tt.body, got, tt.want)
		}
	}
	if got := string(withoutSecrets([]byte("text"), nil)); got != "text" {
		t.Errorf("an answer without secrets became %q", got)
	}
}
