package channel

import (
	"svc/store"
)

// What tests outside the package need.
var (
	Life           = life
	ErrSignature   = errSignature
	TestDeliveries = func(tx *store.Tx) (int, error) { return deliveries.Count(tx, store.Platform) }
)

// Adopt makes an account that is connected, as a consent would.
func Adopt(tx *store.Tx, org string, a *Account) error {
	a.ID, a.Status, a.ConnectedAt, a.CreatedAt = tx.DB().NewID("cha"), Connected, tx.DB().Now(), tx.DB().Now()
	return accounts.Insert(tx, org, a)
}

// Due is whether a webhook waits to be taken in.
func Due(tx *store.Tx) (bool, error) {
	_, err := inOrder.First(tx, store.Platform, store.All())
	return err == nil, store.IgnoreNotFound(err)
}
