package campaign

import (
	"svc/app/api"
	"svc/store"
)

// NamesOf are the names of campaigns by id. One that is gone has none.
func NamesOf(tx *store.Tx, org string, ids []string) (map[string]string, error) {
	return api.Names(tx, org, campaigns, ids, func(k *Campaign) string { return k.Name })
}
