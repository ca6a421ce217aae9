package kv

import (
	"errors"
	"os"

	bolt "go.etcd.io/bbolt"

	"svc/store/kv/pages"
)

// Quiet is how long nobody committed before a checkpoint.
const Quiet = quiet

// Chunk is how many keys a checkpoint writes in one transaction of the tree.
const Chunk = chunk

// Listed says whether a file has the list of its free pages.
func Listed(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	m, err := pages.FindMeta(f, 1<<20)
	return m.Freelist != pages.NoFreelist, err
}

// Unlist takes the list of its free pages out of a file that nobody has open, as a kill
// in the middle of a checkpoint does.
func Unlist(path string) error {
	o := options(false, 0)
	o.NoFreelistSync = true
	db, err := bolt.Open(path, 0o600, o)
	if err != nil {
		return err
	}
	return errors.Join(db.Update(func(*bolt.Tx) error { return nil }), db.Close())
}
