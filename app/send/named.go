package send

import (
	"maps"

	"svc/app/account"
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/recipient"
	"svc/store"
)

// namer is a Source that knows the names of what its jobs belong to.
type namer interface {
	Names(tx *store.Tx, org string, ids []string) (map[string]string, error)
}

// withNames fills in who and what jobs are about, as far as the caller may read it: one
// read for all accounts, one for all people, one for all campaigns of the page.
func (s *Service) withNames(c *api.Call, tx *store.Tx, list []Shown) error {
	campaigns, _ := s.sources[Campaign].(namer)
	all := map[string]string{}
	for _, of := range []struct {
		perm  perm.Perm
		field func(*Shown) *string
		names func(*store.Tx, string, []string) (map[string]string, error)
	}{
		{perm.AccountsRead, func(j *Shown) *string { return j.AccountID }, account.NamesOf},
		{perm.RecipientsRead, func(j *Shown) *string { return j.RecipientID }, recipient.NamesOf},
		{perm.CampaignsRead, func(j *Shown) *string { return j.CampaignID }, func(tx *store.Tx, org string, ids []string) (map[string]string, error) {
			if campaigns == nil {
				return nil, nil
			}
			return campaigns.Names(tx, org, ids)
		}},
	} {
		if !c.Can(of.perm) {
			continue
		}
		var ids []string
		for i := range list {
			if id := of.field(&list[i]); id != nil {
				ids = append(ids, *id)
			}
		}
		names, err := of.names(tx, c.Org, ids)
		if err != nil {
			return err
		}
		maps.Copy(all, names)
	}
	for i := range list {
		j := &list[i]
		j.Account, j.Campaign, j.Recipient = named(j.AccountID, all), named(j.CampaignID, all), named(j.RecipientID, all)
	}
	return nil
}

func named(id *string, names map[string]string) *api.Named {
	if id == nil {
		return nil
	}
	return api.NameOf(*id, names)
}
