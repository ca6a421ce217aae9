package admin

import (
	"time"

	"svc/app/account"
	"svc/app/api"
	"svc/app/campaign/record"
	"svc/app/org"
	"svc/app/session/support"
	"svc/app/setting"
	"svc/app/user"
	"svc/messenger"
	"svc/store"
	"svc/store/queue"
)

// Overview is the platform at one glance (contract 17).
type Overview struct {
	Organizations int       `json:"organizations"`
	Users         int       `json:"users"`
	Accounts      ByStatus  `json:"accounts"`
	Campaigns     ByStatus  `json:"campaigns"`
	Messages24h   int       `json:"messages_24h" doc:"Delivered, to about a minute."`
	Queues        Queued    `json:"queues"`
	Workers       int       `json:"workers" doc:"With a heartbeat within the last minute."`
	AICost24h     float64   `json:"ai_cost_24h_usd"`
	Support       int       `json:"support_sessions" doc:"That look at an organization now."`
	Alerts        []Alert   `json:"alerts" doc:"What needs somebody, the most pressing first."`
	At            time.Time `json:"at"`
}

// ByStatus counts by status; one that nothing has is 0.
type ByStatus struct {
	ByStatus map[string]int `json:"by_status"`
}

// Queued is what is in all queues together.
type Queued struct {
	Waiting  int `json:"waiting"`
	Archived int `json:"archived"`
}

func (s *Service) overview(c *api.Call, _ struct{}) (out Overview, err error) {
	f, err := s.measured(c)
	if err != nil {
		return out, err
	}
	day, err := s.day(c)
	if err != nil {
		return out, err
	}
	err = s.db.View(c, func(tx *store.Tx) error {
		o, f := Overview{At: c.Now, Messages24h: day.sent, AICost24h: day.cost}, f
		for _, read := range []func(*store.Tx, *Overview, *facts) error{countThings, countQueues, readState} {
			if err := read(tx, &o, &f); err != nil {
				return err
			}
		}
		o.Alerts = alerts(f)
		out = o
		return nil
	})
	return out, err
}

// measured are the facts that do not stand in the store.
func (s *Service) measured(c *api.Call) (f facts, err error) {
	f = facts{now: c.Now, storage: s.disk.Measure(c, s.o.Data, c.Now), simulated: s.o.Driver == messenger.Simulator}
	if s.o.ClockSkew != nil {
		f.skew, _ = s.o.ClockSkew()
	}
	key, err := s.db.KeyState()
	f.rotating = key.Rotating
	return f, err
}

func countThings(tx *store.Tx, o *Overview, f *facts) (err error) {
	if o.Organizations, err = org.Count(tx); err != nil {
		return err
	}
	if o.Users, err = user.Count(tx); err != nil {
		return err
	}
	accounts, err := account.ByStatus(tx)
	if err != nil {
		return err
	}
	campaigns, err := record.ByStatusAcross(tx)
	o.Accounts, o.Campaigns, f.restricted = counts(accounts), counts(campaigns), accounts[account.Restricted]
	return err
}

func counts[S ~string](by map[S]int) (out ByStatus) {
	out.ByStatus = map[string]int{}
	for status, n := range by {
		out.ByStatus[string(status)] = n
	}
	return out
}

func countQueues(tx *store.Tx, o *Overview, f *facts) error {
	for _, q := range queue.Names() {
		stats, err := statsOf(tx, q)
		if err != nil {
			return err
		}
		o.Queues.Waiting += stats.Counts[queue.Pending] + stats.Counts[queue.Scheduled] + stats.Counts[queue.Retry]
		o.Queues.Archived += stats.Counts[queue.Archived]
		f.queues = append(f.queues, stats)
	}
	return nil
}

func readState(tx *store.Tx, o *Overview, f *facts) (err error) {
	if o.Workers, err = living(tx, f.now); err != nil {
		return err
	}
	f.workers = o.Workers
	if o.Support, err = support.Looking(tx); err != nil {
		return err
	}
	if f.openReports, err = openReports(tx); err != nil {
		return err
	}
	if f.suspended, err = org.Suspensions(tx); err != nil {
		return err
	}
	settings, err := setting.Get(tx)
	if err != nil {
		return err
	}
	f.maintenance, f.unknownConsent = settings.MaintenanceMode, settings.AllowUnknownConsent
	f.backup, err = backup(tx)
	return err
}
