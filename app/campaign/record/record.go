// Package record is what is kept of campaigns: the campaign with its text, its times and whom it is
// for, its status, the people that it names, its frozen audience, its series, and how they are found.
//
// Package campaign is the one that changes a campaign and its series: a status changes in its apply
// and nowhere else. Everybody else reads.
package record

import (
	"time"

	"svc/app/audit"
	"svc/app/campaign/check"
	"svc/app/content"
	"svc/app/policy"
	"svc/app/recipient/audience"
	"svc/app/setting"
	"svc/store"
)

// IDIn is the path of one campaign. It is exported because huma reads no others that
// are embedded.
type IDIn struct {
	ID string `path:"id" maxLength:"64"`
}

// Pick keeps the people that an audience names, n of them.
func (k *Campaign) Pick(tx *store.Tx, orgID string, p Picks, n int) error {
	before := k.Picked
	k.Picked = n
	switch {
	case n > 0:
		return picksTable.Put(tx, orgID, &p)
	case before > 0:
		return store.IgnoreNotFound(picksTable.Delete(tx, orgID, k.ID))
	}
	return nil
}

// StartOf is when a campaign begins that is launched now.
func StartOf(k *Campaign, now time.Time) time.Time {
	if k.ScheduledAt == nil || k.ScheduledAt.Before(now) {
		return now
	}
	return *k.ScheduledAt
}

// Exclude names who is left out of an audience.
type Exclude struct {
	_           struct{} `additionalProperties:"false"`
	ListIDs     []string `json:"list_ids" maxItems:"100"`
	Tags        []string `json:"tags" maxItems:"100"`
	CampaignIDs []string `json:"campaign_ids" maxItems:"20" doc:"Everybody in the frozen audience of one of these campaigns, whatever became of them; one that has not begun when this one does leaves nobody out."`
}

// Empty says whether nobody is left out.
func (e *Exclude) Empty() bool {
	return e == nil || len(e.ListIDs)+len(e.Tags)+len(e.CampaignIDs) == 0
}

// AudienceTerms is what is said of who the campaign is for.
func (k *Campaign) AudienceTerms(tx *store.Tx, orgID string) (a audience.Audience, err error) {
	a = audience.Audience{Everyone: k.Everyone, Lists: k.ListIDs, Tags: k.Tags, Where: k.Where, Match: k.Match}
	if k.Exclude != nil {
		a.NotLists, a.NotTags = k.Exclude.ListIDs, k.Exclude.Tags
		for _, id := range k.Exclude.CampaignIDs {
			p, err := plans.Get(tx, orgID, id)
			if store.IgnoreNotFound(err) != nil {
				return a, err
			}
			if err == nil {
				a.NotIn = append(a.NotIn, p.Frozen)
			}
		}
	}
	if k.Picked == 0 {
		return a, nil
	}
	p, err := picksTable.Get(tx, orgID, k.ID)
	a.Picked, a.Kept = p.IDs, p.Kept
	return a, err
}

// PolicyRules are what the policy must know of the messages of a campaign.
func (k *Campaign) PolicyRules(set *setting.Settings, now time.Time) policy.Message {
	m := policy.Message{Campaign: true, AllowUnknown: set.AllowUnknownConsent}
	if k.MinDays != nil {
		m.RestSince = policy.Since(now, *k.MinDays)
	}
	return m
}

// Campaign is a campaign as it is kept. What changes with every message is not in it:
// that is package send's, and the campaign's progress (SendProgress).
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
	Reworded []TextVersion `json:"reworded,omitempty"`

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

// Picks are the people that an audience names.
type Picks struct {
	ID  string   `json:"id"` // of the campaign
	IDs []string `json:"ids,omitempty"`
	// Kept are those of a copy that are too many to name.
	Kept store.Selection `json:"kept,omitempty"`
}

// SendProgress is what is read and now and then written with every message of a campaign: it
// is small, because there are thousands a second.
type SendProgress struct {
	ID string `json:"id"` // of the campaign
	// Content names the text that is sent; a changed text has another name.
	Content string `json:"content"`
	// Refused counts the messages in a row that were refused for the content.
	Refused int `json:"refused,omitempty"`
	// Emitted are the totals of the last campaign.progress, in Count, and when that was.
	Emitted   int       `json:"told,omitempty"`
	EmittedAt time.Time `json:"told_at,omitzero"`
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
		if c.Status.Ended() {
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
		for _, w := range c.Wordings() {
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

	picksTable = store.NewTable("campaign_picks", "cmp", func(p *Picks) string { return p.ID })
	progress   = store.NewTable("campaign_pulse", "cmp", func(p *SendProgress) string { return p.ID })
)

func timeKey(t *time.Time) store.Key {
	if t == nil {
		return nil
	}
	return store.Time(*t)
}

// Only says whom a copy of a campaign is for.
type Only string

// Whom a copy is for.
const (
	OnlyAll    Only = "ALL"
	OnlyUnsent Only = "UNSENT" // who has no outcome
	OnlyFailed Only = "FAILED" // who failed or could not be reached
	// The audiences of a follow-up (contract 21.2, Follow-up).
	OnlyUnreached  Only = "UNREACHED"
	OnlyNotRead    Only = "NOT_READ"
	OnlyNotReplied Only = "NOT_REPLIED"
	OnlyReplied    Only = "REPLIED"
)

// FollowUp says what a campaign follows: people of an earlier one, as they stood when the
// copy was made.
type FollowUp struct {
	CampaignID string `json:"campaign_id"`
	Audience   Only   `json:"audience" enum:"UNSENT,FAILED,UNREACHED,NOT_READ,NOT_REPLIED,REPLIED"`
}

// Plan is who was in the audience when a campaign began. It is written once, and kept:
// who was sent the same text lately is found by it (checks, duplicate_send).
type Plan struct {
	ID     string          `json:"id"` // of the campaign
	Frozen audience.Frozen `json:"frozen"`
}

var plans = store.NewTable("campaign_plan", "cmp", func(p *Plan) string { return p.ID })

const newOnly = "NEW_ONLY"

// Run is the series of a repeating campaign: one record for all of its runs.
type Run struct {
	ID    string    `json:"id"`    // ser_...
	First time.Time `json:"first"` // when the first run was due: the rule counts from there
	// Newest is the campaign of the run that was made last, Number its number, and At
	// when it was due.
	Newest string    `json:"newest"`
	Number int       `json:"number"`
	At     time.Time `json:"at"`
	// Met is everybody whom a run was planned for, with NEW_ONLY.
	Met     audience.Frozen `json:"met,omitempty"`
	Stopped bool            `json:"stopped,omitempty"`
}

var runs = store.NewTable("campaign_series", "ser", func(r *Run) string { return r.ID })

// NewOnlySeries is the series of a run that leaves out whom an earlier one was for; ok is
// false for other campaigns.
func (k *Campaign) NewOnlySeries(tx *store.Tx, orgID string) (r Run, ok bool, err error) {
	if k.Series == nil || k.Repeat == nil || k.Repeat.Audience != newOnly {
		return r, false, nil
	}
	r, err = runs.Get(tx, orgID, k.Series.ID)
	return r, err == nil, err
}

// Resource is the campaign in audit entries.
func (k *Campaign) Resource() audit.Resource { return audit.On("campaign", k.ID, k.Name) }
