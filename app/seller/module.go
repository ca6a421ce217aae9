package seller

import (
	"slices"
	"time"

	"svc/app/calendar"
	"svc/app/engine"
	"svc/app/inbox"
	"svc/app/inbox/intake"
	"svc/app/inbox/reply"
	"svc/app/jev"
	"svc/app/knowledge"
	"svc/app/module"
	"svc/app/org"
	"svc/app/seller/decision"
	"svc/app/seller/draft"
	"svc/app/seller/figure"
	"svc/app/seller/lead"
	"svc/app/seller/memory"
	"svc/app/seller/playground"
	"svc/app/seller/shadow"
	"svc/app/seller/turn"
	"svc/store"
	"svc/store/queue"
)

// Slice registers the seller.
func Slice() module.Slice {
	return module.Slice{Name: "seller", Tables: Tables, New: func(e *module.Env) module.Module {
		drafts := draft.NewService(e.DB, module.Get[*reply.Service](e), e.Bus)
		module.Offer[intake.Order](e, lead.Ordered)
		module.Offer(e, inbox.Selling{Drafts: draft.Shown, Leads: lead.InInbox, OpenFor: openFor, ReplyWindow: replyWindow})
		models := module.Get[*engine.Service](e)
		facts := known{module.Get[*knowledge.Service](e)}
		turns := turn.New(e.DB, turn.Options{
			Runs: models.Runs, Replies: module.Get[*reply.Service](e), Knowledge: facts, JEV: module.Get[*jev.Service](e), Calendar: module.Get[*calendar.Service](e), Memory: remembered, Lead: sold, Worth: worth, Interests: interests,
			Missed:    missed,
			StopWords: module.Get[*intake.Service](e).StopWords,
		})
		tries := playground.New(e.DB, playground.Options{Runs: models.Runs, Chains: models.Chains, Knowledge: facts, JEV: module.Get[*jev.Service](e)})
		module.Provide(e, tries)
		memories := memory.New(e.DB, models.Runs)
		shadows := shadow.New(e.DB, models.Runs)
		below := &comments{db: e.DB, runs: models.Runs, facts: facts, jev: module.Get[*jev.Service](e)}
		module.Provide(e, AnswerComment(below.answer))
		turns.Subscribe(e.Bus)
		subscribe(e.Bus, shadows)
		lead.Subscribe(e.Bus)
		return module.Module{
			Ready:     func() { turns.UseVariants(module.All[turn.Variants](e)) },
			Endpoints: slices.Concat(drafts.Endpoints(), lead.New(e.DB).Endpoints(), memories.Endpoints(), tries.Endpoints(), decision.New(e.DB).Endpoints(), figure.New(e.DB).Endpoints()),
			Workers: func(w *queue.Workers) {
				draft.Work(e.DB, w)
				lead.Work(e.DB, w)
				memories.Work(w)
				shadows.Work(w)
				turns.Work(w)
			},
			Periodic: turn.Schedule,
			Cleanup:  []module.Cleanup{{EachOrg: purgeDrafts}, {EachOrg: memory.Purge}, {EachOrg: shadow.Purge}, {EachOrg: decision.Purge}},
		}
	}}
}

const day = 24 * time.Hour

// purgeDrafts removes the words of drafts that are older than the organization keeps
// messages (contract 10.2, Retention).
func purgeDrafts(tx *store.Tx, orgID string, limit int) (int, error) {
	o, err := org.Get(tx, orgID)
	if err != nil || o.Retention.MessagesDays == nil {
		return 0, store.IgnoreNotFound(err)
	}
	return draft.Purge(tx, orgID, tx.DB().Now().Add(-time.Duration(*o.Retention.MessagesDays)*day), limit)
}
