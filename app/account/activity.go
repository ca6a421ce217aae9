package account

import (
	"fmt"
	"time"

	"svc/app/api"
	"svc/store"
)

// ActivityKind is a kind of entry in the activity of an account.
type ActivityKind string

// The kinds (contract 7.1).
const (
	Connected     ActivityKind = "CONNECTED"
	StatusChanged ActivityKind = "STATUS_CHANGED"
	FloodWait     ActivityKind = "FLOOD_WAIT"
	SentSummary   ActivityKind = "SENT_SUMMARY"
	HealthCheck   ActivityKind = "HEALTH_CHECK"
	ProxyChanged  ActivityKind = "PROXY_CHANGED"
	LimitsChanged ActivityKind = "LIMITS_CHANGED"
	HistoryImport ActivityKind = "HISTORY_IMPORT"
	TestMessage   ActivityKind = "TEST_MESSAGE"
)

// activity is one entry as it is kept, for activityKept.
type activity struct {
	ID         string       `json:"id"`
	Account    string       `json:"account"`
	At         time.Time    `json:"at"`
	Kind       ActivityKind `json:"kind"`
	Message    string       `json:"message"`
	CampaignID string       `json:"campaign_id,omitempty"`
	ErrorCode  string       `json:"error_code,omitempty"`
}

const activityKept = 90 * 24 * time.Hour

var (
	activities  = store.NewTable("account_activity", "act", func(a *activity) string { return a.ID })
	ofAccount   = activities.Facet("account", func(a *activity) []string { return []string{a.Account} })
	oldActivity = activities.MultiAcross("at", func(a *activity) []store.Key { return []store.Key{store.Time(a.At)} })
)

// note adds to the activity of an account. The zero time is now.
func note(tx *store.Tx, org, account string, e activity) error {
	e.ID, e.Account = tx.DB().NewID("act"), account
	if e.At.IsZero() {
		e.At = tx.DB().Now()
	}
	return activities.Insert(tx, org, &e)
}

// Note adds to the activity of an account what another slice did with it: a test
// message, an import of history. campaign and code may be "".
func Note(tx *store.Tx, org, account string, kind ActivityKind, message, campaign, code string) error {
	return note(tx, org, account, activity{Kind: kind, Message: message, CampaignID: campaign, ErrorCode: code})
}

// ShownActivity is an entry of the activity of an account in the API.
type ShownActivity struct {
	At         time.Time    `json:"at"`
	Kind       ActivityKind `json:"kind" enum:"CONNECTED,STATUS_CHANGED,FLOOD_WAIT,SENT_SUMMARY,HEALTH_CHECK,PROXY_CHANGED,LIMITS_CHANGED,HISTORY_IMPORT,TEST_MESSAGE"`
	Message    string       `json:"message"`
	CampaignID *string      `json:"campaign_id"`
	Campaign   *api.Named   `json:"campaign"`
	ErrorCode  *string      `json:"error_code"`
}

type activityIn struct {
	ID string `path:"id" maxLength:"64"`
	api.PageIn
}

func (s *Service) activity(c *api.Call, tx *store.Tx, in activityIn) (out api.Page[ShownActivity], err error) {
	if ok, err := accounts.Has(tx, c.Org, in.ID); err != nil || !ok {
		return out, found(ok, err)
	}
	page, err := activities.Page(tx, c.Org, store.Query[activity]{
		Where: []store.Cond[activity]{ofAccount.Any(in.ID)}, Reverse: true, Offset: in.Offset, Limit: in.Limit, After: in.Behind(),
	})
	rows := make([]ShownActivity, len(page.Data))
	for i, a := range page.Data {
		rows[i] = ShownActivity{a.At, a.Kind, a.Message, api.Optional(a.CampaignID), api.Ref(c.Org, a.CampaignID), api.Optional(a.ErrorCode)}
	}
	out = api.NewPage(rows, page.Total, in.PageIn, page.Next)
	return out, err
}

// found is store.ErrNotFound for what is not there.
func found(ok bool, err error) error {
	if err == nil && !ok {
		return store.ErrNotFound
	}
	return err
}

// counted is a number with the right form of what is counted.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func seconds(d time.Duration) string {
	return counted(int((d+time.Second-1)/time.Second), "second", "seconds")
}
