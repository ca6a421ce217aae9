package web_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/go-cmp/cmp"

	"svc/app"
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/session"
	"svc/web/apiv1"
	"svc/web/webtest"
)

// unvisitable are refusals that no story can provoke, each with its reason.
var unvisitable = map[string]string{
	"channels.connect_photo invalid_state":         "every story has the simulated networks, which need no settings",
	"channels.connect_page invalid_state":          "the same",
	"channels.connect_video invalid_state":         "the same",
	"channels.add_video invalid_state":             "the same",
	"calendar.connect invalid_state":               "every story has the simulated calendar, which needs no settings",
	"channels.check account_unreachable":           "the simulated networks always answer a check",
	"conversations.simulate simulator_only":        "every story has a simulator; TestSimulateNeedsSimulator of app/inbox provokes it",
	"conversations.platform_read platform_refused": "the simulator takes every read mark; TestMarkRead of app/inbox/channel provokes it",
	"me.update invalid_state":                      "the password changed between two transactions of one request",
	"me.change_email invalid_state":                "the password changed between two transactions of one request",
	"admin.retry_task conflict":                    "another task took the place of one that was given up, after all its tries; TestTakenPlace of app/admin provokes it",
	"accounts.check gateway_unavailable":           "a check that the end of the service interrupts; that the messenger is not reached is an answer",
	"invitations.accept user_disabled":             "disabling ends the sessions that could accept",
	"invitations.accept already_member": "an address has one open invitation and its person is no member before it is used; " +
		"two who accept at once are held by app/session",
}

// others are the refusals from 500 that are nobody's mistake here: of somebody who runs
// the service, of the messenger, and of AI providers.
var others = []string{"maintenance_mode", "messenger_app_invalid", "gateway_unavailable", "account_unreachable", "ai_unavailable"}

// onPurpose are the failures of ours that a story provokes.
var onPurpose = []string{"POST /recipients timeout", "POST /faults/panic internal_error", "GET /faults/error internal_error"}

// TestMessagingStories plays the stories of the messaging service, and fails when
// they leave out an operation, or a refusal that an operation names.
func TestMessagingStories(t *testing.T) {
	visits := webtest.Stories(t, "testdata/messaging/*.txt")
	seen := map[string]bool{}
	endpoints := openApp(t).Endpoints()
	routes := routesOf(endpoints)
	for _, c := range visits.Calls() {
		what := fmt.Sprintf("%s %s %s", c.Method, c.Path, c.Code)
		if c.Status >= http.StatusInternalServerError && !slices.Contains(others, c.Code) && !slices.Contains(onPurpose, what) {
			t.Errorf("a story was answered with %v", c)
		}
		seen[what] = true
		if e := routes.find(c.Method, c.Path); e != nil {
			seen[e.ID] = seen[e.ID] || c.Status < 400
			seen[e.ID+" "+c.Code] = true
		}
	}
	for _, what := range onPurpose {
		if !seen[what] {
			t.Errorf("no story is answered by %s", what)
		}
	}
	for i := range endpoints {
		e := &endpoints[i]
		if !seen[e.ID] {
			t.Errorf("no story succeeds with %s (%s %s)", e.ID, e.Method, e.Path)
		}
		for _, code := range e.Codes() {
			if what := e.ID + " " + code; !seen[what] && unvisitable[what] == "" {
				t.Errorf("no story is refused by %s with %s", e.ID, code)
			}
		}
	}
	for what := range unvisitable {
		if seen[what] {
			t.Errorf("a story provokes %s, which is listed as what none can", what)
		}
	}
}

// parameter is one of a path.
var parameter = regexp.MustCompile(`\{[a-z_]+\}`)

// routes find the operation of a request as the server does.
type routes struct {
	mux *http.ServeMux
	of  map[string]*api.Endpoint // by the pattern of mux
}

func routesOf(endpoints []api.Endpoint) routes {
	out := routes{mux: http.NewServeMux(), of: map[string]*api.Endpoint{}}
	for i := range endpoints {
		e := &endpoints[i]
		pattern := e.Method + " " + e.Path
		out.mux.Handle(pattern, http.NotFoundHandler())
		out.of[pattern] = e
	}
	return out
}

// find is nil when there is none.
func (o routes) find(method, path string) *api.Endpoint {
	_, pattern := o.mux.Handler(&http.Request{Method: method, URL: &url.URL{Path: path}})
	return o.of[pattern]
}

// openApp is the service over a new database, not at work.
func openApp(t *testing.T) *app.App {
	t.Helper()
	a, err := app.Open(t.Context(), app.Options{Data: t.TempDir(), PublicURL: "https://svc.example.uz", Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close() })
	return a
}

// caller is one kind of caller of the golden file.
type caller struct {
	name string
	as   func(*api.Call)
}

func inRole(r perm.Role) func(*api.Call) {
	return func(c *api.Call) {
		c.Caller = api.Caller{Kind: api.Person, ID: "usr_01arz3ndektsv4rrffq69g5fav", Session: "ses_01arz3ndektsv4rrffq69g5fav", Role: r, Perms: r.Permissions()}
	}
}

// administrating is somebody in a role who also administers the platform.
func administrating(r perm.Role) func(*api.Call) {
	return func(c *api.Call) {
		inRole(r)(c)
		c.Caller.Administrator, c.Caller.Verified = true, true
	}
}

var callers = []caller{
	{"stranger", func(*api.Call) {}},
	{"owner", inRole(perm.Owner)}, {"admin", inRole(perm.Admin)}, {"manager", inRole(perm.Manager)},
	{"operator", inRole(perm.Operator)}, {"analyst", inRole(perm.Analyst)},
	{"key", func(c *api.Call) {
		c.Caller = api.Caller{Kind: api.Key, ID: "key_01arz3ndektsv4rrffq69g5fav", Role: perm.APIClient, Perms: perm.APIClient.Permissions(), APIAccess: true}
	}},
}

// doors mounts the service so that the test says who calls.
func doors(t *testing.T, a *app.App, org string) func(as func(*api.Call), method, path, body string) (int, string) {
	t.Helper()
	var who func(*api.Call)
	n, start := 0, time.Now()
	h := apiv1.New(apiv1.Config{
		DB: a.DB, Endpoints: a.Endpoints(), Maintenance: a.Maintenance, Log: slog.New(slog.DiscardHandler),
		// Every request comes a minute later, from an address of its own: rates are not
		// what is asked.
		Clock: func() time.Time { return start.Add(time.Duration(n) * time.Minute) },
		Identify: func(c *api.Call, _ session.Credential) error {
			c.Org = org
			who(c)
			return nil
		},
	})
	return func(as func(*api.Call), method, path, body string) (int, string) {
		who = as
		r := httptest.NewRequest(method, apiv1.Prefix+path, strings.NewReader(body))
		n++
		r.RemoteAddr = fmt.Sprintf("10.%d.%d.%d:1", n>>16&255, n>>8&255, n&255)
		if body != "" {
			r.Header.Set("Content-Type", "application/json")
		}
		w := visit(h, r)
		if w.Code == http.StatusTooManyRequests {
			t.Errorf("%s %s: %s", method, path, w.Body)
		}
		return w.Code, w.Body.String()
	}
}

// visit asks without a network. Of a stream it reads the beginning, and leaves.
func visit(h http.Handler, r *http.Request) *httptest.ResponseRecorder {
	ctx, leave := context.WithCancel(r.Context())
	defer leave()
	v := &visitor{httptest.NewRecorder(), leave}
	h.ServeHTTP(v, r.WithContext(ctx))
	return v.ResponseRecorder
}

// visitor is the client of visit.
type visitor struct {
	*httptest.ResponseRecorder
	leave context.CancelFunc
}

// Write implements http.ResponseWriter.
func (v *visitor) Write(p []byte) (int, error) {
	if v.Header().Get("Content-Type") == "text/event-stream" {
		defer v.leave()
	}
	return v.ResponseRecorder.Write(p)
}

// SetWriteDeadline is there because a stream asks for it; it reads at once.
func (v *visitor) SetWriteDeadline(time.Time) error { return nil }

// missing is a path of the operation about things that are not there.
func missing(path string) string {
	return parameter.ReplaceAllStringFunc(path, func(string) string { return "xyz_01arz3ndektsv4rrffq69g5fav" })
}

// TestWhoMayCall holds the answer of every operation to every kind of caller: a
// refusal with its code, or "." when it let the caller in.
func TestWhoMayCall(t *testing.T) {
	a := openApp(t)
	ask := doors(t, a, "org_01arz3ndektsv4rrffq69g5fav")
	var out strings.Builder
	for _, e := range sorted(a.Endpoints()) {
		fmt.Fprintf(&out, "%-7s%-50s %-19s", e.Method, e.Path, e.Perm)
		for _, c := range callers {
			status, body := ask(c.as, e.Method, missing(e.Path), "")
			word := "."
			if e.ID == "events.stream" && status == http.StatusOK && !strings.Contains(body, ": ready") {
				t.Errorf("the stream of a %s does not begin: %q", c.name, body)
			}
			if code := codeOf(body); status == http.StatusUnauthorized || status == http.StatusForbidden || code == "not_applicable" {
				word = code
			}
			fmt.Fprintf(&out, " %s:%s", c.name, word)
		}
		out.WriteByte('\n')
	}
	golden(t, "testdata/callers.golden", out.String())
}

func sorted(list []api.Endpoint) []api.Endpoint {
	slices.SortFunc(list, func(a, b api.Endpoint) int { return strings.Compare(a.Path+a.Method, b.Path+b.Method) })
	return list
}

func codeOf(body string) string {
	var e struct{ Error struct{ Code string } }
	_ = json.Unmarshal([]byte(body), &e)
	return e.Error.Code
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if flag.Lookup("update").Value.String() == "true" {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(filepath.FromSlash(file))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs (-want +got); look, then run with -update:\n%s", file, diff)
	}
}

// TestNoJSON: an operation that takes a body refuses what is none.
func TestNoJSON(t *testing.T) {
	a := openApp(t)
	ask := doors(t, a, "org_01arz3ndektsv4rrffq69g5fav")
	h := a.Endpoints()
	for i := range h {
		e := &h[i]
		if e.Method == http.MethodGet || e.Method == http.MethodDelete {
			continue
		}
		status, body := ask(administrating(perm.Owner), e.Method, missing(e.Path), `{"a":`)
		if status >= 500 {
			t.Errorf("%s: %d %s", e.ID, status, body)
		}
		if takesJSON(a, e) && (status != http.StatusBadRequest || codeOf(body) != "invalid_json") {
			t.Errorf("%s: %d %s", e.ID, status, body)
		}
	}
}

// takesJSON says whether the document names a JSON body.
func takesJSON(a *app.App, e *api.Endpoint) bool {
	doc := apiv1.New(apiv1.Config{DB: a.DB, Endpoints: []api.Endpoint{*e}, Log: slog.New(slog.DiscardHandler)}).Document()
	for _, item := range doc.Paths {
		for _, o := range operations(item) {
			return o.RequestBody != nil && o.RequestBody.Content["application/json"] != nil
		}
	}
	return false
}

// operations are those of one path of the document, by method.
func operations(item *huma.PathItem) map[string]*huma.Operation {
	out := map[string]*huma.Operation{"GET": item.Get, "POST": item.Post, "PATCH": item.Patch, "PUT": item.Put, "DELETE": item.Delete}
	maps.DeleteFunc(out, func(_ string, o *huma.Operation) bool { return o == nil })
	return out
}

// onceShown are the names of fields that an answer has once.
var onceShown = []string{"recovery_codes", "key", "secret", "otpauth_url", "signing_secret", "enter_url"}

// TestSecretsAreShownOnce: an operation that shows a secret says so, so that no
// answer which is kept for an Idempotency-Key has it (contract 1.2).
func TestSecretsAreShownOnce(t *testing.T) {
	a := openApp(t)
	list := a.Endpoints()
	found := 0
	for i := range list {
		e := &list[i]
		if e.Method != http.MethodPost || strings.HasPrefix(e.Path, "/auth/") {
			continue
		}
		for _, field := range answered(a, e) {
			// An invitation's url is its secret; that of a webhook is not. The key of a case names it.
			if !slices.Contains(onceShown, field) && (field != "url" || e.ID != "invitations.create") || field == "key" && e.ID == "cases.create" {
				continue
			}
			found++
			if !slices.Contains(e.Secrets(), field) {
				t.Errorf("%s shows %q and does not name it in api.OneTime", e.ID, field)
			}
		}
	}
	if found < 7 {
		t.Errorf("only %d fields with secrets are in the document", found)
	}
}

// answered are the fields of an operation's answer.
func answered(a *app.App, e *api.Endpoint) []string {
	doc := apiv1.New(apiv1.Config{DB: a.DB, Endpoints: []api.Endpoint{*e}, Log: slog.New(slog.DiscardHandler)}).Document()
	for _, item := range doc.Paths {
		for _, o := range operations(item) {
			for status, r := range o.Responses {
				body := r.Content["application/json"]
				if !strings.HasPrefix(status, "2") || body == nil || body.Schema == nil {
					continue
				}
				s := body.Schema
				if s.Ref != "" {
					s = doc.Components.Schemas.SchemaFromRef(s.Ref)
				}
				return slices.Collect(maps.Keys(s.Properties))
			}
		}
	}
	return nil
}

// TestDocumentIsWhole: every operation says its permission and its answers, and
// everything that the contract lists and that is built is in the document.
func TestDocumentIsWhole(t *testing.T) {
	a := openApp(t)
	doc := apiv1.New(apiv1.Config{DB: a.DB, Endpoints: a.Endpoints(), Log: slog.New(slog.DiscardHandler)}).Document()
	data, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(data, []byte(`"openapi":"3.1`)) {
		t.Error("not OpenAPI 3.1")
	}
	for path, item := range doc.Paths {
		for method, o := range operations(item) {
			if o.Extensions["x-svc-permission"] == nil || o.OperationID == "" || o.Summary == "" {
				t.Errorf("%s %s is not whole", method, path)
			}
			if o.Responses["200"] == nil && o.Responses["201"] == nil && o.Responses["202"] == nil && o.Responses["204"] == nil && o.Responses["302"] == nil {
				t.Errorf("%s %s has no success", method, path)
			}
		}
	}
}
