package insight

import (
	"slices"

	"svc/ai/decide"
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/engine"
	"svc/app/insight/analysis"
	"svc/app/insight/backfill"
	"svc/app/insight/board"
	"svc/app/insight/cases"
	"svc/app/insight/dimension"
	"svc/app/insight/story"
	"svc/app/jev"
	"svc/app/module"
	"svc/store/queue"
)

// asked are the fields for which analyses ask the outside decision service.
func asked() (out jev.Fields) {
	for _, d := range dimension.OfConversations {
		out = append(out, decide.Field(d))
	}
	for _, s := range dimension.Scores {
		out = append(out, decide.Field(s))
	}
	for _, f := range dimension.Flags {
		out = append(out, decide.Field(f))
	}
	return out
}

// Slice registers insights.
func Slice() module.Slice {
	return module.Slice{Name: "insight", Tables: Tables, New: func(e *module.Env) module.Module {
		runs := module.Get[*engine.Service](e).Runs
		analyses := analysis.New(e.DB, runs, module.Get[*jev.Service](e), e.Log)
		book := cases.New(e.DB, cases.Options{Conversations: analysis.CountOf, Sample: analysis.Sample, Allowed: analysis.Allowed, Runs: runs})
		boards := board.New(e.DB, story.About)
		stories := story.New(e.DB, runs)
		past := backfill.New(e.DB, runs, analyses)
		module.Offer(e, api.NameSource{Prefix: "cas_", Perm: perm.AIRead, Names: cases.NamesOf})
		module.Offer(e, asked())
		subscribe(e.Bus)
		return module.Module{
			Endpoints: slices.Concat(book.Endpoints(), analyses.Endpoints(), boards.Endpoints(), stories.Endpoints(), past.Endpoints()),
			Workers: func(w *queue.Workers) {
				book.Work(w)
				analyses.Work(w)
				stories.Work(w)
				past.Work(w)
				queue.Register(w, forget(e.DB))
			},
			Periodic: analysis.Schedule,
			Cleanup:  []module.Cleanup{{EachOrg: analysis.Purge}, {EachOrg: story.Purge}},
		}
	}}
}
