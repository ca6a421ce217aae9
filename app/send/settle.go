package send

import (
	"errors"
	"time"

	"svc/app/account"
	"svc/app/recipient"
	"svc/app/send/figures"
	"svc/messenger"
	"svc/store"
	"svc/store/coord"
	"svc/store/dispatch"
)

// outcome is what came of a message.
type outcome struct {
	job   string
	sent  messenger.Sent
	lease coord.Lease      // of the account
	err   *messenger.Error // nil: the platform took it
	at    time.Time
	took  time.Duration
}

// settle stores what came of the message in flight of an account.
func (t *dispatchTx) settle(e *dispatch.Entry[accountQueue], o *outcome) error {
	orgID, l := e.Org, e.Record
	if l.InFlight == nil || l.InFlight.Job != o.job {
		return nil // it was let go of
	}
	switch err := o.lease.Fence(t.tx); {
	case errors.Is(err, coord.ErrLost): // the account is another node's: it is sent again with the same numbers
		return t.release(e)
	case err != nil:
		return err
	}
	h := l.InFlight
	l.InFlight = nil
	if h.Recipient != "" {
		if err := recipient.MarkSending(t.tx, orgID, h.Recipient, time.Time{}); err != nil {
			return err
		}
	}
	j, err := jobs.Edit(t.tx, orgID, o.job, func(j *Job) error {
		if j.Status.Ended() {
			return errEnded
		}
		return t.record(e, h, j, o)
	})
	switch {
	case errors.Is(err, errEnded), store.IsNotFound(err):
		return nil
	case err != nil:
		return err
	}
	return t.recordOutcome(orgID, &j)
}

// errEnded keeps an outcome from a job that has one.
var errEnded = errors.New("the job has its outcome")

// record notes the outcome in a job, and in whatever else it concerns.
func (t *dispatchTx) record(e *dispatch.Entry[accountQueue], h *inFlight, j *Job, o *outcome) error {
	orgID, l := e.Org, e.Record
	if h.Kind.paced() {
		l.LastAt = o.at
	}
	if isDuplicate(o.err) {
		j.SkipReason = DuplicateOfBefore
		j.end(Skipped, t.now)
		return nil
	}
	f := judge(o.err, j.Attempts)
	j.DurationMS = max(1, o.took.Milliseconds()) // 0 is a job that nobody tried
	if f.counts {
		j.Attempts++
	}
	if o.err != nil {
		e.Failed()
		return t.refused(orgID, l, j, o, f)
	}
	e.Took(t.now.Sub(h.Since))
	j.end(Delivered, t.now)
	j.ErrorCode, j.LastError = "", ""
	j.SentAt, j.PeerID, j.PlatformMessageID = o.at, o.sent.Peer.ID, o.sent.MessageID
	return account.Sent(t.tx, orgID, j.AccountID, o.at)
}

// refused notes a message that the platform did not take, or did not answer to.
func (t *dispatchTx) refused(orgID string, l *accountQueue, j *Job, o *outcome, f fate) error {
	j.Status, j.ErrorCode, j.LastError = f.status, f.code, sentence(o.err.Fault, f.code)
	j.FailedAt, j.ContentRefused = o.at, o.err.Fault == messenger.ContentRefused
	if o.err.Fault != messenger.Unreachable && o.err.Fault != messenger.RouteFailed {
		if err := account.Reached(t.tx, orgID, l.ID); err != nil {
			return err
		}
	}
	if f.flood {
		if _, err := t.s.o.Accounts.Flooded(t.tx, t.call(orgID), orgID, l.ID, o.err.Wait); err != nil {
			return err
		}
		err := figures.Count(t.tx, orgID, j.Batch, l.ID, t.now, figures.Counters{Cooldown: int(o.err.Wait.Seconds())}, "")
		if err != nil {
			return err
		}
	}
	if f.unhealthy {
		left, err := t.reportTrouble(orgID, l, o.err)
		if err != nil {
			return err
		}
		switch {
		case left: // what waits for its account starts afresh
			j.Status, j.Attempts, f.wait, f.hold = Waiting, 0, 0, false
		case f.status == Waiting && f.wait == 0: // the account goes on all the same
			f.wait, f.hold = retryWaits[2], true
		}
	}
	if j.Status.Ended() {
		j.end(j.Status, t.now)
		return nil
	}
	j.RunAt = time.Time{}
	if f.wait > 0 {
		j.RunAt = t.now.Add(f.wait)
	}
	if f.hold {
		l.HoldUntil = j.RunAt
	}
	return t.unlessDropped(orgID, j)
}

// reportTrouble lets the account know of an error, and says whether it may not send any more.
func (t *dispatchTx) reportTrouble(orgID string, l *accountQueue, e *messenger.Error) (left bool, err error) {
	if err := t.s.o.Accounts.Trouble(t.tx, t.call(orgID), orgID, l.ID, e); err != nil {
		return false, err
	}
	a, err := account.Get(t.tx, orgID, l.ID)
	return !a.Sends(), store.IgnoreNotFound(err)
}

// unlessDropped ends a job that would go on waiting, when its campaign was cancelled
// meanwhile or its account taken off it.
func (t *dispatchTx) unlessDropped(orgID string, j *Job) error {
	if j.Batch == "" {
		return nil
	}
	b, err := t.policy(orgID, j.Batch)
	if err == nil && b.drops(j.AccountID) {
		j.end(Cancelled, t.now)
	}
	return err
}

func (j *Job) end(s Status, now time.Time) { j.Status, j.RunAt, j.FinishedAt = s, time.Time{}, now }

// finish ends a job that nobody tries, and tells of it.
func (t *dispatchTx) finish(orgID string, j *Job, s Status) error {
	j.end(s, t.now)
	if err := jobs.Put(t.tx, orgID, j); err != nil {
		return err
	}
	return t.recordOutcome(orgID, j)
}

// recordOutcome counts a job that was saved with its outcome, and tells whoever it belongs to.
func (t *dispatchTx) recordOutcome(orgID string, j *Job) error {
	if !j.Status.Ended() {
		return nil
	}
	if err := countOutcome(t.tx, orgID, j, t.now); err != nil {
		return err
	}
	if source := t.s.sources[j.Kind]; source != nil {
		return source.Settled(t.tx, t.call(orgID), j)
	}
	return nil
}

// countOutcome counts a job that has just ended. Test messages are no figures of
// anybody.
func countOutcome(tx *store.Tx, org string, j *Job, at time.Time) error {
	by := figures.Counters{}
	switch j.Status {
	case Delivered:
		by.Delivered = 1
	case Failed:
		by.Failed = 1
	case Unreachable:
		by.Unreachable = 1
	case Skipped:
		by.Skipped = 1
	}
	if by == (figures.Counters{}) || j.Kind == Test {
		return nil
	}
	return figures.Count(tx, org, j.Batch, j.AccountID, at, by, j.ErrorCode)
}
