package api_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/api/schema"
)

// upload is a form with each kind of field.
type upload struct {
	File  *api.File         `json:"file" required:"true" nullable:"false" doc:"The file."`
	Dry   bool              `json:"dry"`
	Title string            `json:"title"`
	Tags  []string          `json:"tags"`
	Names map[string]string `json:"names"`
}

// batch is the same as JSON.
type batch struct {
	Count int64 `json:"count"`
	Inner struct {
		Rate float64 `json:"rate"`
	} `json:"inner"`
}

// uploads serves an operation that reads its body itself, and answers what it read.
func uploads() (http.Handler, func() []byte) {
	mux := http.NewServeMux()
	a := humago.New(mux, api.Config())
	api.Mount(a, admitting(owner), []api.Endpoint{
		api.E("POST /uploads", "uploads.create", perm.RecipientsManage, "Upload.", func(c *api.Call, in api.FormOrJSONIn[upload, batch]) (map[string]any, error) {
			if in.MediaType() == "application/json" {
				b, err := in.ReadJSON(c)
				return map[string]any{"batch": b}, err
			}
			f, err := in.ReadForm(c)
			if err != nil {
				return nil, err
			}
			name := ""
			if f.File != nil {
				name = f.File.Name + "=" + string(f.File.Content)
			}
			return map[string]any{"file": name, "dry": f.Dry, "title": f.Title, "tags": f.Tags, "names": f.Names}, nil
		}),
		api.E("POST /counted", "counted.create", perm.RecipientsManage, "Count.", func(_ *api.Call, in struct{ Body batch }) (batch, error) { return in.Body, nil }),
	})
	return mux, func() []byte {
		data, err := schema.Document(a.OpenAPI())
		if err != nil {
			panic(err)
		}
		return data
	}
}

// formOf is a form of fields in that order, name and text in turn, and a file.
func formOf(t *testing.T, fields ...string) (body, contentType string) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	f, err := w.CreateFormFile("file", "a.csv")
	if err == nil {
		_, err = f.Write([]byte("x"))
	}
	for i := 0; i+1 < len(fields) && err == nil; i += 2 {
		err = w.WriteField(fields[i], fields[i+1])
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String(), w.FormDataContentType()
}

func TestForms(t *testing.T) {
	h, _ := uploads()
	const empty = `{"dry":false,"file":"a.csv=x","names":null,"tags":null,"title":""}`
	for _, tt := range []struct {
		name, want, ignored string
		fields              []string
	}{
		{"a file alone", empty, "", nil},
		{"everything", `{"dry":true,"file":"a.csv=x","names":{"A":"b"},"tags":["x","y"],"title":"A \"b\""}`, "", []string{
			"dry", "on", "title", `A "b"`, "names", `{"A":"b"}`, "tags", "x", "tags", "y"}},
		{"empty fields say nothing", empty, "", []string{"dry", "", "title", "", "names", ""}},
		{"the last counts", `{"dry":false,"file":"a.csv=x","names":null,"tags":null,"title":"b"}`, "", []string{"title", "a", "title", "b", "dry", "0"}},
		{"unknown fields are named", empty, "tilte, zzz", []string{"zzz", "1", "tilte", "x", "zzz", "2"}},
		{"no truth", `{"error":{"code":"validation_failed","message":"Some fields are not valid.","details":{"dry":"must be true or false"}}}`, "", []string{"dry", "maybe"}},
		{"no object", `{"error":{"code":"validation_failed","message":"Some fields are not valid.","details":{"names":"must be an object"}}}`, "", []string{"names", "[]"}},
		{"an object of numbers", `{"error":{"code":"validation_failed","message":"Some fields are not valid.","details":{"names":"must be a text"}}}`, "", []string{"names", `{"a":1}`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			body, contentType := formOf(t, tt.fields...)
			got := send(h, "/uploads", body, contentType)
			if s := strings.TrimSpace(got.Body.String()); s != tt.want || got.Header().Get("X-Svc-Ignored-Fields") != tt.ignored {
				t.Errorf("got  %d %s, ignored %q\nwant %s, ignored %q", got.Code, s, got.Header().Get("X-Svc-Ignored-Fields"), tt.want, tt.ignored)
			}
		})
	}
}

// A value of another type is told by its field and in our words, whoever reads the
// body: a number that the schema allows and no record can hold too.
func TestValuesOfAnotherType(t *testing.T) {
	h, _ := uploads()
	for _, path := range []string{"/uploads", "/counted"} {
		for body, want := range map[string]string{
			`{"count":1e3}`:                  `{"count":"must be a whole number, written with digits only"}`,
			`{"count":1e30}`:                 `{"count":"must be a whole number, written with digits only"}`,
			`{"count":99999999999999999999}`: `{"count":"is a number out of range"}`,
			`{"count":"7"}`:                  `{"count":"must be a whole number"}`,
			`{"inner":7}`:                    `{"inner":"must be an object"}`,
			`{"inner":{"rate":"x"}}`:         `{"inner.rate":"must be a number"}`,
		} {
			got := send(h, path, body, "application/json")
			if s := strings.TrimSpace(got.Body.String()); got.Code != 422 || !strings.Contains(s, `"details":`+want+"}") {
				t.Errorf("%s %s: %d %s\nwant %s", path, body, got.Code, s, want)
			}
		}
		if got := send(h, path, `{"inner":{"rate":1e400}}`, "application/json"); got.Code != 422 || !strings.Contains(got.Body.String(), "holds a number that is too large") {
			t.Errorf("%s with a number too large: %d %s", path, got.Code, got.Body)
		}
		for _, body := range []string{"{", `{"count":1} 2`, ""} {
			if got := send(h, path, body, "application/json"); got.Code != 400 || !strings.Contains(got.Body.String(), "invalid_json") {
				t.Errorf("%s %s: %d %s", path, body, got.Code, got.Body)
			}
		}
		if got := send(h, path, `{"count":3,"cuont":4}`, "application/json"); got.Code != 200 || got.Header().Get("X-Svc-Ignored-Fields") != "cuont" {
			t.Errorf("%s: %d, ignored %q", path, got.Code, got.Header().Get("X-Svc-Ignored-Fields"))
		}
	}
}

func TestUploadsInTheDocument(t *testing.T) {
	_, document := uploads()
	var doc struct {
		Paths map[string]map[string]struct {
			Parameters  []any
			RequestBody struct {
				Content map[string]struct {
					Schema struct {
						Ref string `json:"$ref"`
					}
					Example map[string]any
				}
			}
		}
		Components struct {
			Schemas map[string]struct {
				Required   []string
				Properties map[string]struct {
					Type   any
					Format string
				}
			}
		}
	}
	if err := json.Unmarshal(document(), &doc); err != nil {
		t.Fatal(err)
	}
	op := doc.Paths["/uploads"]["post"]
	content := op.RequestBody.Content
	if kinds := slices.Sorted(maps.Keys(content)); !slices.Equal(kinds, []string{"application/json", "multipart/form-data"}) {
		t.Fatalf("the body may be %v", kinds)
	}
	form := doc.Components.Schemas[strings.TrimPrefix(content["multipart/form-data"].Schema.Ref, "#/components/schemas/")]
	if f := form.Properties["file"]; f.Type != "string" || f.Format != "binary" || !slices.Contains(form.Required, "file") {
		t.Errorf("the file is described as %+v, required are %v", f, form.Required)
	}
	if form.Properties["dry"].Type != "boolean" || len(form.Properties) != 5 {
		t.Errorf("the fields of the form: %+v", form.Properties)
	}
	for kind, m := range content {
		if len(m.Example) == 0 {
			t.Errorf("%s has no example", kind)
		}
	}
	if len(op.Parameters) != 0 {
		t.Errorf("parameters that nobody should set: %v", op.Parameters)
	}
}

func send(h http.Handler, path, body, contentType string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
	r.Header.Set("Content-Type", contentType)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}
