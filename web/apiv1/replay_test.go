package apiv1

import (
	"sync"
	"testing"
	"time"
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
