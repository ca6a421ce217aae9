package campaign

import (
	"time"

	"svc/app/api"
	"svc/app/campaign/check"
	"svc/app/campaign/record"
	"svc/app/campaign/results"
	"svc/app/campaign/targeting"
	"svc/app/content"
	"svc/app/policy"
	"svc/store"
)

// Shown is a campaign as the API answers it (contract 4.4).
type Shown struct {
	ID                string                  `json:"id"`
	Name              string                  `json:"name"`
	Description       *string                 `json:"description"`
	Status            record.Status           `json:"status" enum:"DRAFT,SCHEDULED,RUNNING,PAUSED,COMPLETED,CANCELLED,FAILED"`
	PauseReason       *record.PauseReason     `json:"pause_reason" enum:"USER,ADMIN,ACCOUNT_PAUSED,ACCOUNT_AUTH_REQUIRED,ACCOUNT_RESTRICTED,ACCOUNT_DISCONNECTED,ACCOUNT_ERROR,END_AT_PASSED,ORGANIZATION_SUSPENDED,CONTENT_ERRORS,POLICY_OUTDATED"`
	AdminReason       *string                 `json:"admin_reason" doc:"What the administrator of the platform who paused or cancelled it gave as the reason."`
	WaitingReason     *policy.Wait            `json:"waiting_reason" enum:"COOLDOWN,DAILY_LIMIT,SENDING_WINDOW,PACING,WORKER" doc:"Of a running campaign that sends nothing at the moment."`
	StatusChangedAt   time.Time               `json:"status_changed_at"`
	Message           content.Message         `json:"message"`
	AccountIDs        []string                `json:"account_ids"`
	Accounts          []*api.Named            `json:"accounts" nullable:"false"`
	Audience          targeting.ShownAudience `json:"audience"`
	SnapshotAt        *time.Time              `json:"audience_snapshot_at" doc:"When the audience was frozen."`
	ScheduledAt       *time.Time              `json:"scheduled_at"`
	EndAt             *time.Time              `json:"end_at"`
	Timezone          string                  `json:"timezone" example:"Asia/Tashkent"`
	Window            *record.Window          `json:"sending_window"`
	Repeat            *record.Repeat          `json:"repeat"`
	Series            *record.Series          `json:"series"`
	MinDays           *int                    `json:"min_days_between_messages"`
	Validation        *check.Report           `json:"validation" doc:"The last report."`
	Totals            results.Totals          `json:"totals"`
	EstimatedFinishAt *time.Time              `json:"estimated_finish_at"`
	StartedAt         *time.Time              `json:"started_at"`
	FinishedAt        *time.Time              `json:"finished_at"`
	CreatedBy         string                  `json:"created_by"`
	Creator           *api.Named              `json:"creator"`
	CreatedAt         time.Time               `json:"created_at"`
	UpdatedAt         time.Time               `json:"updated_at"`
}

// listedPicks is how many of the people that an audience names a list shows.
const listedPicks = 100

// Show makes a campaign as the API answers it, for the administration too.
func (s *Service) Show(tx *store.Tx, orgID string, k *record.Campaign) (Shown, error) {
	return s.show(tx, orgID, k, listedPicks)
}

func (s *Service) show(tx *store.Tx, orgID string, k *record.Campaign, most int) (out Shown, err error) {
	out = Shown{
		ID: k.ID, Name: k.Name, Description: k.Description, Status: k.Status, PauseReason: api.Optional(k.PauseReason), StatusChangedAt: k.StatusChangedAt,
		AdminReason: k.AdminReason, AccountIDs: append([]string{}, k.AccountIDs...), Accounts: api.Refs(orgID, k.AccountIDs), SnapshotAt: k.SnapshotAt, ScheduledAt: k.ScheduledAt, EndAt: k.EndAt, Timezone: k.Timezone, Window: k.Window,
		Repeat: k.Repeat, Series: k.Series, MinDays: k.MinDays, Validation: k.Validation, StartedAt: k.StartedAt, FinishedAt: k.FinishedAt,
		CreatedBy: k.CreatedBy, Creator: api.Ref(orgID, k.CreatedBy), CreatedAt: k.CreatedAt, UpdatedAt: k.UpdatedAt,
	}
	if out.Message, err = k.OpenMessage(tx.DB(), orgID); err != nil {
		return out, err
	}
	if out.Audience, err = targeting.Show(tx, orgID, k, most); err != nil {
		return out, err
	}
	if out.Totals, err = results.TotalsOf(tx, orgID, k); err != nil {
		return out, err
	}
	if k.Status != record.Running {
		return out, nil
	}
	if out.WaitingReason, err = s.outcomes.Waiting(tx, orgID, k); err != nil {
		return out, err
	}
	out.EstimatedFinishAt, err = s.outcomes.Estimate(tx, orgID, k)
	return out, err
}
