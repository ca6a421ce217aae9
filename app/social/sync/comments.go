package sync

import (
	"context"
	"errors"
	"time"

	"svc/app/api"
	"svc/app/channel"
	"svc/app/signal"
	"svc/messenger/platform"
	"svc/store"
)

// readComments lists a page of the comments of a post. It ends early where everything is known
// and nothing can be missing.
func (s *Service) readComments(ctx context.Context, x *at) (write, error) {
	if len(x.posts) == 0 {
		return func(_ *store.Tx, r *Record) error { r.Phase, r.Post, r.After = last, "", ""; return nil }, nil
	}
	p := &x.posts[0]
	after := x.r.After
	if x.r.Post == "" {
		after = ""
	}
	got, err := x.reader.Comments(ctx, x.sp.Access, p.External, after)
	if e := platform.As(err); e != nil && e.Fault == platform.Gone {
		return func(tx *store.Tx, r *Record) error {
			r.Post, r.After = "", ""
			return errors.Join(x.w.Listed(tx, p.ID, false, false), x.w.Gone(tx, []string{p.ID}))
		}, nil
	}
	if err != nil {
		return nil, err
	}
	rest, before, err := s.storeComments(ctx, x, got.Data)
	return func(tx *store.Tx, r *Record) error {
		fresh, _, err := x.w.Comments(tx, rest)
		if err != nil {
			return err
		}
		r.Post, r.After = p.ID, got.Next
		all := p.Metrics.Comments != nil && int64(x.kept) == *p.Metrics.Comments
		if got.Next == "" || before+len(fresh) == 0 && all {
			complete := got.Next == "" && !got.Cut && !got.Closed
			r.Post, r.After = "", ""
			err = x.w.Listed(tx, p.ID, complete, got.Closed)
		}
		return errors.Join(err, s.publishComments(tx, x, fresh))
	}, err
}

// heardWithin is how old a comment may be that automations answer.
const heardWithin = 7 * 24 * time.Hour

// publishComments tells of comments that no webhook brought, or brings later: whoever answers them does so
// once for each.
func (s *Service) publishComments(tx *store.Tx, x *at, fresh []platform.Comment) error {
	now := tx.DB().Now()
	c := api.System(context.Background(), x.w.Org, now)
	for i := range fresh {
		if now.Sub(fresh[i].At) >= heardWithin {
			continue
		}
		if err := signal.Publish(s.o.Bus, tx, c, channel.Commented{Org: x.w.Org, Account: x.sp.Account, Comment: fresh[i]}); err != nil {
			return err
		}
	}
	return nil
}

// commentsAtOnce bounds the comments that one transaction stores and tells of: a page of the video
// network holds thousands, with the answers below them.
const commentsAtOnce = 100

// storeComments stores the comments of a page but the last ones, which are stored with where the
// sync goes on, and says how many were not known. What a process that dies stored is known then.
func (s *Service) storeComments(ctx context.Context, x *at, list []platform.Comment) (rest []platform.Comment, fresh int, err error) {
	for len(list) > commentsAtOnce {
		err := s.db.Update(ctx, func(tx *store.Tx) error {
			r, err := table.Get(tx, x.w.Org, x.r.ID)
			if err != nil {
				return err
			}
			if r.Status != Running || r.Step != x.r.Step {
				return errTaken
			}
			got, _, err := x.w.Comments(tx, list[:commentsAtOnce])
			if err != nil {
				return err
			}
			tx.AfterCommit(func() { fresh += len(got) })
			return s.publishComments(tx, x, got)
		})
		if err != nil {
			return nil, 0, err
		}
		list = list[commentsAtOnce:]
	}
	return list, fresh, nil
}
