package schema_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/google/go-cmp/cmp"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/api/schema"
)

type nullable struct {
	Record *struct {
		A int `json:"a"`
	} `json:"record"`
	Kind   *string        `json:"kind" enum:"A,B"`
	Values map[string]int `json:"values"`
	Absent *string        `json:"absent,omitempty" enum:"A,B"`
	Plain  string         `json:"plain" enum:"A,B"`
}

// TestDocumentSaysWhatMayBeNull: an answer with null where the types allow it is
// inside the document; nothing else is allowed null.
func TestDocumentSaysWhatMayBeNull(t *testing.T) {
	a := humago.New(http.NewServeMux(), api.Config())
	read := func(*api.Call, struct{}) (nullable, error) { return nullable{}, nil }
	guard := func(*api.Endpoint) func(huma.Context, func(huma.Context)) {
		return func(ctx huma.Context, next func(huma.Context)) { next(ctx) }
	}
	api.Mount(a, guard, []api.Endpoint{api.E("GET /x", "x.get", perm.Public, "Read x.", read)})
	data, err := schema.Document(a.OpenAPI())
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Components struct {
			Schemas map[string]struct{ Properties map[string]any }
		}
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	got := map[string]any{}
	for _, s := range doc.Components.Schemas {
		if s.Properties["record"] != nil {
			got = s.Properties
		}
	}
	for name, want := range map[string]any{"kind": []any{"A", "B", nil}, "absent": []any{"A", "B"}, "plain": []any{"A", "B"}} {
		if p, _ := got[name].(map[string]any); cmp.Diff(want, p["enum"]) != "" {
			t.Errorf("%s has the values %v, want %v", name, p["enum"], want)
		}
	}
	record, _ := got["record"].(map[string]any)
	values, _ := got["values"].(map[string]any)
	if choices, _ := record["anyOf"].([]any); len(choices) != 2 || cmp.Diff([]any{"object", "null"}, values["type"]) != "" {
		t.Errorf("record %v, values %v", record, values)
	}
}
