package inbox

import (
	"svc/app/account"
	"svc/app/account/connection"
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/inbox/channel"
	"svc/app/inbox/conversation"
	"svc/app/inbox/intake"
	"svc/app/inbox/reply"
	"svc/app/module"
	"svc/app/recipient"
	"svc/app/recipient/field"
	"svc/app/send"
	"svc/messenger"
	"svc/store"
)

// Slice registers the inbox.
func Slice() module.Slice {
	return module.Slice{Name: "inbox", Tables: Tables, New: func(e *module.Env) module.Module {
		networks := channel.Networks{}
		replies := reply.New(reply.Options{Networks: networks, Bus: e.Bus})
		taken := intake.New(networks, e.Bus)
		private := &channel.Messenger{
			Accounts: module.Get[*account.Service](e), Send: module.Get[*send.Service](e), Bus: e.Bus,
			Intake: taken, Outbox: replies,
		}
		if d, ok := module.Find[messenger.Driver](e); ok && d != nil {
			if p, ok := d.(messenger.Populated); ok {
				private.People = p.People()
			}
		}
		networks[channel.OnMessenger] = private
		private.Send.Register(send.Reply, private)
		private.Send.Register(send.AIReply, private)
		module.Offer[connection.Inbox](e, private)
		s := New(e.DB, Options{Networks: networks, Replies: replies, Bus: e.Bus, Log: e.Log})
		module.Provide(e, s)
		module.Provide(e, replies)
		module.Provide(e, networks)
		module.Provide[channel.Intake](e, taken)
		module.Provide(e, taken)
		module.Offer(e, api.NameSource{Prefix: "cnv_", Perm: perm.AIRead, Names: conversation.NamesOf})
		subscribe(e.Bus, networks)
		module.Offer[recipient.Identifying](e, func(org string, who field.Who) []store.Read { return readsOfWho(networks, org, who) })
		return module.Module{
			Endpoints: api.WithoutAI(append(s.Endpoints(), s.colleagueEndpoints()...)), Workers: s.work, Periodic: schedule, Cleanup: []module.Cleanup{{EachOrg: s.purge}},
			Ready: func() {
				taken.Orders(module.All[intake.Order](e))
				for _, x := range module.All[Sellers](e) {
					s.sellers = x
				}
				for _, x := range module.All[Selling](e) {
					s.selling = x
					replies.SetWindow(x.ReplyWindow)
				}
			},
		}
	}}
}
