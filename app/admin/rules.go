package admin

import (
	"fmt"
	"slices"
	"time"

	"svc/app/admin/disk"
	"svc/store/queue"
)

// Severity says how pressing an alert is.
type Severity string

// The severities, as of notifications.
const (
	Critical Severity = "CRITICAL"
	Warning  Severity = "WARNING"
	Info     Severity = "INFO"
)

// Alert is something that an administrator must know.
type Alert struct {
	Kind     string   `json:"kind" example:"QUEUE_PAUSED"`
	Severity Severity `json:"severity" enum:"CRITICAL,WARNING,INFO"`
	Title    string   `json:"title"`
	Link     string   `json:"link" doc:"A path of the console."`
}

// facts are what alerts are made of.
type facts struct {
	now            time.Time
	storage        disk.Storage
	queues         []queue.Stats
	workers        int
	restricted     int
	openReports    int
	suspended      int
	maintenance    bool
	unknownConsent bool
	rotating       bool
	simulated      bool
	backup         Backup
	skew           time.Duration // of the clock; 0 also when nobody knows
}

// When a state is worth an alert.
const (
	tooLongPending = 5 * time.Minute
	tooOldBackup   = 7 * 24 * time.Hour
	// tooMuchSkew is well before the messenger refuses messages: at 30 seconds ahead.
	tooMuchSkew = 20 * time.Second
)

// alerts says what needs somebody, the most pressing first, and in a fixed order where
// that is equal.
func alerts(f facts) []Alert {
	out := []Alert{}
	add := func(on bool, kind string, severity Severity, link, title string, args ...any) {
		if on {
			out = append(out, Alert{kind, severity, fmt.Sprintf(title, args...), link})
		}
	}
	add(!f.storage.OK, "STORAGE_LOW", Critical, "/admin/system", "The data folder cannot be read, or less than %d MB are free on its disk.", disk.LowSpace>>20)
	add(f.workers == 0, "NO_WORKERS", Critical, "/admin/workers", "No worker had a heartbeat within the last minute.")
	add(f.skew.Abs() > tooMuchSkew, "CLOCK_SKEW", Critical, "/admin/system",
		"The clock of this machine is wrong by %d seconds; set it, or the messenger refuses every message.", int(f.skew.Abs()/time.Second))
	for _, q := range f.queues {
		link := "/admin/queues/" + string(q.Name)
		add(q.Paused, "QUEUE_PAUSED", Warning, link, "The queue %s is paused; tasks that wait: %d.", q.Name, waiting(q))
		add(!q.Paused && q.OldestPending > tooLongPending, "QUEUE_SLOW", Warning, link,
			"The oldest task of the queue %s waits for %d minutes.", q.Name, int(q.OldestPending/time.Minute))
		add(q.Counts[queue.Archived] > 0, "TASKS_ARCHIVED", Warning, link, "Tasks of the queue %s that were given up: %d.", q.Name, q.Counts[queue.Archived])
	}
	add(f.restricted > 0, "ACCOUNTS_RESTRICTED", Warning, "/admin/accounts?status=RESTRICTED", "Accounts that the messenger restricted: %d.", f.restricted)
	add(f.openReports > 0, "ABUSE_REPORTS_OPEN", Warning, "/admin/abuse-reports?status=OPEN", "Abuse reports that wait for somebody: %d.", f.openReports)
	add(f.backup.LastAt == nil, "NO_BACKUP", Warning, "/admin/system", "The database was never backed up.")
	add(f.backup.LastAt != nil && f.now.Sub(*f.backup.LastAt) > tooOldBackup, "BACKUP_OLD", Warning, "/admin/system", "The last backup is older than a week.")
	add(f.rotating, "KEY_ROTATION", Warning, "/admin/system", "A rotation of the keys began and did not end; run it again.")
	add(f.unknownConsent, "UNKNOWN_CONSENT_ALLOWED", Warning, "/admin/settings", "People whose consent nobody recorded may be written to.")
	add(f.maintenance, "MAINTENANCE", Info, "/admin/settings", "The service is in maintenance: changes are refused.")
	add(f.suspended > 0, "ORGANIZATIONS_SUSPENDED", Info, "/admin/organizations?status=SUSPENDED", "Organizations that are suspended: %d.", f.suspended)
	add(f.simulated, "SIMULATOR", Info, "/admin/system", "Messages go to the simulator: nobody receives them.")
	slices.SortStableFunc(out, func(a, b Alert) int { return rank(a.Severity) - rank(b.Severity) })
	return out
}

func rank(s Severity) int { return slices.Index([]Severity{Critical, Warning, Info}, s) }

func waiting(q queue.Stats) int {
	return q.Counts[queue.Pending] + q.Counts[queue.Scheduled] + q.Counts[queue.Retry]
}
