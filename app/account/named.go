package account

import (
	"svc/app/api"
	"svc/store"
)

// NamesOf are the display names of accounts by id. One that is gone has none.
func NamesOf(tx *store.Tx, org string, ids []string) (map[string]string, error) {
	return api.Names(tx, org, accounts, ids, (*Account).DisplayName)
}
