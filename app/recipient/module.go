package recipient

import (
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/module"
	"svc/app/org"
	"svc/app/recipient/field"
	"svc/store"
)

// Acquaintances are the accounts that have met the person of a messenger_id, also before
// that was a recipient. The slice of accounts offers it.
type Acquaintances func(tx *store.Tx, org string, messengerID int64) ([]string, error)

// Usage is how many recipients of an organization count against its plan, and what Count
// reads beside the number of those that are there. The slice of imports offers it: an
// import under way counts whom it will make.
type Usage struct {
	Count func(tx *store.Tx, org string) (int, error)
	Read  func(org string) store.Read
}

// Identifying is what those read who hear of Identified, for somebody whom they do not know. The
// inbox offers it.
type Identifying func(org string, who field.Who) []store.Read

// Slice registers recipients.
func Slice() module.Slice {
	return module.Slice{Name: "recipient", Tables: Tables, New: func(e *module.Env) module.Module {
		s := New(e.DB, e.Bus, Options{})
		module.Provide(e, s)
		module.Offer(e, org.UsageCounter{Limit: org.LimitRecipients, Count: s.used})
		module.Offer(e, api.NameSource{Prefix: "rcp_", Perm: perm.RecipientsRead, Names: NamesOf})
		module.Offer(e, api.NameSource{Prefix: "lst_", Perm: perm.RecipientsRead, Names: ListNames})
		return module.Module{
			Endpoints: s.Endpoints(), Workers: s.Work,
			Ready: func() {
				for _, u := range module.All[Usage](e) {
					s.o.Used = u
				}
				s.o.Identifying = module.All[Identifying](e)
				for _, f := range module.All[Acquaintances](e) {
					s.o.KnownTo = f
				}
			},
		}
	}}
}
