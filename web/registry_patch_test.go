package web_test

import (
	"log/slog"
	"net/http"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"svc/web/apiv1"
)

// TestPatchTakesParts: no key of the body of a PATCH is required, nor of an object within
// it, so that any part may be sent (contract 21.2). What stands in an array is
// whole, because arrays are replaced.
func TestPatchTakesParts(t *testing.T) {
	a := openApp(t)
	list := a.Endpoints()
	doc := apiv1.New(apiv1.Config{DB: a.DB, Endpoints: list, Log: slog.New(slog.DiscardHandler)}).Document()
	found := 0
	for i := range list {
		e := &list[i]
		if e.Method != http.MethodPatch {
			continue
		}
		found++
		body := doc.Paths[e.Path].Patch.RequestBody.Content["application/json"].Schema
		for _, field := range requiredKeys(doc.Components.Schemas, body, "") {
			if e.ID != "members.update" { // a member has a role and nothing else to change
				t.Errorf("%s requires %s", e.ID, field)
			}
		}
	}
	if found < 12 {
		t.Errorf("only %d operations are a PATCH", found)
	}
}

// requiredKeys are the keys that an object, or one within it, cannot do without.
func requiredKeys(known huma.Registry, s *huma.Schema, at string) (out []string) {
	if s = deref(known, s); s == nil {
		return nil
	}
	for _, name := range s.Required {
		out = append(out, at+name)
	}
	for name, field := range s.Properties {
		out = append(out, requiredKeys(known, field, at+name+".")...)
	}
	for _, choice := range s.AnyOf {
		out = append(out, requiredKeys(known, choice, at)...)
	}
	return out
}
