package execution_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"svc/ai"
	"svc/ai/catalog"
	"svc/app/engine/agent"
	"svc/app/engine/budget"
	"svc/app/engine/execution"
	"svc/app/event"
	"svc/store"
	"svc/store/coord"
	"svc/store/kv"
)

// turn plans one of a seller: a decision, an answer and one more try of that.
func (w *world) turn() execution.Plan {
	foreseen := func(of agent.Agent, times int) execution.Foreseen {
		q := question(of)
		return execution.Foreseen{Asked: q.Asked, Input: q.Request.Estimate(), Output: q.Request.MaxTokens, Times: times}
	}
	return execution.Plan{
		Org: w.Org, Agent: agent.Seller, Mode: agent.Live, Conversation: "cnv_1", Trigger: "msg_1",
		Questions: []execution.Foreseen{foreseen(agent.Decision, 1), foreseen("", 2)},
	}
}

// begin plans a work that is closed when the test ends.
func (w *world) begin(p execution.Plan) *execution.Work {
	w.t.Helper()
	work, err := w.s.Runs.Begin(w.t.Context(), p)
	if err != nil {
		w.t.Fatal(err)
	}
	return work
}

// update runs a transaction.
func (w *world) update(f func(*store.Tx) error) error { return w.db.Update(w.t.Context(), f) }

// told counts the events of a type, which stand for what a caller writes beside.
func (w *world) told(of event.Type) (n int) {
	w.view(func(tx *store.Tx) error {
		list, err := event.After(tx, w.Org, "", 1000)
		for _, e := range list {
			if e.Type == of {
				n++
			}
		}
		return err
	})
	return n
}

// beside is what a caller writes in the transaction in which it settles.
const beside = event.Type("webhook.test")

func (w *world) tell(tx *store.Tx) error { return event.Emit(tx, w.Org, beside, map[string]any{}) }

// commits counts those of a store.
type commits struct {
	kv.Engine
	n atomic.Int64
}

// Update implements kv.Engine.
func (c *commits) Update(ctx context.Context, f func(kv.Tx) error) error {
	err := c.Engine.Update(ctx, f)
	if err == nil {
		c.n.Add(1)
	}
	return err
}

// TestTwoCommits: an execution is two commits, one that reserves and one that settles, of one
// question and of a whole turn.
func TestTwoCommits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		engine := &commits{Engine: kv.NewMemory()}
		w := newWorld(t, store.Options{Engine: engine})
		w.provider(ai.OpenAI, "OpenAI")
		w.budget(budget.Daily, 1)
		expect := func(what string, want int64, run func()) {
			t.Helper()
			before := engine.n.Load()
			run()
			synctest.Wait()
			if n := engine.n.Load() - before; n != want {
				t.Errorf("%s: %d commits, want %d", what, n, want)
			}
		}
		one := func() {
			if _, err := w.run(w.job()); err != nil {
				t.Fatal(err)
			}
		}
		session, err := coord.Of(w.db).Enter(t.Context()) // as the program does, for all of its life
		if err != nil {
			t.Fatal(err)
		}
		defer session.Leave()
		one()
		expect("one question", 2, one)
		expect("a turn", 2, func() {
			work := w.begin(w.turn())
			defer work.Close()
			if err := w.update(func(tx *store.Tx) error { return errors.Join(w.tell(tx), work.Open(tx)) }); err != nil {
				t.Fatal(err)
			}
			for _, q := range []execution.Question{question(agent.Decision), question(""), question("")} {
				if _, err := work.Ask(t.Context(), q); err != nil {
					t.Fatal(err)
				}
			}
			settle := func(tx *store.Tx) error {
				return errors.Join(w.tell(tx), work.Settle(tx, execution.Outcome{Action: execution.Send}))
			}
			if err := w.update(settle); err != nil {
				t.Fatal(err)
			}
		})
	})
}

// TestTurn: one execution opened in the transaction of its caller, with questions to two
// agents, what the caller did between them, and an end that is stored together with what
// the caller writes.
func TestTurn(t *testing.T) {
	bubble(t, func(w *world) {
		w.provider(ai.OpenAI, "OpenAI")
		w.Do("PUT /ai/budgets", map[string]any{"budgets": []any{
			map[string]any{"period": "DAY", "limit_usd": 1}, map[string]any{"period": "DAY", "agent": "DECISION", "limit_usd": 1},
		}}).Want(200)
		work := w.begin(w.turn())
		defer work.Close()
		if _, err := work.Ask(w.t.Context(), question(agent.Decision)); err == nil {
			w.t.Error("it can be asked before it is open")
		}
		if err := w.update(func(tx *store.Tx) error { return errors.Join(w.tell(tx), work.Open(tx)) }); err != nil {
			w.t.Fatal(err)
		}
		lease := w.executions()[0].Lease
		if lease[agent.Decision] == 0 || lease[agent.Seller] <= 2*lease[agent.Decision] || w.meter(budget.Daily, "").Reserved != lease.Total() ||
			w.meter(budget.Daily, agent.Decision).Reserved != lease[agent.Decision] {
			w.t.Errorf("lease %v", lease)
		}
		decide := question(agent.Decision)
		decide.Kind = execution.Decision
		if _, err := work.Ask(w.t.Context(), decide); err != nil {
			w.t.Fatal(err)
		}
		begin := w.db.Now()
		after(40 * time.Millisecond)
		work.Note(execution.Step{Kind: execution.Knowledge, Begin: begin, Took: w.db.Now().Sub(begin), Output: "three chunks"})
		for range 2 {
			if a, err := work.Ask(w.t.Context(), question("")); err != nil || a.Text == "" || a.Provider == "" {
				w.t.Fatal(a, err)
			}
		}
		work.Note(execution.Step{Kind: execution.Validate, ErrorCode: "TOO_LONG", Reason: "1200 characters"})
		work.Note(execution.Step{Kind: execution.Tool, Input: `{"day":"2026-11-30"}`, Output: `[]`})
		end := execution.Outcome{
			Action: execution.Draft, Decision: map[string]any{"intent": "PRICE"}, Memory: []string{"fct_1"},
			Knowledge: []execution.Chunk{{SourceID: "kns_1", Version: 2, Chunk: 3, Score: 0.5}}, Validators: []execution.Validator{{Code: "TOO_LONG"}},
		}
		settle := func(tx *store.Tx) error { return errors.Join(w.tell(tx), work.Settle(tx, end)) }
		failed := errors.New("the caller's own")
		if err := w.update(func(tx *store.Tx) error { return errors.Join(settle(tx), failed) }); !errors.Is(err, failed) || w.executions()[0].Status != execution.Running {
			w.t.Errorf("a transaction that failed settled: %v", err)
		}
		if err := w.update(settle); err != nil {
			w.t.Fatal(err)
		}
		if n := w.told(beside); n != 2 {
			w.t.Errorf("%d events of the caller, want 2", n)
		}
		checkTurn(w, work)
	})
}

func checkTurn(w *world, work *execution.Work) {
	w.t.Helper()
	var got execution.WholeExecution
	w.Do("GET /ai/executions/"+work.ID(), nil).Want(200).Into(&got)
	var kinds []string
	byAgent := map[agent.Agent]catalog.Nano{}
	for _, x := range got.Steps {
		kinds = append(kinds, string(x.Kind)+" "+string(x.Agent)+" "+x.Status)
		byAgent[x.Agent] += catalog.FromUSD(x.CostUSD)
		if x.StartedAt == nil {
			w.t.Errorf("no time: %+v", x)
		}
	}
	if want := []string{
		"DECISION DECISION SUCCEEDED", "KNOWLEDGE SELLER SUCCEEDED", "GENERATE SELLER SUCCEEDED", "GENERATE SELLER SUCCEEDED", "VALIDATE SELLER FAILED", //nolint:dupword // a kind of step and an agent of one name
		"TOOL SELLER SUCCEEDED",
	}; !slices.Equal(kinds, want) {
		w.t.Errorf("steps %q", kinds)
	}
	if x := got.Steps[1]; x.LatencyMS != 40 || x.Answer == nil || *x.Answer != "three chunks" || x.Prompt != nil {
		w.t.Errorf("%+v", x)
	}
	if got.FinalAction == nil || *got.FinalAction != execution.Draft || got.Decision["intent"] != "PRICE" || len(got.Knowledge) != 1 || len(got.Memory) != 1 ||
		len(got.Validators) != 1 || got.Status != execution.Succeeded || got.LeaseUSD != 0 || *got.ConversationID != "cnv_1" || *got.TriggerMessageID != "msg_1" {
		w.t.Errorf("%+v", got)
	}
	cost := work.Totals().Cost
	if catalog.FromUSD(got.CostUSD) != cost || byAgent[agent.Decision]+byAgent[agent.Seller] != cost || byAgent[agent.Decision] == 0 {
		w.t.Errorf("%v of %d", byAgent, cost)
	}
	var costs budget.Costs
	w.Do("GET /ai/costs?group_by=agent", nil).Want(200).Into(&costs)
	for _, g := range costs.Data {
		who := agent.Agent(g.Key)
		if n := map[agent.Agent]int64{agent.Seller: 1}[who]; catalog.FromUSD(g.CostUSD) != byAgent[who] || g.Executions != n {
			w.t.Errorf("%s: %+v, want %d and %d executions", who, g, byAgent[who], n)
		}
	}
	if all, own := w.meter(budget.Daily, ""), w.meter(budget.Daily, agent.Decision); all.Spent != cost || all.Reserved != 0 || own.Spent != byAgent[agent.Decision] || own.Reserved != 0 {
		w.t.Errorf("%+v %+v", all, own)
	}
	for conversation, n := range map[string]int{"cnv_1": 1, "cnv_2": 0} {
		if got := w.Do("GET /ai/executions?conversation_id="+conversation, nil).Want(200).Int("total"); got != n {
			w.t.Errorf("%s has %d executions, want %d", conversation, got, n)
		}
	}
}

// TestToday: turns and what went out by itself count for the dashboard, other modes and
// other agents do not (contract 9.3).
func TestToday(t *testing.T) {
	bubble(t, func(w *world) {
		w.provider(ai.OpenAI, "OpenAI")
		for _, tt := range []struct {
			mode   agent.Mode
			action execution.Action
		}{{agent.Live, execution.Send}, {agent.Live, execution.Draft}, {agent.Playground, execution.Send}} {
			p := w.turn()
			p.Mode = tt.mode
			work := w.begin(p)
			if err := work.Start(w.t.Context()); err != nil {
				w.t.Fatal(err)
			}
			if _, err := work.Ask(w.t.Context(), question("")); err != nil {
				w.t.Fatal(err)
			}
			if err := work.Finish(w.t.Context(), execution.Outcome{Action: tt.action}); err != nil {
				w.t.Fatal(err)
			}
			work.Close()
		}
		if _, err := w.run(w.job()); err != nil {
			w.t.Fatal(err)
		}
		w.view(func(tx *store.Tx) error {
			got, err := budget.TodayOf(tx, w.Org)
			if got.Turns != 2 || got.Sent != 1 || catalog.FromUSD(got.CostUSD) != w.meter(budget.Daily, "").Spent {
				w.t.Errorf("%+v", got)
			}
			return err
		})
	})
}

// TestRefusedTurn: a budget of one agent refuses the whole plan in the transaction of the
// caller, which goes on: it writes what it does instead, and nothing is reserved.
func TestRefusedTurn(t *testing.T) {
	bubble(t, func(w *world) {
		w.provider(ai.OpenAI, "OpenAI")
		w.budget(budget.Daily, 0.000001, "agent", agent.Decision)
		work := w.begin(w.turn())
		defer work.Close()
		err := w.update(func(tx *store.Tx) error {
			err := work.Open(tx)
			var full *execution.RefusedError
			if !errors.As(err, &full) || !errors.Is(err, budget.Err) {
				return errors.Join(errors.New("not refused"), err)
			}
			return errors.Join(full.Notify(tx), w.tell(tx))
		})
		if err != nil || w.told(beside) != 1 || len(w.executions()) != 0 || w.meter(budget.Daily, "").Reserved != 0 {
			w.t.Errorf("%v, %d events, %v", err, w.told(beside), w.executions())
		}
		if n := w.s.Runs.Figures().Refused; n != 1 {
			w.t.Errorf("%d refusals are counted", n)
		}
		if _, err := w.run(w.job()); err != nil {
			w.t.Errorf("another agent is refused: %v", err)
		}
	})
}

// TestUnforeseen: a question that was not planned is reserved when it is asked, also under a
// budget of its agent.
func TestUnforeseen(t *testing.T) {
	bubble(t, func(w *world) {
		w.provider(ai.OpenAI, "OpenAI")
		work := w.begin(execution.Plan{Org: w.Org, Agent: agent.Seller, Mode: agent.Live})
		defer work.Close()
		if err := work.Start(w.t.Context()); err != nil || w.executions()[0].Lease.Total() != 0 {
			w.t.Fatal(err, w.executions())
		}
		if _, err := work.Ask(w.t.Context(), question(agent.Memory)); err != nil {
			w.t.Fatal(err)
		}
		if lease := w.executions()[0].Lease; lease[agent.Memory] == 0 || lease.Total() != lease[agent.Memory] {
			w.t.Errorf("lease %v", lease)
		}
		w.budget(budget.Daily, 0.000001, "agent", agent.Judge)
		if _, err := work.Ask(w.t.Context(), question(agent.Judge)); !errors.Is(err, budget.Err) {
			w.t.Errorf("not refused: %v", err)
		}
		if err := work.Finish(w.t.Context(), execution.Outcome{Action: execution.None}); err != nil {
			w.t.Fatal(err)
		}
		if m := w.meter(budget.Daily, ""); m.Reserved != 0 || m.Spent != work.Totals().Cost || m.Spent == 0 {
			w.t.Errorf("%+v", m)
		}
	})
}

// TestClosedUnsettled: a work whose caller failed ends CANCELLED when it is closed, with what
// it cost and nothing reserved.
func TestClosedUnsettled(t *testing.T) {
	bubble(t, func(w *world) {
		w.provider(ai.OpenAI, "OpenAI")
		work := w.begin(w.turn())
		if err := work.Start(w.t.Context()); err != nil {
			w.t.Fatal(err)
		}
		if _, err := work.Ask(w.t.Context(), question("")); err != nil {
			w.t.Fatal(err)
		}
		work.Close()
		e := w.executions()[0]
		if e.Status != execution.Cancelled || e.ErrorCode != "interrupted" || e.Cost == 0 || e.Estimated || len(e.Lease) != 0 || len(e.Steps) != 1 {
			w.t.Errorf("%+v", e)
		}
		if m := w.meter(budget.Daily, ""); m.Reserved != 0 || m.Spent != e.Cost {
			w.t.Errorf("%+v", m)
		}
		never := w.begin(w.turn()) // closed before it was opened
		never.Close()
		if n := len(w.executions()); n != 1 {
			w.t.Errorf("%d executions", n)
		}
	})
}

// TestTakenOver: when another process settled the execution of one that it took for dead,
// the transaction of the caller fails whole and the cost is counted once.
func TestTakenOver(t *testing.T) {
	bubble(t, func(w *world) {
		w.provider(ai.OpenAI, "OpenAI")
		work := w.begin(w.turn())
		defer work.Close()
		if err := work.Start(w.t.Context()); err != nil {
			w.t.Fatal(err)
		}
		if _, err := work.Ask(w.t.Context(), question("")); err != nil {
			w.t.Fatal(err)
		}
		lease := w.executions()[0].Lease
		if err := w.update(func(tx *store.Tx) error {
			return execution.MoveTo(tx, w.Org, work.ID(), "nod_00000000000000000000000000")
		}); err != nil {
			w.t.Fatal(err)
		}
		if err := w.s.Runs.RecoverEnded(context.Background()); err != nil {
			w.t.Fatal(err)
		}
		err := w.update(func(tx *store.Tx) error {
			return errors.Join(w.tell(tx), work.Settle(tx, execution.Outcome{Action: execution.Send}))
		})
		if !errors.Is(err, execution.ErrTaken) || w.told(beside) != 0 {
			w.t.Errorf("%v, %d events", err, w.told(beside))
		}
		for who, n := range lease {
			if m := w.meter(budget.Daily, who); m.Spent != n || m.Reserved != 0 {
				w.t.Errorf("%s: %+v, want %d", who, m, n)
			}
		}
		if n := w.Do("GET /ai/costs?group_by=mode", nil).Int("executions"); n != 1 {
			w.t.Errorf("%d executions are counted", n)
		}
	})
}
