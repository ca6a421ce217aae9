package store

import "context"

type txHookKey struct{}

// WithTxHook is a context whose every Update runs f as well, after its own closure and in
// the same transaction: what has to be known exactly when a change is durable, without
// the change knowing of it. Like a closure it may run more than once, and its error
// undoes all.
func WithTxHook(ctx context.Context, f func(*Tx) error) context.Context {
	return context.WithValue(ctx, txHookKey{}, f)
}

// WithoutTxHook is a context whose Updates run no hook: for what nodes note about
// themselves while somebody's change is under way.
func WithoutTxHook(ctx context.Context) context.Context {
	return context.WithValue(ctx, txHookKey{}, nil)
}

// runWithHook runs a closure and the hook of its context.
func runWithHook(ctx context.Context, tx *Tx, fn func(*Tx) error) error {
	if err := fn(tx); err != nil {
		return err
	}
	if also, ok := ctx.Value(txHookKey{}).(func(*Tx) error); ok {
		return also(tx)
	}
	return nil
}
