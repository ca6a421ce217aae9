package record

import (
	"context"
	"slices"

	"svc/store"
)

// View is db.View with the result of the closure.
func View[T any](ctx context.Context, db *store.DB, f func(*store.Tx) (T, error)) (out T, err error) {
	err = db.View(ctx, func(tx *store.Tx) error {
		v, err := f(tx)
		out = v
		return err
	})
	return out, err
}

// Update is db.Update with the result of the closure.
func Update[T any](ctx context.Context, db *store.DB, f func(*store.Tx) (T, error)) (out T, err error) {
	err = db.Update(ctx, func(tx *store.Tx) error {
		v, err := f(tx)
		out = v
		return err
	})
	return out, err
}

// Distinct leaves out what stands in a list a second time.
func Distinct(list []string) (out []string) {
	for _, s := range list {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
