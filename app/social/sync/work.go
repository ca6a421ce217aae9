package sync

import (
	"context"
	"errors"
	"time"

	"svc/app/channel"
	"svc/app/social/post"
	"svc/messenger/platform"
	"svc/store"
	"svc/store/queue"
)

// errTaken says that another worker went on meanwhile.
var errTaken = errors.New("social: another worker goes on with this sync")

// at is one step of a sync.
type at struct {
	sp     *channel.Speaker
	reader platform.Reader
	r      Record
	w      post.Writer
	wait   time.Duration
	posts  []post.Post // whose figures or comments are read
	kept   int         // comments that are kept of the post
}

func (s *Service) run(ctx context.Context, _ queue.Job, a syncing) error {
	until := time.Now().Add(workTime)
	for time.Now().Before(until) {
		more, wait, err := s.step(ctx, a)
		switch {
		case errors.Is(err, errTaken), errors.Is(err, channel.ErrNotReady), store.IsNotFound(err):
			return nil
		case err != nil:
			return err
		case wait > 0:
			return queue.Snooze(wait)
		case !more:
			return nil
		}
	}
	return queue.Snooze(0)
}

// step does one page: it reads where the sync is, asks the network, and stores the answer with
// where it goes on.
func (s *Service) step(ctx context.Context, a syncing) (more bool, wait time.Duration, err error) {
	x, err := s.begin(ctx, a)
	if errors.Is(err, channel.ErrAuth) {
		return false, 0, s.stopped(ctx, a, codeAuth)
	}
	if errors.Is(err, channel.ErrNotReady) {
		return false, 0, errors.Join(s.stopped(ctx, a, ""), err)
	}
	if err != nil || x == nil || x.wait > 0 {
		if x != nil {
			wait = x.wait
		}
		return false, wait, err
	}
	save, asked := s.ask(ctx, x)
	if err := s.o.Channels.Done(ctx, x.sp, asked); platform.As(err) == nil && err != nil {
		return false, 0, err
	}
	if e := platform.As(asked); e != nil {
		return s.faulty(ctx, x, e)
	}
	if asked != nil {
		return false, 0, asked
	}
	return true, 0, s.commit(ctx, x, save)
}

// begin reads where the sync of an account is; the first step starts it. nil: nothing is due.
func (s *Service) begin(ctx context.Context, a syncing) (x *at, err error) {
	sp, err := s.o.Channels.Speak(ctx, a.Org, a.Account)
	if err != nil {
		return nil, err
	}
	reader := platform.Reader(sp.Network)
	err = s.db.Update(ctx, func(tx *store.Tx) error {
		x = nil
		r, err := table.Get(tx, a.Org, a.Account)
		if err != nil {
			return err
		}
		now := tx.DB().Now()
		y := &at{sp: sp, reader: reader, r: r}
		if y.wait, err = s.waits(tx, &sp.Account, &r); err != nil || y.wait > 0 {
			x = y
			return err
		}
		if r.Status != Running {
			if !r.Asked && (r.DueAt.IsZero() || now.Before(r.DueAt)) {
				return nil
			}
			if err := start(tx, a.Org, &sp.Account, &r); err != nil {
				return err
			}
			y.r = r
		}
		zone, err := zoneOf(tx, a.Org)
		y.w = post.Writer{Org: a.Org, Account: &sp.Account, Zone: zone, Round: r.Round, Recent: reader.ListsRecent()}
		x = y
		return errors.Join(err, y.due(tx))
	})
	return x, err
}

// due reads the posts that a step is about.
func (x *at) due(tx *store.Tx) (err error) {
	switch x.r.Phase {
	case figures:
		most := platform.MaxFigures
		if !x.w.Recent { // each costs calls of its own
			most = 10
		}
		x.posts, err = post.FiguresDue(tx, x.w.Org, x.r.ID, most)
	case comments:
		var p post.Post
		if x.r.Post != "" {
			p, err = post.Get(tx, x.w.Org, x.r.Post)
		} else {
			p, err = post.CommentsDue(tx, x.w.Org, x.r.ID)
		}
		if store.IsNotFound(err) {
			return nil
		}
		if err == nil {
			x.posts = []post.Post{p}
			x.kept, err = post.Below(tx, x.w.Org, p.ID)
		}
	}
	return err
}

// waits is how long work in the background waits for the network. What a person asked for waits
// only where nothing is left.
func (s *Service) waits(tx *store.Tx, a *channel.Account, r *Record) (time.Duration, error) {
	now := tx.DB().Now()
	if a.Platform == platform.Video {
		q, err := channel.QuotaNow(tx)
		if err != nil {
			return 0, err
		}
		if q.Used >= channel.QuotaLimit || q.Low() && !r.Asked {
			return q.Reset.Sub(now), nil
		}
	}
	w := channel.Background
	if r.Asked {
		w = channel.Wanted
	}
	return max(0, a.NotBefore(w, now).Sub(now)), nil
}

// start begins a sync: of everything that is due, or of figures alone.
func start(tx *store.Tx, org string, a *channel.Account, r *Record) error {
	if err := r.apply(Began); err != nil {
		return err
	}
	now := tx.DB().Now()
	r.DueAt = now.Add(lookAgain)
	r.Round++
	r.Step++
	r.Phase, r.After, r.Walk, r.Post = audience, "", nil, ""
	r.Light = !r.Asked && (r.NextAt.IsZero() || now.Before(r.NextAt))
	if r.Light {
		r.Phase = figures
		return table.Put(tx, org, r)
	}
	newest, err := post.Newest(tx, org, a.ID)
	if err != nil {
		return err
	}
	floor := now.Add(-post.KeptFor)
	r.Since = newest.Add(-overlap)
	if r.Full = newest.IsZero() || now.Sub(r.FullAt) >= fullEvery || r.Since.Before(floor); r.Full {
		r.Since = floor
	}
	return table.Put(tx, org, r)
}

// write stores what a step read, and moves the sync on.
type write func(tx *store.Tx, r *Record) error

// ask asks the network for what the step is about.
func (s *Service) ask(ctx context.Context, x *at) (write, error) {
	a := x.sp.Access
	switch x.r.Phase {
	case audience:
		got, err := x.reader.Audience(ctx, a)
		return func(tx *store.Tx, r *Record) error {
			r.Phase = listing
			return x.w.Followers(tx, got)
		}, err
	case listing:
		got, err := x.reader.Posts(ctx, a, x.r.Since, x.r.After)
		return func(tx *store.Tx, r *Record) error {
			if r.After = got.Next; got.Next == "" {
				r.Phase = missing
			}
			_, err := x.w.Posts(tx, got.Data)
			return err
		}, err
	case missing:
		return func(tx *store.Tx, r *Record) (err error) {
			if r.Walk, err = x.w.Missing(tx, r.Since, r.Walk, 500); r.Walk == nil {
				r.Phase = figures
			}
			return err
		}, nil
	case figures:
		return x.readFigures(ctx)
	case recent:
		got, err := x.reader.Comments(ctx, a, "", x.r.After)
		if err != nil {
			return nil, err
		}
		rest, before, err := s.storeComments(ctx, x, got.Data)
		return func(tx *store.Tx, r *Record) error {
			fresh, _, err := x.w.Comments(tx, rest)
			if r.After = got.Next; got.Next == "" || before+len(fresh) == 0 {
				r.Phase, r.After = comments, ""
			}
			return errors.Join(err, s.publishComments(tx, x, fresh))
		}, err
	case comments:
		return s.readComments(ctx, x)
	}
	return func(tx *store.Tx, r *Record) error {
		if more, err := x.w.WipeBelow(tx); err != nil || more {
			return err
		}
		return s.finish(tx, x.w.Org, &x.sp.Account, r)
	}, nil
}

func (x *at) readFigures(ctx context.Context) (write, error) {
	if len(x.posts) == 0 {
		return func(_ *store.Tx, r *Record) error {
			switch {
			case r.Light:
				r.Phase = last
			case x.w.Recent && !r.FullAt.IsZero():
				r.Phase = recent
			default:
				r.Phase = comments
			}
			return nil
		}, nil
	}
	ids := make([]string, len(x.posts))
	missed := map[string]string{}
	for i := range x.posts {
		ids[i] = x.posts[i].External
		missed[ids[i]] = x.posts[i].ID
	}
	got, err := x.reader.Figures(ctx, x.sp.Access, ids)
	for i := range got {
		delete(missed, got[i].ID)
	}
	return func(tx *store.Tx, _ *Record) error {
		gone := make([]string, 0, len(missed))
		for _, id := range missed {
			gone = append(gone, id)
		}
		_, err := x.w.Posts(tx, got)
		return errors.Join(err, x.w.Gone(tx, gone))
	}, err
}

// commit stores a step, unless another worker did meanwhile.
func (s *Service) commit(ctx context.Context, x *at, save write) error {
	return s.change(ctx, x, func(tx *store.Tx, r *Record) error {
		r.Faults = 0
		if err := save(tx, r); err != nil || r.Status != Running {
			return err
		}
		return table.Put(tx, x.w.Org, r)
	})
}

func (s *Service) change(ctx context.Context, x *at, do write) error {
	return s.db.Update(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		r, err := table.Get(tx, x.w.Org, x.r.ID)
		if err != nil {
			return err
		}
		if r.Status != Running || r.Step != x.r.Step {
			return errTaken
		}
		r.Step++
		return do(tx, &r)
	})
}

// Faults of a network: how often in a row, and how long to wait between.
const (
	mostFaults = 3
	faultWait  = time.Minute
)

// faulty says what becomes of a sync after an error of the network.
func (s *Service) faulty(ctx context.Context, x *at, e *platform.Error) (more bool, wait time.Duration, err error) {
	err = s.change(ctx, x, func(tx *store.Tx, r *Record) error {
		a, err := channel.Get(tx, x.w.Org, x.r.ID)
		if err != nil {
			return err
		}
		switch {
		case a.Status == channel.AuthRequired:
			return s.giveUp(tx, x.w.Org, &a, r, codeAuth)
		case e.Fault == platform.NoPermission:
			return s.giveUp(tx, x.w.Org, &a, r, codeScope)
		case e.Fault == platform.Limited:
			now := tx.DB().Now()
			wait = max(e.Wait, faultWait, a.NotBefore(channel.Background, now).Sub(now))
			return table.Put(tx, x.w.Org, r)
		}
		if r.Faults++; r.Faults >= mostFaults {
			return s.giveUp(tx, x.w.Org, &a, r, codeFault)
		}
		wait = faultWait << (r.Faults - 1)
		return table.Put(tx, x.w.Org, r)
	})
	return false, wait, err
}

// stopped ends a sync whose account cannot be read any more.
func (s *Service) stopped(ctx context.Context, j syncing, code string) error {
	return s.db.Update(ctx, func(tx *store.Tx) error {
		r, err := table.Get(tx, j.Org, j.Account)
		if err != nil {
			return store.IgnoreNotFound(err)
		}
		if r.Asked = false; r.Status != Running {
			return table.Put(tx, j.Org, &r)
		}
		a, err := channel.Get(tx, j.Org, j.Account)
		if err != nil {
			return err
		}
		if code != "" {
			return s.giveUp(tx, j.Org, &a, &r, code)
		}
		r.Phase = ""
		return errors.Join(r.apply(Ended), table.Put(tx, j.Org, &r))
	})
}
