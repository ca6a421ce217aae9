package kv

import (
	"time"

	bolt "go.etcd.io/bbolt"
)

// bbolt needs to know which pages are free. Either each commit writes their list, or
// the next start after a kill walks the whole file to find them: a second and a half
// for a million recipients. Measured on such a file, with its 5,000 free pages: the
// list costs a commit 3 % when it is kept as an array, and doubles it when it is kept
// as a map, which is sorted each time. So it is an array, and a commit writes it
// while the free pages are few. When they are many it is written once nobody has
// asked for a commit for a while.
const (
	// maxListed is how many free pages each commit lists: 128 KiB.
	maxListed = 1 << 14
	// maxArray is how many free pages are kept as an array. With more, 512 MiB, a map
	// is faster: it does not copy the rest for each page that comes or goes.
	maxArray = 1 << 17
	// quiet is how long nobody asked for a commit before the list is written.
	quiet = 250 * time.Millisecond
)

// freelistFor is how to keep a number of free pages.
func freelistFor(free uint64) bolt.FreelistType {
	if free > maxArray {
		return bolt.FreelistMapType
	}
	return bolt.FreelistArrayType
}

// commitTx ends a transaction, with the list of free pages when they are few.
func (b *Bolt) commitTx(tx *bolt.Tx) error {
	s := b.db.Stats()
	b.db.NoFreelistSync = s.FreePageN+s.PendingPageN > b.many
	if err := tx.Commit(); err != nil {
		return err
	}
	b.unlisted = b.db.NoFreelistSync
	return nil
}

func (b *Bolt) untidy() bool { return b.unlisted }

// rest lists the free pages while nobody waits. It is told to nobody when it fails:
// the next start is slower then.
func (b *Bolt) rest() { _ = b.list() }

// list writes the list of free pages in a commit of its own. One that fails is not
// tried again until the next commit: it only makes a start faster.
func (b *Bolt) list() error {
	if !b.unlisted || b.broken.Load() {
		return nil
	}
	b.unlisted = false
	return b.guard(func() error {
		b.db.NoFreelistSync = false
		return b.db.Update(func(*bolt.Tx) error { return nil })
	})
}
