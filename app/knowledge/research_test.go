package knowledge_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"svc/ai"
	"svc/ai/providers"
	"svc/ai/search"
	"svc/ai/simulator"
	aiweb "svc/ai/web"
	"svc/app/api/apitest"
	"svc/app/business"
	"svc/app/engine"
	"svc/app/engine/agent"
	"svc/app/engine/execution"
	"svc/app/knowledge"
	"svc/app/signal"
	"svc/app/vault"
	"svc/store"
	"svc/store/storetest"
)

// TestResearch: a finding names a page that was fetched and a sentence that stands there,
// whatever the model says; what it cost is kept with it.
func TestResearch(t *testing.T) {
	sim := simulator.New()
	db := storetest.OpenWith(t, "", store.Options{Tables: slices.Concat(tables(), engine.Tables())})
	e := engine.New(db, engine.Options{Providers: providers.Over(sim)})
	bus := &signal.Bus{}
	w := &world{t: t, db: db, s: knowledge.New(db, knowledge.Options{
		Vault: vault.InFolder(t.TempDir(), db), Pages: aiweb.New(aiweb.Options{Transport: simulator.Web{}, Unpaced: true}),
		Searcher: search.NewSearXNG("http://search.example", simulator.Web{}), Runs: e.Runs,
	})}
	w.Server = apitest.New(t, db, w.s, e, business.New(db, business.Options{Bus: bus}))
	w.Org = newOrg(t, db)
	w.work()
	w.Do("POST /ai/providers", map[string]any{"kind": ai.OpenAI, "name": "Main", "api_key": "sk-test-0123456789abcdef"}).Want(http.StatusCreated)
	said, err := json.Marshal(map[string]any{
		"summary": "Toshkentda bepul.",
		"findings": []map[string]any{
			{"text": "Free in Tashkent", "quote": "Toshkent bo'ylab  yetkazib berish BEPUL va 2 soat ichida.", "page": 1},
			{"text": "Invented", "quote": "Samarqandda ham bepul yetkazib beramiz.", "page": 1},
			{"text": "Another page", "quote": "Toshkent bo'ylab yetkazib berish bepul va 2 soat ichida.", "page": 2},
			{"text": "No page", "quote": "Toshkent bo'ylab yetkazib berish bepul va 2 soat ichida.", "page": 99},
			{"text": "Too short", "quote": "bepul", "page": 1},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := sim.Play("say " + string(said)); err != nil {
		t.Fatal(err)
	}
	b := w.business("Shop")
	a := w.researched(b, "Yetkazib berish", "DONE")
	if a.String("summary") != "Toshkentda bepul." || a.String("findings.0.url") != "https://shop.example/delivery" || a.At("findings.1") != nil {
		t.Errorf("research: %s", a.Body)
	}
	if a.String("execution_id") == "" || a.At("cost_usd") == 0.0 {
		t.Errorf("its cost is not kept: %s", a.Body)
	}
	// Everything that a model says is invented: the findings are sentences of the pages.
	if err := sim.Play(`say {"summary":"Everything is free everywhere.","findings":[{"text":"x","quote":"Everything is free everywhere.","page":1}]}`); err != nil {
		t.Fatal(err)
	}
	a = w.researched(b, "Yetkazib berish Toshkent", "DONE")
	if a.At("summary") != nil || a.String("findings.0.quote") == "" || a.String("findings.0.quote") != a.String("findings.0.text") {
		t.Errorf("invented research: %s", a.Body)
	}
	// Nobody answers.
	if err := sim.Play("500 html times=20"); err != nil {
		t.Fatal(err)
	}
	if a = w.researched(b, "Yetkazib berish narxi", "DONE"); a.At("summary") != nil || a.String("findings.0.quote") == "" {
		t.Errorf("research without a model: %s", a.Body)
	}
	if a := w.researched(b, "nothing of this", "FAILED"); a.String("error_code") != "NO_PAGES" {
		t.Errorf("research without pages: %s", a.Body)
	}
}

// TestToolPermissions: an agent that may not search knowledge finds nothing, people do; without
// web_research no research is asked for, and what waits ends unread (contract 12.1).
func TestToolPermissions(t *testing.T) {
	sim := simulator.New()
	db := storetest.OpenWith(t, "", store.Options{Tables: slices.Concat(tables(), engine.Tables())})
	e := engine.New(db, engine.Options{Providers: providers.Over(sim)})
	w := &world{t: t, db: db, s: knowledge.New(db, knowledge.Options{
		Vault: vault.InFolder(t.TempDir(), db), Pages: aiweb.New(aiweb.Options{Transport: simulator.Web{}, Unpaced: true}),
		Searcher: search.NewSearXNG("http://search.example", simulator.Web{}), Runs: e.Runs,
	})}
	w.Server = apitest.New(t, db, w.s, e, business.New(db, business.Options{Bus: &signal.Bus{}}))
	w.Org = newOrg(t, db)
	w.work()
	b, other := w.business("Shop"), w.business("Other")
	w.ends(w.add(map[string]any{"business_id": b, "type": "TEXT", "title": "Yetkazib berish", "text": "Toshkent boʻylab yetkazib berish 30 000 soʻm turadi."}), "READY")
	found := func(who agent.Agent) int {
		t.Helper()
		run, err := e.Runs.Begin(t.Context(), execution.Plan{Org: w.Org, Agent: who, Mode: agent.Live, Business: b})
		if err != nil {
			t.Fatal(err)
		}
		defer run.Close()
		hits, relevant, err := w.s.Find(t.Context(), knowledge.Query{Org: w.Org, Business: b, Text: "yetkazib berish qancha", Limit: 5}, run)
		if errors.Is(err, knowledge.ErrNotGranted) {
			return -1
		}
		if err != nil || relevant != (len(hits) > 0) {
			t.Fatal(hits, relevant, err)
		}
		return len(hits)
	}
	if found(agent.Seller) != 1 {
		t.Fatal("the seller finds nothing")
	}
	grant := func(who, business string, tools map[string]any) {
		t.Helper()
		w.Do("PATCH /ai/agents/"+who+"/config?business_id="+business, map[string]any{"tool_permissions": tools}).Want(http.StatusOK)
	}
	grant("SELLER", other, map[string]any{"knowledge_search": false})
	if found(agent.Seller) != 1 {
		t.Error("what another business forbids holds for this one")
	}
	grant("SELLER", b, map[string]any{"knowledge_search": false})
	if n := found(agent.Seller); n != -1 {
		t.Errorf("it may not search, and found %d", n)
	}
	if hits, _ := w.find(b, "yetkazib berish qancha"); len(hits) != 1 || found(agent.Composer) != 1 {
		t.Error("people and other agents find nothing")
	}

	w.stop()
	waits := w.Do("POST /ai/research", map[string]any{"business_id": b, "topic": "Yetkazib berish"}).Want(http.StatusCreated).String("id")
	grant("RESEARCH", b, map[string]any{"web_research": false})
	if a := w.Do("POST /ai/research", map[string]any{"business_id": b, "topic": "Yetkazib berish"}).Want(http.StatusForbidden); !strings.Contains(a.Body, "grant web_research") {
		t.Errorf("refused: %s", a.Body)
	}
	w.work()
	if a := w.researchEnds(waits, "FAILED"); a.String("error_code") != "forbidden" || a.Int("pages_count") != 0 {
		t.Errorf("what waited: %s", a.Body)
	}
	if a := w.researched(other, "Yetkazib berish", "DONE"); a.String("findings.0.url") == "" {
		t.Errorf("another business: %s", a.Body)
	}
}

// researched asks for research and waits until it has ended.
func (w *world) researched(business, topic, status string) (a apitest.Answer) {
	w.t.Helper()
	return w.researchEnds(w.Do("POST /ai/research", map[string]any{"business_id": business, "topic": topic}).Want(201).String("id"), status)
}

// researchEnds waits until research has ended.
func (w *world) researchEnds(id, status string) (a apitest.Answer) {
	w.t.Helper()
	storetest.Eventually(w.t, "research has ended", func() bool {
		a = w.Do("GET /ai/research/"+id, nil).Want(200)
		return a.String("status") == status
	})
	return a
}
