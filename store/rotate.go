package store

import (
	"context"
	"fmt"
)

// RotateKeys gives the master key, the data and the files new keys, and seals
// every secret in the tables again with the new data key, in chunks, while the
// store serves. A rotation that was interrupted goes on where a call of the same
// name finds it. The data key that was replaced stays readable until the next
// rotation, for a transaction that had read a record before.
func (db *DB) RotateKeys(ctx context.Context) error {
	s := db.sealer
	if s == nil {
		return ErrNoKey
	}
	s.rotate.Lock()
	defer s.rotate.Unlock()
	if !s.ring.Load().active {
		if err := s.begin(ctx, db); err != nil {
			return fmt.Errorf("rotate keys: %w", err)
		}
	}
	for _, t := range db.list {
		if err := db.resealTable(ctx, t); err != nil {
			return fmt.Errorf("seal %s again: %w", t.base().name, err)
		}
	}
	return s.end(ctx, db)
}

// begin makes the new keys. At every point the files on the disk fit together,
// because the key file keeps its older keys: backups from before need them.
func (s *sealer) begin(ctx context.Context, db *DB) error {
	old := s.master.handle
	next, err := renew(old)
	if err != nil {
		return err
	}
	s.master.handle = next
	if err := s.master.save(); err != nil {
		s.master.handle = old
		return err
	}
	now := *s.ring.Load()
	if now.rotating, err = older(now.data); err != nil {
		return err
	}
	now.active = true
	if now.data, err = renew(now.data); err != nil {
		return err
	}
	if now.files, err = renew(now.files); err != nil {
		return err
	}
	if err := now.prepare(); err != nil {
		return err
	}
	if err := s.save(ctx, db, &now); err != nil {
		return err
	}
	s.ring.Store(&now)
	return nil
}

// end removes the keys that nothing is sealed with any more.
func (s *sealer) end(ctx context.Context, db *DB) error {
	now := *s.ring.Load()
	var err error
	if now.data, err = drop(now.data, now.rotating); err != nil {
		return err
	}
	now.rotating, now.active = nil, false
	if err := now.prepare(); err != nil {
		return err
	}
	if err := s.save(ctx, db, &now); err != nil {
		return err
	}
	s.ring.Store(&now)
	return nil
}

func (db *DB) resealTable(ctx context.Context, t AnyTable) error {
	if !t.seals() {
		return nil
	}
	return db.inChunks(ctx, func(tx *Tx, after []byte) ([]byte, error) { return t.reseal(tx, after) })
}
