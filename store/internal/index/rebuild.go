package index

import (
	"errors"

	"svc/store/internal/buffer"
	"svc/store/internal/layout"
)

// Rebuild writes some parts of a record as if it were new. Part 0 is its number and the counts
// of all records.
func Rebuild(tx *buffer.Tx, t *layout.Table, what []layout.Part, at *layout.Ref, entries []Entries) error {
	for _, w := range what {
		var err error
		if w.Num == 0 {
			err = renumber(tx, t, at)
		}
		for _, e := range entries {
			switch {
			case e.Part.Num != w.Num:
			case e.Part.Kind == layout.KindUnique || e.Part.Kind == layout.KindSorted:
				err = errors.Join(refuseTaken(tx, t, e.Part, *at, e.Keys), writeEntries(tx, t, e.Part, *at, nil, e.Keys))
			default:
				writeValues(tx, t, e.Part, *at, nil, e.Values)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// renumber gives a record a number, or takes it away, and counts it.
func renumber(tx *buffer.Tx, t *layout.Table, at *layout.Ref) (err error) {
	key := t.RecordKey(at.Org, at.ID)
	old, err := tx.Get(key)
	if err != nil {
		return err
	}
	_, json, err := layout.UnpackRecord(old)
	if err != nil {
		return err
	}
	at.Number = 0
	if t.Numbered {
		if at.Number, err = tx.Next(t, at.Org); err != nil {
			return err
		}
	}
	if err := tx.Put(key, layout.PackRecord(at.Number, json)); err != nil {
		return err
	}
	return Presence(tx, t, *at, true)
}
