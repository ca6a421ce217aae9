package app

import (
	"maps"
	"strings"

	"svc/app/account"
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/campaign"
	"svc/app/recipient"
	"svc/store"
)

// named are the records that rows of other slices name: by the prefix of their ids, with
// what it takes to read them.
var named = []struct {
	prefix string
	perm   perm.Perm
	names  func(tx *store.Tx, org string, ids []string) (map[string]string, error)
}{
	{"acc_", perm.AccountsRead, account.NamesOf},
	{"cmp_", perm.CampaignsRead, campaign.NamesOf},
	{"rcp_", perm.RecipientsRead, recipient.NamesOf},
}

// names reads the display names of the records among ids that the caller may read
// (contract 21.2).
func names(c *api.Call, tx *store.Tx, ids []string) (map[string]string, error) {
	out := map[string]string{}
	for _, of := range named {
		if !c.Can(of.perm) {
			continue
		}
		var wanted []string
		for _, id := range ids {
			if strings.HasPrefix(id, of.prefix) {
				wanted = append(wanted, id)
			}
		}
		found, err := of.names(tx, c.Org, wanted)
		if err != nil {
			return nil, err
		}
		maps.Copy(out, found)
	}
	return out, nil
}
