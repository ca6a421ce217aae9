package store

import "context"

// inChunks runs a step in transaction after transaction until it answers nil.
func (db *DB) inChunks(ctx context.Context, step func(tx *Tx, after []byte) (next []byte, err error)) error {
	for after, more := []byte(nil), true; more; more = after != nil {
		from := after
		err := db.Update(ctx, func(tx *Tx) (err error) {
			after, err = step(tx, from)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
