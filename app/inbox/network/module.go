package network

import (
	"context"
	"time"

	"svc/app/api"
	outside "svc/app/channel"
	"svc/app/inbox/channel"
	"svc/app/inbox/conversation"
	"svc/app/inbox/reply"
	"svc/app/module"
	"svc/app/signal"
	"svc/store"
	"svc/store/queue"
)

// Slice registers the photo and the page network in the inbox.
func Slice() module.Slice {
	return module.Slice{Name: "network", Tables: Tables, New: func(e *module.Env) module.Module {
		of := map[channel.Name]*Network{}
		all, service := module.Get[channel.Networks](e), module.Get[*outside.Service](e)
		for _, name := range []channel.Name{channel.PhotoNetwork, channel.PageNetwork} {
			n := New(e.DB, Options{
				Name: name, Outside: service, Intake: module.Get[channel.Intake](e), Outbox: module.Get[*reply.Service](e), Networks: all, Log: e.Log,
			})
			of[name], all[name] = n, n
			module.Offer[outside.Receiver](e, n.Receive)
		}
		module.Offer(e, outside.ConversationOf(func(tx *store.Tx, org string, a *outside.Account, person string) (string, error) {
			k, err := conversation.Of(tx, org, channel.Name(a.Platform), a.ExternalID, person)
			return k.ID, store.IgnoreNotFound(err)
		}))
		signal.On(e.Bus, func(tx *store.Tx, _ *api.Call, x outside.Changed) error { return wakeAll(tx, x.Org, x.Account.ID) })
		return module.Module{
			Workers: func(w *queue.Workers) {
				queue.Register(w, func(ctx context.Context, j queue.Job, a sending) error { return of[a.Channel].work(ctx, j, a) },
					queue.WithBackoff(func(int) time.Duration { return 10 * time.Second }), queue.Needed())
				queue.Register(w, func(ctx context.Context, j queue.Job, a listening) error { return of[a.Channel].listen(ctx, j, a) }, queue.Needed())
				queue.Register(w, profile(service, e.DB))
			},
			Cleanup: []module.Cleanup{{EachOrg: forgetSends}, {EachOrg: forgetMarks}},
		}
	}}
}

// wakeAll lets the replies of an account look at it again: one that is gone refuses them.
func wakeAll(tx *store.Tx, org, account string) error {
	list, _, err := ofAccount.Walk(tx, org, store.Range{Span: store.Is(store.Tuple(store.Text(account))), Limit: 10_000})
	for i := range list {
		if err := wake(tx, &list[i]); err != nil {
			return err
		}
	}
	return err
}
