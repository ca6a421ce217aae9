package evaluation_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"svc/ai/providers"
	"svc/app"
	"svc/app/api"
	"svc/app/api/apitest"
	"svc/app/org"
	"svc/app/quality/judge"
	"svc/messenger"
	"svc/store"
	"svc/store/storetest"
)

// models answer as a seller and as a judge, by what they are asked.
type models struct {
	asked        atomic.Int64
	replies      []labelled // by the number in a question, see TestPeople
	judgedPeople atomic.Int64
	errs         func(i int) bool // whether the judge errs on one of them
	second       func() string    // what the judge says of a pair; nil: FIRST
	wrong        int              // so many known answers it judges wrong
}

const decided = `{"sales_stage":{"value":"NEW","confidence":0.99},"advance":{"value":"no","confidence":0.99},"next_action":{"value":"QUOTE_PRICE","confidence":0.99},"interest":{"value":"MEDIUM","confidence":0.99},"lead_quality":{"value":"warm","confidence":0.99},"objection":{"value":"NONE","confidence":0.99},"handoff":{"value":"no","confidence":0.99},"booking":{"value":"no","confidence":0.99},"knowledge":{"value":"no","confidence":0.99},"stop":{"value":"no","confidence":0.99},"disclose_ai":{"value":"no","confidence":0.99}}`

// RoundTrip implements http.RoundTripper with the wire of OpenAI.
func (m *models) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	m.asked.Add(1)
	var q struct{ Model string }
	if err := json.Unmarshal(body, &q); err != nil {
		return nil, err
	}
	content, err := json.Marshal(m.answer(string(body)))
	if err != nil {
		return nil, err
	}
	text := fmt.Sprintf(`{"id":"x","model":%q,"choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":%s}}],"usage":{"prompt_tokens":900,"completion_tokens":60}}`, q.Model, content)
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(text)), Request: r,
	}, nil
}

func (m *models) answer(body string) string {
	i := numberOf(body)
	switch {
	case i >= 0 && strings.Contains(body, "five questions"):
		m.judgedPeople.Add(1)
		return verdict(m.replies[i].good != m.errs(i), "Savol")
	case i >= 0 && !strings.Contains(body, "DECIDE"):
		return m.replies[i].answer()
	case strings.Contains(body, "five questions"):
		for i, k := range judge.Known() {
			quoted, _ := json.Marshal(k.Reply)
			inner, _ := json.Marshal(strings.Trim(string(quoted), `"`))
			if strings.Contains(body, strings.Trim(string(inner), `"`)) {
				return verdict(k.Good != (i < m.wrong), strings.Fields(k.Reply)[0])
			}
		}
		return verdict(true, "")
	case strings.Contains(body, "two replies"):
		if m.second != nil {
			return m.second()
		}
		return `{"better":"FIRST"}`
	case strings.Contains(body, "DECIDE"):
		return decided
	}
	return `{"reply":"101 ta atirgul narxi 1 400 000 soʻm.","language":"uz","action":"QUOTE_PRICE","used_offer_ids":[],"used_chunk_ids":[],"proposed_stage":"","asks_question":false,"handoff":{"needed":false,"trigger":"","reason":""},"facts":[],"no_reply":false}`
}

// verdict is all yes, or two no with a quote.
func verdict(good bool, quote string) string {
	var list []judge.Check
	for i, name := range []string{"ANSWERS_THE_QUESTION", "ONLY_FACTS_FROM_DATA", "LANGUAGE_AND_TONE", "NEXT_STEP_WHERE_FITTING", "SAFE"} {
		c := judge.Check{Name: name, Verdict: "yes"}
		if !good && i < 2 {
			c.Verdict, c.Quote = "no", quote
		}
		list = append(list, c)
	}
	b, _ := json.Marshal(map[string]any{"checks": list})
	return string(b)
}

// world is the service at work in a folder, with an organization that has a business, an
// offer and two models.
type world struct {
	*apitest.Server
	t        testing.TB
	a        *app.App
	m        *models
	business string
	stop     func()
}

// open opens the service over a folder and lets it work.
func open(t testing.TB, dir, orgID string) *world { return openOver(t, dir, orgID, nil) }

// simulated is the messenger of a demonstration, to which no account is connected: with it there
// is the demo model.
type simulated struct{ messenger.Driver }

// Kind implements messenger.Driver.
func (simulated) Kind() messenger.Kind { return messenger.Simulator }

// openOver is open with a messenger; nil: none.
func openOver(t testing.TB, dir, orgID string, driver messenger.Driver) *world {
	t.Helper()
	w := &world{t: t, m: &models{}}
	o := app.Options{Data: dir, PublicURL: "https://svc.example.uz", AI: providers.Over(w.m)}
	if driver != nil {
		o.Messenger = func() (messenger.Driver, error) { return driver, nil }
	}
	a, err := app.Open(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	w.a = a
	w.stop = storetest.RunAndClose(t, a.Run, a.Close)
	w.Server = apitest.New(t, a.DB, a)
	if w.Org = orgID; orgID == "" {
		w.Org = newOrg(t, a.DB)
	}
	return w
}

func newOrg(t testing.TB, db *store.DB) (id string) {
	t.Helper()
	err := db.Update(t.Context(), func(tx *store.Tx) error {
		o, err := org.Create(tx, api.System(t.Context(), "", db.Now()), org.Fields{Name: "Acme", Plan: org.Enterprise, Timezone: "Asia/Tashkent"})
		id = o.ID
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// furnish makes the business and the models, and a dataset of so many items.
func (w *world) furnish(items int) (dataset string) {
	w.t.Helper()
	w.shop()
	p := w.Do("POST /ai/providers", map[string]any{"kind": "OPENAI", "name": "Open", "api_key": "sk-test-0123456789abcdef"}).Want(201).String("id")
	for who, model := range map[string]string{"SELLER": "gpt-6-sol", "DECISION": "gpt-6-luna", "JUDGE": "gpt-6-luna"} {
		w.Do("PATCH /ai/agents/"+who+"/config", map[string]any{"chain": []any{map[string]any{"provider_id": p, "model": model}}}).Want(200)
	}
	return w.dataset(items)
}

// shop makes the business.
func (w *world) shop() {
	w.t.Helper()
	w.business = w.Do("POST /ai/businesses", map[string]any{"name": "Gul", "languages": []string{"uz", "ru"}}).Want(201).String("id")
	w.Do("POST /ai/businesses/"+w.business+"/offers", map[string]any{"name": "101 ta atirgul", "price": 1400000, "currency": "UZS"}).Want(201)
}

// dataset makes one of so many items.
func (w *world) dataset(items int) (dataset string) {
	w.t.Helper()
	dataset = w.Do("POST /ai/eval-datasets", map[string]any{"name": "Prices", "agent": "SELLER", "business_id": w.business}).Want(201).String("id")
	for i := range items {
		w.Do("POST /ai/eval-datasets/"+dataset+"/items", map[string]any{
			"input":    map[string]any{"messages": []any{map[string]any{"author": "CUSTOMER", "text": fmt.Sprintf("Salom, %d-mijozman. 101 ta atirgul narxi qancha?", i+1)}}},
			"expected": map[string]any{"reply_contains": []string{"1400000"}},
		}).Want(201)
	}
	return dataset
}

// evaluate prepares an evaluation and runs it.
func (w *world) evaluate(dataset string, body map[string]any) (id string) {
	w.t.Helper()
	body["dataset_id"] = dataset
	if body["graders"] == nil {
		body["graders"] = []string{"CONTAINS", "LANGUAGE", "VALIDATORS"}
	}
	id = w.Do("POST /ai/evaluations", body).Want(201).String("id")
	w.Do("POST /ai/evaluations/"+id+"/run", map[string]any{"concurrency": 8}).Want(202)
	return id
}

// ends waits until an evaluation has ended, and answers it.
func (w *world) ends(id, status string) (a apitest.Answer) {
	w.t.Helper()
	storetest.Eventually(w.t, "the evaluation has not ended", func() bool {
		a = w.Do("GET /ai/evaluations/"+id, nil).Want(200)
		s := a.String("status")
		return s != "QUEUED" && s != "RUNNING"
	})
	if a.String("status") != status {
		w.t.Fatalf("%s, want %s: %s", a.String("status"), status, a.Body)
	}
	return a
}
