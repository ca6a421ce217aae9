package campaign

import (
	"context"
	"slices"
	"testing"
	"time"

	"svc/messenger"
)

// meets is what the driver of the account that connected last keeps of people.
func (h *harness) meets(people ...messenger.Peer) {
	h.t.Helper()
	h.out.mu.Lock()
	memory := h.out.memory
	h.out.mu.Unlock()
	if err := memory.SavePeers(context.Background(), people); err != nil {
		h.t.Fatal(err)
	}
}

// TestMetBeforeTheImport: a customer who wrote to the account can be reached by id, also
// when they became a recipient later, until the account is gone.
func TestMetBeforeTheImport(t *testing.T) {
	bubble(t, func(h *harness) {
		h.run()
		a := h.account(`{"min_interval_seconds":4}`)
		h.Do("POST /accounts/"+a+"/check", nil).Want(200)
		h.meets(messenger.Peer{ID: 4242, AccessHash: 7}, messenger.Peer{ID: 4243, AccessHash: 8}, messenger.Peer{ID: 4244})
		known := func(id string) []string {
			var r struct {
				Known []string `json:"known_to_accounts"`
			}
			h.Do("GET /recipients/"+id, nil).Want(200).Into(&r)
			return r.Known
		}
		made := h.person("made", map[string]any{"username": nil, "messenger_id": 4242})
		named := h.person("named", nil)
		h.Do("PATCH /recipients/"+named, `{"messenger_id":4243}`).Want(200)
		partly := h.person("partly", map[string]any{"username": nil, "messenger_id": 4244})
		later := h.person("later", map[string]any{"username": nil, "messenger_id": 4245})
		h.meets(messenger.Peer{ID: 4245, AccessHash: 9})
		for id, want := range map[string][]string{made: {a}, named: {a}, partly: {}, later: {a}} {
			if got := known(id); !slices.Equal(got, want) {
				t.Errorf("%s is known to %v, want %v", id, got, want)
			}
		}
		k := h.draft([]string{a}, nil)
		if r := h.Do("GET /recipients/"+made+"/reachability?campaign_id="+k, nil).Want(200); r.At("reachable") != true || r.String("account_id") != a {
			t.Errorf("%s", r.Body)
		}
		preview := h.Do("GET /campaigns/"+k+"/audience-preview", nil).Want(200)
		if preview.Int("reachability.username") != 1 || preview.Int("reachability.known_to_account") != 2 || preview.Int("reachability.unknown") != 1 {
			t.Errorf("%v", preview.At("reachability"))
		}
		h.Do("PATCH /recipients/"+named, `{"messenger_id":4246}`).Want(200)
		if got := known(named); len(got) > 0 {
			t.Errorf("with the id of somebody else, known to %v", got)
		}
		h.Do("DELETE /accounts/"+a, nil).Want(204)
		h.after(time.Minute)
		again := h.person("again", map[string]any{"username": nil, "messenger_id": 4247})
		for _, id := range []string{made, later, again} {
			if got := known(id); len(got) > 0 {
				t.Errorf("after the account is gone, known to %v", got)
			}
		}
	})
}

// TestMetBeforeAnImport: the same for rows of a file, of which some are ready before they
// are saved.
func TestMetBeforeAnImport(t *testing.T) {
	bubble(t, func(h *harness) {
		h.run()
		a := h.account("")
		h.Do("POST /accounts/"+a+"/check", nil).Want(200)
		h.meets(messenger.Peer{ID: 4242, AccessHash: 7}, messenger.Peer{ID: 4243, AccessHash: 8})
		h.person("olim", nil)
		h.Do("POST /recipients/import", map[string]any{"default_consent": "OPTED_IN", "records": []map[string]any{
			{"messenger_id": 4242}, {"messenger_id": 4243, "username": "olim"}, {"messenger_id": 4244},
		}}).Want(201)
		for q, want := range map[string]int{"4242": 1, "olim": 1, "4244": 0} {
			var page struct {
				Data []struct {
					Known []string `json:"known_to_accounts"`
				}
			}
			h.Do("GET /recipients?q="+q, nil).Want(200).Into(&page)
			if len(page.Data) != 1 || len(page.Data[0].Known) != want {
				t.Errorf("%s: %+v", q, page.Data)
			}
		}
	})
}
