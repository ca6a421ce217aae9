package api

import (
	"maps"
	"slices"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"svc/app/api/schema"
)

// addExamples gives every body of the document an example, made from its schema:
// a value that a field names itself, else one of its kind. That of a refusal is one
// that the operation can give.
func addExamples(a huma.API, endpoints []Endpoint) {
	doc := a.OpenAPI()
	for i := range endpoints {
		e := &endpoints[i]
		op := operation(doc.Paths[e.Path], e.Method)
		if op == nil {
			continue
		}
		if op.RequestBody != nil {
			schema.Exemplify(doc.Components.Schemas, op.RequestBody.Content, schema.ThingOf(e.Path))
		}
		for status, answer := range op.Responses {
			code, err := strconv.Atoi(status)
			if refusal := answer.Content[plainJSON]; err == nil && code >= int(Malformed) && refusal != nil {
				refusal.Example = e.exampleOf(code, fieldOf(doc.Components.Schemas, op))
			}
			schema.Exemplify(doc.Components.Schemas, answer.Content, schema.ThingOf(e.Path))
		}
	}
}

// operation is that of a method.
func operation(item *huma.PathItem, method string) *huma.Operation {
	if item == nil {
		return nil
	}
	return map[string]*huma.Operation{get: item.Get, post: item.Post, "PATCH": item.Patch, "PUT": item.Put, "DELETE": item.Delete}[method]
}

// fieldOf is the name of a field of the request, "Idempotency-Key" when it has none
// of its own.
func fieldOf(r huma.Registry, op *huma.Operation) string {
	if op.RequestBody != nil {
		for _, kind := range []string{plainJSON, formType} {
			if m := op.RequestBody.Content[kind]; m != nil {
				s := m.Schema
				if s.Ref != "" {
					s = r.SchemaFromRef(s.Ref)
				}
				if names := slices.Sorted(maps.Keys(s.Properties)); len(names) > 0 {
					return names[0]
				}
			}
		}
	}
	for _, where := range []string{"query", "path"} {
		for _, p := range op.Parameters {
			if p.In == where {
				return p.Name
			}
		}
	}
	return "Idempotency-Key"
}
