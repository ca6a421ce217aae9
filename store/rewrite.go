package store

import (
	"bytes"
	"encoding/json"
	"slices"

	"svc/store/internal/index"
	"svc/store/internal/layout"
	"svc/store/kv"
)

// Rewrite is the step of a migration that changes the stored form of the records
// of a table, whatever their organization: the function is given the JSON of each
// and answers the new one, or nil to leave it. Indexes are not touched: give those
// whose values change a new Version, so that they are built anew afterwards.
func (t *Table[T]) Rewrite(change func(old json.RawMessage) (json.RawMessage, error)) func(tx *Tx, after []byte) ([]byte, error) {
	return func(tx *Tx, after []byte) (next []byte, err error) {
		return index.Rewrite(&tx.buf, &t.core, after, change)
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
		type changed struct {
			key    []byte
			number uint32
			json   []byte
		}
		var all []changed
		next, err = index.Chunk(&tx.buf, &t.core, after, func(p kv.Pair) error {
			at, rec, err := t.placed(p)
			if err != nil {
				return err
			}
			_, old, err := layout.UnpackRecord(p.Value)
			if err != nil {
				return err
			}
			if yes, err := change(tx, at.Org.String(), rec, old); err != nil || !yes {
				return err
			}
			b, err := json.Marshal(rec)
			all = append(all, changed{slices.Clone(p.Key), at.Number, b})
			return err
		})
		for _, x := range all {
			if err := tx.buf.Put(x.key, layout.PackRecord(x.number, x.json)); err != nil {
				return nil, err
			}
		}
		return next, err
	}
}
