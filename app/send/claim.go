package send

import (
	"math"
	"time"

	"svc/app/account"
	"svc/app/content"
	"svc/app/policy"
	"svc/app/recipient"
	"svc/app/setting"
	"svc/messenger"
	"svc/store"
	"svc/store/dispatch"
)

// outboundMessage is a message that was claimed and is to be sent.
type outboundMessage struct {
	org, account string
	job          string
	message      messenger.Message
	files        []content.Attachment
}

// offer is what a claim answers.
type offer = dispatch.Offer[*outboundMessage]

// claim claims the next message of an account, if one may be sent now; else it says when
// to look again.
func (t *dispatchTx) claim(e *dispatch.Entry[accountQueue]) (offer, error) {
	l := e.Record
	a, err := account.Get(t.tx, e.Org, l.ID)
	if err != nil || !a.Sends() {
		return offer{}, store.IgnoreNotFound(err) // a change of the account wakes it
	}
	// Who connects the account sends for it.
	if there, err := t.s.o.Accounts.Elsewhere(t.tx, l.ID); err != nil || there {
		return offer{Elsewhere: there}, err
	}
	if stopped, err := t.suspended(e.Org); err != nil || stopped {
		return offer{}, err // so does a change of the organization
	}
	p, err := t.pace(e.Org, l, &a)
	if err != nil {
		return offer{}, err
	}
	for skipped := 0; ; skipped++ {
		j, again, err := t.pick(e.Org, l, &p)
		switch {
		case err != nil:
			return offer{}, err
		case j == nil && again.IsZero():
			return offer{}, nil
		case j == nil:
			return offer{Next: earlier(again, t.now.Add(lookAgain))}, nil
		case skipped == maxSkips:
			return offer{Next: t.now}, nil // the next transaction goes on
		}
		e.About(j.ID)
		m, err := t.claimJob(e.Org, l, j)
		if err != nil {
			return offer{}, err
		}
		if m != nil {
			return offer{OK: true, Work: m, Ref: j.ID}, nil
		}
		e.About("")
	}
}

// pace reads what decides when an account may send.
func (t *dispatchTx) pace(orgID string, l *accountQueue, a *account.Account) (policy.Pace, error) {
	set, err := t.settings()
	if err != nil {
		return policy.Pace{}, err
	}
	p, err := paceOf(t.tx, orgID, l, a, set, t.now)
	p.Off = t.s.o.NoPacing
	return p, err
}

// PaceAt is how fast an account may send at a moment to come: what it sent today does not
// count tomorrow.
func PaceAt(tx *store.Tx, orgID string, a *account.Account, set *setting.Settings, at time.Time) (policy.Pace, error) {
	l, err := accountQueueOf(tx, orgID, a.ID)
	if err != nil {
		return policy.Pace{}, err
	}
	return paceOf(tx, orgID, &l, a, set, at)
}

func paceOf(tx *store.Tx, orgID string, l *accountQueue, a *account.Account, set *setting.Settings, at time.Time) (p policy.Pace, err error) {
	pace, err := account.PaceOf(tx, orgID, l.ID)
	if err != nil && !store.IsNotFound(err) {
		return p, err
	}
	daily, interval := a.Pacing(set)
	p = policy.Pace{
		Cooldown: pace.CooldownUntil, Hold: l.HoldUntil, Last: l.LastAt, Interval: time.Duration(interval) * time.Second,
		Limit: daily, Sent: pace.SentOn(at), SentOn: at,
	}
	if pace.LastSentAt.After(p.Last) {
		p.Last = pace.LastSentAt
	}
	return p, nil
}

// pick is the job whose turn it is, nil for none; then again is when there may be
// one, zero for not before somebody says. Replies go first, then tests, and campaigns
// take turns.
func (t *dispatchTx) pick(orgID string, l *accountQueue, p *policy.Pace) (j *Job, again time.Time, err error) {
	for prio := first; prio <= third; {
		found, err := t.behind(orgID, l.ID, store.Int(prio))
		if err != nil || found == nil {
			return nil, again, err
		}
		if until, _ := p.Next(found.Kind.paced(), t.now); !until.IsZero() {
			// What comes behind waits at least as long.
			return nil, earlier(again, until), nil
		}
		var later time.Time
		if prio = found.Kind.priority(); prio == third {
			j, later, err = t.inTurn(orgID, l, found)
		} else {
			j, later, err = t.ready(orgID, found)
		}
		if err != nil || j != nil {
			return j, again, err
		}
		again = earlier(again, later)
		prio++
	}
	return nil, again, nil
}

// inTurn is the job of a campaign whose turn it is: the next behind the one that was
// served last. found is the first of all.
func (t *dispatchTx) inTurn(orgID string, l *accountQueue, found *Job) (j *Job, again time.Time, err error) {
	at := found
	if l.Batch >= found.Batch {
		if at, err = t.behindBatch(orgID, l.ID, l.Batch); err != nil {
			return nil, again, err
		}
		if at == nil {
			at = found
		}
	}
	for begin := at.Batch; ; {
		b, err := t.policy(orgID, at.Batch)
		if err != nil {
			return nil, again, err
		}
		ok, opens := b.may(l.ID, t.now)
		later := opens
		if ok {
			if j, later, err = t.ready(orgID, at); err != nil || j != nil {
				return j, again, err
			}
		}
		again = earlier(again, later)
		if at, err = t.behindBatch(orgID, l.ID, at.Batch); err != nil {
			return nil, again, err
		}
		if at == nil {
			at = found // the circle closes
		}
		if at.Batch == begin {
			return nil, again, nil
		}
	}
}

// behindBatch is the first job that waits for an account in the campaigns behind one.
func (t *dispatchTx) behindBatch(orgID, account, batch string) (*Job, error) {
	return t.behind(orgID, account, store.Int(third), store.Text(batch), store.Int(math.MaxInt64))
}

// behind is the first job that waits for an account from a place of the order on, nil
// for none.
func (t *dispatchTx) behind(orgID, account string, from ...store.Key) (*Job, error) {
	of := store.Text(account)
	span := store.Between(store.Tuple(append([]store.Key{of}, from...)...), store.Tuple(of, store.Int(third+1)))
	j, err := waiting.First(t.tx, orgID, span)
	if err != nil {
		return nil, store.IgnoreNotFound(err)
	}
	return &j, nil
}

// ready is what may be sent of a campaign, or of a kind, whose first job is given: one
// whose time for another try has come, else the first that was not tried. again is
// when the next of those that wait may come.
func (t *dispatchTx) ready(orgID string, found *Job) (j *Job, again time.Time, err error) {
	// A try that ended in the future was noted before somebody set the clock back.
	if !found.RunAt.After(t.now) || found.FailedAt.After(t.now) {
		return found, again, nil
	}
	untried, err := waiting.First(t.tx, orgID, store.Is(waitingKey(found, notTried)))
	if err == nil {
		return &untried, again, nil
	}
	return nil, found.RunAt, store.IgnoreNotFound(err)
}

// claimJob makes a job the message that its account sends, unless a rule keeps it from its
// person: then the job ends, and nil is the answer.
func (t *dispatchTx) claimJob(orgID string, l *accountQueue, j *Job) (*outboundMessage, error) {
	var who *recipient.Recipient
	skip := func(reason string) (*outboundMessage, error) {
		j.SkipReason = reason
		return nil, t.finish(orgID, j, Skipped)
	}
	if j.RecipientID != "" {
		r, err := recipient.Get(t.tx, orgID, j.RecipientID)
		if store.IsNotFound(err) {
			return skip(RecipientDeleted)
		}
		if err != nil {
			return nil, err
		}
		reason, err := t.objection(orgID, j, &r)
		if err != nil {
			return nil, err
		}
		if reason != "" {
			return skip(reason)
		}
		who = &r
	}
	d, err := t.compose(orgID, j, who)
	if no := (*Skip)(nil); asSkip(err, &no) {
		return skip(no.Reason)
	}
	if err != nil {
		return nil, err
	}
	return t.startSending(orgID, l, j, who, d)
}

// objection is why somebody may not be written to at this moment; "" for nothing.
func (t *dispatchTx) objection(orgID string, j *Job, r *recipient.Recipient) (string, error) {
	m, who := policy.Message{}, r.Person()
	if why := m.Objection(who); why != "" || j.Kind != Campaign {
		return string(why), nil
	}
	set, err := t.settings()
	if err != nil {
		return "", err
	}
	b, err := t.policy(orgID, j.Batch)
	if err != nil {
		return "", err
	}
	if r.MessengerID != 0 && r.Username == "" { // a second record may have the username
		if duplicate, err := hasDuplicate(t.tx, orgID, b, j.ID, r.MessengerID); err != nil || duplicate {
			return DuplicateOfBefore, err
		}
	}
	m = policy.Message{Campaign: true, AllowUnknown: set.AllowUnknownConsent, RestSince: policy.Since(t.now, b.MinDays)}
	return string(m.Objection(who)), nil
}

// startSending notes the message in the queue of its account and composes it.
func (t *dispatchTx) startSending(orgID string, l *accountQueue, j *Job, who *recipient.Recipient, d Draft) (*outboundMessage, error) {
	files, err := content.GetAttachments(t.tx, orgID, "attachment_ids", d.Attachments)
	if err != nil {
		return nil, err
	}
	n := max(1, len(files)+len(d.Files))
	if len(j.RandomIDs) < n {
		for len(j.RandomIDs) < n {
			j.RandomIDs = append(j.RandomIDs, randomID())
		}
		if err := jobs.Put(t.tx, orgID, j); err != nil {
			return nil, err
		}
	}
	if who != nil {
		if d.To == (messenger.Target{}) {
			d.To = messenger.Target{ID: who.MessengerID, Username: who.Username}
		}
		if err := recipient.MarkSending(t.tx, orgID, who.ID, t.now.Add(busyFor)); err != nil {
			return nil, err
		}
	}
	l.InFlight = &inFlight{Job: j.ID, Kind: j.Kind, Batch: j.Batch, Recipient: j.RecipientID, Since: t.now, By: t.s.o.Worker}
	if j.Kind == Campaign {
		l.Batch = j.Batch
	}
	m := &outboundMessage{org: orgID, account: l.ID, job: j.ID, files: files, message: message(d, j.RandomIDs[:n])}
	if j.Kind == Campaign && d.To.ID == 0 {
		m.message.Object = t.s.rejectDuplicate(orgID, j)
	}
	return m, nil
}

func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
