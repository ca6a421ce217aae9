package index

import (
	"encoding/json"
	"slices"

	"svc/store/internal/buffer"
	"svc/store/internal/layout"
	"svc/store/kv"
)

// ChunkRecords is how many records one transaction of a migration, a rebuilding or
// a rotation looks at.
const ChunkRecords = 500

// Chunk reads stored records of all organizations, in the order of their keys, behind a key. What
// it visits is valid meanwhile only. next is nil when nothing is left.
func Chunk(tx *buffer.Tx, t *layout.Table, after []byte, visit func(kv.Pair) error) (next []byte, err error) {
	r := kv.Under(layout.Space(t.Num, layout.KindRecord))
	r.Limit = ChunkRecords
	if after != nil {
		r.From = append(append([]byte(nil), after...), 0)
	}
	n := 0
	for p, err := range tx.Scan(r) {
		if err != nil {
			return nil, err
		}
		if err := visit(p); err != nil {
			return nil, err
		}
		if n++; n == ChunkRecords {
			next = append([]byte(nil), p.Key...)
		}
	}
	return next, nil
}

// Rewrite changes the stored form of a chunk of records. change answers the new JSON, or nil to
// leave a record.
func Rewrite(tx *buffer.Tx, t *layout.Table, after []byte, change func(old json.RawMessage) (json.RawMessage, error)) (next []byte, err error) {
	var found []kv.Pair
	next, err = Chunk(tx, t, after, func(p kv.Pair) error {
		found = append(found, kv.Pair{Key: slices.Clone(p.Key), Value: slices.Clone(p.Value)})
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, p := range found {
		number, old, err := layout.UnpackRecord(p.Value)
		if err != nil {
			return nil, err
		}
		now, err := change(old)
		if err != nil {
			return nil, err
		}
		if now == nil {
			continue
		}
		if err := tx.Put(p.Key, layout.PackRecord(number, now)); err != nil {
			return nil, err
		}
	}
	return next, nil
}

// Clear deletes keys that begin with a prefix, up to limit of them, and says whether there may be
// more.
func Clear(tx *buffer.Tx, prefix []byte, limit int) (more bool, err error) {
	r := kv.Under(prefix)
	r.Limit, r.KeysOnly = limit, true
	var keys [][]byte
	for p, err := range tx.Scan(r) {
		if err != nil {
			return false, err
		}
		keys = append(keys, append([]byte(nil), p.Key...))
	}
	for _, k := range keys {
		if err := tx.Delete(k); err != nil {
			return false, err
		}
	}
	return len(keys) == limit, nil
}
