package store

import (
	"svc/store/internal/layout"
	"svc/store/internal/record"
)

// Unique finds the one record of an organization that has a value.
type Unique[T any] struct {
	t *table
	p *record.Part
}

// Unique declares that no two records of an organization have the same value. A
// nil key stands for none, which any number of records may have. The function is
// pure; see Version when it changes.
func (t *Table[T]) Unique(name string, of func(*T) Key) *Unique[T] {
	return &Unique[T]{&t.core, t.core.Add(keyed(layout.Part{Name: name, Kind: layout.KindUnique}, one(of)))}
}

// one makes a function of one key one of several.
func one[T any](of func(*T) Key) func(*T) []Key {
	return func(rec *T) []Key { return []Key{of(rec)} }
}

// keyed is a part with keys.
func keyed[T any](p layout.Part, of func(*T) []Key) *record.Part {
	return &record.Part{Part: p, Keys: func(rec any) []Key { return of(rec.(*T)) }}
}

// valued is a part with values.
func valued[T any](p layout.Part, of func(*T) []string) *record.Part {
	return &record.Part{Part: p, Values: func(rec any) []string { return of(rec.(*T)) }}
}

// Version says that the function changed: the index is built anew when a store
// with an older version is opened. The first version is 1.
func (u *Unique[T]) Version(n int) *Unique[T] {
	u.p.Version = n
	return u
}

// Find reads the record that has the value, or answers ErrNotFound.
func (u *Unique[T]) Find(tx *Tx, org string, k Key) (T, error) {
	rec, _, err := u.t.look(tx, u.p, org, false, k)
	return typed[T](rec, err)
}

// ID is the id of the record that has the value, or ErrNotFound.
func (u *Unique[T]) ID(tx *Tx, org string, k Key) (string, error) {
	at, err := u.t.find(tx, u.p, org, false, k)
	if err != nil {
		return "", err
	}
	return u.t.IDString(at.ID)
}

// UniqueAcross finds the one record of all organizations that has a value: the
// way in for what arrives before its organization is known, such as a key.
type UniqueAcross[T any] struct {
	t *table
	p *record.Part
}

// UniqueAcross declares that no two records of the table have the same value,
// whatever their organization. A nil key stands for none.
func (t *Table[T]) UniqueAcross(name string, of func(*T) Key) *UniqueAcross[T] {
	return &UniqueAcross[T]{&t.core, t.core.Add(keyed(layout.Part{Name: name, Kind: layout.KindUnique, Across: true}, one(of)))}
}

// Version is Unique.Version.
func (u *UniqueAcross[T]) Version(n int) *UniqueAcross[T] {
	u.p.Version = n
	return u
}

// Find reads the record that has the value and says whose it is, or answers
// ErrNotFound.
func (u *UniqueAcross[T]) Find(tx *Tx, k Key) (rec T, org string, err error) {
	found, at, err := u.t.look(tx, u.p, "", true, k)
	if found == nil {
		return rec, "", err
	}
	rec, err = typed[T](found, err)
	return rec, at.Org.String(), err
}
