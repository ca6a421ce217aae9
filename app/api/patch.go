package api

import (
	"bytes"
	"encoding/json"
	"reflect"

	"github.com/danielgtaylor/huma/v2"
)

// Patch is a field of a PATCH body that may be absent, which leaves the record
// as it is. A null is refused, for fields that always have a value. An object is merged
// into what is there (contract 21.2): see Apply.
type Patch[T any] struct {
	Set   bool
	Value T
	null  bool
	raw   []byte // as it was sent, of an object
}

// UnmarshalJSON reads a field that is there.
func (p *Patch[T]) UnmarshalJSON(data []byte) error {
	p.Set, p.null, p.raw = true, isNull(data), objectIn[T](data)
	return json.Unmarshal(data, &p.Value)
}

// Resolve refuses a null.
func (p *Patch[T]) Resolve(_ huma.Context, at *huma.PathBuffer) []error {
	if !p.null {
		return nil
	}
	return []error{&huma.ErrorDetail{Location: at.String(), Message: "may not be null; leave it out to keep it as it is"}}
}

// MarshalJSON writes the value; an absent one is null.
func (p Patch[T]) MarshalJSON() ([]byte, error) {
	if !p.Set {
		return []byte("null"), nil
	}
	return json.Marshal(p.Value)
}

// Apply writes the value to where it belongs, when the field is there, and says
// whether that changes anything. Of an object only the keys that were sent change: null
// removes one, objects within are merged, lists replaced. Check the whole afterwards as
// when it is created.
func (p Patch[T]) Apply(to *T) bool {
	if !p.Set {
		return false
	}
	after := merged(*to, p.Value, p.raw)
	if reflect.DeepEqual(*to, after) {
		return false
	}
	*to = after
	return true
}

// Schema is that of the value; no key of an object is required.
func (Patch[T]) Schema(r huma.Registry) *huma.Schema { return partialSchema[T](r) }

// PatchNull is a field of a PATCH body that may be absent, which leaves the
// record as it is, or null, which clears it (contract 1.2).
type PatchNull[T any] struct {
	Set   bool
	Value *T     // nil: clear
	raw   []byte // as it was sent, of an object
}

// UnmarshalJSON reads a field that is there.
func (p *PatchNull[T]) UnmarshalJSON(data []byte) error {
	p.Set, p.Value, p.raw = true, nil, objectIn[T](data)
	if isNull(data) {
		return nil
	}
	return json.Unmarshal(data, &p.Value)
}

// MarshalJSON writes the value; an absent one is null.
func (p PatchNull[T]) MarshalJSON() ([]byte, error) { return json.Marshal(p.Value) }

// Apply writes the value, or nil, to where it belongs when the field is there,
// and says whether that changes anything. An object is merged as Patch.Apply does.
func (p PatchNull[T]) Apply(to **T) bool {
	if !p.Set {
		return false
	}
	after := p.Value
	if after != nil && *to != nil {
		whole := merged(**to, *p.Value, p.raw)
		after = &whole
	}
	if reflect.DeepEqual(*to, after) {
		return false
	}
	*to = after
	return true
}

// Schema is that of the value; no key of an object is required. It does not say that null
// passes: a null in place of a field that is not required always does, and package schema
// tells readers of it.
func (PatchNull[T]) Schema(r huma.Registry) *huma.Schema { return partialSchema[T](r) }

// MayBeNull implements schema.Nullable.
func (PatchNull[T]) MayBeNull() {}

func isNull(data []byte) bool { return bytes.Equal(bytes.TrimSpace(data), []byte("null")) }
