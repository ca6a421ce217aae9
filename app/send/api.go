package send

import (
	"time"

	"svc/app/api"
	"svc/app/api/perm"
)

// Endpoints are the operations of the slice.
func (s *Service) Endpoints() []api.Endpoint {
	return []api.Endpoint{
		api.E("GET /jobs", "jobs.list", perm.CampaignsRead, "List send jobs, newest first.", api.Read(s.db, s.list)),
		api.E("GET /jobs/{id}", "jobs.get", perm.CampaignsRead, "Get a send job.", api.Read(s.db, s.get)),
	}
}

// JobStatus is where a send job is (contract 4.7).
type JobStatus string

// The statuses.
const (
	JobQueued    JobStatus = "QUEUED"
	jobRunning   JobStatus = "RUNNING"
	jobRetry     JobStatus = "RETRY"
	jobDone      JobStatus = "DONE"
	jobFailed    JobStatus = "FAILED"
	jobSkipped   JobStatus = "SKIPPED"
	jobCancelled JobStatus = "CANCELLED"
)

// Shown is a send job as the API answers it (contract 4.7).
type Shown struct {
	ID             string     `json:"id"`
	Kind           Kind       `json:"kind" enum:"CAMPAIGN,REPLY,AI_REPLY,TEST"`
	Status         JobStatus  `json:"status" enum:"QUEUED,RUNNING,RETRY,DONE,FAILED,SKIPPED,CANCELLED"`
	AccountID      *string    `json:"account_id"`
	CampaignID     *string    `json:"campaign_id"`
	ConversationID *string    `json:"conversation_id"`
	RecipientID    *string    `json:"recipient_id"`
	Account        *api.Named `json:"account"`
	Campaign       *api.Named `json:"campaign"`
	Recipient      *api.Named `json:"recipient"`
	Attempts       int        `json:"attempts"`
	MaxAttempts    int        `json:"max_attempts"`
	RunAt          time.Time  `json:"run_at" doc:"Not before; the pace of its account may make it later."`
	LockedBy       *string    `json:"locked_by" doc:"Who is sending it."`
	ErrorCode      *string    `json:"error_code"`
	LastError      *string    `json:"last_error"`
	DurationMS     *int64     `json:"duration_ms" doc:"Of the last try."`
	CreatedAt      time.Time  `json:"created_at"`
	FinishedAt     *time.Time `json:"finished_at"`
}

type listIn struct {
	api.PageIn
	Kind       Kind      `query:"kind" enum:"CAMPAIGN,REPLY,AI_REPLY,TEST"`
	Status     JobStatus `query:"status" enum:"QUEUED,RUNNING,RETRY,DONE,FAILED,SKIPPED,CANCELLED"`
	AccountID  string    `query:"account_id" maxLength:"64"`
	CampaignID string    `query:"campaign_id" maxLength:"64"`
	From       time.Time `query:"from" doc:"Created from then on, inclusive."`
	To         time.Time `query:"to" doc:"Created before, exclusive."`
}
