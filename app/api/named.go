package api

import (
	"slices"

	"svc/store"
)

// Named is another record that a row names, for people who read the row (contract 21.2).
type Named struct {
	ID   string  `json:"id"`
	Name *string `json:"name" doc:"null when it is gone, has no name, or the caller may not read it." example:"Olga Karimova"`
}

// NameOf is a record with its name among names; nil for no id.
func NameOf(id string, names map[string]string) *Named {
	if id == "" {
		return nil
	}
	return &Named{ID: id, Name: Optional(names[id])}
}

// Names reads the names of the records of a table in one go: an id that none has, or
// that is empty, has no name.
func Names[T any](tx *store.Tx, org string, t *store.Table[T], ids []string, name func(*T) string) (map[string]string, error) {
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	ids = slices.DeleteFunc(ids, func(id string) bool { return id == "" })
	found, err := t.GetMany(tx, org, ids)
	if err != nil {
		return nil, err
	}
	out := make(map[string]string, len(ids))
	for i, rec := range found {
		if rec != nil {
			out[ids[i]] = name(rec)
		}
	}
	return out, nil
}
