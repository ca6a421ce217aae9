// Package aitest is what every provider of package ai must pass, against the simulator,
// which is strict where the real ones are.
package aitest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"svc/ai"
	"svc/ai/providers"
	"svc/ai/simulator"
)

// Secrets that no error may hold.
const (
	key    = "sk-conformance-SECRETKEY"
	secret = "private words of a customer"
)

// bases are addresses as people give them.
var bases = map[ai.Kind]string{ai.Compatible: "https://models.example.com/v1"}

// models are one of each kind.
var models = map[ai.Kind]string{
	ai.OpenAI: "gpt-6-luna", ai.Anthropic: "claude-haiku-5-5", ai.Google: "gemini-3.8-flash", ai.Compatible: "qwen4:8b",
}

// suite is one kind under test.
type suite struct {
	kind ai.Kind
	sim  *simulator.Simulator
	p    ai.Provider
}

func open(t testing.TB, kind ai.Kind, scenes ...string) *suite {
	t.Helper()
	sim := simulator.New()
	for _, line := range scenes {
		if err := sim.Play(line); err != nil {
			t.Fatal(err)
		}
	}
	return &suite{kind, sim, providers.Over(sim).Open(ai.Config{Kind: kind, BaseURL: bases[kind], Key: key})}
}

func (s *suite) request() ai.Request {
	return ai.Request{
		Model: models[s.kind], System: "You are brief.", MaxTokens: 500,
		Messages: []ai.Message{{Role: ai.User, Text: secret}},
	}
}

// nonce is a form in which a word comes back.
var nonce = &ai.Schema{Name: "nonce", Root: ai.Obj(ai.F("nonce", ai.String, "the word"), ai.OneOf("mood", "GOOD", "BAD"), ai.ListOf("more", ai.String, ""))}

func (s *suite) structured() ai.Request {
	r := s.request()
	r.Schema = nonce
	r.Messages[0].Text = `{"nonce":"k7"} ` + secret
	return r
}

// Run is the suite for one kind.
func Run(t *testing.T, kind ai.Kind) {
	t.Run("answers", func(t *testing.T) { answers(t, kind) })
	t.Run("tools", func(t *testing.T) { tools(t, kind) })
	t.Run("usage", func(t *testing.T) { usage(t, kind) })
	t.Run("faults", func(t *testing.T) { faults(t, kind) })
	t.Run("time", func(t *testing.T) { inTime(t, kind) })
	t.Run("environment", func(t *testing.T) { environment(t, kind) })
	t.Run("lists", func(t *testing.T) { lists(t, kind) })
	t.Run("concurrent", func(t *testing.T) { concurrent(t, kind) })
}

func answers(t *testing.T, kind ai.Kind) {
	s := open(t, kind)
	res, err := s.p.Generate(t.Context(), s.request())
	if err != nil || res.Text != "OK" || res.Stop != ai.StopEnd || res.RequestID == "" {
		t.Fatalf("plain: %+v %v", res, err)
	}
	for f := ai.FormatSchema; f <= ai.FormatText; f++ {
		r := s.structured()
		r.Format = f
		res, err := s.p.Generate(t.Context(), r)
		var got struct{ Nonce string }
		if err != nil || json.Unmarshal(res.JSON, &got) != nil || got.Nonce != "k7" {
			t.Errorf("format %d: %s %v", f, res.JSON, err)
		}
	}
	for scene, want := range map[string]string{
		`say Of course: {"nonce":"k7","mood":"GOOD","more":[]} That is all.`: "",
		`say {"nonce":"k7","mood":"GRIM","more":[]}`:                         "none of its values",
		`say {"nonce":"k7","mood":"GOOD"}`:                                   "more is missing",
		`say {"nonce":"k7","mood":"GOOD","more":[],"x":1}`:                   "not asked for",
		`say {"nonce":7,"mood":"GOOD","more":[]}`:                            "not of type",
		`say no JSON at all`:                                                 "without JSON",
		`body truncated`:                                                     "cut off",
	} {
		s := open(t, kind, scene)
		_, err := s.p.Generate(t.Context(), s.structured())
		switch {
		case want == "" && err != nil:
			t.Errorf("%s: %v", scene, err)
		case want != "" && (ai.FaultOf(err) != ai.BadOutput || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v, want %q", scene, err, want)
		}
	}
	s = open(t, kind) // roles that do not alternate are merged
	r := s.request()
	r.Messages = []ai.Message{{Role: ai.User, Text: "a"}, {Role: ai.User, Text: "b"}, {Role: ai.Assistant, Text: "c"}, {Role: ai.User, Text: "d"}}
	if _, err := s.p.Generate(t.Context(), r); err != nil {
		t.Errorf("merged roles: %v", err)
	}
}

func tools(t *testing.T, kind ai.Kind) {
	s := open(t, kind)
	r := s.request()
	r.Messages[0].Text = `{"nonce":"k7"}`
	r.Tools = []ai.Tool{{Name: "lookup", Description: "Looks a word up.", Parameters: ai.Obj(ai.F("nonce", ai.String, ""))}}
	res, err := s.p.Generate(t.Context(), r)
	if err != nil || len(res.Calls) != 1 || res.Calls[0].Name != "lookup" || res.Stop != ai.StopTools {
		t.Fatalf("call: %+v %v", res, err)
	}
	var args struct{ Nonce string }
	if json.Unmarshal(res.Calls[0].Arguments, &args) != nil || args.Nonce != "k7" {
		t.Errorf("arguments: %s", res.Calls[0].Arguments)
	}
	call := res.Calls[0]
	r.Messages = append(r.Messages, ai.Message{Role: ai.Assistant, Calls: res.Calls}, ai.Message{Role: ai.ToolResult, CallID: call.ID, Name: call.Name, Text: "found"})
	if res, err = s.p.Generate(t.Context(), r); err != nil || res.Text == "" {
		t.Errorf("after the result: %+v %v", res, err)
	}
}

func usage(t *testing.T, kind ai.Kind) {
	s := open(t, kind, "usage cached=900")
	res, err := s.p.Generate(t.Context(), s.request())
	u := res.Usage
	if err != nil || u.CachedInput != 900 || u.Input <= 0 || u.Input > 100 || u.Output <= 0 || u.Reasoning > u.Output || u.Estimated {
		t.Errorf("cached: %+v %v", u, err)
	}
	if u.Prompt() != u.Input+900 {
		t.Errorf("prompt %d", u.Prompt())
	}
	s = open(t, kind, "usage none")
	if res, err = s.p.Generate(t.Context(), s.request()); err != nil || !res.Usage.Estimated || res.Usage.Input <= 0 || res.Usage.Output <= 0 {
		t.Errorf("without usage: %+v %v", res.Usage, err)
	}
	s = open(t, kind, "refuse") // refusals are billed
	_, err = s.p.Generate(t.Context(), s.request())
	var e *ai.Error
	if !errors.As(err, &e) || e.Usage.Input <= 0 {
		t.Errorf("refused: %+v", e)
	}
}

// row is one of the table of faults (contract 12.4).
type row struct {
	scene string
	want  ai.Fault
	wait  time.Duration
	kinds string // "" for all
}

var rows = []row{
	{"429 retry-after=7", ai.RateLimited, 7 * time.Second, ""},
	{"429", ai.RateLimited, 0, "OPENAI OPENAI_COMPATIBLE ANTHROPIC"},
	{"429", ai.RateLimited, 26 * time.Second, "GOOGLE"},
	{"quota", ai.Quota, 0, "OPENAI OPENAI_COMPATIBLE ANTHROPIC"},
	{"quota", ai.Quota, 26 * time.Second, "GOOGLE"},
	{"402", ai.Quota, 0, ""},
	{"529", ai.Overloaded, 0, ""},
	{"503 retry-after=3", ai.Overloaded, 3 * time.Second, ""},
	{"500", ai.Unavailable, 0, ""},
	{"502 html", ai.Unavailable, 0, ""},
	{"200 html", ai.Unavailable, 0, ""},
	{"504", ai.Timeout, 0, ""},
	{"408", ai.Timeout, 0, ""},
	{"403", ai.Forbidden, 0, ""},
	{"404", ai.NotFound, 0, ""},
	{"400", ai.BadRequest, 0, ""},
	{"409", ai.BadRequest, 0, ""},
	{"422", ai.BadRequest, 0, ""},
	{"413", ai.BadRequest, 0, "OPENAI OPENAI_COMPATIBLE GOOGLE"},
	{"413", ai.TooLong, 0, "ANTHROPIC"},
	{"301", ai.BadRequest, 0, ""},
	{"400 code=too-long", ai.TooLong, 0, ""},
	{"400 code=policy", ai.Refused, 0, ""},
	{"400 error-text", ai.BadRequest, 0, ""},
	{"503 error-text retry-after=3", ai.Overloaded, 3 * time.Second, ""},
	{"refuse", ai.Refused, 0, ""},
	{"200-error 502", ai.Unavailable, 0, ""},
	{"200-error 429", ai.RateLimited, 0, "OPENAI OPENAI_COMPATIBLE GOOGLE"},
	{"body malformed", ai.BadOutput, 0, ""},
	{"body empty", ai.BadOutput, 0, ""},
	{"body nothing", ai.BadOutput, 0, ""},
	{"body huge", ai.BadOutput, 0, ""},
	{"reset", ai.Unavailable, 0, ""},
	{"reset after=headers", ai.Unavailable, 0, ""},
}

func faults(t *testing.T, kind ai.Kind) {
	for _, r := range rows {
		if r.kinds != "" && !strings.Contains(" "+r.kinds+" ", " "+string(kind)+" ") {
			continue
		}
		s := open(t, kind, r.scene)
		_, err := s.p.Generate(t.Context(), s.request())
		s.judge(t, r.scene, err, r.want, r.wait)
	}
	s := open(t, kind, "400 code=format")
	_, err := s.p.Generate(t.Context(), s.structured())
	var e *ai.Error
	if !errors.As(err, &e) || !e.Format {
		t.Errorf("a form that is not known: %+v", e)
	}
	s = open(t, kind)
	s.p = providers.Over(s.sim).Open(ai.Config{Kind: kind, BaseURL: bases[kind], Key: "sk-bad-SECRETKEY"})
	_, err = s.p.Generate(t.Context(), s.request())
	s.judge(t, "a bad key", err, ai.BadKey, 0)
}

func (s *suite) judge(t *testing.T, scene string, err error, want ai.Fault, wait time.Duration) {
	t.Helper()
	var e *ai.Error
	if !errors.As(err, &e) {
		t.Errorf("%s: %v", scene, err)
		return
	}
	if e.Fault != want || e.RetryAfter != wait {
		t.Errorf("%s: %v after %s, want %s after %s", scene, e, e.RetryAfter, want, wait)
	}
	if reached := scene != "reset"; e.Reached != reached {
		t.Errorf("%s: reached %v", scene, e.Reached)
	}
	if n := len(s.sim.Log()); n != 1 {
		t.Errorf("%s: %d requests on the wire, want 1", scene, n)
	}
	for _, printed := range []string{err.Error(), fmt.Sprintf("%+v", err), fmt.Sprintf("%#v", *e)} {
		for _, no := range []string{"SECRETKEY", secret, "203.0.113.7", "http"} {
			if strings.Contains(printed, no) {
				t.Errorf("%s: the error holds %q: %s", scene, no, printed)
			}
		}
	}
}

func inTime(t *testing.T, kind ai.Kind) {
	for scene, fault := range map[string]ai.Fault{"hang 40s": ai.Timeout, "slow 40s": ai.Timeout} {
		synctest.Test(t, func(t *testing.T) { // which also proves that no goroutine stays
			s := open(t, kind, scene)
			begun := time.Now()
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
			defer cancel()
			_, err := s.p.Generate(ctx, s.request())
			if took := time.Since(begun); ai.FaultOf(err) != fault || took < 5*time.Second || took > 5050*time.Millisecond {
				t.Errorf("%s: %v after %s", scene, err, took)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		s := open(t, kind, "hang 40s")
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		_, err := s.p.Generate(ctx, s.request())
		if ai.FaultOf(err) != ai.Cancelled || !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v", err)
		}
	})
}

func environment(t *testing.T, kind ai.Kind) {
	for _, name := range []string{
		"OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_CUSTOM_HEADERS", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL",
		"ANTHROPIC_AUTH_TOKEN", "GOOGLE_API_KEY", "GEMINI_API_KEY", "HTTPS_PROXY",
	} {
		t.Setenv(name, "leak")
	}
	s := open(t, kind)
	if _, err := s.p.Generate(t.Context(), s.request()); err != nil {
		t.Fatal(err)
	}
	for _, name := range s.sim.Log()[0].Header {
		switch http.CanonicalHeaderKey(name) {
		case "Accept", "Content-Type", "Authorization", "X-Api-Key", "Anthropic-Version", "X-Goog-Api-Key":
		default:
			t.Errorf("the header %s was sent", name)
		}
	}
}

func lists(t *testing.T, kind ai.Kind) {
	s := open(t, kind)
	list, err := s.p.Models(t.Context())
	if err != nil || len(list) < 2 || list[0].ID == "" {
		t.Errorf("models: %+v %v", list, err)
	}
	v, err := s.p.Embed(t.Context(), "text-embedding-3-small", 16, []string{"a", "b", "c"}, true)
	if kind == ai.Anthropic {
		if ai.FaultOf(err) != ai.BadRequest || len(s.sim.Log()) != 1 {
			t.Errorf("embeddings: %v", err)
		}
		return
	}
	if err != nil || len(v.Values) != 3 || len(v.Values[0]) != 16 || v.Usage.Input == 0 {
		t.Fatalf("embeddings: %+v %v", v, err)
	}
	for _, x := range v.Values {
		var sum float64
		for _, f := range x {
			sum += float64(f) * float64(f)
		}
		if math.Abs(sum-1) > 1e-5 {
			t.Errorf("a vector of length %f", math.Sqrt(sum))
		}
	}
	if _, err := s.p.Embed(t.Context(), "m", 0, nil, false); ai.FaultOf(err) != ai.BadRequest {
		t.Errorf("no texts: %v", err)
	}
}

func concurrent(t *testing.T, kind ai.Kind) {
	s := open(t, kind)
	var all sync.WaitGroup
	for range 64 {
		all.Go(func() {
			if _, err := s.p.Generate(context.Background(), s.structured()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := len(s.sim.Log()); n != 64 {
		t.Errorf("%d requests, want 64", n)
	}
}
