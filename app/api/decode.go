package api

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2/validation"
)

// decode reads JSON into a record of ours. The error is invalid_json, or
// validation_failed for a field that has a value of another type.
func decode(data []byte, v any) error {
	err := json.Unmarshal(data, v)
	if err == nil {
		return nil
	}
	if field, sentence, ok := mistyped(err, v); ok {
		return Wrong(field, "%s", sentence)
	}
	return ErrInvalidJSON.WithCause(err)
}

// mistypedPrefix begins the text of an error about one field on its way through huma,
// which hands on the texts of errors only.
const mistypedPrefix = "mistyped "

// unmarshal is json.Unmarshal for huma: what it cannot put into a record it says in
// our words, with the field.
func unmarshal(data []byte, v any) error {
	err := json.Unmarshal(data, v)
	if field, sentence, ok := mistyped(err, v); ok {
		return errors.New(mistypedPrefix + field + " " + sentence)
	}
	return err
}

// mistypedField reads the text of such an error.
func mistypedField(text string) (field, sentence string, ok bool) {
	rest, ok := strings.CutPrefix(text, mistypedPrefix)
	if !ok {
		return "", "", false
	}
	return strings.Cut(rest, " ")
}

// mistyped says which field of v has a value of another type, and what it must be.
func mistyped(err error, v any) (field, sentence string, ok bool) {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) {
		return "", "", false
	}
	field = asWritten(reflect.TypeOf(v), wrong.Field)
	if field == "" {
		field = "body"
	}
	return field, mustBe(wrong), true
}

// asWritten is the path of a field as the caller wrote it: the one of the decoder goes
// through structs that are embedded, which nobody sees.
func asWritten(t reflect.Type, path string) string {
	var out []string
	for part := range strings.SplitSeq(path, ".") {
		for t != nil && (t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map) {
			t = t.Elem()
		}
		if t == nil || t.Kind() != reflect.Struct {
			out, t = append(out, part), nil
			continue
		}
		if f, ok := t.FieldByName(part); ok && f.Anonymous && f.Tag.Get("json") == "" {
			t = f.Type
			continue
		}
		out, t = append(out, part), jsonFields(t)[part]
	}
	return strings.Join(out, ".")
}

// mustBe is what a value must be that is something else.
func mustBe(wrong *json.UnmarshalTypeError) string {
	t := wrong.Type
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if x, ok := reflect.Zero(t).Interface().(interface{ MustBe() string }); ok { // it reads JSON itself
		return x.MustBe()
	}
	number, isNumber := strings.CutPrefix(wrong.Value, "number ")
	switch t.Kind() {
	case reflect.Bool:
		return validation.MsgExpectedBoolean
	case reflect.String:
		return validation.MsgExpectedString
	case reflect.Slice, reflect.Array:
		return validation.MsgExpectedArray
	case reflect.Map, reflect.Struct:
		return validation.MsgExpectedObject
	case reflect.Float32, reflect.Float64:
		if isNumber {
			return "holds a number that is too large"
		}
		return validation.MsgExpectedNumber
	}
	switch {
	case isNumber && strings.ContainsAny(number, ".eE"):
		return "must be a whole number, written with digits only"
	case isNumber:
		return "is a number out of range"
	}
	return validation.MsgExpectedInteger
}
