package store

import (
	"bytes"
	"context"
	"errors"
)

// Several processes may have one database open, and one of them rotates its keys. Whoever
// saves keys publishes it; a store that heard of it takes the keys in its next transaction.
// A transaction that seals makes sure: it reads the keys, so that it cannot commit beside
// one that replaces them, and nothing is sealed with a key that a rotation is about to
// remove (storage 8).

// keysTopic hears of keys that were saved.
const keysTopic = "store keys"

// keys are those that the transaction may seal with.
func (tx *Tx) keys() (*keyring, error) {
	if tx.db.sealer == nil {
		return nil, ErrNoKey
	}
	if tx.writable && !tx.db.Exclusive() {
		b, err := tx.buf.Get(keysName)
		if err == nil {
			err = tx.db.sealer.take(tx, b)
		}
		if err != nil {
			return nil, err
		}
	}
	return tx.db.keys()
}

// takeNewKeys takes keys that were saved since the last transaction. Where it cannot, what
// they sealed does not open, and nothing is sealed.
func (tx *Tx) takeNewKeys() {
	s := tx.db.sealer
	if s == nil || !s.stale.CompareAndSwap(true, false) {
		return
	}
	b, err := tx.kv.Get(keysName)
	if err == nil {
		err = s.take(tx, b)
	}
	if err != nil {
		tx.db.log.Error("the keys that another process made cannot be used", "error", err)
	}
}

// take makes the keys that are stored those in use. The master key is read again when they
// are sealed with another one.
func (s *sealer) take(tx *Tx, b []byte) error {
	if b == nil || bytes.Equal(b, s.ring.Load().stored) {
		return nil
	}
	stored, err := decodeKeys(b)
	if err != nil {
		return err
	}
	h, err := tx.head()
	if err != nil {
		return err
	}
	ring, err := s.unlock(stored, len(h.Migrated))
	if errors.Is(err, ErrWrongKey) {
		from := s.master.Load().from
		fresh, err := from.Read(context.Background())
		if err != nil {
			return err
		}
		s.master.Store(&master{from, fresh})
		ring, err = s.unlock(stored, len(h.Migrated))
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
