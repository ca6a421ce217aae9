// Package sync reads what connected accounts show to the public, again and again, into package
// post.
//
// It promises that a page of a list is stored together with where the list goes on, so that a
// process that dies loses a page at most; that one sync of an account is under way, whoever works
// on it; that work in the background waits where a network is nearly used up; and that only a
// refused access, a lost permission or three faults in a row make it FAILED (contract 15.12).
package sync

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"svc/app/api"
	"svc/app/channel"
	"svc/app/event"
	"svc/app/org"
	"svc/app/signal"
	"svc/app/social/post"
	"svc/messenger/platform"
	"svc/store"
	"svc/store/queue"
)

// Status is where the sync of an account is (contract 60.80).
type Status string

// The statuses.
const (
	Idle    Status = "IDLE"
	Running Status = "RUNNING"
	Failed  Status = "FAILED"
)

// Statuses lists them.
func Statuses() []Status { return []Status{Idle, Running, Failed} }

// Transition is what happens to a sync.
type Transition string

// What happens.
const (
	Began    Transition = "began"
	Finished Transition = "finished"
	GaveUp   Transition = "gave up"
	Ended    Transition = "account left" // it was disconnected meanwhile
)

// life is that of a sync (contract 60.80).
var life = api.Table[Status, Transition]{
	{From: []Status{Idle, Failed}, On: Began, To: Running},
	{From: []Status{Running}, On: Finished, To: Idle},
	{From: []Status{Running}, On: GaveUp, To: Failed},
	{From: []Status{Running}, On: Ended, To: Idle},
}

// The codes of a sync that failed.
const (
	codeAuth  = "channel_auth_required"
	codeScope = "missing_scope"
	codeFault = "network_failed"
)

// phase is how far a sync is.
type phase string

const (
	audience phase = "audience"
	listing  phase = "posts"
	missing  phase = "missing"
	figures  phase = "figures"
	recent   phase = "recent"
	comments phase = "comments"
	last     phase = "last"
)

// Record is the sync of an account.
type Record struct {
	ID     string    `json:"id"` // of the account
	Status Status    `json:"status"`
	LastAt time.Time `json:"last_at,omitzero"`
	NextAt time.Time `json:"next_at,omitzero"` // zero: never
	// DueAt is NextAt, or when figures are to be read before; of a sync that is under way, when
	// somebody looks whether its job is there still.
	DueAt  time.Time `json:"due_at,omitzero"`
	Code   string    `json:"code,omitempty"`
	Faults int       `json:"faults,omitempty"` // in a row
	Asked  bool      `json:"asked,omitempty"`  // a person asked
	FullAt time.Time `json:"full_at,omitzero"` // the last listing of all 90 days

	// Of the sync that is under way. Light: figures alone.
	Round int          `json:"round"`
	Step  int          `json:"step"`
	Phase phase        `json:"phase,omitempty"`
	Light bool         `json:"light,omitempty"`
	Full  bool         `json:"full,omitempty"`
	Since time.Time    `json:"since,omitzero"`
	After string       `json:"after,omitempty"`
	Walk  store.Cursor `json:"walk,omitempty"`
	Post  string       `json:"post,omitempty"` // whose comments are listed
	// LeftAt is when the account was disconnected: what is kept of it goes a month later.
	LeftAt time.Time `json:"left_at,omitzero"`
}

var (
	table = store.NewTable("social_sync", "", func(r *Record) string { return r.ID })
	byDue = table.MultiAcross("due", func(r *Record) []store.Key { return when(r.DueAt) })
	left  = table.Multi("left", func(r *Record) []store.Key { return when(r.LeftAt) })
)

func when(at time.Time) []store.Key {
	if at.IsZero() {
		return nil
	}
	return []store.Key{store.Time(at)}
}

// Tables are what a store that holds syncs is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{table} }

// Get reads the sync of an account: store.ErrNotFound where none was ever due.
func Get(tx *store.Tx, org, account string) (Record, error) { return table.Get(tx, org, account) }

// apply is the one writer of the status.
func (r *Record) apply(on Transition) error {
	to, ok := life.Next(r.Status, on)
	if !ok {
		return api.ErrState
	}
	r.Status = to
	return nil
}

// Times of syncs (contract 15.12).
const (
	every      = 6 * time.Hour
	everyVideo = 24 * time.Hour
	fullEvery  = 24 * time.Hour
	overlap    = 3 * 24 * time.Hour
	keptAfter  = 30 * 24 * time.Hour // a disconnection
)

func interval(p platform.Name) time.Duration {
	if p == platform.Video {
		return everyVideo
	}
	return every
}

// Options of New.
type Options struct {
	Channels *channel.Service
	// Done is called in the transaction that ends a sync: there may be something to judge.
	Done func(tx *store.Tx, org string) error
	Bus  *signal.Bus
	Log  *slog.Logger
}

// Service reads accounts.
type Service struct {
	db *store.DB
	o  Options
}

// New makes the service. It starts nothing; see Work and Schedule.
func New(db *store.DB, o Options) *Service { return &Service{db, o} }

// syncing is the job that reads one account, rounds the one that asks for those.
type (
	syncing struct {
		Org     string `json:"org"`
		Account string `json:"account"`
	}
	rounds struct{}
)

// Kind implements queue.Args.
func (syncing) Kind() string { return "social.sync" }

// Queue implements queue.Args.
func (syncing) Queue() queue.Name { return queue.Social }

// Kind implements queue.Args.
func (rounds) Kind() string { return "social.rounds" }

// Queue implements queue.Args.
func (rounds) Queue() queue.Name { return queue.Maintenance }

const (
	roundEach = time.Minute
	jobTime   = 10 * time.Minute
	workTime  = 4 * time.Minute // of one try; then others have their turn
)

// Work registers the jobs.
func (s *Service) Work(w *queue.Workers) {
	queue.Register(w, s.run, queue.WithTimeout(jobTime))
	queue.Register(w, s.round)
	queue.Register(w, s.pictures, queue.WithTimeout(jobTime))
}

// Schedule asks for the job that runs for ever.
func (s *Service) Schedule(tx *store.Tx) error {
	_, err := queue.Add(tx, rounds{}, time.Time{}, queue.Once("all"))
	return err
}

func (s *Service) round(ctx context.Context, _ queue.Job, _ rounds) error {
	err := s.db.Update(ctx, func(tx *store.Tx) error {
		list, _, err := byDue.Walk(tx, store.Range{Span: store.During(time.Time{}, tx.DB().Now().Add(time.Millisecond)), Limit: 200})
		for i := range list {
			if err == nil {
				err = s.remind(tx, list[i].Org, &list[i].Record)
			}
		}
		return err
	})
	return errors.Join(err, queue.Snooze(roundEach))
}

// lookAgain is when somebody looks after a sync that is under way.
const lookAgain = time.Hour

// remind asks for the sync of an account that is due. One that is under way has a job, unless that
// was given up because its process died too often.
func (s *Service) remind(tx *store.Tx, org string, r *Record) error {
	if r.Status == Running {
		r.DueAt = tx.DB().Now().Add(lookAgain)
		if err := table.Put(tx, org, r); err != nil {
			return err
		}
	}
	return ask(tx, org, r.ID)
}

func ask(tx *store.Tx, org, account string) error {
	_, err := queue.Add(tx, syncing{org, account}, time.Time{}, queue.Once(account), queue.For(org, account))
	return err
}

// askNow is ask for somebody who waits: a job that sleeps until the network has room wakes up.
func askNow(tx *store.Tx, org, account string) error {
	id, err := queue.Add(tx, syncing{org, account}, time.Time{}, queue.Once(account), queue.For(org, account))
	if err != nil {
		return err
	}
	j, err := queue.Get(tx, id)
	if err != nil || j.State != queue.Scheduled && j.State != queue.Retry {
		return err
	}
	return queue.RetryNow(tx, id)
}

// Want asks for a sync now, whatever is due. One that is under way goes on at once, also where
// work in the background waits for its network.
func Want(tx *store.Tx, org, account string) (r Record, err error) {
	if r, err = table.Get(tx, org, account); store.IsNotFound(err) {
		r, err = Record{ID: account, Status: Idle}, nil
	}
	if err != nil {
		return r, err
	}
	r.Asked = true
	if r.Status != Running { // the rounds find it where its job ends in this moment
		r.DueAt = tx.DB().Now()
	}
	return r, errors.Join(table.Put(tx, org, &r), askNow(tx, org, account))
}

// Changed follows the life of accounts: one that is connected is read, one that left is not.
func (s *Service) Changed(tx *store.Tx, _ *api.Call, x channel.Changed) error {
	a := &x.Account
	r, err := table.Get(tx, x.Org, a.ID)
	fresh := store.IsNotFound(err)
	if store.IgnoreNotFound(err) != nil {
		return err
	}
	switch {
	case a.Reads():
		if fresh {
			r = Record{ID: a.ID, Status: Idle}
		}
		now := tx.DB().Now()
		r.NextAt, r.DueAt, r.LeftAt, r.Faults = now, now, time.Time{}, 0
		if x.Before == channel.Faulty { // nobody connected it just now
			return errors.Join(table.Put(tx, x.Org, &r), ask(tx, x.Org, a.ID))
		}
		r.Asked = true
		return errors.Join(table.Put(tx, x.Org, &r), askNow(tx, x.Org, a.ID))
	case fresh:
		return nil
	case a.Status == channel.Disconnected:
		r.LeftAt = tx.DB().Now().Add(keptAfter)
	}
	r.NextAt, r.DueAt = time.Time{}, time.Time{}
	return table.Put(tx, x.Org, &r)
}

// Forget removes up to limit rows of accounts that left a month ago.
func Forget(tx *store.Tx, org string, limit int) (n int, err error) {
	list, _, err := left.Walk(tx, org, store.Range{Span: store.During(time.Time{}, tx.DB().Now()), Limit: limit})
	for i := range list {
		if err != nil || n >= limit {
			break
		}
		var k int
		if k, err = post.Forget(tx, org, list[i].ID, limit-n); err != nil {
			break
		}
		if n += k; k == 0 {
			n++
			err = table.Delete(tx, org, list[i].ID)
		}
	}
	return n, err
}

// finish ends a sync that read everything.
func (s *Service) finish(tx *store.Tx, orgID string, a *channel.Account, r *Record) error {
	now := tx.DB().Now()
	if err := r.apply(Finished); err != nil {
		return err
	}
	r.Phase, r.Post, r.After, r.Walk, r.Code = "", "", "", nil, ""
	if !r.Light {
		r.LastAt, r.NextAt, r.Asked = now, now.Add(interval(a.Platform)), false
		if r.Full {
			r.FullAt = now
		}
	}
	next, err := post.NextFigures(tx, orgID, a.ID)
	if err != nil {
		return err
	}
	if r.DueAt = r.NextAt; !next.IsZero() && next.Before(r.DueAt) {
		r.DueAt = next
		if soon := now.Add(time.Hour); r.DueAt.Before(soon) { // hourly at most
			r.DueAt = soon
		}
	}
	if r.Asked { // somebody asked for all of it meanwhile
		r.DueAt = now
	}
	if err := errors.Join(table.Put(tx, orgID, r), s.o.Done(tx, orgID), askPictures(tx, orgID, a.ID)); err != nil || r.Light {
		return err
	}
	return emit(tx, orgID, a, r)
}

// giveUp ends a sync that cannot go on.
func (s *Service) giveUp(tx *store.Tx, orgID string, a *channel.Account, r *Record, code string) error {
	if err := r.apply(GaveUp); err != nil {
		return err
	}
	now := tx.DB().Now()
	r.Phase, r.Code, r.Faults, r.Asked = "", code, 0, false
	if r.NextAt, r.DueAt = now.Add(interval(a.Platform)), now.Add(interval(a.Platform)); code == codeAuth {
		r.NextAt, r.DueAt = time.Time{}, time.Time{} // until it is connected again
	}
	if err := table.Put(tx, orgID, r); err != nil {
		return err
	}
	return emit(tx, orgID, a, r)
}

func emit(tx *store.Tx, orgID string, a *channel.Account, r *Record) error {
	counts, err := post.CountsOf(tx, orgID, a.ID)
	if err != nil {
		return err
	}
	return event.Emit(tx, orgID, event.SocialSynced, struct {
		AccountID string        `json:"account_id"`
		Platform  platform.Name `json:"platform"`
		Status    Status        `json:"status"`
		Counts    post.Counts   `json:"counts"`
		ErrorCode *string       `json:"error_code"`
	}{a.ID, a.Platform, r.Status, counts, api.Optional(r.Code)})
}

func zoneOf(tx *store.Tx, orgID string) (string, error) {
	o, err := org.Get(tx, orgID)
	return o.Timezone, err
}
