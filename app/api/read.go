package api

import (
	"context"

	"svc/store"
)

// Read makes the handler of an operation that only reads from one that is handed a state of the
// store. That one may run more than once, as every closure of store.DB.View.
func Read[In, Out any](db *store.DB, h func(*Call, *store.Tx, In) (Out, error)) func(*Call, In) (Out, error) {
	return within(db.View, h)
}

// Write makes the handler of an operation that changes the store in one transaction, and does
// nothing else, from one that is handed the transaction. That one may run more than once, as
// every closure of store.DB.Update.
func Write[In, Out any](db *store.DB, h func(*Call, *store.Tx, In) (Out, error)) func(*Call, In) (Out, error) {
	return within(db.Update, h)
}

// within makes the handler that runs h in what run opens.
func within[In, Out any](run func(context.Context, func(*store.Tx) error) error, h func(*Call, *store.Tx, In) (Out, error)) func(*Call, In) (Out, error) {
	return func(c *Call, in In) (out Out, err error) {
		err = run(c, func(tx *store.Tx) error {
			out, err = h(c, tx, in)
			return err
		})
		return out, err
	}
}
