package store

import (
	"fmt"

	"svc/store/internal/record"
)

// Encoded is a record that is ready to be saved: its JSON, and what its indexes,
// counts and sets keep of it. All of that depends on the record alone, so it can be
// made outside a transaction, while another one is under way.
type Encoded[T any] record.Encoded

// Encode makes a record ready for InsertEncoded. Later changes of the record are not
// in it. It refuses a table with sealed fields: they are sealed in the transaction
// that saves them (SealedField.Set).
func (t *Table[T]) Encode(rec *T) (*Encoded[T], error) {
	if t.core.seals() {
		return nil, fmt.Errorf("table %s: its records have secrets and are encoded where they are saved", t.core.Name)
	}
	e, err := t.core.Encode(rec)
	return (*Encoded[T])(e), err
}

// InsertEncoded is Insert of a record that Encode made ready. It may be saved in
// several organizations, and again when a closure runs again.
func (t *Table[T]) InsertEncoded(tx *Tx, org string, e *Encoded[T]) error {
	o, err := t.core.at(tx, org)
	if err != nil {
		return err
	}
	return t.core.SaveEncoded(&tx.buf, o, (*record.Encoded)(e), record.Insert)
}
