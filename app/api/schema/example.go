package schema

import (
	"maps"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// textExamples are examples of what is no JSON. Only the media type says what it holds.
var textExamples = map[string]string{
	"text/plain":        "Hello, Olga!",
	"text/csv":          "id,first_name\nrcp_" + exampleID + ",Olga\n",
	"text/html":         "<!doctype html><html lang=\"uz\"><title>svc</title><p>Salom!</p></html>",
	"text/event-stream": "id: evt_" + exampleID + "\nevent: campaign.completed\ndata: {\"id\":\"evt_" + exampleID + "\",\"type\":\"campaign.completed\"}\n\n",
	"*/*":               "Non - 5000 so'm\n",
}

// Exemplify gives each body of a message an example, unless it has one; about is what its ids
// name (ThingOf).
func Exemplify(r huma.Registry, content map[string]*huma.MediaType, about string) {
	for kind, m := range content {
		switch text := textExamples[kind]; {
		case m.Schema == nil || m.Example != nil || m.Examples != nil:
		case kind == "application/json", kind == "multipart/form-data":
			m.Example = example(r, m.Schema, "", about, 0)
		case text != "":
			m.Example = text
		}
	}
}

// maxDepth bounds an example of a schema that holds itself.
const maxDepth = 6

// example is a value that the schema of a field with that name allows, in an object about a
// thing.
func example(r huma.Registry, s *huma.Schema, field, about string, depth int) any {
	if s.Ref != "" {
		s = r.SchemaFromRef(s.Ref)
	}
	switch {
	case s == nil || depth > maxDepth:
		return nil
	case len(s.Examples) > 0:
		return s.Examples[0]
	case s.Default != nil:
		return s.Default
	case len(s.Enum) > 0:
		return s.Enum[0]
	case len(s.AnyOf) > 0:
		return example(r, s.AnyOf[0], field, about, depth)
	case len(s.OneOf) > 0:
		return example(r, s.OneOf[0], field, about, depth)
	}
	switch s.Type {
	case huma.TypeObject:
		if field != "" && field != "data" {
			about = field
		}
		return exampleObject(r, s, about, depth)
	case huma.TypeArray:
		if s.Items == nil {
			return []any{}
		}
		return []any{example(r, s.Items, singular(field), about, depth+1)}
	case huma.TypeBoolean:
		return false
	case huma.TypeInteger, huma.TypeNumber:
		return exampleNumber(s)
	case huma.TypeString:
		return exampleText(s, field, about)
	}
	return nil
}

func exampleObject(r huma.Registry, s *huma.Schema, about string, depth int) any {
	out := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		out[name] = example(r, s.Properties[name], name, about, depth+1)
	}
	return out
}

func exampleNumber(s *huma.Schema) any {
	n := 0.0
	switch {
	case s.Minimum != nil:
		n = *s.Minimum
	case s.ExclusiveMinimum != nil:
		n = *s.ExclusiveMinimum + 1
	}
	if s.Type == huma.TypeInteger {
		return int64(n)
	}
	return n
}

// exampleText is a text by its format, else by the name of its field; an id of the object
// names what that is about.
func exampleText(s *huma.Schema, field, about string) any {
	switch s.Format {
	case "date-time":
		return "2026-05-01T10:00:00Z"
	case "date":
		return "2026-05-01"
	case "email":
		return "olga@example.uz"
	case "uri":
		return "https://example.uz"
	}
	text := map[string]string{
		"email": "olga@example.uz", "name": "Olga", "first_name": "Olga", "last_name": "Karimova", "url": "https://example.uz/hook",
		"timezone": "Asia/Tashkent", "username": "olga_k", "language": "uz", "code": "123456", "ip": "192.0.2.1", "description": "For the shop",
		"organization_name": "Acme", "password": "correct horse battery", "title": "Acme", "text": "Hello, {{first_name}}!",
	}[field]
	switch {
	case text != "":
	case field == "id":
		text = idOf(about)
	case strings.HasSuffix(field, "_id"):
		text = idOf(strings.TrimSuffix(field, "_id"))
	default:
		text = "text"
	}
	for s.MinLength != nil && len(text) < *s.MinLength {
		text += "x"
	}
	if s.MaxLength != nil && len(text) > *s.MaxLength {
		text = text[:*s.MaxLength]
	}
	return text
}
