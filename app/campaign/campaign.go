// Package campaign sends one message to many people: who, from which accounts, when,
// how often, and what came of it.
//
// It promises that a campaign starts only when every check passes, that its audience
// is frozen when it starts, and that everybody in it ends with exactly one outcome and
// one event; that a pause neither loses nor repeats anybody, because progress is the
// outcome kept for each person; that its status changes in one place (apply), with the
// audit entry, the event, the notification and the jobs that follow; and that COMPLETED
// is said only when nobody is without an outcome, in the transaction that finds it so
// (contract 4, 5 and 20).
//
// It refuses to send: package send does, and asks this one for words (Source). It never
// moves a message to another account, and never sends what nobody launched.
package campaign

import (
	"context"
	"log/slog"
	"time"

	"svc/app/campaign/check"
	"svc/app/content"
	"svc/app/org"
	"svc/app/recipient/audience"
	"svc/app/signal"
	"svc/store"
)

// Status says where a campaign is in its life.
type Status string

// The statuses (contract 4.1).
const (
	Draft     Status = "DRAFT"
	Scheduled Status = "SCHEDULED"
	Running   Status = "RUNNING"
	Paused    Status = "PAUSED"
	Completed Status = "COMPLETED"
	Cancelled Status = "CANCELLED"
	Failed    Status = "FAILED"
)

// Statuses lists them in the order of a campaign's life.
func Statuses() []Status {
	return []Status{Draft, Scheduled, Running, Paused, Completed, Cancelled, Failed}
}

// ended says whether nothing happens to a campaign any more.
func (s Status) ended() bool { return s == Completed || s == Cancelled || s == Failed }

// active says whether a campaign counts against the plan (contract 3).
func (s Status) active() bool { return s == Scheduled || s == Running || s == Paused }

// PauseReason says why a campaign is paused.
type PauseReason string

// The reasons (contract 4.1).
const (
	ByUser              PauseReason = "USER"
	ByAdmin             PauseReason = "ADMIN"
	AccountPaused       PauseReason = "ACCOUNT_PAUSED"
	AccountAuthRequired PauseReason = "ACCOUNT_AUTH_REQUIRED"
	AccountRestricted   PauseReason = "ACCOUNT_RESTRICTED"
	AccountDisconnected PauseReason = "ACCOUNT_DISCONNECTED"
	AccountError        PauseReason = "ACCOUNT_ERROR"
	EndAtPassed         PauseReason = "END_AT_PASSED"
	OrgSuspended        PauseReason = "ORGANIZATION_SUSPENDED"
	ContentErrors       PauseReason = "CONTENT_ERRORS"
	PolicyOutdated      PauseReason = "POLICY_OUTDATED"
)

// Campaign is a campaign as it is kept. What changes with every message is not in it:
// that is package send's, and the campaign's pulse.
type Campaign struct {
	ID          string  `json:"id"`
	Name        string  `json:"name"`
	Description *string `json:"description,omitempty"`

	Status          Status      `json:"status"`
	PauseReason     PauseReason `json:"pause_reason,omitempty"`
	PauseAccount    string      `json:"pause_account,omitempty"` // which account made it pause
	AdminReason     *string     `json:"admin_reason,omitempty"`  // of an administrator who paused or cancelled it
	StatusChangedAt time.Time   `json:"status_changed_at"`

	// Message is without its text, which is sealed in Text.
	Message content.Message `json:"message"`
	Text    store.Sealed    `json:"text,omitzero"`
	// TextHash is a keyed hash of the text, by which the same is found again.
	TextHash string `json:"text_hash,omitempty"`
	// Reworded are the texts that it had after it began, and has no more.
	Reworded []textVersion `json:"reworded,omitempty"`

	AccountIDs []string `json:"account_ids"`
	Everyone   bool     `json:"everyone,omitempty"`
	ListIDs    []string `json:"list_ids,omitempty"`
	Tags       []string `json:"tags,omitempty"`
	// Where, joined by Match, narrows the audience; who is in Exclude is left out.
	Where   []audience.Condition `json:"where,omitempty"`
	Match   audience.Match       `json:"match,omitempty"`
	Exclude *Exclude             `json:"exclude,omitempty"`
	// Picked is how many people are named one by one; who stands in its picks.
	Picked int `json:"picked,omitempty"`
	// Follows says where the people come from who are picked; nil: from nowhere.
	Follows    *FollowUp  `json:"follows,omitempty"`
	SnapshotAt *time.Time `json:"snapshot_at,omitempty"`
	// Audience is how many people were in the audience when it was frozen; Planned says
	// that each of them has a row by now.
	Audience int  `json:"audience,omitempty"`
	Planned  bool `json:"planned,omitempty"`

	ScheduledAt *time.Time    `json:"scheduled_at,omitempty"`
	EndAt       *time.Time    `json:"end_at,omitempty"`
	Timezone    string        `json:"timezone"`
	Window      *Window       `json:"sending_window,omitempty"`
	Repeat      *Repeat       `json:"repeat,omitempty"`
	Series      *Series       `json:"series,omitempty"`
	MinDays     *int          `json:"min_days,omitempty"`
	Validation  *check.Report `json:"validation,omitempty"`

	StartedAt  *time.Time `json:"started_at,omitempty"`
	FinishedAt *time.Time `json:"finished_at,omitempty"`
	CreatedBy  string     `json:"created_by"`
	CreatedAt  time.Time  `json:"created_at"`
	UpdatedAt  time.Time  `json:"updated_at"`
}

// Series places a campaign in the row of runs that a repeating one makes.
type Series struct {
	ID         string  `json:"id"`
	RunNumber  int     `json:"run_number"`
	PreviousID *string `json:"previous_campaign_id"`
}

// picks are the people that an audience names.
type picks struct {
	ID  string   `json:"id"` // of the campaign
	IDs []string `json:"ids,omitempty"`
	// Kept are those of a copy that are too many to name.
	Kept store.Selection `json:"kept,omitempty"`
}

// sendProgress is what is read and now and then written with every message of a campaign: it
// is small, because there are thousands a second.
type sendProgress struct {
	ID string `json:"id"` // of the campaign
	// Content names the text that is sent; a changed text has another name.
	Content string `json:"content"`
	// Refused counts the messages in a row that were refused for the content.
	Refused int `json:"refused,omitempty"`
	// Told are the totals of the last campaign.progress, in Count, and when that was.
	Told   int       `json:"told,omitempty"`
	ToldAt time.Time `json:"told_at,omitzero"`
}

var (
	campaigns = store.NewTable("campaign", "cmp", func(c *Campaign) string { return c.ID })
	sealed    = campaigns.Sealed("text", func(c *Campaign) *store.Sealed { return &c.Text })

	bySearch = campaigns.Multi("search", func(c *Campaign) []store.Key { return content.SearchKeys(c.Name) })
	sorted   = map[string]*store.Index[Campaign]{
		"name":         campaigns.Index("by_name", func(c *Campaign) store.Key { return store.Text(store.Fold(c.Name)) }),
		"updated_at":   campaigns.Index("updated", func(c *Campaign) store.Key { return store.Time(c.UpdatedAt) }),
		"scheduled_at": campaigns.Index("scheduled", func(c *Campaign) store.Key { return timeKey(c.ScheduledAt) }),
		"started_at":   campaigns.Index("started", func(c *Campaign) store.Key { return timeKey(c.StartedAt) }),
	}
	statusFacet = campaigns.Facet("status", func(c *Campaign) []string { return []string{string(c.Status)} })
	// accountFacet holds the accounts of campaigns that have not ended.
	accountFacet = campaigns.Facet("account", func(c *Campaign) []string {
		if c.Status.ended() {
			return nil
		}
		return c.AccountIDs
	})
	// inUse counts the running campaigns of an account.
	inUse = campaigns.Tally("account_running", func(c *Campaign) []string {
		if c.Status != Running {
			return nil
		}
		return c.AccountIDs
	})
	completedAt = campaigns.Multi("completed", func(c *Campaign) []store.Key {
		if c.Status != Completed || c.FinishedAt == nil {
			return nil
		}
		return []store.Key{store.Time(*c.FinishedAt)}
	})
	// byText finds the campaigns that have sent a text, or may have, by until when.
	byText = campaigns.Multi("sent_text", func(c *Campaign) (keys []store.Key) {
		for _, w := range c.wordings() {
			keys = append(keys, store.Tuple(store.Text(w.Hash), store.Time(w.Until)))
		}
		return keys
	})
	seriesFacet = campaigns.Facet("series", func(c *Campaign) []string {
		if c.Series == nil {
			return nil
		}
		return []string{c.Series.ID}
	})
	// across lists the campaigns of all organizations: all, and by status.
	across = campaigns.MultiAcross("across", func(c *Campaign) []store.Key {
		return []store.Key{
			store.Tuple(store.Text(""), store.Time(c.CreatedAt)), store.Tuple(store.Text(string(c.Status)), store.Time(c.CreatedAt)),
		}
	})
	byID = campaigns.UniqueAcross("id", func(c *Campaign) store.Key { return store.Text(c.ID) })

	statusAcross = campaigns.TallyAcross("status_across", func(c *Campaign) []string { return []string{string(c.Status)} })

	pickTable = store.NewTable("campaign_picks", "cmp", func(p *picks) string { return p.ID })
	pulses    = store.NewTable("campaign_pulse", "cmp", func(p *sendProgress) string { return p.ID })
)

// Tables are what a store that holds campaigns is opened with. It holds what the slices
// below keep too: accounts, sends, recipients, content, organizations, jobs.
func Tables() []store.AnyTable {
	return []store.AnyTable{campaigns, pickTable, pulses, plans, steps, runs, rehearsals}
}

func timeKey(t *time.Time) store.Key {
	if t == nil {
		return nil
	}
	return store.Time(*t)
}

// Active is how many campaigns of an organization count against its plan.
func Active(tx *store.Tx, orgID string) (n int, err error) {
	for _, s := range Statuses() {
		if !s.active() {
			continue
		}
		k, err := statusFacet.Count(tx, orgID, string(s))
		if err != nil {
			return 0, err
		}
		n += k
	}
	return n, nil
}

// InUse is how many running campaigns use an account (account.Options.InUse).
func InUse(tx *store.Tx, orgID, account string) (int, error) { return inUse.Count(tx, orgID, account) }

// Get reads a campaign: store.ErrNotFound when the organization has none of that id.
func Get(tx *store.Tx, orgID, id string) (Campaign, error) { return campaigns.Get(tx, orgID, id) }

// Options of New.
type Options struct {
	Bus *signal.Bus
	// Content renders messages.
	Content *content.Service
	// Org counts what the plan limits.
	Org *org.Service
	// NoUsualHours leaves out the organization's default sending hours, for tests that are
	// not about hours.
	NoUsualHours bool
	// NoPacing says that accounts send without pace and daily limit, so that estimates
	// say the same (send.Options).
	NoPacing bool
	// NoAddress is what the checks say of opt-out links when the server knows no
	// address of its own, so that people cannot open them; "": it knows one.
	NoAddress check.Verdict
	// Log hears of what fails on our side. nil: nobody does.
	Log *slog.Logger
}

// Service keeps the campaigns of every organization. It is the send.Source of the kind
// CAMPAIGN.
type Service struct {
	db    *store.DB
	o     Options
	log   *slog.Logger
	texts *texts
}

// New makes the service and subscribes it to the bus. It starts nothing.
func New(db *store.DB, o Options) *Service {
	s := &Service{db: db, o: o, log: o.Log, texts: newTexts()}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.subscribe()
	return s
}

// view is db.View with the result of the closure.
func view[T any](ctx context.Context, db *store.DB, f func(*store.Tx) (T, error)) (out T, err error) {
	err = db.View(ctx, func(tx *store.Tx) error {
		v, err := f(tx)
		out = v
		return err
	})
	return out, err
}

// update is db.Update with the result of the closure.
func update[T any](ctx context.Context, db *store.DB, f func(*store.Tx) (T, error)) (out T, err error) {
	err = db.Update(ctx, func(tx *store.Tx) error {
		v, err := f(tx)
		out = v
		return err
	})
	return out, err
}
