package recipient

import (
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/module"
	"svc/app/org"
	"svc/store"
)

// CampaignReach says what of a campaign keeps a message from a person, and the account
// that it would be sent from, "" for none. Unknown campaigns are store.ErrNotFound. The
// slice of campaigns offers it.
type CampaignReach func(tx *store.Tx, c *api.Call, campaign string, r Recipient) (account string, reasons []Reason, err error)

// Acquaintances are the accounts that have met the person of a messenger_id, also before
// that was a recipient. The slice of accounts offers it.
type Acquaintances func(tx *store.Tx, org string, messengerID int64) ([]string, error)

// Slice registers recipients.
func Slice() module.Slice {
	return module.Slice{Name: "recipient", Tables: Tables, New: func(e *module.Env) module.Module {
		s := New(e.DB, e.Bus, Options{})
		module.Offer(e, org.UsageCounter{Limit: org.LimitRecipients, Count: Used})
		module.Offer(e, api.NameSource{Prefix: "rcp_", Perm: perm.RecipientsRead, Names: NamesOf})
		module.Offer(e, api.NameSource{Prefix: "lst_", Perm: perm.RecipientsRead, Names: ListNames})
		module.Offer(e, api.NameSource{Prefix: "imp_", Perm: perm.RecipientsRead, Names: ImportNames})
		return module.Module{
			Endpoints: s.Endpoints(), Workers: s.Work,
			Ready: func() {
				for _, f := range module.All[CampaignReach](e) {
					s.o.Campaign = f
				}
				for _, f := range module.All[Acquaintances](e) {
					s.o.KnownTo = f
				}
			},
		}
	}}
}
