package web_test

import (
	"cmp"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/web/webtest"
)

// bodies are what operations need before they look for the thing.
var bodies = map[string]string{
	"channels.import_history":     `{"since":"2026-11-01T00:00:00Z"}`,
	"ai.review_feedback":          `{"decision":"ACCEPTED"}`,
	"ai.add_experiment_variant":   `{"name":"Short"}`,
	"ai.choose_experiment_winner": `{"variant_id":"xpv_01arz3ndektsv4rrffq69g5fav"}`,
	"accounts.login_code":         `{"code":"1"}`,
	"accounts.login_password":     `{"password":"x"}`,
	"accounts.import_history":     `{"since":"2026-11-01T00:00:00Z"}`,
	"accounts.reauth":             `{"phone":"+998900000001"}`,
	"accounts.test_message":       `{"username":"demo_user_5"}`,
	"conversations.personal":      `{"personal":false}`,
	"conversations.assign":        `{"user_id":null}`,
	"conversations.add_note":      `{"text":"Ask Anvar"}`,
	"business_accounts.put":       `{"accounts":[]}`,
	"funnels.replace_stages":      `{"stages":[]}`,
	"offers.create":               `{"name":"Rose"}`,
	"funnels.create":              `{"name":"Retail"}`,
	"identities.create":           `{"name":"Second","persona_name":"Lola","role":"assistant"}`,
	"lists.add_members":           `{"recipient_ids":["rcp_01arz3ndektsv4rrffq69g5fav"]}`,
	"lists.remove_members":        `{"recipient_ids":["rcp_01arz3ndektsv4rrffq69g5fav"]}`,
	"me.delete_passkey":           `{"password":"correct horse 1"}`,
	"members.update":              `{"role":"ANALYST"}`,
	"webhooks.recover":            `{"since":"2026-11-20T00:00:00Z"}`,
	"ai.create_prompt_version":    `{"body":"Be brief."}`,
	"cases.create":                `{"dimension":"DEMAND","name":{"en":"Second"}}`,
	"cases.generate":              `{"dimensions":["DEMAND"]}`,
	"analysis.explain":            `{"dimension":"LOST_REASON"}`,
	"analysis.correct":            `{"case_id":null}`,
}

func bodyOf(e *api.Endpoint) string {
	switch body, ok := bodies[e.ID]; {
	case ok:
		return body
	case e.Method == http.MethodPost, e.Method == http.MethodPatch, e.Method == http.MethodPut:
		return "{}"
	}
	return ""
}

// fill writes ids into a path: those of the tenants that pick names, in the order of
// the parameters; nil is an id that nobody has.
func fill(t *testing.T, path string, pick []*tenant, like *tenant) string {
	t.Helper()
	n, parameter, at := 0, -1, ""
	for segment := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		if !strings.HasPrefix(segment, "{") {
			at += "/" + segment
			continue
		}
		parameter++
		if known := map[string]string{"{v}": "1", "{board}": "DEMAND", "{dimension}": "DEMAND"}[segment]; known != "" { // no ids
			at += "/" + known
			continue
		}
		collection := pattern(path, parameter)
		id := like.ids[collection]
		if id == "" {
			t.Fatalf("%s: no tenant has one of %s; make one in newTenant", path, collection)
		}
		if pick[n] == nil {
			id = id[:4] + "01arz3ndektsv4rrffq69g5fav"
		} else {
			id = pick[n].ids[collection]
		}
		at += "/" + id
		n++
	}
	return at
}

// pattern is the part of a path before its nth parameter.
func pattern(path string, n int) string {
	at := parameter.FindAllStringIndex(path, -1)[n]
	return strings.TrimSuffix(path[:at[0]], "/")
}

var hasID = regexp.MustCompile(`\{(?:(?:[a-z_]+_)?id|draft)\}`)

// TestAnotherOrganizationsIDs: what another organization has is answered for like
// what nobody has, byte for byte, by every operation with an id in its path.
func TestAnotherOrganizationsIDs(t *testing.T) {
	receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(receiver.Close)
	server := webtest.Start(t, webtest.Options{Messaging: true})
	mine, theirs := newTenant(t, server, "acme", receiver.URL), newTenant(t, server, "bazaar", receiver.URL)
	endpoints := withID(server.App().Endpoints())
	for i := range endpoints {
		e := &endpoints[i]
		for _, foreign := range choices(len(hasID.FindAllString(e.Path, -1)), mine, theirs) {
			missing := slices.Clone(foreign)
			for j := range missing {
				if missing[j] == theirs {
					missing[j] = nil
				}
			}
			got := mine.json(e.Method, fill(t, e.Path, foreign, theirs), bodyOf(e))
			want := mine.json(e.Method, fill(t, e.Path, missing, theirs), bodyOf(e))
			if want.status != http.StatusNotFound || !strings.HasSuffix(codeOf(want.body), "not_found") {
				t.Errorf("%s of nothing: %d %s", e.ID, want.status, want.body)
			}
			if got.status != want.status || got.body != want.body || !sameHeader(got.header, want.header) {
				t.Errorf("%s of another organization's: %d %v %s\nof nothing: %d %v %s", e.ID, got.status, got.header, got.body, want.status, want.header, want.body)
			}
		}
	}
	// And all of it was there: its own organization finds each, what is deleted last.
	for i := range endpoints {
		e := &endpoints[i]
		own := slices.Repeat([]*tenant{theirs}, len(hasID.FindAllString(e.Path, -1)))
		if got := theirs.json(e.Method, fill(t, e.Path, own, theirs), bodyOf(e)); got.status == http.StatusNotFound || got.status >= 500 {
			t.Errorf("%s of its own organization: %d %s", e.ID, got.status, got.body)
		}
	}
}

// choices are the ways in which ids of a path can be foreign: the whole path, or,
// below something of one's own, the rest.
func choices(n int, mine, theirs *tenant) (out [][]*tenant) {
	for own := range n {
		out = append(out, append(slices.Repeat([]*tenant{mine}, own), slices.Repeat([]*tenant{theirs}, n-own)...))
	}
	return out
}

func sameHeader(a, b http.Header) bool {
	for name := range a {
		if !slices.Equal(a[name], b[name]) {
			return false
		}
	}
	return len(a) == len(b)
}

// withID are the operations with an id in their path, in an order in which things
// last: what deletes comes last, the lowest in the path first, and one's own session
// at the very end. A token in a path, or a signature behind it, is for whoever has it.
func withID(endpoints []api.Endpoint) []api.Endpoint {
	out := slices.DeleteFunc(endpoints, func(e api.Endpoint) bool {
		return !hasID.MatchString(e.Path) || e.Perm == perm.Administrator || e.Perm == perm.Public
	})
	rank := func(e api.Endpoint) int {
		switch {
		case e.ID == "me.delete_passkey":
			return 1
		case e.ID == "conversations.stop": // with what is remembered of the customer
			return 2
		case e.Method != http.MethodDelete:
			return 0
		case e.ID == "me.end_session", e.ID == "businesses.delete": // with what belongs to it
			return 2
		}
		return 1
	}
	depth := func(e api.Endpoint) int { return strings.Count(e.Path, "/") }
	slices.SortStableFunc(out, func(a, b api.Endpoint) int { return cmp.Or(rank(a)-rank(b), depth(b)-depth(a)) })
	return out
}
