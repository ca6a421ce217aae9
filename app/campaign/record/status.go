package record

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

// Ended says whether nothing happens to a campaign any more.
func (s Status) Ended() bool { return s == Completed || s == Cancelled || s == Failed }

// Active says whether a campaign counts against the plan (contract 3).
func (s Status) Active() bool { return s == Scheduled || s == Running || s == Paused }

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
