package campaign

import (
	"time"

	"svc/app/api"
	"svc/app/campaign/check"
	"svc/app/content"
	"svc/app/policy"
	"svc/app/send"
	"svc/store"
)

// Totals count the people of a campaign by what became of them (contract 4.4):
// completed are those who got the message, failed those who did not or could not
// be reached.
type Totals struct {
	Total     int `json:"total"`
	Pending   int `json:"pending"`
	Completed int `json:"completed"`
	Failed    int `json:"failed"`
	Skipped   int `json:"skipped"`
	Cancelled int `json:"cancelled"`
}

// totalsOf reads the totals. They are kept, not counted. Who has no row yet, because the
// planning is under way, is pending; of a campaign that has ended, cancelled.
func totalsOf(tx *store.Tx, orgID string, k *Campaign) (t Totals, err error) {
	if k.Status == Draft || k.SnapshotAt == nil {
		return t, nil
	}
	n, err := send.Counts(tx, orgID, k.ID)
	if err != nil {
		return t, err
	}
	t = Totals{
		Total: max(n.Count(), k.Audience), Completed: n[send.Delivered], Failed: n[send.Failed] + n[send.Unreachable],
		Skipped: n[send.Skipped], Cancelled: n[send.Cancelled],
	}
	if k.Planned {
		t.Total = n.Count()
	}
	t.Pending = t.Total - t.Completed - t.Failed - t.Skipped - t.Cancelled
	if k.Status.ended() {
		t.Cancelled, t.Pending = t.Cancelled+t.Pending, 0
	}
	return t, nil
}

// Shown is a campaign as the API answers it (contract 4.4).
type Shown struct {
	ID                string          `json:"id"`
	Name              string          `json:"name"`
	Description       *string         `json:"description"`
	Status            Status          `json:"status" enum:"DRAFT,SCHEDULED,RUNNING,PAUSED,COMPLETED,CANCELLED,FAILED"`
	PauseReason       *PauseReason    `json:"pause_reason" enum:"USER,ADMIN,ACCOUNT_PAUSED,ACCOUNT_AUTH_REQUIRED,ACCOUNT_RESTRICTED,ACCOUNT_DISCONNECTED,ACCOUNT_ERROR,END_AT_PASSED,ORGANIZATION_SUSPENDED,CONTENT_ERRORS,POLICY_OUTDATED"`
	AdminReason       *string         `json:"admin_reason" doc:"What the administrator of the platform who paused or cancelled it gave as the reason."`
	WaitingReason     *policy.Wait    `json:"waiting_reason" enum:"COOLDOWN,DAILY_LIMIT,SENDING_WINDOW,PACING,WORKER" doc:"Of a running campaign that sends nothing at the moment."`
	StatusChangedAt   time.Time       `json:"status_changed_at"`
	Message           content.Message `json:"message"`
	AccountIDs        []string        `json:"account_ids"`
	Accounts          []*api.Named    `json:"accounts" nullable:"false"`
	Audience          ShownAudience   `json:"audience"`
	SnapshotAt        *time.Time      `json:"audience_snapshot_at" doc:"When the audience was frozen."`
	ScheduledAt       *time.Time      `json:"scheduled_at"`
	EndAt             *time.Time      `json:"end_at"`
	Timezone          string          `json:"timezone" example:"Asia/Tashkent"`
	Window            *Window         `json:"sending_window"`
	Repeat            *Repeat         `json:"repeat"`
	Series            *Series         `json:"series"`
	MinDays           *int            `json:"min_days_between_messages"`
	Validation        *check.Report   `json:"validation" doc:"The last report."`
	Totals            Totals          `json:"totals"`
	EstimatedFinishAt *time.Time      `json:"estimated_finish_at"`
	StartedAt         *time.Time      `json:"started_at"`
	FinishedAt        *time.Time      `json:"finished_at"`
	CreatedBy         string          `json:"created_by"`
	Creator           *api.Named      `json:"creator"`
	CreatedAt         time.Time       `json:"created_at"`
	UpdatedAt         time.Time       `json:"updated_at"`
}

// listedPicks is how many of the people that an audience names a list shows.
const listedPicks = 100

// Show makes a campaign as the API answers it, for the administration too.
func (s *Service) Show(tx *store.Tx, orgID string, k *Campaign) (Shown, error) {
	return s.show(tx, orgID, k, listedPicks)
}

func (s *Service) show(tx *store.Tx, orgID string, k *Campaign, most int) (out Shown, err error) {
	out = Shown{
		ID: k.ID, Name: k.Name, Description: k.Description, Status: k.Status, PauseReason: api.Optional(k.PauseReason), StatusChangedAt: k.StatusChangedAt,
		AdminReason: k.AdminReason, AccountIDs: notNil(k.AccountIDs), Accounts: api.Refs(orgID, k.AccountIDs), SnapshotAt: k.SnapshotAt, ScheduledAt: k.ScheduledAt, EndAt: k.EndAt, Timezone: k.Timezone, Window: k.Window,
		Repeat: k.Repeat, Series: k.Series, MinDays: k.MinDays, Validation: k.Validation, StartedAt: k.StartedAt, FinishedAt: k.FinishedAt,
		CreatedBy: k.CreatedBy, Creator: api.Ref(orgID, k.CreatedBy), CreatedAt: k.CreatedAt, UpdatedAt: k.UpdatedAt,
	}
	if out.Message, err = k.message(tx.DB(), orgID); err != nil {
		return out, err
	}
	if out.Audience, err = k.shownAudience(tx, orgID, most); err != nil {
		return out, err
	}
	if out.Totals, err = totalsOf(tx, orgID, k); err != nil {
		return out, err
	}
	if k.Status != Running {
		return out, nil
	}
	if out.WaitingReason, err = s.waiting(tx, orgID, k); err != nil {
		return out, err
	}
	out.EstimatedFinishAt, err = s.estimate(tx, orgID, k)
	return out, err
}

func notNil(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// estimate is when a running campaign will be done, as its accounts stand now; nil when
// nobody can say.
func (s *Service) estimate(tx *store.Tx, orgID string, k *Campaign) (*time.Time, error) {
	now := tx.DB().Now()
	workloads, _, stuck, err := s.workloadsLeft(tx, orgID, k, now)
	if err != nil || stuck {
		return nil, err // what waits for such an account waits for a person
	}
	return when(workloads, now, k.Window.in(k.Timezone)), nil
}

func when(workloads []policy.Workload, now time.Time, w *policy.Window) *time.Time {
	t, ok := check.Finish(workloads, now, w)
	if !ok {
		return nil
	}
	t = t.UTC().Truncate(time.Second)
	return &t
}
