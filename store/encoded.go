package store

import (
	"fmt"

	json "github.com/go-json-experiment/json/v1"

	"svc/store/internal/index"
)

// Encoded is a record that is ready to be saved: its JSON, and what its indexes,
// counts and sets keep of it. All of that depends on the record alone, so it can be
// made outside a transaction, while another one is under way.
type Encoded[T any] struct {
	id      []byte
	json    []byte
	entries []index.Entries
}

// Encode makes a record ready for InsertEncoded. Later changes of the record are not
// in it. It refuses a table with sealed fields: they are sealed in the transaction
// that saves them (SealedField.Set).
func (t *Table[T]) Encode(rec *T) (*Encoded[T], error) {
	if t.seals() {
		return nil, fmt.Errorf("table %s: its records have secrets and are encoded where they are saved", t.core.Name)
	}
	return t.encode(rec)
}

func (t *Table[T]) encode(rec *T) (*Encoded[T], error) {
	id, ok := t.core.IDBytes(t.id(rec))
	if !ok {
		return nil, t.badID(rec)
	}
	b, err := json.Marshal(rec)
	if err != nil {
		return nil, fmt.Errorf("table %s: a record does not encode: %w", t.core.Name, err)
	}
	return &Encoded[T]{id: id, json: b, entries: t.indexEntries(rec)}, nil
}

// InsertEncoded is Insert of a record that Encode made ready. It may be saved in
// several organizations, and again when a closure runs again.
func (t *Table[T]) InsertEncoded(tx *Tx, org string, e *Encoded[T]) error {
	return t.saveEncoded(tx, org, e, insert)
}
