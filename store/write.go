package store

import "svc/store/internal/record"

// Insert saves a new record: ErrExists when its id is taken, a DuplicateError when
// a unique value is.
func (t *Table[T]) Insert(tx *Tx, org string, rec *T) error {
	return t.core.save(tx, org, rec, record.Insert)
}

// Put saves a record, over the old one of its id if there is one. A DuplicateError
// says that another record has one of its unique values.
func (t *Table[T]) Put(tx *Tx, org string, rec *T) error {
	return t.core.save(tx, org, rec, record.Replace)
}

// PutMany is Put of many records, which reads the old ones and the unique values
// in one journey. It stops at the first error; the records
// before it are saved.
func (t *Table[T]) PutMany(tx *Tx, org string, recs []*T) error {
	return t.core.putMany(tx, org, untyped(recs))
}

// Edit reads a record, changes it and saves it. The record is ErrNotFound when it
// is not there; an error of the function saves nothing. It answers the new record.
func (t *Table[T]) Edit(tx *Tx, org, id string, change func(*T) error) (T, error) {
	return typed[T](t.core.edit(tx, org, id, func(rec any) error { return change(rec.(*T)) }))
}

// Delete removes a record: ErrNotFound when it is not there.
func (t *Table[T]) Delete(tx *Tx, org, id string) error { return t.core.remove(tx, org, id) }
