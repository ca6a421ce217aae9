package store

import (
	"encoding/json"
	"fmt"

	"svc/store/internal/keyring"
	"svc/store/internal/layout"
	"svc/store/internal/record"
)

// Sealed is a secret in a record. It shows nothing however it is printed; in JSON,
// which is how it is stored, it is the sealed bytes. Only its SealedField opens it.
type Sealed = keyring.Sealed

// SealedField seals one field of the records of a table. What is sealed is bound
// to the table, the organization, the record and the field: copied anywhere else,
// it does not open.
type SealedField[T any] struct{ f *sealedField }

// sealedField is a SealedField without the type of its records.
type sealedField struct {
	t    *table
	name string
	at   func(rec any) *Sealed
}

// Sealed declares a sealed field. The name never changes on disk.
func (t *Table[T]) Sealed(name string, at func(*T) *Sealed) *SealedField[T] {
	f := &sealedField{&t.core, name, func(rec any) *Sealed { return at(rec.(*T)) }}
	t.core.sealed = append(t.core.sealed, f)
	return &SealedField[T]{f}
}

func (t *table) seals() bool { return len(t.sealed) > 0 }

func (f *sealedField) bound(org string, rec any) []byte {
	return keyring.Frame(f.t.Name, org, f.t.ID(rec), f.name)
}

// Set seals a secret into a record, which must have its id already. It is saved
// with the record, in the same transaction: a record with secrets that was read in
// an earlier one may carry seals of keys that are gone by then. An empty secret
// clears the field.
func (f *SealedField[T]) Set(tx *Tx, org string, rec *T, secret []byte) error {
	return f.f.set(tx, org, rec, secret)
}

func (f *sealedField) set(tx *Tx, org string, rec any, secret []byte) error {
	if len(secret) == 0 {
		*f.at(rec) = Sealed{}
		return nil
	}
	r, err := tx.keys()
	if err != nil {
		return err
	}
	sealed, err := r.Seal(secret, f.bound(org, rec))
	if err != nil {
		return fmt.Errorf("seal %s of %s: %w", f.name, f.t.Name, err)
	}
	*f.at(rec) = sealed
	return nil
}

// Open gives the secret of a record, nil when it has none. Its error matches
// ErrSealed when the bytes were changed or belong to another record.
func (f *SealedField[T]) Open(db *DB, org string, rec *T) ([]byte, error) {
	return f.f.open(db, org, rec)
}

func (f *sealedField) open(db *DB, org string, rec any) ([]byte, error) {
	s := f.at(rec)
	if s.IsZero() {
		return nil, nil
	}
	r, err := db.keys()
	if err != nil {
		return nil, err
	}
	b, err := r.Open(*s, f.bound(org, rec))
	if err != nil {
		return nil, fmt.Errorf("%w: %s of %s %s", ErrSealed, f.name, f.t.Name, f.t.ID(rec))
	}
	return b, nil
}

// SetJSON is Set for a value, as JSON.
func (f *SealedField[T]) SetJSON(tx *Tx, org string, rec *T, value any) error {
	b, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("seal %s of %s: %w", f.f.name, f.f.t.Name, err)
	}
	return f.f.set(tx, org, rec, b)
}

// OpenJSON reads a value that SetJSON sealed, and leaves it as it is when there is none.
func (f *SealedField[T]) OpenJSON(db *DB, org string, rec *T, value any) error {
	b, err := f.f.open(db, org, rec)
	if err != nil || b == nil {
		return err
	}
	if err := json.Unmarshal(b, value); err != nil {
		return fmt.Errorf("%s of %s %s: %w", f.f.name, f.f.t.Name, f.f.t.ID(rec), err)
	}
	return nil
}

// reseal seals the secrets of a chunk of records with the newest key. after and
// next are keys of records; next is nil at the end.
func (t *table) reseal(tx *Tx, after []byte) (next []byte, err error) {
	r, err := tx.db.keys()
	if err != nil {
		return nil, err
	}
	type stale struct {
		org string
		rec any
	}
	var found []stale
	next, err = t.Chunk(&tx.buf, after, func(at layout.Ref, rec any) error {
		for _, f := range t.sealed {
			if s := f.at(rec); !s.IsZero() && !r.Newest(*s) {
				found = append(found, stale{at.Org.String(), rec})
				break
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, x := range found {
		for _, f := range t.sealed {
			secret, err := f.open(tx.db, x.org, x.rec)
			if err == nil {
				err = f.set(tx, x.org, x.rec, secret)
			}
			if err != nil {
				return nil, err
			}
		}
		if err := t.save(tx, x.org, x.rec, record.Replace); err != nil {
			return nil, err
		}
	}
	return next, nil
}
