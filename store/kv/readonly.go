package kv

import (
	"context"

	bolt "go.etcd.io/bbolt"
)

// ReadOnly is a bbolt file that is only read, such as a backup: it is not changed
// in a single byte, and several processes may have it open so.
type ReadOnly struct{ b *Bolt }

var _ Engine = ReadOnly{}

// OpenReadOnly walks every page of a file and opens it, with what its logs hold.
func OpenReadOnly(path string) (ReadOnly, error) {
	if err := VerifyFile(path, true); err != nil {
		return ReadOnly{}, err
	}
	b := &Bolt{path: path}
	err := b.guard(func() (err error) {
		b.db, err = bolt.Open(path, 0o600, options(true, 0))
		return err
	})
	if err != nil {
		return ReadOnly{}, openError(path, err)
	}
	if err := b.readOnly(); err != nil {
		_ = b.shut()
		return ReadOnly{}, openError(path, err)
	}
	return ReadOnly{b}, nil
}

// readOnly reads the logs of a file that is not written.
func (b *Bolt) readOnly() error {
	err := b.guard(func() error {
		return b.db.View(func(tx *bolt.Tx) error {
			if tx.Bucket(root) == nil {
				return errNotOurs
			}
			return nil
		})
	})
	if err == nil {
		err = b.readDone()
	}
	if err != nil {
		return err
	}
	found, err := findLogs(b.path)
	if err != nil {
		return err
	}
	table, _, err := b.replay(found)
	if err == nil {
		b.show(table)
	}
	return err
}

// View implements Engine.
func (r ReadOnly) View(ctx context.Context, fn func(Tx) error) error { return r.b.View(ctx, fn) }

// Update implements Engine: it answers ErrReadOnly.
func (ReadOnly) Update(context.Context, func(Tx) error) error { return ErrReadOnly }

// Exclusive implements Engine: others may read the file too.
func (ReadOnly) Exclusive() bool { return false }

// Subscribe implements Engine: nothing is ever published.
func (ReadOnly) Subscribe(func(Message)) (stop func()) { return func() {} }

// Check is Bolt.Check.
func (r ReadOnly) Check(ctx context.Context) error { return r.b.check(ctx) }

// Close implements Engine.
func (r ReadOnly) Close() error {
	if r.b.closed.Swap(true) {
		return nil
	}
	return r.b.shut()
}
