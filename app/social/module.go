// Package social reads what accounts of outside networks show to the public, and says what it is
// about: its parts put together.
//
//	post      posts, comments, pictures, who follows, and the sums of boards
//	sync      reading of accounts, again and again
//	classify  topic, mood and flags, by the agent SOCIAL
//	boards    four boards over the sums
//
// It promises that nothing is answered that a network deleted, and that addresses of networks
// for pictures are handed to nobody (contract 15.11).
package social

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/channel"
	"svc/app/engine"
	"svc/app/event"
	"svc/app/insight/board"
	"svc/app/insight/story"
	"svc/app/module"
	"svc/app/org"
	"svc/app/signal"
	social "svc/app/social/boards"
	"svc/app/social/classify"
	"svc/app/social/post"
	"svc/app/social/sync"
	"svc/store"
	"svc/store/queue"
)

// Tables are what a store that holds content is opened with.
func Tables() []store.AnyTable { return slices.Concat(post.Tables(), sync.Tables()) }

// Slice registers social content.
func Slice() module.Slice {
	return module.Slice{Name: "social", Tables: Tables, New: func(e *module.Env) module.Module {
		channels := module.Get[*channel.Service](e)
		reads := sync.New(e.DB, sync.Options{Channels: channels, Done: classify.Ask, Bus: e.Bus, Log: e.Log})
		judges := classify.New(e.DB, module.Get[*engine.Service](e).Runs, e.Log)
		s := &Service{db: e.DB, stories: module.Get[*story.Service](e), log: e.Log}
		from := &story.Source{Build: build, On: classify.On, Ended: ended}
		for _, name := range social.Names {
			s.stories.Register(string(name), from)
		}
		signal.On(e.Bus, reads.Changed)
		signal.On(e.Bus, heard)
		module.Offer(e, api.NameSource{Prefix: "pst_", Perm: perm.AIRead, Names: s.namesOf})
		return module.Module{
			Endpoints: s.Endpoints(),
			Workers: func(w *queue.Workers) {
				reads.Work(w)
				judges.Work(w)
				queue.Register(w, s.recount, queue.WithTimeout(time.Hour))
			},
			Periodic: func(tx *store.Tx) error {
				if _, err := queue.Add(tx, recounting{}, tx.DB().Now().Add(recountEvery), queue.Once("nightly")); err != nil {
					return err
				}
				return reads.Schedule(tx)
			},
			Cleanup: []module.Cleanup{{EachOrg: post.Purge}, {EachOrg: sync.Forget}},
		}
	}}
}

// heard takes comments of webhooks.
func heard(tx *store.Tx, _ *api.Call, x channel.Commented) error {
	o, err := org.Get(tx, x.Org)
	if err != nil {
		return err
	}
	if err := post.Heard(tx, x.Org, &x.Account, &x.Comment, o.Timezone); err != nil {
		return err
	}
	return classify.Ask(tx, x.Org)
}

func build(tx *store.Tx, org string, x *story.Subject) (*board.Figures, error) {
	b, err := social.Build(tx, org, x)
	if err != nil {
		return nil, err
	}
	return &b.Figures, nil
}

// ended tells how a narrative ended.
func ended(tx *store.Tx, org, id string, x *story.Subject, code string) error {
	what := event.SocialNarrativeReady
	if code != "" {
		what = event.SocialNarrativeRefused
	}
	return event.Emit(tx, org, what, struct {
		NarrativeID string       `json:"narrative_id"`
		Board       string       `json:"board"`
		Platform    *string      `json:"platform"`
		AccountID   *string      `json:"account_id"`
		Locale      board.Locale `json:"locale"`
		Period      board.Period `json:"period"`
		ErrorCode   string       `json:"error_code,omitempty"`
	}{id, x.Board, api.Optional(x.Channel), api.Optional(x.Account), x.Locale, board.Period{From: x.Days.From.UTC(), To: x.Days.To.UTC()}, code})
}

// recounting is the nightly job that proves the sums.
type recounting struct{}

// Kind implements queue.Args.
func (recounting) Kind() string { return "social.recount" }

// Queue implements queue.Args.
func (recounting) Queue() queue.Name { return queue.Maintenance }

const recountEvery = 24 * time.Hour

func (s *Service) recount(ctx context.Context, _ queue.Job, _ recounting) error {
	var orgs []string
	err := s.db.View(ctx, func(tx *store.Tx) (err error) {
		orgs, err = post.Sums.EachOwner(tx)
		return err
	})
	for _, id := range orgs {
		if err != nil {
			break
		}
		err = s.db.View(ctx, func(tx *store.Tx) error {
			wrong, err := post.Recount(tx, id)
			if len(wrong) > 0 {
				s.log.Error("sums of social boards are not those of the rows", "organization", id, "places", len(wrong), slog.String("first", wrong[0].ID()))
			}
			return err
		})
	}
	if err != nil {
		return err
	}
	return queue.Snooze(recountEvery)
}
