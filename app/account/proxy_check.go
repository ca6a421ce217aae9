package account

import (
	"context"
	"errors"
	"time"

	"svc/app/api"
	"svc/messenger"
	"svc/store"
	"svc/store/queue"
)

const (
	// checkWithin bounds a check of a proxy.
	checkWithin = 20 * time.Second
	// checksKept of a proxy are kept (contract 7.3).
	checksKept = 100
	// maxProxyError bounds what is kept of an error, in bytes.
	maxProxyError = 300
)

// proxyCheck is one check of a proxy as it is kept.
type proxyCheck struct {
	ID        string          `json:"id"`
	Proxy     string          `json:"proxy"`
	OK        bool            `json:"ok"`
	Stage     messenger.Stage `json:"stage"` // at which it failed, or the last
	LatencyMS *int            `json:"latency_ms,omitempty"`
	Error     *string         `json:"error,omitempty"`
	At        time.Time       `json:"at"`
}

var (
	proxyChecks = store.NewTable("proxy_check", "pck", func(p *proxyCheck) string { return p.ID })
	checksOf    = proxyChecks.Index("proxy", func(p *proxyCheck) store.Key { return store.Tuple(store.Text(p.Proxy), store.Time(p.At)) })
	checkFacet  = proxyChecks.Facet("of", func(p *proxyCheck) []string { return []string{p.Proxy} })
)

// keepCheck adds a check, and drops the oldest beyond those that are kept.
func keepCheck(tx *store.Tx, org string, k proxyCheck) error {
	n, err := checkFacet.Count(tx, org, k.Proxy)
	if err != nil {
		return err
	}
	for ; n >= checksKept; n-- {
		old, err := checksOf.First(tx, org, store.Is(store.Tuple(store.Text(k.Proxy))))
		if err != nil {
			return err
		}
		if err := proxyChecks.Delete(tx, org, old.ID); err != nil {
			return err
		}
	}
	return proxyChecks.Insert(tx, org, &k)
}

// CheckProxy checks a proxy of an organization now and answers it.
func (s *Service) CheckProxy(c *api.Call, org, id string) (out ShownProxy, err error) {
	done, err := s.steps.lock(c, "proxy "+id)
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
		if p.Status == ProxyDisabled {
			return ErrProxyDisabled
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
		if now == via && p.Status != ProxyDisabled { // else it was changed meanwhile
			if err := s.checked(tx, c, org, &p, found); err != nil {
				return err
			}
		}
		out, err = showProxy(tx, org, &p)
		return err
	})
	return out, err
}

// tryRoute makes a check. Its error says that there was none: the caller went away.
func (s *Service) tryRoute(c *api.Call, via messenger.Route) (proxyCheck, error) {
	ctx, cancel := context.WithTimeout(c, checkWithin)
	defer cancel()
	latency, err := s.o.Driver.CheckRoute(ctx, via)
	if err == nil {
		ms := int(latency.Milliseconds())
		return proxyCheck{OK: true, Stage: messenger.StageDataCentre, LatencyMS: &ms}, nil
	}
	if c.Err() != nil {
		return proxyCheck{}, c.Err()
	}
	stage, text := messenger.StageDial, err.Error()
	var failed *messenger.RouteError
	if errors.As(err, &failed) {
		stage = failed.Stage
	}
	if len(text) > maxProxyError {
		text = text[:maxProxyError]
	}
	return proxyCheck{Stage: stage, Error: &text}, nil
}

// checked keeps what a check found.
func (s *Service) checked(tx *store.Tx, c *api.Call, org string, p *Proxy, found proxyCheck) error {
	now := tx.DB().Now()
	found.ID, found.Proxy, found.At = tx.DB().NewID("pck"), p.ID, now
	if err := keepCheck(tx, org, found); err != nil {
		return err
	}
	p.LastCheckedAt, p.LatencyMS, p.LastError = &now, found.LatencyMS, found.Error
	on, reason := proxyPassed, "A check reached the messenger."
	switch {
	case found.OK:
	case found.Stage == messenger.StageAuth:
		on, reason = proxyNotAdmitted, "The proxy refuses its user name or password."
	default:
		on, reason = proxyNotReached, "A check did not reach the messenger through it ("+string(found.Stage)+")."
	}
	return s.applyProxy(tx, c, org, p, on, reason)
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
	_, err := queue.Add(tx, checking{org, id}, time.Time{}, queue.Once(id), queue.For(org, id))
	return err
}

func (s *Service) checkQueued(ctx context.Context, _ queue.Job, a checking) error {
	_, err := s.CheckProxy(api.System(ctx, a.Org, s.db.Now()), a.Org, a.Proxy)
	if store.IsNotFound(err) || errors.Is(err, ErrProxyDisabled) {
		return nil
	}
	return err
}
