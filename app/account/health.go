package account

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"svc/app/account/connection"
	"svc/app/account/login"
	"svc/app/api"
	"svc/app/audit"
	"svc/messenger"
	"svc/store"
	"svc/store/queue"
)

// The times of checks (contract 47).
const (
	healthEvery   = time.Minute
	silentFor     = 30 * time.Minute // an ACTIVE account is checked that was not heard from
	checkEvery    = 10 * time.Minute // and no account more often
	accountWithin = 25 * time.Second
	checkedAtOnce = 32

	accountsAtATime = 200 // are looked at in one transaction
)

// checkDue says whether an account is to be checked now. What a person has to decide
// about is left alone.
func checkDue(a *Account, p Pace, now time.Time) bool {
	if a.DisabledByAdmin || now.Sub(p.CheckedAt) < checkEvery {
		return false
	}
	switch a.Status {
	case Active:
		return now.Sub(p.heardAt()) >= silentFor
	case Disconnected, Failed:
		return true
	}
	return false
}

// health is the job that checks accounts and proxies. It goes on for ever.
type health struct{}

// Kind names the job.
func (health) Kind() string { return "account.health" }

// Queue is where it waits.
func (health) Queue() queue.Name { return queue.Maintenance }

// cleanupJob is the job that ends sign-ins, sums up hours and removes what is old. It
// goes on for ever.
type cleanupJob struct{}

// Kind names the job.
func (cleanupJob) Kind() string { return "account.tend" }

// Queue is where it waits.
func (cleanupJob) Queue() queue.Name { return queue.Maintenance }

// Work registers the jobs of the slice. Call Schedule once the store is open.
func (s *Service) Work(w *queue.Workers) {
	queue.Register(w, func(ctx context.Context, _ queue.Job, _ health) error {
		return again(s.CheckAll(ctx))
	}, queue.WithTimeout(time.Hour))
	queue.Register(w, func(ctx context.Context, _ queue.Job, _ cleanupJob) error {
		return again(s.Cleanup(ctx))
	})
	s.proxies.Work(w)
	queue.Register(w, s.lookQueued)
	s.pool.Work(w)
}

func again(err error) error {
	if err != nil {
		return err
	}
	return queue.Snooze(healthEvery)
}

// Schedule asks for the jobs that run for ever, at every start.
func (s *Service) Schedule(tx *store.Tx) error {
	if _, err := queue.Add(tx, health{}, time.Time{}, queue.Once("all")); err != nil {
		return err
	}
	_, err := queue.Add(tx, cleanupJob{}, time.Time{}, queue.Once("all"))
	return err
}

// looking checks one account at once: the way to the platform is mended, so nobody
// waits for the next round.
type looking struct {
	Org     string `json:"org"`
	Account string `json:"account"`
}

// Kind names the job.
func (looking) Kind() string { return "account.check" }

// Queue is where it waits.
func (looking) Queue() queue.Name { return queue.Maintenance }

// comesBack says whether an account only waits for the platform to answer.
func (a *Account) comesBack() bool {
	_, back := transitions.Next(a.Status, Answered)
	return back && !a.DisabledByAdmin
}

// checkBack asks for the check of an account that only waits for the platform to
// answer. A check that runs already may have taken the old way, so it does not count.
func checkBack(tx *store.Tx, org string, a *Account) error {
	if !a.comesBack() {
		return nil
	}
	_, err := queue.Add(tx, looking{org, a.ID}, time.Time{}, queue.For(org, a.ID))
	return err
}

func (s *Service) lookQueued(ctx context.Context, _ queue.Job, l looking) error {
	var a Account
	err := s.db.View(ctx, func(tx *store.Tx) (err error) {
		a, err = accounts.Get(tx, l.Org, l.Account)
		return err
	})
	if err == nil && a.comesBack() {
		_, err = s.check(api.System(ctx, l.Org, s.db.Now()), key{l.Org, l.Account}, false)
	}
	return store.IgnoreNotFound(err)
}

// key names an account or a proxy.
type key struct{ org, id string }

// due are the accounts and proxies to check, by their organization and id.
type due struct{ accounts, proxies []key }

// CheckAll checks the accounts and proxies whose time has come.
func (s *Service) CheckAll(ctx context.Context) error {
	var all due
	for after := store.Cursor(nil); ; {
		var some due
		var next store.Cursor
		err := s.db.View(ctx, func(tx *store.Tx) (err error) {
			some, next, err = findDue(tx, after)
			return err
		})
		if err != nil {
			return err
		}
		all.accounts, all.proxies = append(all.accounts, some.accounts...), append(all.proxies, some.proxies...)
		if after = next; after == nil {
			break
		}
	}
	g := errgroup.Group{}
	g.SetLimit(checkedAtOnce)
	// Proxies first: an account behind one that fails need not be asked.
	for _, k := range all.proxies {
		g.Go(func() error { return s.quietly(s.proxies.CheckQuietly(ctx, k.org, k.id)) })
	}
	if err := g.Wait(); err != nil {
		return err
	}
	for _, k := range all.accounts {
		g.Go(func() error {
			_, err := s.check(api.System(ctx, k.org, s.db.Now()), k, false)
			return s.quietly(err)
		})
	}
	return g.Wait()
}

// quietly keeps what is no fault of the store from ending the round.
func (s *Service) quietly(err error) error {
	if err == nil || store.IsNotFound(err) {
		return nil
	}
	if errors.Is(err, login.ErrGateway) {
		return nil // the service ends
	}
	if errors.Is(err, store.ErrClosed) || errors.Is(err, store.ErrDamaged) || errors.Is(err, context.Canceled) {
		return err
	}
	s.log.Error("a check failed on our side", "error", err)
	return nil
}

// findDue looks through a page of the accounts of all organizations.
func findDue(tx *store.Tx, after store.Cursor) (d due, next store.Cursor, err error) {
	now := tx.DB().Now()
	page, next, err := across.Walk(tx, store.Range{Span: store.Is(store.Tuple(store.Text(""))), After: after, Limit: accountsAtATime})
	for i := range page {
		a, org := &page[i].Record, page[i].Org
		p, err := paces.Get(tx, org, a.ID)
		if err != nil {
			return d, nil, err
		}
		if checkDue(a, p, now) {
			d.accounts = append(d.accounts, key{org, a.ID})
		}
		used, found, err := ProxyOf(tx, org, a)
		if err != nil {
			return d, nil, err
		}
		if found && used.CheckDue(now) {
			d.proxies = append(d.proxies, key{org, used.ID})
		}
	}
	return d, next, err
}

// Checked is the answer of a health check (contract 7.1).
type Checked struct {
	Status    Status    `json:"status" enum:"ACTIVE,PAUSED,AUTH_REQUIRED,RESTRICTED,DISCONNECTED,ERROR"`
	OK        bool      `json:"ok" doc:"The messenger answered."`
	LatencyMS *int      `json:"latency_ms"`
	CheckedAt time.Time `json:"checked_at"`
	Message   string    `json:"message"`
}

func (s *Service) checkNow(c *api.Call, in idIn) (Checked, error) {
	return s.check(c, key{c.Org, in.ID}, true)
}

// check asks the platform whose session an account has, and does what the answer
// means. asked: a person or a program wants it, so the activity shows it.
func (s *Service) check(c *api.Call, k key, asked bool) (out Checked, err error) {
	begun := time.Now()
	profile, err := s.ask(c, k)
	took := time.Since(begun)
	e := messenger.As(err)
	if err != nil && e == nil {
		if c.Err() != nil || store.IsNotFound(err) || !errors.Is(err, context.DeadlineExceeded) {
			return out, err
		}
		e = &messenger.Error{Fault: messenger.Unreachable, Code: "TIMEOUT", Cause: err}
	}
	if e == connection.ErrClosing {
		return out, login.ErrGateway.WithCause(e)
	}
	err = s.db.Update(context.WithoutCancel(c), func(tx *store.Tx) error {
		if err := s.found(tx, c, k, profile, e); err != nil {
			return err
		}
		a, err := accounts.Get(tx, k.org, k.id)
		if err != nil {
			return err
		}
		out = Checked{Status: a.Status, OK: e == nil, CheckedAt: tx.DB().Now(), Message: verdict(&a, e)}
		if e == nil {
			ms := int(took.Milliseconds())
			out.LatencyMS = &ms
		}
		if !asked && e == nil {
			return nil
		}
		entry := activity{Kind: HealthCheck, Message: out.Message}
		if e != nil {
			entry.ErrorCode = e.Code
		}
		if err := note(tx, k.org, k.id, entry); err != nil || !asked {
			return err
		}
		return audit.Write(tx, c, "account.checked", a.resource())
	})
	return out, err
}

func (s *Service) ask(c *api.Call, k key) (messenger.Profile, error) {
	ctx, cancel := context.WithTimeout(c, accountWithin)
	defer cancel()
	return s.pool.Check(ctx, k.org, k.id)
}

// found does what a check found.
func (s *Service) found(tx *store.Tx, c *api.Call, k key, profile messenger.Profile, e *messenger.Error) error {
	a, err := accounts.Get(tx, k.org, k.id)
	if err != nil {
		return err
	}
	p, err := paces.Get(tx, k.org, k.id)
	if err != nil {
		return err
	}
	now := tx.DB().Now()
	p.CheckedAt = now
	if e == nil {
		p.SeenAt, p.Unreached = now, 0
	}
	if err := paces.Put(tx, k.org, &p); err != nil {
		return err
	}
	if e == nil {
		return s.answered(tx, c, k, &a, profile)
	}
	switch e.Fault {
	case messenger.Unreachable: // only sends count towards DISCONNECTED
		return complain(tx, k.org, &a, e)
	case messenger.Flood:
		_, err := s.Flooded(tx, c, k.org, k.id, e.Wait)
		return err
	}
	return s.Trouble(tx, c, k.org, k.id, e)
}

// answered takes over what the platform says about an account, which comes back when
// it was not reached before.
func (s *Service) answered(tx *store.Tx, c *api.Call, k key, a *Account, profile messenger.Profile) error {
	changed := profile.ID == a.MessengerID && a.profile(profile)
	if a.comesBack() {
		return s.apply(tx, c, k.org, a, transition{event: Answered, reason: "The messenger answers again."})
	}
	if !changed {
		return nil
	}
	a.UpdatedAt = tx.DB().Now()
	return accounts.Put(tx, k.org, a)
}

// verdict is what a check found, as a sentence.
func verdict(a *Account, e *messenger.Error) string {
	switch {
	case e == nil && a.Status == Active:
		return "The messenger answers."
	case e == nil:
		return fmt.Sprintf("The messenger answers; the account is %s.", a.Status)
	}
	if e == errTurnedOff {
		return "An administrator disabled this account, so it is not connected."
	}
	switch e.Fault {
	case messenger.SessionEnded:
		return "The session ended; sign in again."
	case messenger.Restricted:
		return "The messenger restricted this account."
	case messenger.RouteFailed:
		return "The messenger cannot be reached through the proxy of this account."
	case messenger.Unreachable:
		return "The messenger cannot be reached."
	case messenger.Flood, messenger.Wait:
		return "The messenger asks to wait " + seconds(e.Wait) + "."
	}
	return "The messenger refused the check (" + e.Code + ")."
}
