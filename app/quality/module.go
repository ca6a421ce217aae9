package quality

import (
	"context"
	"slices"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/business"
	"svc/app/engine"
	"svc/app/engine/prompt"
	"svc/app/inbox/conversation"
	"svc/app/module"
	"svc/app/quality/dataset"
	"svc/app/quality/evaluation"
	"svc/app/quality/experiment"
	"svc/app/quality/feedback"
	"svc/app/seller/playground"
	"svc/app/seller/turn"
	"svc/app/signal"
	"svc/store"
	"svc/store/queue"
)

// Slice registers quality.
func Slice() module.Slice {
	return module.Slice{Name: "quality", Tables: Tables, New: func(e *module.Env) module.Module {
		models := module.Get[*engine.Service](e)
		runs := evaluation.New(e.DB, evaluation.Options{
			Runs: models.Runs, Chains: models.Chains, Trials: module.Get[*playground.Service](e), Log: e.Log,
		})
		module.Offer(e, engine.Quality{Versions: prompt.Quality{Gate: runs.Gate, Grade: runs.Grade}, CheckGate: runs.CheckGate})
		module.Offer(e, turn.Variants{Choose: experiment.Choose})
		module.Offer(e, api.NameSource{Prefix: "eds_", Perm: perm.AIRead, Names: dataset.NamesOf})
		subscribe(e.Bus)
		return module.Module{
			Endpoints: slices.Concat(
				feedback.New(e.DB).Endpoints(), dataset.New(e.DB, evaluation.InUse).Endpoints(), runs.Endpoints(), experiment.New(e.DB, models.Prompts).Endpoints()),
			Workers: func(w *queue.Workers) {
				runs.Work(w)
				queue.Register(w, func(ctx context.Context, j queue.Job, f forgetting) error { return f.run(ctx, e.DB, j) })
			},
			Cleanup: []module.Cleanup{{EachOrg: purgeFeedback}, {EachOrg: purgeResults}},
		}
	}}
}

// subscribe subscribes to what makes feedback and to what takes things away.
func subscribe(b *signal.Bus) {
	feedback.Subscribe(b)
	experiment.Subscribe(b)
	signal.On(b, func(tx *store.Tx, _ *api.Call, x conversation.BecamePersonal) error {
		return forget(tx, forgetting{Org: x.Org, Conversation: x.Conversation})
	})
	signal.On(b, func(tx *store.Tx, _ *api.Call, x business.Deleted) error {
		return forget(tx, forgetting{Org: x.Org, Business: x.Business})
	})
}
