package api

import (
	"bytes"
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// isObject says whether JSON writes a T as an object whose keys are fields or entries.
func isObject[T any]() bool {
	t := reflect.TypeFor[T]()
	if k := t.Kind(); k != reflect.Struct && k != reflect.Map {
		return false
	}
	own := []reflect.Type{reflect.TypeFor[json.Unmarshaler](), reflect.TypeFor[encoding.TextUnmarshaler]()} // as times have
	return !slices.ContainsFunc(own, reflect.PointerTo(t).Implements)
}

// objectIn keeps what was sent of an object; nil for other values.
func objectIn[T any](data []byte) []byte {
	if !isObject[T]() {
		return nil
	}
	return bytes.Clone(data)
}

// partialSchema is the schema of a T of which any part may be sent: that of T when no key
// is required, else one beside it whose name ends in Part.
func partialSchema[T any](r huma.Registry) *huma.Schema {
	t := reflect.TypeFor[T]()
	whole := r.Schema(t, true, "")
	if !isObject[T]() || t.Kind() == reflect.Map || len(r.SchemaFromRef(whole.Ref).Required) == 0 {
		return whole
	}
	ref := whole.Ref + "Part"
	name := ref[strings.LastIndex(ref, "/")+1:]
	if r.Map()[name] == nil {
		s := huma.SchemaFromType(r, t)
		s.Required = nil
		s.PrecomputeMessages()
		r.Map()[name] = s
	}
	return &huma.Schema{Ref: ref}
}

// merged is before with what was sent of it (RFC 7396); the value that was sent when it
// is no object.
func merged[T any](before, sent T, raw []byte) (out T) {
	if raw == nil || isNull(raw) {
		return sent
	}
	old, err := json.Marshal(before)
	if err != nil {
		return sent
	}
	data, err := json.Marshal(mergePatch(numbersKept(old), numbersKept(raw)))
	if err != nil || json.Unmarshal(data, &out) != nil {
		return sent
	}
	return out
}

// numbersKept reads JSON without making large whole numbers inexact.
func numbersKept(data []byte) (v any) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

// mergePatch changes the keys of an object that patch has: null removes one, an object
// is merged, anything else replaces.
func mergePatch(to, patch any) any {
	changes, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	out, ok := to.(map[string]any)
	if !ok {
		out = map[string]any{}
	}
	for key, value := range changes {
		if value == nil {
			delete(out, key)
			continue
		}
		out[key] = mergePatch(out[key], value)
	}
	return out
}
