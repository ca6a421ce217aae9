package cases

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"svc/ai"
	"svc/ai/providers"
	"svc/ai/simulator"
	"svc/app/api"
	"svc/app/api/apitest"
	"svc/app/audit"
	"svc/app/business"
	"svc/app/engine"
	"svc/app/engine/execution"
	"svc/app/event"
	"svc/app/insight/dimension"
	"svc/app/notify"
	"svc/app/org"
	"svc/app/setting"
	"svc/store"
	"svc/store/queue"
	"svc/store/storetest"
)

// subjects are conversations of four subjects, some of each.
func subjects() (out []Sampled) {
	for _, texts := range [][]string{
		{"Atirgul bormi, qizil atirgul kerak edi", "Qizil atirgul bormi sizlarda", "Atirgul kerak, qizil atirgul"},
		{"Yetkazib berish bormi, kuryer keladimi", "Kuryer orqali yetkazib berish kerak", "Yetkazib berish kuryer bilan boʻladimi"},
		{"Lola narxi qancha, sariq lola", "Sariq lola qancha turadi", "Lola kerak, sariq lola bormi"},
		{"Toʻy uchun guldasta kerak", "Guldasta toʻy uchun bormi", "Toʻy guldasta yasab berasizmi"},
	} {
		for _, text := range texts {
			out = append(out, Sampled{fmt.Sprint("cnv_", len(out)), text, []dimension.Dimension{dimension.Demand}})
		}
	}
	return out
}

// TestUnnamedGroup: a group that no model can name is passed over and the others keep their names;
// where none can be named, and where no model answers, nothing is kept.
func TestUnnamedGroup(t *testing.T) {
	sim := simulator.New()
	play := func(lines ...string) {
		t.Helper()
		sim.Clear()
		for _, line := range append([]string{`text=NAME_CASE say {"key":"some_flowers","name_uz":"Gullar","name_ru":"Цветы","name_en":"Flowers","description":"Flowers.","examples":[]}`}, lines...) {
			if err := sim.Play(line); err != nil {
				t.Fatal(err)
			}
		}
	}
	db := storetest.Open(t, slices.Concat(Tables(), engine.Tables(), event.Tables(), audit.Tables(), notify.Tables(), setting.Tables(), org.Tables(), queue.Tables(), business.Tables())...)
	eng := engine.New(db, engine.Options{Providers: providers.Over(sim)})
	server := apitest.New(t, db, eng)
	storetest.Update(t, db, func(tx *store.Tx) error {
		o, err := org.Create(tx, api.System(t.Context(), "", db.Now()), org.Fields{Name: "Acme", Plan: org.Enterprise, Timezone: "Asia/Tashkent"})
		server.Org = o.ID
		return err
	})
	server.Do("POST /ai/providers", map[string]any{"kind": "OPENAI", "name": "Open", "api_key": "sk-test-0123456789abcdef"}).Want(201)
	s := New(db, Options{Runs: eng.Runs})
	ask := func() ([]named, error) {
		g := generation{Generation: Generation{BusinessID: "bus_1", Dimensions: []dimension.Dimension{dimension.Demand}}}
		found, w, err := s.name(t.Context(), server.Org, &g, subjects())
		if w == nil {
			t.Fatal(err)
		}
		defer w.Close()
		return found, err
	}
	play()
	if found, err := ask(); err != nil || len(found) != 4 {
		t.Fatalf("%d groups are named, %v", len(found), err)
	}
	play("text=sariq say no JSON")
	if found, err := ask(); err != nil || len(found) != 3 {
		t.Errorf("%d groups are named beside one that is not, %v", len(found), err)
	}
	asked := 0
	for _, r := range sim.Log() {
		if strings.Contains(r.Path, "completions") {
			asked++
		}
	}
	if asked != 5 { // the one twice
		t.Errorf("%d questions", asked)
	}
	play("text=NAME_CASE refuse")
	if found, err := ask(); execution.FaultOf(err) != ai.Refused || len(found) != 0 {
		t.Errorf("nothing can be named: %d, %v", len(found), err)
	}
	play("text=sariq 503")
	if found, err := ask(); execution.FaultOf(err) != ai.Overloaded || len(found) != 0 {
		t.Errorf("no model answers: %d, %v", len(found), err)
	}
}
