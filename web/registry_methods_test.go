package web_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/session"
	"svc/web/apiv1"
)

// everyMethod are those that some operation has, and two that none has.
var everyMethod = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW"}

// TestWrongMethods: every path of the service refuses the methods that it does not
// have with 405 and names those that it has; OPTIONS names them too (contract 21.2).
func TestWrongMethods(t *testing.T) {
	a := openApp(t)
	h := apiv1.New(apiv1.Config{
		DB: a.DB, Endpoints: a.Endpoints(), Maintenance: a.Maintenance, Log: slog.New(slog.DiscardHandler),
		Identify: func(*api.Call, session.Credential) error { return nil },
	})
	for path, methods := range methodsByPath(a.Endpoints()) {
		want := strings.Join(methods, ", ")
		options := visit(h, httptest.NewRequest(http.MethodOptions, apiv1.Prefix+missing(path), http.NoBody))
		if got := options.Header().Get("Allow"); options.Code != http.StatusNoContent || got != want {
			t.Errorf("OPTIONS %s: %d, Allow %q, want %q", path, options.Code, got, want)
		}
		for _, method := range everyMethod {
			if slices.Contains(methods, method) {
				continue
			}
			w := visit(h, httptest.NewRequest(method, apiv1.Prefix+missing(path), strings.NewReader("{}")))
			if got := w.Header().Get("Allow"); w.Code != http.StatusMethodNotAllowed || codeOf(w.Body.String()) != "method_not_allowed" || got != want {
				t.Errorf("%s %s: %d %s, Allow %q, want %q", method, path, w.Code, w.Body, got, want)
			}
		}
	}
}

// methodsByPath are the methods that each path answers, as Allow names them. Of paths
// that are the same but for their parameters those of all.
func methodsByPath(list []api.Endpoint) map[string][]string {
	out := map[string][]string{}
	for i := range list {
		path := list[i].Path
		var methods []string
		for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"} {
			asked := method
			if method == http.MethodHead {
				asked = http.MethodGet
			}
			if slices.ContainsFunc(list, func(e api.Endpoint) bool { return e.Method == asked && takes(e.Path, missing(path)) }) {
				methods = append(methods, method)
			}
		}
		out[path] = append(methods, http.MethodOptions)
	}
	return out
}

// takes says whether a request for path comes to an operation with that pattern.
func takes(pattern, path string) bool {
	want, got := strings.Split(pattern, "/"), strings.Split(path, "/")
	return len(want) == len(got) && !slices.ContainsFunc(want, func(part string) bool {
		at := slices.Index(want, part)
		return !strings.HasPrefix(part, "{") && part != got[at]
	})
}

// TestUnknownParameters: every operation names in a header the parameters of its query
// that it does not know, also when it refuses the rest (contract 21.1).
func TestUnknownParameters(t *testing.T) {
	a := openApp(t)
	list := a.Endpoints()
	n, start := 0, time.Now()
	h := apiv1.New(apiv1.Config{
		DB: a.DB, Endpoints: list, Maintenance: a.Maintenance, Log: slog.New(slog.DiscardHandler),
		Clock: func() time.Time { return start.Add(time.Duration(n) * time.Minute) }, // rates are not what is asked
		Identify: func(c *api.Call, _ session.Credential) error {
			c.Org = "org_01arz3ndektsv4rrffq69g5fav"
			administrating(perm.Owner)(c)
			return nil
		},
	})
	for i := range list {
		e := &list[i]
		n++
		w := visit(h, httptest.NewRequest(e.Method, apiv1.Prefix+missing(e.Path)+"?tagg=x&limt=3", http.NoBody))
		if got := w.Header().Get("X-Svc-Ignored-Fields"); got != "limt, tagg" {
			t.Errorf("%s: %d, ignored %q", e.ID, w.Code, got)
		}
	}
}
