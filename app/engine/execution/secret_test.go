package execution_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"svc/ai"
	"svc/app/api"
	"svc/store"
)

// TestKeysShowNowhere: the key of a provider is in no answer, event, log entry or record
// that can be read (section H 35).
func TestKeysShowNowhere(t *testing.T) {
	bubble(t, func(w *world) {
		id := w.provider(ai.OpenAI, "OpenAI")
		w.play("401")
		_, _ = w.run(w.job())
		var all []string
		for _, route := range []string{"GET /ai/providers", "GET /ai/executions", "GET /ai/executions/" + w.executions()[0].ID, "POST /ai/providers/" + id + "/test"} {
			all = append(all, w.Do(route, nil).Body)
		}
		w.view(func(tx *store.Tx) error {
			p, err := w.s.Providers.Get(tx, w.Org, id)
			b, _ := json.Marshal(p)
			all = append(all, string(b), fmt.Sprintf("%+v", p))
			return err
		})
		for _, text := range all {
			if strings.Contains(text, "sk-test") || strings.Contains(text, "0123456789ab") {
				w.t.Errorf("the key is in %s", text)
			}
		}
	})
}

// TestForeign: what another organization has is not found (section H 50).
func TestForeign(t *testing.T) {
	bubble(t, func(w *world) {
		id := w.provider(ai.OpenAI, "OpenAI")
		if _, err := w.run(w.job()); err != nil {
			w.t.Fatal(err)
		}
		exe := w.executions()[0].ID
		prm := w.Do("POST /ai/prompts", map[string]any{"agent": "SELLER", "name": "x", "body": "y"}).Want(201).String("id")
		w.Org = newOrg(w.t, w.db)
		for _, route := range []string{
			"GET /ai/executions/" + exe, "GET /ai/prompts/" + prm + "/versions", "POST /ai/prompts/" + prm + "/versions/1/activate",
			"GET /ai/providers/" + id + "/models", "POST /ai/providers/" + id + "/test", "DELETE /ai/providers/" + id,
		} {
			w.Do(route, nil).Refused(api.ErrNotFound)
		}
		w.Do("PATCH /ai/agents/SELLER/config", map[string]any{"chain": []any{map[string]any{"provider_id": id, "model": "gpt-6-luna"}}}).Want(422)
	})
}
