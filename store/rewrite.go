package store

import (
	"bytes"
	"encoding/json"

	"svc/store/internal/index"
	"svc/store/internal/layout"
)

// Rewrite is the step of a migration that changes the stored form of the records
// of a table, whatever their organization: the function is given the JSON of each
// and answers the new one, or nil to leave it. Indexes are not touched: give those
// whose values change a new Version, so that they are built anew afterwards.
func (t *Table[T]) Rewrite(change func(old json.RawMessage) (json.RawMessage, error)) func(tx *Tx, after []byte) ([]byte, error) {
	return func(tx *Tx, after []byte) (next []byte, err error) {
		return index.Rewrite(&tx.buf, t.core.layout(), after, change)
	}
}

// Replace is a change for Rewrite: wherever the stored JSON of a record has old, it has new
// afterwards. Give the name of the member with its value, as in `"id":"old_`: a text that
// somebody wrote cannot match, because its quotes are stored with a backslash.
func Replace(old, new string) func(json.RawMessage) (json.RawMessage, error) {
	return func(record json.RawMessage) (json.RawMessage, error) {
		if !bytes.Contains(record, []byte(old)) {
			return nil, nil
		}
		return bytes.ReplaceAll(record, []byte(old), []byte(new)), nil
	}
}

// RewriteRecords is Rewrite for changes that seal: the function is given the record as it
// decodes now, with whose it is and its stored JSON, and says whether it changed it.
// Records must still decode.
func (t *Table[T]) RewriteRecords(change func(tx *Tx, org string, rec *T, old json.RawMessage) (bool, error)) func(tx *Tx, after []byte) ([]byte, error) {
	return func(tx *Tx, after []byte) (next []byte, err error) {
		return t.core.Rewrite(&tx.buf, after, func(at layout.Ref, rec any, old []byte) (bool, error) {
			return change(tx, at.Org.String(), rec.(*T), old)
		})
	}
}
