package store

import (
	"errors"

	"svc/store/internal/catalog"
	"svc/store/internal/index"
	"svc/store/internal/keyring"
	"svc/store/internal/layout"
	"svc/store/internal/record"
	"svc/store/kv"
)

var (
	// ErrNotFound is the answer for a record that is not there, or is another
	// organization's: nobody can tell the two apart.
	ErrNotFound = record.ErrNotFound
	// ErrExists is the answer of Insert for an id that is taken.
	ErrExists = record.ErrExists
	// ErrCorrupt is matched by every error that says that what is stored
	// contradicts itself. Restore a backup.
	ErrCorrupt = layout.ErrCorrupt
	// ErrDamaged is matched by errors about files that must not be used further.
	ErrDamaged = kv.ErrDamaged
	// ErrClosed is the answer after Close.
	ErrClosed = kv.ErrClosed
	// ErrReadOnly is the answer to a write inside View.
	ErrReadOnly = kv.ErrReadOnly
	// ErrNewer is matched when a file was written by a newer version.
	ErrNewer = catalog.ErrNewer
	// ErrNoKey is the answer to sealing without a master key.
	ErrNoKey = errors.New("the store was opened without a master key")
	// ErrWrongKey is matched when the master key is not the one of the file.
	ErrWrongKey = keyring.ErrWrongKey
	// ErrSealed is matched when sealed data does not open: it was changed, or
	// copied from another record or field.
	ErrSealed = keyring.ErrSealed
)

// DuplicateError says which unique index refused a record.
type DuplicateError = index.DuplicateError

// Duplicate reports whether err is a duplicate in one of the given indexes, or in
// any when none is given.
func Duplicate(err error, indexes ...string) bool {
	var d *DuplicateError
	if !errors.As(err, &d) {
		return false
	}
	for _, name := range indexes {
		if name == d.Index {
			return true
		}
	}
	return len(indexes) == 0
}

// IsNotFound says whether an error is that of a record that is not there.
func IsNotFound(err error) bool { return errors.Is(err, ErrNotFound) }

// IgnoreNotFound is err, but nil for a record that is not there.
func IgnoreNotFound(err error) error {
	if IsNotFound(err) {
		return nil
	}
	return err
}
