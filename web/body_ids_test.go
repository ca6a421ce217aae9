package web_test

import (
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"maps"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"svc/app"
	"svc/app/api/perm"
	"svc/web/apiv1"
	"svc/web/webtest"
)

// nobodys are ids in bodies that are of no organization and no person, each with why.
var nobodys = map[string]string{
	"automations.create json .post_ids[]":                       "the network's ids of posts",
	"automations.try json .post_id":                             "the same",
	"automations.update json .post_ids[]":                       "the same",
	"auth.passkey_finish json .challenge_id":                    "nobody has signed in yet",
	"auth.passkey_mfa_finish json .challenge_id":                "is of one session, see TestPasskeyAnswersThatAreRefused of app/session/passkey",
	"auth.passkey_finish json .credential.id":                   "the authenticator's own, not one of ours",
	"ai.add_dataset_item json .input.offers[].id":               "is compared with what a reply names, never read",
	"ai.add_dataset_item json .expected.knowledge_source_ids[]": "is compared with what was found, never read",
	"conversations.simulate json .customer.platform_user_id":    "the messenger's own, not one of ours",
	"conversations.reply json .client_id":                       "the sender's own, not one of ours",
	"auth.passkey_mfa_finish json .credential.id":               "the authenticator's own, not one of ours",
	"me.add_passkey json .credential.id":                        "the authenticator's own, not one of ours",
}

var (
	place  = regexp.MustCompile(`\bID\b`)
	having = regexp.MustCompile(`\{(/[a-z/-]+)\}`)
)

// ask puts an id where the request says ID, and hides it again in the answer, which may
// repeat what it was told.
func (q asking) ask(t *testing.T, who *tenant, id string) answer {
	t.Helper()
	own := func(s string) string {
		return having.ReplaceAllStringFunc(strings.ReplaceAll(s, "{phone}", who.phone), func(of string) string { return who.ids[of[1:len(of)-1]] })
	}
	path, body := own(place.ReplaceAllString(q.path, id)), own(place.ReplaceAllString(q.body, id))
	var got answer
	switch {
	case strings.HasPrefix(path, "/events/stream"):
		got = who.follow(path, q.header(), id)
	case strings.HasPrefix(q.body, "--x\r\n"):
		got = who.do(q.method, path, "multipart/form-data; boundary=x", body)
	default:
		got = who.json(q.method, path, body)
	}
	got.body = strings.ReplaceAll(got.body, id, "ID")
	return got
}

// header is the header that holds the id, "" for none.
func (q asking) header() string {
	if q.method == http.MethodGet {
		return q.body
	}
	return ""
}

// follow opens an event stream and answers its beginning.
func (o *tenant) follow(path, header, value string) answer {
	o.t.Helper()
	r := httptest.NewRequestWithContext(o.t.Context(), http.MethodGet, apiv1.Prefix+path, nil)
	r.AddCookie(&http.Cookie{Name: "svc_session", Value: o.cookie})
	if header != "" {
		r.Header.Set(header, value)
	}
	w := visit(o.server, r)
	if !strings.Contains(w.Body.String(), ": ready") {
		o.t.Errorf("%s: %d %s", path, w.Code, w.Body)
	}
	return answer{w.Code, http.Header{"Content-Type": w.Result().Header["Content-Type"]}, w.Body.String()}
}

// TestIDsInBodies: an id of another organization in a body, a query or a header is as one
// that nobody has, too.
func TestIDsInBodies(t *testing.T) {
	receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(receiver.Close)
	server := webtest.Start(t, webtest.Options{Messaging: true})
	mine, theirs := newTenant(t, server, "acme", receiver.URL), newTenant(t, server, "bazaar", receiver.URL)
	for _, q := range askings {
		id := theirs.ids[q.of]
		if id == "" {
			t.Fatalf("no tenant has one of %s; make one in newTenant", q.of)
		}
		if q.path == reauth {
			mine.signOut()
			theirs.signOut()
		}
		want, got := q.ask(t, mine, neighbour(id)), q.ask(t, mine, id)
		if got.status != want.status || got.body != want.body || !sameHeader(got.header, want.header) {
			t.Errorf("%s %s %s: %d %s\nof nothing: %d %s", q.method, q.path, q.body, got.status, got.body, want.status, want.body)
		}
		if got.status >= 500 || got.status == http.StatusTooManyRequests {
			t.Errorf("%s %s: %d %s", q.method, q.path, got.status, got.body)
		}
		// It was refused for the id and for nothing else: its owner is answered otherwise.
		if want.status < 400 {
			continue
		}
		if own := q.ask(t, theirs, id); own.status == want.status && own.body == want.body {
			t.Errorf("%s %s %s of its own organization: %d %s", q.method, q.path, q.body, own.status, own.body)
		}
	}
	for _, collection := range []string{"/recipients", "/lists", "/webhooks"} {
		if got := theirs.json(http.MethodGet, collection+"/"+theirs.ids[collection], ""); got.status != http.StatusOK {
			t.Errorf("%s: somebody else changed it: %d %s", collection, got.status, got.body)
		}
	}
}

// neighbour is an id of the same kind and time that nobody has: an id that says where a
// list goes on is compared by its time.
func neighbour(id string) string {
	last := "0"
	if strings.HasSuffix(id, last) {
		last = "1"
	}
	return id[:len(id)-1] + last
}

// TestEveryIDIsAsked: TestIDsInBodies asks with every field of a request that the
// description shows as an id of ours, and with nothing else.
func TestEveryIDIsAsked(t *testing.T) {
	a := openApp(t)
	routes := routesOf(a.Endpoints())
	asked := map[string]bool{}
	for _, q := range askings {
		path, _, _ := strings.Cut(having.ReplaceAllString(q.path, "x"), "?")
		e := routes.find(q.method, path)
		fields := q.fields(t)
		if e == nil || len(fields) != 1 {
			t.Fatalf("%s %s names %q; one field, of an operation, must be ID", q.method, q.path, fields)
		}
		asked[e.ID+" "+fields[0]] = true
	}
	shown := idFields(a)
	for _, what := range slices.Sorted(maps.Keys(shown)) {
		if !asked[what] && nobodys[what] == "" {
			t.Errorf("%s is an id, and no request of askings has one of another organization there", what)
		}
	}
	for _, what := range slices.Sorted(maps.Keys(asked)) {
		if !shown[what] {
			t.Errorf("%s is asked for and is no id in the description", what)
		}
	}
	if len(shown) < 40 {
		t.Errorf("only %d ids are in the description", len(shown))
	}
}

// fields are the places where the request says ID, as idFields writes them.
func (q asking) fields(t *testing.T) (out []string) {
	t.Helper()
	_, query, _ := strings.Cut(q.path, "?")
	values, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	for name := range values {
		if values.Get(name) == "ID" {
			if strings.HasSuffix(name, "_ids") {
				name += "[]" // a list, as the description writes it
			}
			out = append(out, "query "+name)
		}
	}
	switch {
	case q.header() != "":
		out = append(out, "header "+q.header())
	case strings.HasPrefix(q.body, "--x\r\n"):
		out = append(out, formFields(t, q.body)...)
	case q.body != "":
		var body any
		if err := json.Unmarshal([]byte(q.body), &body); err != nil {
			t.Fatalf("%s: %v", q.body, err)
		}
		out = append(out, placesOf(body, "json ")...)
	}
	return out
}

// placesOf are the members of a body that say ID.
func placesOf(body any, at string) (out []string) {
	switch b := body.(type) {
	case map[string]any:
		for name, v := range b {
			if name == strings.ToUpper(name) {
				name = "*" // a key that is chosen, as the description writes it
			}
			out = append(out, placesOf(v, at+"."+name)...)
		}
	case []any:
		for _, v := range b {
			out = append(out, placesOf(v, at+"[]")...)
		}
	case string:
		if b == "ID" {
			out = append(out, at)
		}
	}
	return out
}

// formFields are the fields of a form that say ID.
func formFields(t *testing.T, body string) (out []string) {
	t.Helper()
	r := multipart.NewReader(strings.NewReader(body), "x")
	for {
		part, err := r.NextPart()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		value, err := io.ReadAll(part)
		if err != nil {
			t.Fatal(err)
		}
		if string(value) == "ID" {
			out = append(out, "form ."+part.FormName())
		}
	}
}

// idFields are the fields of requests that the description shows as ids of ours, by
// operation. Operations for administrators of the platform are not among them: they may
// look into every organization.
func idFields(a *app.App) map[string]bool {
	doc := apiv1.New(apiv1.Config{DB: a.DB, Endpoints: a.Endpoints(), Log: slog.New(slog.DiscardHandler)}).Document()
	w := idWalk{doc.Components.Schemas, map[string]bool{}}
	for _, item := range doc.Paths {
		for _, o := range operations(item) {
			if o.Extensions["x-svc-permission"] == perm.Administrator.String() {
				continue
			}
			for _, p := range o.Parameters {
				if p.In != "path" {
					w.walk(p.Schema, p.Name, o.OperationID+" "+p.In+" "+p.Name, p.Example, nil)
				}
			}
			if o.RequestBody == nil {
				continue
			}
			for kind, how := range map[string]string{"application/json": "json", "multipart/form-data": "form"} {
				if m := o.RequestBody.Content[kind]; m != nil {
					w.walk(m.Schema, "", o.OperationID+" "+how+" ", nil, nil)
				}
			}
		}
	}
	return w.found
}

// idWalk looks for ids in schemas.
type idWalk struct {
	schemas huma.Registry
	found   map[string]bool
}

var (
	idName  = regexp.MustCompile(`(?i)^(.*[_-])?ids?$`)
	idShape = regexp.MustCompile(`^[a-z]{3,4}_[0-9a-hjkmnp-tv-z]{26}$`)
)

// walk notes the ids of a schema. field is the name of the last member, above are the
// schemas that it is within.
func (w idWalk) walk(s *huma.Schema, field, at string, example any, above []string) {
	if s == nil {
		return
	}
	if s.Ref != "" {
		if !slices.Contains(above, s.Ref) {
			w.walk(w.schemas.SchemaFromRef(s.Ref), field, at, example, append(slices.Clip(above), s.Ref))
		}
		return
	}
	// The id of a person at the messenger is nobody's of ours.
	if s.Type == huma.TypeString && field != "messenger_id" && (idName.MatchString(field) || shaped(slices.Concat(s.Examples, []any{example}))) {
		w.found[at] = true
	}
	for name, p := range s.Properties {
		w.walk(p, name, at+"."+name, nil, above)
	}
	w.walk(s.Items, field, at+"[]", nil, above)
	if more, ok := s.AdditionalProperties.(*huma.Schema); ok {
		w.walk(more, "", at+".*", nil, above)
	}
	for _, part := range slices.Concat(s.AnyOf, s.OneOf, s.AllOf) {
		w.walk(part, field, at, nil, above)
	}
}

// shaped says whether one of the examples is an id of ours.
func shaped(examples []any) bool {
	return slices.ContainsFunc(examples, func(e any) bool {
		text, ok := e.(string)
		return ok && idShape.MatchString(text)
	})
}
