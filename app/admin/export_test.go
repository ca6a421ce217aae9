package admin

import (
	"context"
	"time"

	"svc/app/admin/disk"
	"svc/store"
	"svc/store/queue"
)

// Heartbeat writes the heartbeats now.
func (s *Service) Heartbeat(ctx context.Context) error { return s.heartbeat(ctx) }

// Beats are when the workers beat last.
func Beats(tx *store.Tx) (out []time.Time, err error) {
	list, _, err := workers.Walk(tx, store.Platform, nil, maxWorkers)
	for i := range list {
		out = append(out, list[i].HeartbeatAt)
	}
	return out, err
}

// ReportLives is the life of an abuse report: what happens to which status.
func ReportLives() (states []ReportStatus, events []string, next func(ReportStatus, string) (ReportStatus, bool)) {
	return []ReportStatus{Open, Investigating, Resolved, Dismissed}, []string{string(takenUp), string(resolved), string(dismissed), string(reopened)},
		func(s ReportStatus, e string) (ReportStatus, bool) { return reportLives.Next(s, reportEvent(e)) }
}

// Facts and Alerts are the rules of the overview.
type Facts = facts

// Alerts of facts.
var Alerts = alerts

// NewFacts are those of a platform that needs nobody.
func NewFacts(now, backedUp time.Time) Facts {
	return facts{now: now, storage: disk.Storage{OK: true}, workers: 9, backup: Backup{LastAt: &backedUp}}
}

// SetQueues and the others change one fact.
func (f *Facts) SetQueues(s ...queue.Stats) { f.queues = s }
func (f *Facts) SetStorage(s disk.Storage)  { f.storage = s }
func (f *Facts) SetWorkers(n int)           { f.workers = n }
func (f *Facts) SetRestricted(n int)        { f.restricted = n }
func (f *Facts) SetSkew(d time.Duration)    { f.skew = d }
func (f *Facts) SetBackup(b Backup)         { f.backup = b }

// SetState changes what is a number or a switch.
func (f *Facts) SetState(reports, suspended int, maintenance, unknownConsent, rotating, simulated bool) {
	f.openReports, f.suspended, f.maintenance, f.unknownConsent, f.rotating, f.simulated = reports, suspended, maintenance, unknownConsent, rotating, simulated
}
