package api_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"svc/app/api"
	"svc/app/api/perm"
)

// thing is a record with each shape of field.
type thing struct {
	ID   string  `json:"id"`
	Name string  `json:"name"`
	Note *string `json:"note"`
}

type createThing struct {
	Body struct {
		Name string   `json:"name" minLength:"1" maxLength:"10" required:"true"`
		Tags []string `json:"tags" maxItems:"2"`
		Attr map[string]any
	}
}

type patchThing struct {
	ID   string `path:"id"`
	Body struct {
		Name api.Patch[string]     `json:"name"`
		Note api.PatchNull[string] `json:"note"`
		Size api.PatchNull[size]   `json:"size"`
	}
}

type size struct {
	Width int `json:"width,omitempty" minimum:"0"`
}

var errBusy = &api.Error{Kind: api.TooMany, Code: "busy", Message: "Busy.", RetryAfter: 1500 * time.Millisecond}

func endpoints() []api.Endpoint {
	return []api.Endpoint{
		api.E("POST /things", "things.create", perm.RecipientsManage, "Create a thing.", func(_ *api.Call, in createThing) (api.Created[thing], error) {
			return api.New(thing{ID: "t_1", Name: in.Body.Name}), nil
		}),
		api.E("PATCH /things/{id}", "things.update", perm.RecipientsManage, "Change a thing.", func(_ *api.Call, in patchThing) (thing, error) {
			old := "old"
			t := thing{ID: in.ID, Name: "before", Note: &old}
			in.Body.Name.Apply(&t.Name)
			in.Body.Note.Apply(&t.Note)
			return t, nil
		}),
		api.E("GET /things", "things.list", perm.RecipientsRead, "List things.", func(_ *api.Call, in struct{ api.PageIn }) (api.Page[thing], error) {
			return api.NewPage[thing](nil, 7, in.PageIn, nil), nil
		}),
		api.E("DELETE /things/{id}", "things.delete", perm.RecipientsManage, "Delete a thing.", func(*api.Call, struct {
			ID string `path:"id"`
		}) (api.NoContent, error) {
			return api.NoContent{}, nil
		}),
		api.E("GET /busy", "things.busy", perm.Public, "Refuse.", func(*api.Call, struct{}) (thing, error) {
			return thing{}, errBusy.WithCause(errors.New("secret reason"))
		}, api.Errors(errBusy)),
		api.E("GET /broken", "things.broken", perm.Public, "Fail.", func(*api.Call, struct{}) (thing, error) {
			return thing{}, errors.New("secret reason")
		}),
		api.E("GET /export", "things.export", perm.Public, "Export.", func(*api.Call, struct{}) (api.Text, error) {
			return api.Text{Type: "text/csv", FileName: "things.csv", Write: func(w io.Writer) error {
				_, err := io.WriteString(w, "a,b\n")
				return err
			}}, nil
		}),
		api.E("POST /maybe", "things.maybe", perm.Public, "Make a thing, or say what it would be.", func(_ *api.Call, in struct {
			Dry bool `query:"dry"`
		}) (api.MaybeCreated[thing], error) {
			return api.MaybeCreated[thing]{Made: !in.Dry, Value: thing{ID: "t_3", Name: "a<b"}}, nil
		}),
		api.E("GET /page", "things.page", perm.Public, "Show a page.", func(*api.Call, struct{}) (api.Text, error) {
			return api.Text{}, nil
		}, api.TextType("text/html")),
		api.E("GET /away", "things.away", perm.Public, "Go.", func(*api.Call, struct{}) (api.Redirect, error) {
			return api.Redirect{To: "/elsewhere?a=b"}, nil
		}),
	}
}

// headers is an outlet for operations that need no more.
type headers struct{ huma.Context }

func (headers) Blob(api.Blob)     {}
func (headers) Stream(api.Stream) {}

// serve mounts the endpoints for one caller.
func serve(caller api.Caller) (http.Handler, huma.API) {
	mux := http.NewServeMux()
	a := humago.New(mux, api.Config())
	api.Mount(a, admitting(caller), endpoints())
	return mux, a
}

// admitting is a guard that takes everybody for that caller.
func admitting(caller api.Caller) api.Guard {
	return func(e *api.Endpoint) func(huma.Context, func(huma.Context)) {
		return func(ctx huma.Context, next func(huma.Context)) {
			c := api.NewCall(ctx.Context(), headers{ctx})
			c.Caller, c.Org = caller, "org_1"
			if err := c.Authorize(e); err != nil {
				api.Refuse(ctx, err)
				return
			}
			next(huma.WithContext(ctx, c.Context))
		}
	}
}

var owner = api.Caller{Kind: api.Person, Role: perm.Owner, Perms: perm.Owner.Permissions()}

// TestTheLargestBody may have exactly as many bytes as the limit says (contract 47).
func TestTheLargestBody(t *testing.T) {
	h, _ := serve(owner)
	for _, tt := range []struct{ length, status int }{{api.DefaultMaxBody, http.StatusCreated}, {api.DefaultMaxBody + 1, http.StatusRequestEntityTooLarge}} {
		body := `{"name":"a"}` + strings.Repeat(" ", tt.length-len(`{"name":"a"}`))
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/things", strings.NewReader(body)))
		if w.Code != tt.status {
			t.Errorf("%d bytes: %d %s, want %d", tt.length, w.Code, w.Body, tt.status)
		}
	}
}

func TestOperations(t *testing.T) {
	for _, tt := range []struct {
		name, method, path, body string
		status                   int
		want                     string
		header                   [2]string
	}{
		{"create", "POST", "/things", `{"name":"a<b"}`, 201, `{"id":"t_1","name":"a<b","note":null}`, [2]string{}},
		{"unknown fields are named", "POST", "/things", `{"name":"a","naem":1,"Attr":{"free":1}}`, 201, `{"id":"t_1","name":"a","note":null}`, [2]string{"X-Svc-Ignored-Fields", "naem"}},
		{"a field breaks its bound", "POST", "/things", `{"name":""}`, 422, `{"error":{"code":"validation_failed","message":"Some fields are not valid.","details":{"name":"must not be empty"}}}`, [2]string{}},
		{"a field has another type", "POST", "/things", `{"name":1}`, 422, `{"error":{"code":"validation_failed","message":"Some fields are not valid.","details":{"name":"must be a text"}}}`, [2]string{}},
		{"a required field is missing", "POST", "/things", `{}`, 422, `{"error":{"code":"validation_failed","message":"Some fields are not valid.","details":{"name":"is required"}}}`, [2]string{}},
		{"no JSON", "POST", "/things", `{`, 400, `{"error":{"code":"invalid_json","message":"The body is empty or not JSON."}}`, [2]string{}},
		{"empty body", "POST", "/things", ``, 400, `{"error":{"code":"invalid_json","message":"The body is empty or not JSON."}}`, [2]string{}},
		{"absent fields stay", "PATCH", "/things/t_2", `{}`, 200, `{"id":"t_2","name":"before","note":"old"}`, [2]string{}},
		{"null clears", "PATCH", "/things/t_2", `{"note":null,"name":"x"}`, 200, `{"id":"t_2","name":"x","note":null}`, [2]string{}},
		{"unknown parameters are named", "GET", "/things?limit=1&lmit=2&a%0d%0ab=1&=3", "", 200, `{"data":[],"total":7,"limit":1,"offset":0,"next_cursor":null}`, [2]string{"X-Svc-Ignored-Fields", "a??b, lmit"}},
		{"beside unknown fields", "POST", "/things?dry_run=true", `{"name":"a","naem":1}`, 201, `{"id":"t_1","name":"a","note":null}`, [2]string{"X-Svc-Ignored-Fields", "dry_run, naem"}},
		{"unknown fields of a record or null are named", "PATCH", "/things/t_2", `{"size":{"width":1,"depth":2}}`, 200, `{"id":"t_2","name":"before","note":"old"}`, [2]string{"X-Svc-Ignored-Fields", "size.depth"}},
		{"a record that may be null has its bounds", "PATCH", "/things/t_2", `{"size":{"width":-1}}`, 422, `{"error":{"code":"validation_failed","message":"Some fields are not valid.","details":{"size.width":"must be at least 0"}}}`, [2]string{}},
		{"a record is null", "PATCH", "/things/t_2", `{"size":null}`, 200, `{"id":"t_2","name":"before","note":"old"}`, [2]string{}},
		{"null is refused where a value must be", "PATCH", "/things/t_2", `{"name":null}`, 422, `{"error":{"code":"validation_failed","message":"Some fields are not valid.","details":{"name":"may not be null; leave it out to keep it as it is"}}}`, [2]string{}},
		{"a list without rows", "GET", "/things", ``, 200, `{"data":[],"total":7,"limit":50,"offset":0,"next_cursor":null}`, [2]string{}},
		{"a page too large", "GET", "/things?limit=501", ``, 422, `{"error":{"code":"validation_failed","message":"Some fields are not valid.","details":{"limit":"must be at most 500"}}}`, [2]string{}},
		{"deleted", "DELETE", "/things/t_2", ``, 204, ``, [2]string{}},
		{"a refusal with a wait", "GET", "/busy", ``, 429, `{"error":{"code":"busy","message":"Busy."}}`, [2]string{"Retry-After", "2"}},
		{"an unknown error is ours", "GET", "/broken", ``, 500, `{"error":{"code":"internal_error","message":"Something failed on our side; reading may be tried again."}}`, [2]string{}},
		{"an export", "GET", "/export", ``, 200, "a,b", [2]string{"Content-Disposition", `attachment; filename="things.csv"`}},
		{"made", "POST", "/maybe", ``, 201, `{"id":"t_3","name":"a<b","note":null}`, [2]string{"Content-Type", "application/json; charset=utf-8"}},
		{"not made", "POST", "/maybe?dry=true", ``, 200, `{"id":"t_3","name":"a<b","note":null}`, [2]string{"Content-Type", "application/json; charset=utf-8"}},
		{"a redirect", "GET", "/away", ``, 302, ``, [2]string{"Location", "/elsewhere?a=b"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h, _ := serve(owner)
			w := httptest.NewRecorder()
			r := httptest.NewRequest(tt.method, tt.path, strings.NewReader(tt.body))
			h.ServeHTTP(w, r)
			if got := strings.TrimSpace(w.Body.String()); w.Code != tt.status || got != tt.want {
				t.Errorf("got %d %s\nwant %d %s", w.Code, got, tt.status, tt.want)
			}
			if name, want := tt.header[0], tt.header[1]; w.Header().Get(name) != want {
				t.Errorf("%s: got %q, want %q", name, w.Header().Get(name), want)
			}
		})
	}
}

func TestDocument(t *testing.T) {
	_, a := serve(owner)
	data, err := json.Marshal(a.OpenAPI())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"x-svc-permission":"recipients:manage"`, `"operationId":"things.create"`, `"x-svc-errors":["busy","internal_error","rate_limited","timeout"]`,
		`"type":["string","null"]`, `"openapi":"3.1.0"`,
	} {
		if !strings.Contains(string(data), want) {
			t.Errorf("the document does not contain %s", want)
		}
	}
}

func TestDocumentOfWhatIsNoBody(t *testing.T) {
	_, a := serve(owner)
	paths := a.OpenAPI().Paths
	for _, status := range []string{"200", "201"} {
		if r := paths["/maybe"].Post.Responses[status]; r == nil || r.Content["application/json"] == nil || r.Content["application/json"].Schema.Ref == "" {
			t.Errorf("%s of an answer with two statuses: %+v", status, r)
		}
	}
	if content := paths["/page"].Get.Responses["200"].Content; len(content) != 1 || content["text/html"] == nil {
		t.Errorf("a page is described as %v", content)
	}
	if content := paths["/export"].Get.Responses["200"].Content; len(content) != 1 || content["text/plain"] == nil {
		t.Errorf("a text is described as %v", content)
	}
}

type hidden struct {
	ID string `path:"id"`
}

// A field that huma does not see would be empty, whatever the client sent.
func TestNothingEmbeddedIsLost(t *testing.T) {
	type in struct{ hidden }
	type row struct{ hidden }
	for name, make := range map[string]func(){
		"in a request": func() {
			api.E("GET /x/{id}", "x.get", perm.Public, "Get.", func(*api.Call, in) (thing, error) { return thing{}, nil })
		},
		"in the rows of an answer": func() {
			api.E("GET /x", "x.list", perm.Public, "List.", func(*api.Call, struct{}) (api.Page[*row], error) { return api.Page[*row]{}, nil })
		},
		"in an answer that may be a text": func() {
			api.E("GET /x", "x.list", perm.Public, "List.", func(*api.Call, struct{}) (api.Either[row], error) { return api.Either[row]{}, nil })
		},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("nobody was told")
				}
			}()
			make()
		})
	}
}
