package schema

import (
	"reflect"
	"slices"
)

// Unread finds a struct within t that embeds an unexported one: huma leaves its
// fields out of requests, checks and the description, without a word. "" for none.
// Fields of types of the package own that are not exported count too: they hold what is sent.
func Unread(t reflect.Type, own string) (at string) { return unread(t, own, nil) }

func unread(t reflect.Type, own string, above []reflect.Type) (at string) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return unread(t.Elem(), own, above)
	case reflect.Struct:
	default:
		return ""
	}
	if slices.Contains(above, t) {
		return ""
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous && !f.IsExported() {
			return t.String()
		}
		if !f.IsExported() && t.PkgPath() != own {
			continue // not sent; our own answers hold theirs so
		}
		if at := unread(f.Type, own, append(slices.Clip(above), t)); at != "" {
			return at
		}
	}
	return ""
}
