package store

import (
	"svc/store/internal/index"
	"svc/store/internal/layout"
)

// Unique finds the one record of an organization that has a value.
type Unique[T any] struct {
	t *Table[T]
	p *part[T]
}

// Unique declares that no two records of an organization have the same value. A
// nil key stands for none, which any number of records may have. The function is
// pure; see Version when it changes.
func (t *Table[T]) Unique(name string, of func(*T) Key) *Unique[T] {
	return &Unique[T]{t, t.add(uniquePart(name, of))}
}

func uniquePart[T any](name string, of func(*T) Key) part[T] {
	return part[T]{Part: layout.Part{Name: name, Kind: layout.KindUnique}, keys: one(of)}
}

// one makes a function of one key one of several.
func one[T any](of func(*T) Key) func(*T) []Key {
	return func(rec *T) []Key { return []Key{of(rec)} }
}

// Version says that the function changed: the index is built anew when a store
// with an older version is opened. The first version is 1.
func (u *Unique[T]) Version(n int) *Unique[T] {
	u.p.Version = n
	return u
}

// Find reads the record that has the value, or answers ErrNotFound.
func (u *Unique[T]) Find(tx *Tx, org string, k Key) (T, error) {
	var none T
	o, err := u.t.at(tx, org)
	if err != nil {
		return none, err
	}
	h, err := u.p.find(tx, &u.t.core, &o, k)
	if err != nil {
		return none, err
	}
	return u.t.follow(tx, h)
}

// ID is the id of the record that has the value, or ErrNotFound.
func (u *Unique[T]) ID(tx *Tx, org string, k Key) (string, error) {
	o, err := u.t.at(tx, org)
	if err != nil {
		return "", err
	}
	h, err := u.p.find(tx, &u.t.core, &o, k)
	if err != nil {
		return "", err
	}
	return u.t.core.IDString(h.ID)
}

func (p *part[T]) find(tx *Tx, t *layout.Table, org *layout.Org, k Key) (layout.Ref, error) {
	at, found, err := index.Find(&tx.buf, t, &p.Part, org, k)
	if err == nil && !found {
		err = ErrNotFound
	}
	return at, err
}

// follow reads the record an index entry names.
func (t *Table[T]) follow(tx *Tx, at layout.Ref) (T, error) {
	recs, err := t.loadAll(tx, [][]byte{t.core.RecordKey(at.Org, at.ID)})
	if err != nil {
		var none T
		return none, err
	}
	return recs[0], nil
}

// UniqueAcross finds the one record of all organizations that has a value: the
// way in for what arrives before its organization is known, such as a key.
type UniqueAcross[T any] struct {
	t *Table[T]
	p *part[T]
}

// UniqueAcross declares that no two records of the table have the same value,
// whatever their organization. A nil key stands for none.
func (t *Table[T]) UniqueAcross(name string, of func(*T) Key) *UniqueAcross[T] {
	p := uniquePart(name, of)
	p.Across = true
	return &UniqueAcross[T]{t, t.add(p)}
}

// Version is Unique.Version.
func (u *UniqueAcross[T]) Version(n int) *UniqueAcross[T] {
	u.p.Version = n
	return u
}

// Find reads the record that has the value and says whose it is, or answers
// ErrNotFound.
func (u *UniqueAcross[T]) Find(tx *Tx, k Key) (rec T, org string, err error) {
	if err := u.t.known(tx); err != nil {
		return rec, "", err
	}
	h, err := u.p.find(tx, &u.t.core, nil, k)
	if err != nil {
		return rec, "", err
	}
	rec, err = u.t.follow(tx, h)
	return rec, h.Org.String(), err
}
