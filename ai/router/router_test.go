package router_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"svc/ai"
	"svc/ai/router"
)

// model answers what its script says, call by call; the last line goes on for ever.
type model struct {
	mu     sync.Mutex
	script []any // *ai.Error, time.Duration (it hangs), string
	asked  []ai.Request
	now    int // calls under way
	most   int
}

func (m *model) Generate(ctx context.Context, r ai.Request) (ai.Response, error) {
	m.mu.Lock()
	at := min(len(m.asked), len(m.script)-1)
	m.asked = append(m.asked, r)
	m.now++
	m.most = max(m.most, m.now)
	step := m.script[at]
	m.mu.Unlock()
	defer func() { m.mu.Lock(); m.now--; m.mu.Unlock() }()
	switch x := step.(type) {
	case *ai.Error:
		return ai.Response{}, x
	case time.Duration:
		select {
		case <-time.After(x):
		case <-ctx.Done():
			return ai.Response{}, ai.Interrupted(ctx, ctx.Err(), false)
		}
		return ai.Response{Text: "late", Usage: ai.Usage{Input: 1, Output: 1}}, nil
	case string:
		return ai.Response{Text: x, Usage: ai.Usage{Input: 10, Output: 5}}, nil
	}
	return ai.Response{}, nil
}

func (m *model) count() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.asked)
}

func fault(f ai.Fault) *ai.Error { return &ai.Error{Fault: f, Reached: true} }

func unreached(f ai.Fault) *ai.Error { return &ai.Error{Fault: f} }

func says(script ...any) *model { return &model{script: script} }

// world is a router over models in a bubble.
type world struct {
	*testing.T
	r      *router.Router
	begun  time.Time
	states map[router.Key]router.State
	mu     sync.Mutex
}

func bubble(t *testing.T, test func(*world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := &world{T: t, begun: time.Now(), states: map[router.Key]router.State{}}
		w.r = router.New(router.Options{OnChange: func(k router.Key, s router.State) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.states[k] = s
		}})
		test(w)
	})
}

func entry(provider, name string, m *model) router.Entry {
	return router.Entry{Provider: provider, Model: name, Handle: m, Timeout: 5 * time.Second}
}

func (w *world) run(chain ...router.Entry) ([]router.Step, error) {
	_, steps, err := w.r.Run(w.Context(), router.Plan{Chain: chain, Request: ai.Request{MaxTokens: 100, Messages: []ai.Message{{Role: ai.User, Text: "hi"}}}})
	return steps, err
}

// after moves the clock of the bubble.
func after(d time.Duration) { <-time.After(d) }

// TestTableOfFaults: which faults let the next of the chain be asked, and which end it
// (contract 12.4).
func TestTableOfFaults(t *testing.T) {
	goesOn := map[ai.Fault]bool{
		ai.Quota: true, ai.RateLimited: true, ai.Overloaded: true, ai.Unavailable: true, ai.Timeout: true, ai.BadOutput: true,
	}
	for _, f := range ai.Faults() {
		if f == ai.Cancelled {
			continue
		}
		bubble(t, func(w *world) {
			first, second := says(fault(f)), says("ok")
			steps, err := w.run(entry("a", "m", first), entry("b", "m", second))
			if went := second.count() == 1; went != goesOn[f] || went != (err == nil) {
				t.Errorf("%s: went on %v, %v", f, went, err)
			}
			if err != nil && ai.FaultOf(err) != f {
				t.Errorf("%s: %v", f, err)
			}
			want := 1
			if f == ai.BadOutput {
				want = 2 // one repair on the same model
			}
			if first.count() != want || steps[0].Fault != f {
				t.Errorf("%s: asked %d times, steps %+v", f, first.count(), steps)
			}
		})
	}
}

// TestRepair: an answer that cannot be used is asked for once more with twice the tokens,
// then the next is asked; it never cools (section H 42).
func TestRepair(t *testing.T) {
	bubble(t, func(w *world) {
		m := says(fault(ai.BadOutput), "ok")
		steps, err := w.run(entry("a", "m", m))
		if err != nil || m.asked[1].MaxTokens != 200 || !steps[1].Repair || steps[1].Fault != "" {
			t.Errorf("%+v %v", steps, err)
		}
		for range 5 {
			_, _ = w.run(entry("a", "m", says(fault(ai.BadOutput))))
		}
		if s := w.r.State(router.Key{Provider: "a", Model: "m"}); s.Level != 0 {
			t.Errorf("it cools: %+v", s)
		}
	})
}

// TestAccept: what its asker refuses is a bad output.
func TestAccept(t *testing.T) {
	bubble(t, func(w *world) {
		m := says("no", "yes")
		res, steps, err := w.r.Run(w.Context(), router.Plan{
			Chain: []router.Entry{entry("a", "m", m)}, Request: ai.Request{MaxTokens: 10},
			Accept: func(r ai.Response) error {
				if r.Text != "yes" {
					return errors.New("not that")
				}
				return nil
			},
		})
		if err != nil || res.Text != "yes" || len(steps) != 2 || steps[0].Usage.Input != 10 {
			t.Errorf("%+v %+v %v", res, steps, err)
		}
	})
}

// TestTooLong: the older half of the conversation is left out once.
func TestTooLong(t *testing.T) {
	bubble(t, func(w *world) {
		m := says(fault(ai.TooLong), "ok")
		_, _, err := w.r.Run(w.Context(), router.Plan{Chain: []router.Entry{entry("a", "m", m)}, Request: ai.Request{
			MaxTokens: 10, Messages: []ai.Message{{Role: ai.User, Text: "1"}, {Role: ai.Assistant, Text: "2"}, {Role: ai.User, Text: "3"}},
		}})
		if err != nil || len(m.asked[1].Messages) != 2 {
			t.Errorf("%v %+v", err, m.asked)
		}
	})
}

// TestLadder: a server that does not know a form is asked in the next one.
func TestLadder(t *testing.T) {
	bubble(t, func(w *world) {
		no := &ai.Error{Fault: ai.BadRequest, Reached: true, Format: true}
		m := says(no, no, "ok")
		_, _, err := w.r.Run(w.Context(), router.Plan{Chain: []router.Entry{entry("a", "m", m)}, Request: ai.Request{
			MaxTokens: 10, Schema: &ai.Schema{Name: "x", Root: ai.Obj()},
		}})
		if err != nil || m.asked[2].Format != ai.FormatObject {
			t.Errorf("%v %+v", err, m.asked)
		}
	})
}

// TestRetryAfter: a model that asks to wait is left alone as long, and the next answers
// (section H 36).
func TestRetryAfter(t *testing.T) {
	bubble(t, func(w *world) {
		first, second := says(&ai.Error{Fault: ai.RateLimited, Reached: true, RetryAfter: 7 * time.Second}, "ok"), says("ok")
		chain := []router.Entry{entry("a", "m", first), entry("b", "m", second)}
		for i := range 7 {
			if _, err := w.run(chain...); err != nil {
				t.Fatal(err)
			}
			if first.count() != 1 || second.count() != i+1 {
				t.Fatalf("after %s: %d and %d calls", time.Since(w.begun), first.count(), second.count())
			}
			after(time.Second)
		}
		if _, err := w.run(chain...); err != nil || first.count() != 2 || second.count() != 7 {
			t.Errorf("after the wait: %d and %d calls, %v", first.count(), second.count(), err)
		}
	})
}

// TestCoolOff: three failures in a minute, 30 s, one trial, twice as long, at most 10
// minutes; success clears it (contract 12.2; section H 37).
func TestCoolOff(t *testing.T) {
	bubble(t, func(w *world) {
		m := says(fault(ai.Overloaded))
		e := entry("a", "m", m)
		for range 3 {
			_, _ = w.run(e)
			after(10 * time.Second)
		}
		want := 30 * time.Second
		for round := range 7 {
			s := w.r.State(router.Key{Provider: "a", Model: "m"})
			if got := time.Until(s.Until).Round(10 * time.Second); round > 0 && got != want {
				t.Fatalf("round %d: off for %s, want %s", round, got, want)
			}
			calls := m.count()
			steps, err := w.run(e)
			var none *router.ExhaustedError
			if m.count() != calls || !errors.As(err, &none) || !none.Until.Equal(s.Until) || steps[0].Skipped != router.Cooling || steps[0].Wait <= 0 {
				t.Fatalf("round %d: %+v %v", round, steps, err)
			}
			after(time.Until(s.Until))
			trial := says(3 * time.Second) // slow and good, so that others come meanwhile
			if round < 6 {
				trial = m
			}
			if round == 6 {
				var all sync.WaitGroup
				for range 10 {
					all.Go(func() { _, _ = w.run(entry("a", "m", trial)) })
				}
				all.Wait()
				if trial.count() != 1 {
					t.Errorf("%d trials, want 1", trial.count())
				}
				break
			}
			if _, _ = w.run(e); m.count() != calls+1 {
				t.Fatalf("round %d: no trial", round)
			}
			want = min(2*want, 10*time.Minute)
		}
		if s := w.r.State(router.Key{Provider: "a", Model: "m"}); s.Level != 0 {
			t.Errorf("a success leaves %+v", s)
		}
		if s, ok := w.states[router.Key{Provider: "a", Model: "m"}]; !ok || s.Level != 0 {
			t.Errorf("the last change told is %+v", s)
		}
	})
}

// TestFailuresApart: failures further apart than a minute do not add up.
func TestFailuresApart(t *testing.T) {
	bubble(t, func(w *world) {
		m := says(fault(ai.Unavailable))
		for range 6 {
			_, _ = w.run(entry("a", "m", m))
			after(31 * time.Second)
		}
		if m.count() != 6 {
			t.Errorf("%d calls", m.count())
		}
	})
}

// TestWhatCools: quota and what nobody answers turn off the provider, other failures the
// model alone; quota at once (section H 38).
func TestWhatCools(t *testing.T) {
	bubble(t, func(w *world) {
		_, _ = w.run(entry("a", "m", says(fault(ai.Quota))))
		other := says("ok")
		if steps, err := w.run(entry("a", "other", other)); err == nil || other.count() != 0 || steps[0].Skipped != router.Cooling {
			t.Errorf("quota: %+v %v", steps, err)
		}
		for range 3 {
			_, _ = w.run(entry("b", "m", says(fault(ai.RateLimited))))
		}
		if _, err := w.run(entry("b", "m", other)); err == nil {
			t.Error("a model that limits is asked again")
		}
		if _, err := w.run(entry("b", "other", other)); err != nil {
			t.Errorf("another model of the provider: %v", err)
		}
		for range 3 {
			_, _ = w.run(entry("c", "m", says(unreached(ai.Unavailable))))
		}
		if _, err := w.run(entry("c", "other", other)); err == nil {
			t.Error("a provider that nobody reaches is asked for another model")
		}
		if until := w.r.CooldownUntil("b"); until.IsZero() {
			t.Error("the time of its model is not the provider's")
		}
	})
}

// TestFallbackCounts: a fallback that fails cools as well (section H 43).
func TestFallbackCounts(t *testing.T) {
	bubble(t, func(w *world) {
		second := says(fault(ai.Overloaded))
		for range 4 {
			_, _ = w.run(entry("a", "m", says(fault(ai.Overloaded))), entry("b", "m", second))
		}
		if second.count() != 3 {
			t.Errorf("the fallback was asked %d times, want 3", second.count())
		}
	})
}

// TestHang: it ends at the timeout of its entry and the next is asked; who goes away
// counts against nobody (section H 40).
func TestHang(t *testing.T) {
	bubble(t, func(w *world) {
		steps, err := w.run(entry("a", "m", says(time.Hour)), entry("b", "m", says("ok")))
		if err != nil || steps[0].Fault != ai.Timeout || steps[0].Latency != 5*time.Second {
			t.Errorf("%+v %v", steps, err)
		}
		for range 5 {
			ctx, cancel := context.WithTimeout(w.Context(), time.Second)
			_, _, err := w.r.Run(ctx, router.Plan{Chain: []router.Entry{entry("c", "m", says(time.Hour))}})
			if ai.FaultOf(err) != ai.Timeout {
				t.Errorf("%v", err)
			}
			cancel()
		}
		if !w.r.CooldownUntil("c").IsZero() {
			t.Error("the caller's own time counts against the provider")
		}
	})
}

// TestSlots: a provider has so many calls at a time; who waits a second goes on to the next,
// and waits for as long as a call may take where there is no next.
func TestSlots(t *testing.T) {
	bubble(t, func(w *world) {
		slow, other := says(3*time.Second), says("ok")
		var all sync.WaitGroup
		for range 40 {
			all.Go(func() {
				if _, err := w.run(entry("a", "m", slow), entry("b", "m", other)); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if slow.most != router.DefaultSlots || other.count() != 40-router.DefaultSlots {
			t.Errorf("%d at once, %d went on", slow.most, other.count())
		}
	})
	bubble(t, func(w *world) {
		only, begun := says(3*time.Second), time.Now()
		var all sync.WaitGroup
		for range 40 {
			all.Go(func() {
				off := entry("off", "m", says("ok"))
				off.Skip = router.Disabled
				if _, err := w.run(entry("a", "m", only), off); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if only.most != router.DefaultSlots || only.count() != 40 || time.Since(begun) != 6*time.Second {
			t.Errorf("%d at once, %d of 40 in %v", only.most, only.count(), time.Since(begun))
		}
	})
}

// TestDraw: every attempt asks for what it can cost, a fallback too; a refusal ends the
// work and gives nothing back twice.
func TestDraw(t *testing.T) {
	bubble(t, func(w *world) {
		var drawn []string
		settled := 0
		_, steps, err := w.r.Run(w.Context(), router.Plan{
			Chain:   []router.Entry{entry("a", "m", says(fault(ai.Overloaded))), entry("b", "m", says("ok"))},
			Request: ai.Request{MaxTokens: 10},
			Draw: func(e *router.Entry, _ *ai.Request) (func(ai.Usage), error) {
				drawn = append(drawn, e.Provider)
				if e.Provider == "b" {
					return nil, errors.New("no money")
				}
				return func(ai.Usage) { settled++ }, nil
			},
		})
		if err == nil || err.Error() != "no money" || strings.Join(drawn, "") != "ab" || settled != 1 || steps[1].Skipped != router.Budget {
			t.Errorf("%v %v %d %+v", err, drawn, settled, steps)
		}
	})
}
