package record

import (
	"slices"

	json "github.com/go-json-experiment/json/v1"

	"svc/store/internal/buffer"
	"svc/store/internal/index"
	"svc/store/internal/layout"
	"svc/store/kv"
)

// Rebuild writes parts for a chunk of records, as if they were new, until the transaction has
// written that many keys.
func (t *Table) Rebuild(tx *buffer.Tx, what []layout.Part, after []byte, keys int) (next []byte, err error) {
	type found struct {
		at  layout.Ref
		rec any
	}
	var recs []found
	next, err = t.Chunk(tx, after, func(at layout.Ref, rec any) error {
		recs = append(recs, found{at, rec})
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, r := range recs {
		if tx.Writes() >= keys {
			return next, nil
		}
		if err := index.Rebuild(tx, &t.Table, what, &r.at, t.entries(r.rec)); err != nil {
			return nil, err
		}
		next = t.RecordKey(r.at.Org, r.at.ID)
	}
	if len(recs) < index.ChunkRecords {
		next = nil
	}
	return next, nil
}

// Rewrite changes a chunk of records without what stands beside them. change is given the place,
// the record and its stored JSON, and says whether it changed the record.
func (t *Table) Rewrite(tx *buffer.Tx, after []byte, change func(at layout.Ref, rec any, old []byte) (bool, error)) (next []byte, err error) {
	type changed struct {
		key    []byte
		number uint32
		json   []byte
	}
	var all []changed
	next, err = index.Chunk(tx, &t.Table, after, func(p kv.Pair) error {
		at, rec, err := t.FromPair(p)
		if err != nil {
			return err
		}
		_, old, err := layout.UnpackRecord(p.Value)
		if err != nil {
			return err
		}
		if yes, err := change(at, rec, old); err != nil || !yes {
			return err
		}
		b, err := json.Marshal(rec)
		all = append(all, changed{slices.Clone(p.Key), at.Number, b})
		return err
	})
	for _, x := range all {
		if err := tx.Put(x.key, layout.PackRecord(x.number, x.json)); err != nil {
			return nil, err
		}
	}
	return next, err
}
