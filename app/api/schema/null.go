package schema

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// Document writes the description of what is mounted. It says of every field that
// may be null that it may: huma says so of single values only, not of records, maps
// and lists of values, because it reads requests by the same schemas.
func Document(o *huma.OpenAPI) ([]byte, error) {
	data, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	var doc map[string]any
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, err
	}
	components, _ := doc["components"].(map[string]any)
	schemas, _ := components["schemas"].(map[string]any)
	for name, schema := range schemas {
		t := o.Components.Schemas.TypeFromRef("#/components/schemas/" + name)
		properties, _ := schema.(map[string]any)["properties"].(map[string]any)
		for _, field := range nullFields(t) {
			if p, ok := properties[field].(map[string]any); ok {
				properties[field] = orNull(p)
			}
		}
	}
	return json.Marshal(doc)
}

// Nullable is a type of fields that may be null in JSON though it is no pointer.
type Nullable interface{ MayBeNull() }

var nullable = reflect.TypeFor[Nullable]()

// nullFields are the names of the fields of a struct that JSON may show as null; a
// field that says nullable:"false" never is.
func nullFields(t reflect.Type) (out []string) {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil || t.Kind() != reflect.Struct {
		return nil
	}
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		kind := f.Type.Kind()
		if !f.IsExported() || f.Anonymous || name == "" || name == "-" {
			continue
		}
		pointing := kind == reflect.Pointer || kind == reflect.Map || kind == reflect.Slice
		if f.Type.Implements(nullable) || pointing && !strings.Contains(options, "omit") && f.Tag.Get("nullable") != "false" {
			out = append(out, name)
		}
	}
	return out
}

// orNull is a schema that null passes too.
func orNull(schema map[string]any) map[string]any {
	if ref, ok := schema["$ref"]; ok {
		out := map[string]any{"anyOf": []any{map[string]any{"$ref": ref}, map[string]any{"type": "null"}}}
		if description, ok := schema["description"]; ok {
			out["description"] = description
		}
		return out
	}
	if choices, ok := schema["anyOf"].([]any); ok {
		schema["anyOf"] = append(choices, map[string]any{"type": "null"})
	}
	switch t := schema["type"].(type) {
	case string:
		schema["type"] = []any{t, "null"}
	case []any:
		if !slices.Contains(t, any("null")) {
			schema["type"] = append(t, "null")
		}
	}
	if values, ok := schema["enum"].([]any); ok && !slices.Contains(values, nil) {
		schema["enum"] = append(values, nil)
	}
	return schema
}
