package store

import "context"

type alongsideKey struct{}

// Alongside is a context whose every Update runs f, too, behind its own closure and in
// the same transaction: what has to be known exactly when a change is durable, without
// the change knowing of it. Like a closure it may run more than once, and its error
// undoes all.
func Alongside(ctx context.Context, f func(*Tx) error) context.Context {
	return context.WithValue(ctx, alongsideKey{}, f)
}

// with runs a closure and what its context has alongside.
func with(ctx context.Context, tx *Tx, fn func(*Tx) error) error {
	if err := fn(tx); err != nil {
		return err
	}
	if also, ok := ctx.Value(alongsideKey{}).(func(*Tx) error); ok {
		return also(tx)
	}
	return nil
}
