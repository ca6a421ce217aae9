package proxy

import (
	"context"
	"errors"
	"time"

	"svc/app/api"
	"svc/messenger"
	"svc/store"
	"svc/store/coord"
	"svc/store/queue"
)

const (
	// checkWithin bounds a check of a proxy.
	checkWithin = 20 * time.Second
	// checksKept of a proxy are kept (contract 7.3).
	checksKept = 100
	// maxError bounds what is kept of an error, in bytes.
	maxError = 300
)

// check is one check of a proxy as it is kept.
type check struct {
	ID        string          `json:"id"`
	Proxy     string          `json:"proxy"`
	OK        bool            `json:"ok"`
	Stage     messenger.Stage `json:"stage"` // at which it failed, or the last
	LatencyMS *int            `json:"latency_ms,omitempty"`
	Error     *string         `json:"error,omitempty"`
	At        time.Time       `json:"at"`
}

var (
	checks     = store.NewTable("proxy_check", "pck", func(p *check) string { return p.ID })
	checksOf   = checks.Index("proxy", func(p *check) store.Key { return store.Tuple(store.Text(p.Proxy), store.Time(p.At)) })
	checkFacet = checks.Facet("of", func(p *check) []string { return []string{p.Proxy} })
)

// keepCheck adds a check, and drops the oldest beyond those that are kept.
func keepCheck(tx *store.Tx, org string, k check) error {
	n, err := checkFacet.Count(tx, org, k.Proxy)
	if err != nil {
		return err
	}
	for ; n >= checksKept; n-- {
		old, err := checksOf.First(tx, org, store.Is(store.Tuple(store.Text(k.Proxy))))
		if err != nil {
			return err
		}
		if err := checks.Delete(tx, org, old.ID); err != nil {
			return err
		}
	}
	return checks.Insert(tx, org, &k)
}

// Check checks a proxy of an organization now and answers it.
func (s *Service) Check(c *api.Call, org, id string) (out ShownProxy, err error) {
	done, err := coord.Of(s.db).Lock(c, "proxy/"+id) // one check at a time, on all nodes
	if err != nil {
		return out, err
	}
	defer done()
	var via messenger.Route
	err = s.db.View(c, func(tx *store.Tx) error {
		p, err := proxies.Get(tx, org, id)
		if err != nil {
			return err
		}
		if p.Status == Disabled {
			return ErrDisabled
		}
		via, err = s.routeOf(tx, org, &p)
		return err
	})
	if err != nil {
		return out, err
	}
	found, err := s.tryRoute(c, via)
	if err != nil {
		return out, err
	}
	err = s.db.Update(context.WithoutCancel(c), func(tx *store.Tx) error {
		p, err := proxies.Get(tx, org, id)
		if err != nil {
			return err
		}
		now, err := s.routeOf(tx, org, &p)
		if err != nil {
			return err
		}
		if now == via && p.Status != Disabled { // else it was changed meanwhile
			if err := s.checked(tx, c, org, &p, found); err != nil {
				return err
			}
		}
		out, err = s.show(tx, org, &p)
		return err
	})
	return out, err
}

// tryRoute makes a check. Its error says that there was none: the caller went away.
func (s *Service) tryRoute(c *api.Call, via messenger.Route) (check, error) {
	ctx, cancel := context.WithTimeout(c, checkWithin)
	defer cancel()
	latency, err := s.o.Driver.CheckRoute(ctx, via)
	if err == nil {
		ms := int(latency.Milliseconds())
		return check{OK: true, Stage: messenger.StageDataCentre, LatencyMS: &ms}, nil
	}
	if c.Err() != nil {
		return check{}, c.Err()
	}
	stage, text := messenger.StageDial, err.Error()
	var failed *messenger.RouteError
	if errors.As(err, &failed) {
		stage = failed.Stage
	}
	if len(text) > maxError {
		text = text[:maxError]
	}
	return check{Stage: stage, Error: &text}, nil
}

// checked keeps what a check found.
func (s *Service) checked(tx *store.Tx, c *api.Call, org string, p *Proxy, found check) error {
	now := tx.DB().Now()
	found.ID, found.Proxy, found.At = tx.DB().NewID("pck"), p.ID, now
	if err := keepCheck(tx, org, found); err != nil {
		return err
	}
	p.LastCheckedAt, p.LatencyMS, p.LastError = &now, found.LatencyMS, found.Error
	on, reason := checkPassed, "A check reached the messenger."
	switch {
	case found.OK:
	case found.Stage == messenger.StageAuth:
		on, reason = credentialsRefused, "The proxy refuses its user name or password."
	default:
		on, reason = checkFailed, "A check did not reach the messenger through it ("+string(found.Stage)+")."
	}
	return s.apply(tx, c, org, p, on, reason)
}

// checking checks a proxy soon.
type checking struct {
	Org   string `json:"org"`
	Proxy string `json:"proxy"`
}

// Kind names the job.
func (checking) Kind() string { return "proxy.check" }

// Queue is where it waits.
func (checking) Queue() queue.Name { return queue.Maintenance }

func checkLater(tx *store.Tx, org, id string) error {
	_, err := queue.Add(tx, checking{org, id}, time.Time{}, queue.Coalesced(id), queue.For(org, id))
	return err
}

func (s *Service) checkQueued(ctx context.Context, _ queue.Job, a checking) error {
	_, err := s.Check(api.System(ctx, a.Org, s.db.Now()), a.Org, a.Proxy)
	if store.IsNotFound(err) || errors.Is(err, ErrDisabled) {
		return nil
	}
	return err
}

// Work registers the jobs of the package.
func (s *Service) Work(w *queue.Workers) { queue.Register(w, s.checkQueued) }

// CheckQuietly checks a proxy of an organization now; one that is gone or disabled is no
// error.
func (s *Service) CheckQuietly(ctx context.Context, org, id string) error {
	return s.checkQueued(ctx, queue.Job{}, checking{org, id})
}
