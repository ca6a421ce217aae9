package execution_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"svc/ai"
	"svc/ai/catalog"
	"svc/ai/providers"
	"svc/ai/router"
	"svc/app/engine"
	"svc/app/engine/agent"
	"svc/app/engine/budget"
	"svc/app/engine/execution"
	"svc/app/engine/provider"
	"svc/store"
	"svc/store/kv"
)

// bubble is a world whose clock is the test's.
func bubble(t *testing.T, test func(*world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { test(newWorld(t, store.Options{Engine: kv.NewMemory()})) })
}

func after(d time.Duration) { <-time.After(d) }

// TestNeverPastABudget: 50 executions at once never pass a limit, whatever they cost in
// the end; who is refused hears so (section H 44).
func TestNeverPastABudget(t *testing.T) {
	for _, usd := range []float64{0.0002, 0.0005, 0.01} {
		bubble(t, func(w *world) {
			w.provider(ai.OpenAI, "OpenAI")
			w.budget(budget.Daily, usd)
			w.play("slow 100ms")
			var mu sync.Mutex
			refused, done := 0, 0
			var all sync.WaitGroup
			for range 50 {
				all.Go(func() {
					_, err := w.run(w.job())
					mu.Lock()
					defer mu.Unlock()
					switch {
					case err == nil:
						done++
					case errors.Is(err, budget.Err):
						refused++
					default:
						w.t.Error(err)
					}
				})
			}
			synctest.Wait()
			m := w.meter(budget.Daily, "")
			most := m.Spent + m.Reserved
			all.Wait()
			m = w.meter(budget.Daily, "")
			if limit := catalog.FromUSD(usd); most > limit || m.Spent > limit || m.Reserved != 0 {
				w.t.Errorf("limit %d: at most %d, spent %d, reserved %d", limit, most, m.Spent, m.Reserved)
			}
			if done == 0 || usd < 0.01 && refused == 0 || done+refused != 50 {
				w.t.Errorf("%g: %d done, %d refused", usd, done, refused)
			}
			answer := w.Do("POST /ai/compose", map[string]any{"task": "WRITE", "brief": "x", "language": "en"})
			if usd < 0.01 && (answer.Status != 409 || !strings.Contains(answer.String("error.message"), "begins anew")) {
				w.t.Errorf("%s", answer.Body)
			}
		})
	}
}

// TestRetryStorm: repairs and fallbacks draw from the lease and extend it; a budget stops
// them in the middle and what was spent stays (contract 12.3).
func TestRetryStorm(t *testing.T) {
	bubble(t, func(w *world) {
		w.provider(ai.OpenAI, "OpenAI")
		w.provider(ai.Anthropic, "Claude")
		w.play("say no json")
		job := w.job()
		job.Request.Schema = form
		_, err := w.run(job)
		if !errors.Is(err, provider.ErrUnavailable) {
			w.t.Fatal(err)
		}
		whole := w.executions()[0]
		if len(whole.Steps) != 4 || whole.Cost == 0 || len(whole.Lease) != 0 {
			w.t.Fatalf("%+v", whole)
		}
		w.budget(budget.Daily, (w.meter(budget.Daily, "").Spent + 120_000).USD())
		_, err = w.run(job)
		last := w.executions()[1]
		if !errors.Is(err, budget.Err) || last.ErrorCode != budget.Err.Code || last.Cost == 0 || len(last.Steps) == 4 {
			w.t.Errorf("%v %+v", err, last)
		}
		if m := w.meter(budget.Daily, ""); m.Reserved != 0 || m.Spent != whole.Cost+last.Cost {
			w.t.Errorf("%+v", m)
		}
	})
}

// TestAlerts: 50, 80 and 100 percent once each, and again on the next day (section H 45).
func TestAlerts(t *testing.T) {
	bubble(t, func(w *world) {
		w.provider(ai.OpenAI, "OpenAI")
		if _, err := w.run(w.job()); err != nil {
			w.t.Fatal(err)
		}
		one := w.executions()[0].Cost
		for range 2 {
			after(24 * time.Hour)
			w.budget(budget.Daily, (10 * one).USD(), "on_limit", budget.AlertOnly)
			before := len(w.alerts())
			for range 12 {
				if _, err := w.run(w.job()); err != nil {
					w.t.Fatal(err)
				}
			}
			if got := w.alerts()[before:]; !slices.Equal(got, []int{50, 80, 100}) {
				w.t.Errorf("alerts %v", got)
			}
		}
	})
}

// TestCancelled: a caller who goes away gives the reservation back (section H 46).
func TestCancelled(t *testing.T) {
	bubble(t, func(w *world) {
		w.provider(ai.OpenAI, "OpenAI")
		w.play("hang 20s")
		ctx, cancel := context.WithCancel(w.t.Context())
		time.AfterFunc(time.Second, cancel)
		_, err := w.s.Runs.Run(ctx, w.job())
		e := w.executions()[0]
		if !errors.Is(err, context.Canceled) || e.Status != execution.Cancelled || len(e.Lease) != 0 {
			w.t.Errorf("%v %+v", err, e)
		}
		if m := w.meter(budget.Monthly, ""); m.Reserved != 0 {
			w.t.Errorf("%+v", m)
		}
		if p := w.Do("GET /ai/providers", nil).At("data.0.cooldown_until"); p != nil {
			w.t.Error("the provider cools because a caller went away")
		}
	})
}

// TestCostsAreTheSum: costs by every grouping are the sum of the executions (section H 47).
func TestCostsAreTheSum(t *testing.T) {
	bubble(t, func(w *world) {
		w.provider(ai.OpenAI, "OpenAI")
		w.provider(ai.Anthropic, "Claude")
		w.play("usage cached=700", "503 model=gpt-6-luna times=2", "say no json times=3", "usage none times=1", "refuse times=1", "401 times=1")
		for i := range 30 {
			job := w.job()
			job.Mode = []agent.Mode{agent.Live, agent.Background, agent.Playground}[i%3]
			job.Agent = []agent.Agent{agent.Composer, agent.Summary, agent.Seller}[i/3%3]
			if i%2 == 0 {
				job.Request.Schema = form
			}
			_, _ = w.run(job) // some fail on purpose
			after(7 * time.Hour)
		}
		var want budget.Counters
		for _, e := range w.executions() {
			want.Add(budget.Counters{Executions: 1, TokensIn: e.TokensIn, TokensOut: e.TokensOut, Cost: e.Cost})
			var steps catalog.Nano
			for _, x := range e.Steps {
				steps += x.Cost
			}
			if steps != e.Cost {
				w.t.Errorf("%s costs %d, its steps %d", e.ID, e.Cost, steps)
			}
		}
		for _, by := range []string{"day", "agent", "model", "provider", "business", "mode"} {
			var got budget.Costs
			w.Do("GET /ai/costs?group_by="+by, nil).Want(200).Into(&got)
			var sum budget.Counters
			for _, g := range got.Data {
				sum.Add(budget.Counters{Executions: g.Executions, TokensIn: g.TokensIn, TokensOut: g.TokensOut, Cost: catalog.FromUSD(g.CostUSD)})
			}
			if sum != want || catalog.FromUSD(got.TotalUSD) != want.Cost || got.Executions != 30 {
				w.t.Errorf("%s: %+v and total %g, want %+v", by, sum, got.TotalUSD, want)
			}
		}
		w.view(func(tx *store.Tx) error {
			used, err := budget.Used(tx, w.Org, time.Time{}, w.db.Now().Add(time.Hour))
			if catalog.FromUSD(used.CostUSD) != want.Cost {
				w.t.Errorf("usage %g, want %g", used.CostUSD, want.Cost.USD())
			}
			return err
		})
		w.view(func(tx *store.Tx) error {
			all, err := budget.PlatformCostsOf(tx, w.db.Now())
			if catalog.FromUSD(all.Cost30d) != want.Cost || len(all.ByOrganization) != 1 || all.ByOrganization[0].Key != w.Org {
				w.t.Errorf("platform %+v, want %g", all, want.Cost.USD())
			}
			return err
		})
	})
}

// TestChain: what each fault does to a chain, as executions show it (section H 36 to 43).
func TestChain(t *testing.T) {
	for _, tt := range []struct {
		scenes []string
		model  string // that answered, "" for none
		faults []string
	}{
		{[]string{"429 retry-after=7 kind=OPENAI"}, "claude-haiku-5-5", []string{"rate_limited"}},
		{[]string{"quota kind=OPENAI"}, "claude-haiku-5-5", []string{"quota"}},
		{[]string{"400 code=policy kind=OPENAI"}, "", []string{"refused"}},
		{[]string{"401 kind=OPENAI"}, "", []string{"bad_key"}},
		{[]string{"hang 40s kind=OPENAI"}, "claude-haiku-5-5", []string{"timeout"}},
		{[]string{"502 html kind=OPENAI"}, "claude-haiku-5-5", []string{"unavailable"}},
		{[]string{"503 error-text kind=OPENAI"}, "claude-haiku-5-5", []string{"overloaded"}},
		{[]string{"200-error 502 kind=OPENAI"}, "claude-haiku-5-5", []string{"unavailable"}},
		{[]string{"body empty kind=OPENAI"}, "claude-haiku-5-5", []string{"bad_output", "bad_output"}},
		{[]string{"body truncated kind=OPENAI times=1"}, "gpt-6-luna", []string{"bad_output"}},
		{[]string{"529"}, "", []string{"overloaded", "overloaded"}},
	} {
		bubble(t, func(w *world) {
			w.provider(ai.OpenAI, "OpenAI")
			w.provider(ai.Anthropic, "Claude")
			w.play(tt.scenes...)
			job := w.job()
			job.Request.Schema = form
			_, err := w.run(job)
			e := w.executions()[0]
			var faults []string
			model := ""
			for _, x := range e.Steps {
				if x.ErrorCode != "" {
					faults = append(faults, x.ErrorCode)
				} else {
					model = x.Model
				}
			}
			if model != tt.model || (err == nil) != (tt.model != "") || !slices.Equal(faults, tt.faults) {
				w.t.Errorf("%v: %s answered, faults %v, %v", tt.scenes, model, faults, err)
			}
			if asked := len(w.sim.Log()); asked != len(e.Steps) {
				w.t.Errorf("%v: %d requests, %d steps", tt.scenes, asked, len(e.Steps))
			}
		})
	}
}

// TestCoolOffIsShared: another process that shares the store passes over what this one
// found out, and hears when it is over.
func TestCoolOffIsShared(t *testing.T) {
	bubble(t, func(w *world) {
		id := w.provider(ai.OpenAI, "OpenAI")
		w.provider(ai.Anthropic, "Claude")
		w.play("quota kind=OPENAI times=1")
		other := engine.New(w.db, engine.Options{Providers: providers.Over(w.sim)})
		if _, err := w.run(w.job()); err != nil {
			w.t.Fatal(err)
		}
		if _, err := other.Runs.Run(w.t.Context(), w.job()); err != nil {
			w.t.Fatal(err)
		}
		second := w.executions()[1]
		if second.Steps[0].Reason != string(router.Cooling) || second.Steps[0].WaitMS != 30_000 {
			w.t.Errorf("%+v", second.Steps[0])
		}
		if at := w.Do("GET /ai/providers", nil).At("data.1.cooldown_until"); at == nil {
			w.t.Error("it is not shown")
		}
		after(31 * time.Second)
		if _, err := other.Runs.Run(w.t.Context(), w.job()); err != nil {
			w.t.Fatal(err)
		}
		if _, err := w.run(w.job()); err != nil {
			w.t.Fatal(err)
		}
		for _, e := range w.executions()[2:] {
			if e.Steps[0].Provider != id || len(e.Steps) != 1 {
				w.t.Errorf("%+v", e.Steps)
			}
		}
		if at := w.Do("GET /ai/providers", nil).At("data.1.cooldown_until"); at != nil {
			w.t.Errorf("it cools until %v", at)
		}
	})
}

// TestEndedNode: what runs on a node that ended is settled by another: the reservation is
// the cost, nothing stays reserved (contract 12.3).
func TestEndedNode(t *testing.T) {
	bubble(t, func(w *world) {
		w.provider(ai.OpenAI, "OpenAI")
		w.play("hang 1h")
		ctx, cancel := context.WithCancel(w.t.Context())
		defer cancel()
		go func() { _, _ = w.s.Runs.Run(ctx, w.job()) }()
		synctest.Wait()
		id, lease := w.executions()[0].ID, w.executions()[0].Lease.Total()
		if lease == 0 || w.meter(budget.Daily, "").Reserved != lease {
			w.t.Fatalf("lease %d", lease)
		}
		if err := w.s.Runs.RecoverEnded(w.t.Context()); err != nil || w.executions()[0].Status != execution.Running {
			w.t.Fatalf("a node that lives was settled: %v", err)
		}
		if err := w.db.Update(w.t.Context(), func(tx *store.Tx) error {
			return execution.MoveTo(tx, w.Org, id, "nod_00000000000000000000000000") // of a process that is gone
		}); err != nil {
			w.t.Fatal(err)
		}
		for range 2 { // twice is once
			if err := w.s.Runs.RecoverEnded(w.t.Context()); err != nil {
				w.t.Fatal(err)
			}
		}
		e := w.executions()[0]
		if e.Status != execution.Cancelled || e.Cost != lease || !e.Estimated || len(e.Lease) != 0 {
			w.t.Errorf("%+v", e)
		}
		if m := w.meter(budget.Daily, ""); m.Spent != lease || m.Reserved != 0 {
			w.t.Errorf("%+v", m)
		}
		cancel()
		synctest.Wait() // its own settlement comes too late and changes nothing
		if m := w.meter(budget.Daily, ""); m.Spent != lease || m.Reserved != 0 {
			w.t.Errorf("settled twice: %+v", m)
		}
	})
}

// TestDemo: only beside the simulator of the messenger, and never beside a real provider
// (contract 12.7).
func TestDemo(t *testing.T) {
	bubble(t, func(w *world) {
		if _, err := w.run(w.job()); !errors.Is(err, provider.ErrUnavailable) {
			w.t.Errorf("without a provider: %v", err)
		}
		demo := engine.New(w.db, engine.Options{Providers: providers.Over(w.sim), Demo: true})
		res, err := demo.Runs.Run(w.t.Context(), w.job())
		if err != nil || !res.Demo || res.Cost != 0 {
			w.t.Errorf("%+v %v", res, err)
		}
		w.provider(ai.OpenAI, "OpenAI")
		if res, err = demo.Runs.Run(w.t.Context(), w.job()); err != nil || res.Demo {
			w.t.Errorf("%+v %v", res, err)
		}
	})
}

// TestPurge: executions go when their time is over, with their texts; costs stay.
func TestPurge(t *testing.T) {
	bubble(t, func(w *world) {
		w.provider(ai.OpenAI, "OpenAI")
		for range 3 {
			if _, err := w.run(w.job()); err != nil {
				w.t.Fatal(err)
			}
			after(60 * 24 * time.Hour)
		}
		err := w.db.Update(w.t.Context(), func(tx *store.Tx) error {
			n, err := execution.Purge(tx, w.Org, 100)
			if n != 4 { // two executions and the texts of their steps
				w.t.Errorf("%d removed", n)
			}
			return err
		})
		if err != nil || len(w.executions()) != 1 {
			w.t.Errorf("%v, %d are left", err, len(w.executions()))
		}
		if n := w.Do("GET /ai/costs?from="+w.db.Now().AddDate(0, 0, -300).Format(time.RFC3339), nil).Want(200).Int("executions"); n != 3 {
			w.t.Errorf("%d are counted", n)
		}
	})
}
