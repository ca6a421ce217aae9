package execution_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"svc/ai"
	"svc/ai/providers"
	"svc/app/api"
	"svc/app/api/apitest"
	"svc/app/engine"
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

// TestPrivateAddresses: without --private-providers no provider is added that stands in the
// service's own network, nor one without https (section H 34).
func TestPrivateAddresses(t *testing.T) {
	w := newWorld(t, store.Options{})
	org := w.Org
	w.Server = apitest.New(t, w.db, engine.New(w.db, engine.Options{Providers: providers.New(false)}))
	w.Org = org
	add := func(base string, status int) {
		t.Helper()
		w.Do("POST /ai/providers", map[string]any{"kind": "OPENAI_COMPATIBLE", "name": base, "base_url": base, "api_key": "sk-test-0123456789abcdef"}).Want(status)
	}
	for _, base := range []string{
		"https://127.0.0.1/v1", "https://[::1]/v1", "https://10.0.0.5/v1", "https://169.254.169.254/v1", "https://localhost/v1", "https://0x7f.1/v1",
		"https://[::ffff:127.0.0.1]/v1", "http://models.example.com/v1",
	} {
		add(base, 422)
	}
	add("https://models.example.com/v1", 201)
}

// TestKeysStayWithTheirServer: the key that is kept goes to no other server than the one it was
// given for; with a key beside it the address may change, and where there is no key too.
func TestKeysStayWithTheirServer(t *testing.T) {
	bubble(t, func(w *world) {
		id := w.provider(ai.Compatible, "Ours")
		change := func(body map[string]any, status int) {
			w.t.Helper()
			w.Do("PATCH /ai/providers/"+id, body).Want(status)
		}
		change(map[string]any{"base_url": "https://other.example.com/v1"}, 422)
		change(map[string]any{"base_url": "https://models.example.com/v2", "name": "Another path"}, 200)
		change(map[string]any{"base_url": "https://other.example.com/v1", "api_key": "sk-test-fedcba9876543210"}, 200)
		change(map[string]any{"base_url": "https://third.example.com/v1", "api_key": ""}, 200)
		change(map[string]any{"base_url": "https://other.example.com/v1"}, 200)
		vendor := w.provider(ai.OpenAI, "OpenAI")
		w.Do("PATCH /ai/providers/"+vendor, map[string]any{"base_url": "https://eu.example.com/v1"}).Want(422)
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
