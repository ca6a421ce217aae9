package execution_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"svc/ai"
	"svc/ai/providers"
	"svc/ai/simulator"
	"svc/app/api"
	"svc/app/api/apitest"
	"svc/app/audit"
	"svc/app/business"
	"svc/app/engine"
	"svc/app/engine/agent"
	"svc/app/engine/budget"
	"svc/app/engine/execution"
	"svc/app/event"
	"svc/app/mail"
	"svc/app/notify"
	"svc/app/org"
	"svc/app/setting"
	"svc/store"
	"svc/store/queue"
	"svc/store/storetest"
)

func allTables() []store.AnyTable {
	return slices.Concat(engine.Tables(), event.Tables(), audit.Tables(), notifyTables(), setting.Tables(), org.Tables(), queue.Tables(), mail.Tables(), business.Tables())
}

func notifyTables() []store.AnyTable { return notify.Slice().Tables() }

// world is the slice over a store, with simulated providers.
type world struct {
	*apitest.Server
	t   testing.TB
	db  *store.DB
	s   *engine.Service
	sim *simulator.Simulator
}

func newWorld(t testing.TB, o store.Options) *world {
	t.Helper()
	o.Tables = allTables()
	w := &world{t: t, db: storetest.OpenWith(t, "", o), sim: simulator.New()}
	w.s = engine.New(w.db, engine.Options{Providers: providers.Over(w.sim)})
	w.Server = apitest.New(t, w.db, w.s)
	w.Org = newOrg(t, w.db)
	return w
}

func newOrg(t testing.TB, db *store.DB) (id string) {
	t.Helper()
	err := db.Update(t.Context(), func(tx *store.Tx) error {
		o, err := org.Create(tx, api.System(t.Context(), "", db.Now()), org.Fields{Name: "Acme " + db.NewID("org"), Plan: org.Enterprise})
		id = o.ID
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// play adds scenes.
func (w *world) play(scenes ...string) {
	w.t.Helper()
	for _, line := range scenes {
		if err := w.sim.Play(line); err != nil {
			w.t.Fatal(err)
		}
	}
}

// provider adds one and answers its id.
func (w *world) provider(kind ai.Kind, name string) string {
	w.t.Helper()
	body := map[string]any{"kind": kind, "name": name, "api_key": "sk-test-0123456789abcdef"}
	if kind == ai.Compatible {
		body["base_url"] = "https://models.example.com/v1"
	}
	return w.Do("POST /ai/providers", body).Want(201).String("id")
}

// job asks for one word.
func (w *world) job() execution.Job {
	return execution.Job{Org: w.Org, Mode: agent.Live, Question: question(agent.Composer)}
}

// question asks an agent for one word.
func question(of agent.Agent) execution.Question {
	return execution.Question{Asked: execution.Asked{Agent: of}, Request: ai.Request{
		MaxTokens: 100, Messages: []ai.Message{{Role: ai.User, Text: "How much is it?"}},
	}}
}

// form is what an answer in a form must fit.
var form = &ai.Schema{Name: "message", Root: ai.Obj(ai.F("text", ai.String, "the text"), ai.ListOf("variants", ai.String, "others"))}

// run runs a job.
func (w *world) run(job execution.Job) (execution.Result, error) {
	return w.s.Runs.Run(w.t.Context(), job)
}

// budget sets one over all agents.
func (w *world) budget(period budget.Period, usd float64, more ...any) {
	w.t.Helper()
	b := map[string]any{"period": period, "limit_usd": usd}
	for i := 0; i+1 < len(more); i += 2 {
		b[fmt.Sprint(more[i])] = more[i+1]
	}
	w.Do("PUT /ai/budgets", map[string]any{"budgets": []any{b}}).Want(200)
}

func (w *world) view(f func(*store.Tx) error) {
	w.t.Helper()
	if err := w.db.View(w.t.Context(), f); err != nil {
		w.t.Fatal(err)
	}
}

// executions are all of the organization.
func (w *world) executions() (out []execution.Record) {
	w.t.Helper()
	w.view(func(tx *store.Tx) (err error) {
		out, err = execution.Records(tx, w.Org)
		return err
	})
	return out
}

// meter is that of a period, over all agents or of one.
func (w *world) meter(p budget.Period, of agent.Agent) (m budget.Meter) {
	w.t.Helper()
	w.view(func(tx *store.Tx) (err error) {
		m, err = budget.MeterOf(tx, w.Org, p, w.db.Now(), of)
		return err
	})
	return m
}

// alerts are the thresholds that events told, in order.
func (w *world) alerts() (out []int) {
	w.t.Helper()
	w.view(func(tx *store.Tx) error {
		list, err := event.After(tx, w.Org, "", 1000)
		for _, e := range list {
			if e.Type == event.BudgetAlert {
				var data struct {
					Threshold int `json:"threshold_percent"`
				}
				if err := json.Unmarshal(e.Data, &data); err != nil {
					return err
				}
				out = append(out, data.Threshold)
			}
		}
		return err
	})
	return out
}
