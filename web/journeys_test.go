package web_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"svc/store/kv"
	"svc/store/kv/kvtest"
	"svc/web/webtest"
)

// TestJourneysOfPost: what POST /recipients with an API key asks a store for that is on another
// machine, all included: whose key it is, how often it asked, whether there is maintenance; one
// question after the other, and how often at most.
func TestJourneysOfPost(t *testing.T) {
	const most, posts = 6, 20
	j := &kvtest.Journeys{Engine: kvtest.Shared{Engine: kv.NewMemory()}}
	server := webtest.Start(t, webtest.Options{Messaging: true, Engine: j})
	o := &tenant{t: t, server: server, ids: map[string]string{}}
	o.signUp("acme")
	var key struct{ Key string }
	if got := o.json(http.MethodPost, "/api-keys", `{"name":"CRM"}`); json.Unmarshal([]byte(got.body), &key) != nil || key.Key == "" {
		t.Fatal(got.body)
	}
	post := func(i int) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/api/v1/recipients", strings.NewReader(`{"username":"post_`+strconv.Itoa(i)+`","consent_status":"OPTED_IN"}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+key.Key)
		r.Header.Set("Content-Type", "application/json")
		w, err := server.Client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(w.Body)
		_ = w.Body.Close()
		if w.StatusCode != http.StatusCreated {
			t.Fatal(w.StatusCode, string(body))
		}
	}
	post(posts)
	j.Take()
	for i := range posts {
		post(i)
		if asked := j.Take(); len(asked) > most {
			t.Errorf("%d journeys, want %d at most:\n%s", len(asked), most, strings.Join(asked, "\n"))
		}
	}
}
