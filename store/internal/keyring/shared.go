package keyring

import (
	"bytes"
	"context"
	"errors"
)

// Several processes may have one database open, and one of them rotates its keys. The others
// hear that keys were saved, and take them in their next transaction (storage 8).

// Changed notes that keys were saved, perhaps by another process.
func (s *Keys) Changed() { s.stale.Store(true) }

// Stale says once after Changed that what is kept should be taken.
func (s *Keys) Stale() bool { return s.stale.CompareAndSwap(true, false) }

// Take makes the keys that are kept those in use. The master key is read again when they
// are sealed with another one.
func (s *Keys) Take(b []byte, migrated func() (int, error)) error {
	if b == nil || bytes.Equal(b, s.ring.Load().stored) {
		return nil
	}
	stored, err := decodeKeys(b)
	if err != nil {
		return err
	}
	n, err := migrated()
	if err != nil {
		return err
	}
	ring, err := s.unlock(stored, n)
	if errors.Is(err, ErrWrongKey) {
		from := s.master.Load().from
		fresh, err := from.Read(context.Background())
		if err != nil {
			return err
		}
		s.master.Store(&master{from, fresh})
		ring, err = s.unlock(stored, n)
		if err != nil {
			return err
		}
		s.ring.Store(ring)
		return nil
	}
	if err == nil {
		s.ring.Store(ring)
	}
	return err
}
