// Package signal carries needs upward: a slice says what happened, and slices that
// it must not know of do their part in the same transaction.
//
// It promises that what subscribers write commits with what happened, or nothing
// does. It refuses slow work: a subscriber changes records and adds jobs. It has
// nothing to do with package event, which keeps what organizations are told.
package signal

import (
	"reflect"

	"svc/app/api"
	"svc/store"
)

// Bus connects those who publish with those who subscribed. Subscribe everybody
// before the first Publish; after that it is safe for concurrent use.
type Bus struct {
	subscribers map[reflect.Type][]func(*store.Tx, *api.Call, any) error
}

// On subscribes to everything of type T. Subscribers run in the order in which
// they subscribed; the first error undoes the transaction.
func On[T any](b *Bus, f func(*store.Tx, *api.Call, T) error) {
	if b.subscribers == nil {
		b.subscribers = map[reflect.Type][]func(*store.Tx, *api.Call, any) error{}
	}
	t := reflect.TypeFor[T]()
	b.subscribers[t] = append(b.subscribers[t], func(tx *store.Tx, c *api.Call, v any) error {
		return f(tx, c, v.(T))
	})
}

// Publish tells the subscribers what happened, inside the transaction in which it
// does. A nil bus has none.
func Publish[T any](b *Bus, tx *store.Tx, c *api.Call, what T) error {
	if b == nil {
		return nil
	}
	for _, f := range b.subscribers[reflect.TypeFor[T]()] {
		if err := f(tx, c, what); err != nil {
			return err
		}
	}
	return nil
}
