package apiv1

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/api/replay"
	"svc/app/session"
	"svc/store"
	"svc/store/storetest"
)

// made counts what the operation "things.create" did.
type made struct {
	n         atomic.Int64
	db        *store.DB
	here      chan struct{} // "patient" runs
	afterward chan struct{} // its client has gone
}

type thing struct {
	ID     string `json:"id"`
	Secret string `json:"secret,omitempty"`
}

type createIn struct {
	Body struct {
		Name string `json:"name"`
	}
}

var errOdd = &api.Error{Kind: api.Conflict, Code: "conflict", Message: "Odd."}

type closer struct{ *strings.Reader }

func (closer) Close() error { return nil }

func (m *made) Endpoints() []api.Endpoint {
	return []api.Endpoint{
		api.E("POST /things", "things.create", perm.RecipientsManage, "Create.", func(c *api.Call, in createIn) (api.Created[thing], error) {
			switch in.Body.Name {
			case "odd":
				return api.Created[thing]{}, errOdd
			case "broken":
				return api.Created[thing]{}, errors.New("the disk is on fire")
			case "panic":
				panic("the disk is gone")
			case "half":
				m.n.Add(1)
				err := m.db.Update(c, func(*store.Tx) error { return nil })
				return api.Created[thing]{}, errors.Join(err, errors.New("the disk is on fire"))
			case "large":
				m.n.Add(1)
				err := m.db.Update(c, func(*store.Tx) error { return nil })
				return api.New(thing{ID: "t_large", Secret: strings.Repeat("x", replay.MaxAnswer)}), err
			case "patient":
				m.here <- struct{}{}
				<-m.afterward
				if c.Err() != nil {
					return api.Created[thing]{}, c.Err()
				}
			}
			m.n.Add(1)
			return api.New(thing{ID: "t_1", Secret: "shown once"}), nil
		}, api.OneTime("secret")),
		api.E("POST /things/preview", "things.preview", perm.RecipientsManage, "Look.", func(*api.Call, createIn) (thing, error) {
			m.n.Add(1)
			return thing{ID: "t_1"}, nil
		}, api.ChangesNothing()),
		api.E("GET /things", "things.list", perm.RecipientsRead, "List.", func(c *api.Call, _ struct{}) (thing, error) {
			return thing{ID: c.Caller.ID + " from " + c.IP}, nil
		}),
		api.E("POST /auth/login", "auth.login", perm.Public, "Sign in.", func(c *api.Call, _ struct{}) (thing, error) {
			c.SetHeader("Set-Cookie", "a=1")
			c.SetHeader("Set-Cookie", "b=2")
			return thing{ID: c.IP}, nil
		}, api.InMaintenance()),
		api.E("GET /file", "files.get", perm.Public, "Get.", func(*api.Call, struct{}) (api.Blob, error) {
			return api.Blob{Type: "image/png", FileName: "a b.png", ETag: "x", Content: closer{strings.NewReader("0123456789")}}, nil
		}),
		api.E("GET /stream", "events.stream", perm.Public, "Follow.", func(*api.Call, struct{}) (api.Stream, error) {
			return api.Stream{Run: func(_ context.Context, send func([]byte) error) { _ = send([]byte(": ready\n\n")) }}, nil
		}, api.Timeout(0)),
		api.E("GET /long-stream", "events.long", perm.Public, "Follow for long.", func(*api.Call, struct{}) (api.Stream, error) {
			return api.Stream{Run: func(ctx context.Context, send func([]byte) error) {
				_ = send([]byte(": ready\n\n"))
				m.here <- struct{}{}
				<-ctx.Done()
			}}, nil
		}, api.Timeout(0)),
		api.E("GET /slow", "things.slow", perm.Public, "Wait.", func(c *api.Call, _ struct{}) (thing, error) {
			<-c.Done()
			return thing{}, fmt.Errorf("the disk is slow: %w", c.Err())
		}, api.Timeout(10*time.Millisecond)),
		api.E("GET /public/opt-out/{token}", "public.optout", perm.Public, "Leave.", func(*api.Call, struct {
			Token string `path:"token"`
		}) (thing, error) {
			return thing{}, nil
		}),
		api.E("POST /public/opt-out/{token}", "public.leave", perm.Public, "Leave for good.", func(*api.Call, struct {
			Token string `path:"token"`
		}) (thing, error) {
			return thing{}, nil
		}),
	}
}

// people says who a credential belongs to.
func people(c *api.Call, cred session.Credential) error {
	switch {
	case cred.Bearer == "key":
		c.Caller = api.Caller{Kind: api.Key, ID: "key_1", Perms: perm.APIClient.Permissions(), APIAccess: true}
	case cred.Bearer != "", cred.Cookie == "old":
		return &api.Error{Kind: api.Unauthenticated, Code: "invalid_credentials", Message: "No."}
	case cred.Cookie != "":
		c.Caller = api.Caller{Kind: api.Person, ID: cred.Cookie, Perms: perm.Owner.Permissions()}
	}
	c.Org = "org_01arz3ndektsv4rrffq69g5fav"
	return nil
}

type fixture struct {
	*API
	made  *made
	clock *storetest.Clock
	log   *bytes.Buffer
	down  bool
}

func setup(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{made: &made{here: make(chan struct{}), afterward: make(chan struct{})}, clock: storetest.NewClock(), log: &bytes.Buffer{}}
	db := storetest.OpenWith(t, "", store.Options{Tables: replay.Tables(), Now: f.clock.Now})
	f.made.db = db
	f.API = New(Config{
		DB: db, Endpoints: f.made.Endpoints(), Identify: people, PublicURL: "https://svc.example.uz", Origins: []string{"https://Console.example.uz"},
		Maintenance:    func(context.Context) (bool, string, error) { return f.down, "", nil },
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}, Clock: f.clock.Now, Log: slog.New(slog.NewTextHandler(f.log, nil)),
	})
	return f
}

func (f *fixture) do(t *testing.T, route, body string, headers ...string) *http.Response {
	t.Helper()
	return f.doContext(t.Context(), route, body, headers...)
}

func (f *fixture) doContext(ctx context.Context, route, body string, headers ...string) *http.Response {
	method, path, _ := strings.Cut(route, " ")
	r := httptest.NewRequestWithContext(ctx, method, Prefix+path, strings.NewReader(body))
	r.RemoteAddr = "192.0.2.7:4000"
	if body != "" && !slices.Contains(headers, "Content-Type") {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		if headers[i] == "RemoteAddr" {
			r.RemoteAddr = headers[i+1]
			continue
		}
		r.Header.Add(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	f.ServeHTTP(w, r)
	return w.Result()
}

func read(t *testing.T, r *http.Response) string {
	t.Helper()
	data, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(data))
}

func code(t *testing.T, body string) string {
	t.Helper()
	var e struct{ Error struct{ Code string } }
	if err := json.Unmarshal([]byte(body), &e); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	return e.Error.Code
}

func TestTheDoor(t *testing.T) {
	const cookie = "svc_session=usr_1"
	for _, tt := range []struct {
		name, route, body string
		headers           []string
		status            int
		code              string
	}{
		{"nobody", "GET /things", "", nil, 401, "unauthenticated"},
		{"a key", "GET /things", "", []string{"Authorization", "Bearer key"}, 200, ""},
		{"the scheme in any case", "GET /things", "", []string{"Authorization", "bearer  key"}, 200, ""},
		{"a wrong key", "GET /things", "", []string{"Authorization", "Bearer other"}, 401, "invalid_credentials"},
		{"no bearer", "GET /things", "", []string{"Authorization", "Basic a2V5"}, 401, "unauthenticated"},
		{"an empty bearer", "GET /things", "", []string{"Authorization", "Bearer "}, 401, "unauthenticated"},
		{"a bearer without end", "GET /things", "", []string{"Authorization", "Bearer " + strings.Repeat("x", 600)}, 401, "unauthenticated"},
		{"a session reads", "GET /things", "", []string{"Cookie", cookie}, 200, ""},
		{"a session changes from nowhere", "POST /things", "{}", []string{"Cookie", cookie}, 403, "origin_rejected"},
		{"a session changes from elsewhere", "POST /things", "{}", []string{"Cookie", cookie, "Origin", "https://evil.uz"}, 403, "origin_rejected"},
		{"from a lookalike", "POST /things", "{}", []string{"Cookie", cookie, "Origin", "https://svc.example.uz.evil.uz"}, 403, "origin_rejected"},
		{"from null", "POST /things", "{}", []string{"Cookie", cookie, "Origin", "null"}, 403, "origin_rejected"},
		{"from the public address", "POST /things", "{}", []string{"Cookie", cookie, "Origin", "https://svc.example.uz"}, 201, ""},
		{"from a listed origin", "POST /things", "{}", []string{"Cookie", cookie, "Origin", "https://console.example.uz"}, 201, ""},
		{"a browser says same origin", "POST /things", "{}", []string{"Cookie", cookie, "Sec-Fetch-Site", "same-origin"}, 201, ""},
		{"a browser says cross site", "POST /things", "{}", []string{"Cookie", cookie, "Sec-Fetch-Site", "cross-site"}, 403, "origin_rejected"},
		{"the referer of ours", "POST /things", "{}", []string{"Cookie", cookie, "Referer", "https://svc.example.uz/console"}, 201, ""},
		{"without a cookie, from elsewhere", "POST /auth/login", "", []string{"Origin", "https://evil.uz"}, 403, "origin_rejected"},
		{"without a cookie, a browser says cross site", "POST /auth/login", "", []string{"Sec-Fetch-Site", "cross-site"}, 403, "origin_rejected"},
		{"without a cookie, a neighbour", "POST /auth/login", "", []string{"Sec-Fetch-Site", "same-site"}, 403, "origin_rejected"},
		{"without a cookie, from a page of ours", "POST /auth/login", "", []string{"Origin", "https://svc.example.uz"}, 200, ""},
		{"without a cookie, a program", "POST /auth/login", "", nil, 200, ""},
		{"a form", "POST /things", "name=a", []string{"Authorization", "Bearer key", "Content-Type", "application/x-www-form-urlencoded"}, 415, "unsupported_media_type"},
		{"a text", "POST /things", `{"name":"a"}`, []string{"Authorization", "Bearer key", "Content-Type", "text/plain"}, 415, "unsupported_media_type"},
		{"a body without a type", "POST /things", `{"name":"a"}`, []string{"Authorization", "Bearer key", "Content-Type", ""}, 415, "unsupported_media_type"},
		{"JSON in another dress", "POST /things", `{"name":"a"}`, []string{"Authorization", "Bearer key", "Content-Type", "application/vnd.x+json; charset=utf-8"}, 201, ""},
		{"a bearer has no origin", "POST /things", "{}", []string{"Authorization", "Bearer key", "Cookie", cookie, "Origin", "https://evil.uz"}, 201, ""},
		{"an old cookie does not lock out", "POST /auth/login", "", []string{"Cookie", "svc_session=old", "Origin", "https://svc.example.uz"}, 200, ""},
		{"an old cookie elsewhere", "GET /things", "", []string{"Cookie", "svc_session=old"}, 401, "invalid_credentials"},
		{"a link needs no origin", "POST /public/opt-out/x", "", []string{"Cookie", cookie, "Origin", "https://mail.example.com"}, 200, ""},
		{"no bearer where anybody may", "GET /public/opt-out/x", "", []string{"Authorization", "Basic a2V5"}, 200, ""},
		{"no such endpoint", "GET /nothing", "", nil, 404, "route_not_found"},
		{"no such method", "DELETE /things", "", nil, 405, "method_not_allowed"},
		{"a method of nobody", "BREW /things", "", nil, 405, "method_not_allowed"},
		{"which methods", "OPTIONS /things", "", nil, 204, ""},
		{"which methods of nothing", "OPTIONS /nothing", "", nil, 404, "route_not_found"},
		{"which methods, unclean", "OPTIONS /things/../things", "", nil, 404, "route_not_found"},
		{"unclean", "GET /things/../things", "", nil, 404, "route_not_found"},
		{"a failure", "POST /things", `{"name":"broken"}`, []string{"Authorization", "Bearer key"}, 500, "internal_error"},
		{"a panic", "POST /things", `{"name":"panic"}`, []string{"Authorization", "Bearer key"}, 500, "internal_error"},
		{"too slow", "GET /slow", "", nil, 503, "timeout"},
		{"no JSON", "POST /things", `{`, []string{"Authorization", "Bearer key"}, 400, "invalid_json"},
		{"as large as may be", "POST /things", `{"name":"` + strings.Repeat("x", api.DefaultMaxBody-len(`{"name":""}`)) + `"}`, []string{"Authorization", "Bearer key"}, 201, ""},
		{"one byte more", "POST /things", `{"name":"` + strings.Repeat("x", api.DefaultMaxBody+1-len(`{"name":""}`)) + `"}`, []string{"Authorization", "Bearer key"}, 413, "file_too_large"},
		{"as large as may be, with a key", "POST /things", `{"name":"` + strings.Repeat("x", api.DefaultMaxBody-len(`{"name":""}`)) + `"}`, []string{"Authorization", "Bearer key", "Idempotency-Key", "k"}, 201, ""},
		{"too large", "POST /things", `{"name":"` + strings.Repeat("x", 3<<20) + `"}`, []string{"Authorization", "Bearer key"}, 413, "file_too_large"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := setup(t)
			resp := f.do(t, tt.route, tt.body, tt.headers...)
			body := read(t, resp)
			if resp.StatusCode != tt.status {
				t.Fatalf("%d, want %d: %s", resp.StatusCode, tt.status, body)
			}
			if tt.code != "" && code(t, body) != tt.code {
				t.Errorf("got %s, want %s", body, tt.code)
			}
			if tt.status >= 500 && !strings.Contains(f.log.String(), "the disk is") {
				t.Errorf("nobody knows why: %s", f.log)
			}
			if strings.Contains(body, "disk") {
				t.Errorf("the cause was sent: %s", body)
			}
			if resp.Header.Get("Cache-Control") != "no-store" {
				t.Error("somebody may store it")
			}
		})
	}
}

func TestCookiesAddUp(t *testing.T) {
	f := setup(t)
	if got := f.do(t, "POST /auth/login", "").Header.Values("Set-Cookie"); len(got) != 2 {
		t.Errorf("%q", got)
	}
}

func TestMaintenance(t *testing.T) {
	f := setup(t)
	f.down = true
	resp := f.do(t, "POST /things", "{}", "Authorization", "Bearer key")
	if resp.StatusCode != 503 || code(t, read(t, resp)) != "maintenance_mode" || resp.Header.Get("Retry-After") == "" {
		t.Errorf("%d %v", resp.StatusCode, resp.Header)
	}
	if f.do(t, "GET /things", "", "Authorization", "Bearer key").StatusCode != 200 || f.do(t, "POST /auth/login", "").StatusCode != 200 {
		t.Error("reading or signing in was refused")
	}
}

func TestFilesAndStreams(t *testing.T) {
	f := setup(t)
	resp := f.do(t, "GET /file", "", "Range", "bytes=2-4")
	if resp.StatusCode != 206 || read(t, resp) != "234" || resp.Header.Get("Content-Disposition") != `attachment; filename="a b.png"` ||
		resp.Header.Get("Content-Security-Policy") == "" || resp.Header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("%d %v", resp.StatusCode, resp.Header)
	}
	if resp := f.do(t, "GET /file", "", "If-None-Match", `"x"`); resp.StatusCode != 304 {
		t.Errorf("%d", resp.StatusCode)
	}
	server := httptest.NewServer(f)
	defer server.Close()
	resp, err := http.Get(server.URL + Prefix + "/stream")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if got := read(t, resp); got != ": ready" || resp.Header.Get("Content-Type") != "text/event-stream" || resp.Header.Get("X-Accel-Buffering") != "no" {
		t.Errorf("%q %v", got, resp.Header)
	}
}

func TestDescription(t *testing.T) {
	f := setup(t)
	resp := f.do(t, "GET /openapi.json", "")
	if resp.StatusCode != 302 || resp.Header.Get("Location") != documentPath {
		t.Fatalf("%d %v", resp.StatusCode, resp.Header)
	}
	for path, required := range map[string]bool{documentPath: false, strictPath: true} {
		text := read(t, f.do(t, "GET "+strings.TrimPrefix(path, Prefix), ""))
		var doc struct {
			OpenAPI string                    `json:"openapi"`
			Paths   map[string]map[string]any `json:"paths"`
		}
		if err := json.Unmarshal([]byte(text), &doc); err != nil || !strings.HasPrefix(doc.OpenAPI, "3.1") || doc.Paths["/things"]["post"] == nil {
			t.Errorf("%s: %v %v", path, err, doc.Paths)
		}
		if got := strings.Contains(text, `"required":["id"]`); got != required {
			t.Errorf("%s: a field is required: %v, want %v", path, got, required)
		}
		if strings.Contains(text, `"required":["name"`) {
			t.Errorf("%s: a field of a request is required that no operation asks for", path)
		}
		for _, want := range []string{`"example":{"name":"Olga"}`, `"x-svc-permission":"recipients:manage"`} {
			if !strings.Contains(text, want) {
				t.Errorf("%s does not contain %s", path, want)
			}
		}
	}
}

var parting = regexp.MustCompile(`^: ready\n\nretry: (\d+)\n\n$`)

// TestStreamsEndWhenTheServerStops: each with a word when to come back, those that open
// later too (contract 21.3, Stopping).
func TestStreamsEndWhenTheServerStops(t *testing.T) {
	f := setup(t)
	server := httptest.NewServer(f)
	defer server.Close()
	opened := make(chan string, 2)
	follow := func() {
		resp, err := http.Get(server.URL + Prefix + "/long-stream")
		if err != nil {
			opened <- err.Error()
			return
		}
		defer resp.Body.Close()
		all, err := io.ReadAll(resp.Body)
		if err != nil {
			opened <- err.Error()
			return
		}
		opened <- string(all)
	}
	go follow()
	<-f.made.here
	f.EndStreams()
	go follow()
	<-f.made.here
	for range 2 {
		words := <-opened
		m := parting.FindStringSubmatch(words)
		if m == nil {
			t.Fatalf("the stream was %q", words)
		}
		wait, err := strconv.Atoi(m[1])
		if at := time.Duration(wait) * time.Millisecond; err != nil || at < comeBackAfter || at > comeBackAfter+comeBackWithin {
			t.Errorf("come back after %v, %v", at, err)
		}
	}
	f.EndStreams() // twice is once
}
