// Package overview shows an organization at one glance: what runs, what needs
// somebody, how messages went.
//
// It promises the shapes of contract 9.3, in which a part that the
// caller may not read is null. It refuses to keep anything: it adds up what other
// slices keep.
package overview

import (
	"slices"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/notify"
	"svc/app/policy"
	"svc/app/recipient"
	"svc/store"
)

// Accounts of the messenger.
type Accounts struct {
	Total          int `json:"total"`
	Active         int `json:"active"`
	CoolingDown    int `json:"cooling_down"`
	NeedsAttention int `json:"needs_attention"`
}

// Channels of the photo and page networks.
type Channels struct {
	Connected      int `json:"connected"`
	NeedsAttention int `json:"needs_attention"`
}

// Campaigns by where they are in their life.
type Campaigns struct {
	Running      int `json:"running"`
	Scheduled    int `json:"scheduled"`
	Paused       int `json:"paused"`
	Completed30d int `json:"completed_30d"`
}

// Day is how the messages of one day went, in the organization's time zone.
type Day struct {
	Date      string `json:"date" example:"2026-05-01"`
	Delivered int    `json:"delivered"`
	Failed    int    `json:"failed"`
	Replied   int    `json:"replied"`
}

// Outcome is how messages ended.
type Outcome struct {
	Delivered int `json:"delivered"`
	Failed    int `json:"failed"`
}

// Messages of today and of two weeks.
type Messages struct {
	Today Outcome `json:"today"`
	Days  []Day   `json:"days" doc:"The last 14 days, today last."`
}

// Inbox is what waits for an answer.
type Inbox struct {
	Unread             int        `json:"unread"`
	Waiting            int        `json:"waiting"`
	OldestWaitingSince *time.Time `json:"oldest_waiting_since"`
	OpenHandoffs       int        `json:"open_handoffs"`
	PendingDrafts      int        `json:"pending_drafts"`
}

// AI is what the seller did today.
type AI struct {
	TurnsToday        int      `json:"turns_today"`
	AutoSentToday     int      `json:"auto_sent_today"`
	CostTodayUSD      float64  `json:"cost_today_usd"`
	BudgetUsedPercent *float64 `json:"budget_used_percent"`
}

// Dashboard is the answer of GET /dashboard. A part that the caller may not read
// is null.
type Dashboard struct {
	Accounts   *Accounts          `json:"accounts"`
	Channels   *Channels          `json:"channels"`
	Campaigns  *Campaigns         `json:"campaigns"`
	Recipients *recipient.Totals  `json:"recipients"`
	Messages   *Messages          `json:"messages"`
	Inbox      *Inbox             `json:"inbox"`
	AI         *AI                `json:"ai"`
	Attention  []notify.Attention `json:"attention" doc:"What waits for somebody, the most pressing first."`
}

// Sources are what later slices know; a nil one has nothing yet.
type Sources struct {
	Accounts  func(*store.Tx, *api.Call) (Accounts, error)
	Channels  func(*store.Tx, *api.Call) (Channels, error)
	Campaigns func(*store.Tx, *api.Call) (Campaigns, error)
	// Series answers what happened to messages in each period from a time, inclusive,
	// to another, exclusive.
	Series func(*store.Tx, *api.Call, Asked) ([]Row, error)
	Inbox  func(*store.Tx, *api.Call) (Inbox, error)
	AI     func(*store.Tx, *api.Call) (AI, error)
}

// Service shows overviews.
type Service struct {
	db *store.DB
	of Sources
}

// New makes the service.
func New(db *store.DB, of Sources) *Service { return &Service{db, of} }

// Endpoints are the operations of the slice.
func (s *Service) Endpoints() []api.Endpoint {
	return []api.Endpoint{
		api.E("GET /dashboard", "dashboard.get", perm.Anyone, "Read the organization at one glance.", api.Read(s.db, s.dashboard), api.Errors(api.ErrNoOrganization)),
		api.E("GET /analytics/messages", "analytics.messages", perm.AnalyticsRead, "Read how messages went.", api.Read(s.db, s.analytics)),
	}
}

func (s *Service) dashboard(c *api.Call, tx *store.Tx, _ struct{}) (d Dashboard, err error) {
	if c.Org == "" {
		return d, api.ErrNoOrganization
	}
	for _, part := range []func() error{
		func() error { return read(&d.Accounts, tx, c, perm.AccountsRead, s.of.Accounts) },
		func() error { return read(&d.Channels, tx, c, perm.AccountsRead, s.of.Channels) },
		func() error { return read(&d.Campaigns, tx, c, perm.CampaignsRead, s.of.Campaigns) },
		func() error { return read(&d.Recipients, tx, c, perm.RecipientsRead, totals) },
		func() error { return read(&d.Messages, tx, c, perm.AnalyticsRead, s.twoWeeks) },
		func() error { return read(&d.Inbox, tx, c, perm.AIRead, s.of.Inbox) },
		func() error { return s.readAI(&d, tx, c) },
	} {
		if err := part(); err != nil {
			return d, err
		}
	}
	d.Attention, err = notify.Pressing(tx, c, attentionMost)
	return d, err
}

// attentionMost bounds what the dashboard lists.
const attentionMost = 20

// readAI fills the part of the AI, for those who may read it and have not switched it off.
func (s *Service) readAI(d *Dashboard, tx *store.Tx, c *api.Call) error {
	if c.Caller.AIOff {
		return nil
	}
	return read(&d.AI, tx, c, perm.AIRead, s.of.AI)
}

// read fills a part that the caller may read.
func read[T any](to **T, tx *store.Tx, c *api.Call, p perm.Perm, of func(*store.Tx, *api.Call) (T, error)) error {
	if !c.Caller.Perms.Has(p) {
		return nil
	}
	var v T
	if of != nil {
		var err error
		if v, err = of(tx, c); err != nil {
			return err
		}
	}
	*to = &v
	return nil
}

func totals(tx *store.Tx, c *api.Call) (recipient.Totals, error) {
	return recipient.TotalsOf(tx, c.Org)
}

// twoWeeks is how the messages of today and the 13 days before went.
func (s *Service) twoWeeks(tx *store.Tx, c *api.Call) (m Messages, err error) {
	zone, err := zoneOf(tx, c.Org)
	if err != nil {
		return m, err
	}
	today := c.Now.In(zone)
	begins := func(days int) time.Time { return policy.At(today.AddDate(0, 0, days), 0, zone) }
	asked := Asked{From: begins(-13), To: begins(1), GroupBy: ByDay, Zone: zone}
	rows, err := s.rows(tx, c, asked)
	if err != nil {
		return m, err
	}
	for days := -13; days <= 0; days++ {
		day := Day{Date: today.AddDate(0, 0, days).Format(time.DateOnly)}
		if i := slices.IndexFunc(rows, func(r Row) bool { return r.Key == day.Date }); i >= 0 {
			day.Delivered, day.Failed, day.Replied = rows[i].Delivered, rows[i].Failed+rows[i].Unreachable, rows[i].Replied
		}
		m.Days = append(m.Days, day)
	}
	last := m.Days[len(m.Days)-1]
	m.Today = Outcome{last.Delivered, last.Failed}
	return m, nil
}
