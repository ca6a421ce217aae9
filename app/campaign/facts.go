package campaign

import (
	"context"
	"maps"
	"slices"
	"time"

	"svc/app/account"
	"svc/app/campaign/schedule"
	"svc/app/content"
	"svc/app/content/markup"
	"svc/app/content/media"
	"svc/app/org"
	"svc/app/recipient"
	"svc/app/setting"
	"svc/store"
)

// sameText is how far back the same text counts as sent before (messaging decisions, 5:
// duplicate_send).
const sameText = 7 * 24 * time.Hour

// gather reads all that the checks look at but what needs every person of the audience
// (scan).
func (s *Service) gather(tx *store.Tx, orgID string, k *Campaign) (f *facts, who recipient.Frozen, err error) {
	now := tx.DB().Now()
	f = &facts{now: now, start: startOf(k, now), scheduled: k.ScheduledAt, end: k.EndAt, window: k.Window.in(k.Timezone), noAddress: s.o.NoAddress}
	if err := f.gatherOrg(tx, orgID, k); err != nil {
		return nil, nil, err
	}
	if err := f.gatherMessage(tx, orgID, k); err != nil {
		return nil, nil, err
	}
	if err := f.gatherAccounts(tx, orgID, k); err != nil {
		return nil, nil, err
	}
	if who, err = f.gatherAudience(tx, s, orgID, k); err != nil {
		return nil, nil, err
	}
	if k.Repeat != nil {
		return f, who, f.gatherSeries(tx, orgID, k)
	}
	return f, who, nil
}

func (f *facts) gatherOrg(tx *store.Tx, orgID string, k *Campaign) error {
	o, err := org.Get(tx, orgID)
	if err != nil {
		return err
	}
	f.suspended = o.Status == org.Suspended
	if f.policy, err = org.PolicyAccepted(tx, orgID); err != nil {
		return err
	}
	used, err := Active(tx, orgID)
	if err != nil {
		return err
	}
	if !k.Status.active() {
		used++
	}
	there, err := recipient.Used(tx, orgID)
	if err != nil {
		return err
	}
	for _, l := range []struct {
		key  org.LimitKey
		used int
	}{{org.LimitActiveCampaigns, used}, {org.LimitRecipients, there}} {
		n, none := o.Limit(l.key)
		f.limits = append(f.limits, limitFact{string(l.key), l.used, n, none})
	}
	return nil
}

func (f *facts) gatherMessage(tx *store.Tx, orgID string, k *Campaign) error {
	m, err := k.message(tx.DB(), orgID)
	if err != nil {
		return err
	}
	f.hasText, f.hasFiles, f.room = m.Text != "", len(m.AttachmentIDs) > 0, content.MaxLength(len(m.AttachmentIDs))
	text, err := markup.Parse(m.Text, m.Format)
	if err != nil {
		f.textError = err.Error()
	} else {
		f.hasOptOut = slices.Contains(text.Variables(), content.OptOutVariable)
	}
	for _, id := range m.AttachmentIDs {
		list, err := content.GetAttachments(tx, orgID, "message.attachment_ids", []string{id})
		switch {
		case err != nil || len(list) != 1:
			f.badFiles = append(f.badFiles, id)
		case list[0].SizeBytes > content.MaxFile, list[0].Kind == media.Photo && list[0].SizeBytes > content.MaxPhoto:
			f.badFiles = append(f.badFiles, list[0].FileName)
		}
	}
	return nil
}

func (f *facts) gatherAccounts(tx *store.Tx, orgID string, k *Campaign) error {
	for _, id := range k.AccountIDs {
		a, err := account.Get(tx, orgID, id)
		if store.IsNotFound(err) {
			continue // it was deleted: the campaign has one less
		}
		if err != nil {
			return err
		}
		fact := accountFact{name: accountName(&a), status: a.Status, sends: a.Sends()}
		pace, err := account.PaceOf(tx, orgID, id)
		if store.IgnoreNotFound(err) != nil {
			return err
		}
		fact.cooldown = pace.CooldownUntil
		if fact.shared, err = others(tx, orgID, k.ID, id); err != nil {
			return err
		}
		if fact.proxy, err = proxyOf(tx, orgID, &a); err != nil {
			return err
		}
		f.accounts = append(f.accounts, fact)
	}
	return nil
}

// accountName is what people call an account.
func accountName(a *account.Account) string {
	switch {
	case a.Label != nil:
		return *a.Label
	case a.Username != "":
		return "@" + a.Username
	}
	return a.PhoneMasked
}

// others are the names of other running campaigns that use an account.
func others(tx *store.Tx, orgID, id, accountID string) (names []string, err error) {
	const most = 20
	page, err := campaigns.Page(tx, orgID, store.Query[Campaign]{
		Where: []store.Cond[Campaign]{statusFacet.Any(string(Running)), accountFacet.Any(accountID)}, Limit: most,
	})
	for _, other := range page.Data {
		if other.ID != id {
			names = append(names, other.Name)
		}
	}
	return names, err
}

func (f *facts) gatherAudience(tx *store.Tx, s *Service, orgID string, k *Campaign) (recipient.Frozen, error) {
	set, err := setting.Get(tx)
	if err != nil {
		return nil, err
	}
	a, err := k.audience(tx, orgID)
	if err != nil {
		return nil, err
	}
	who, n, err := a.Freeze(tx, orgID)
	if err != nil {
		return nil, err
	}
	if who, _, err = s.onlyNew(tx, orgID, k, who, n); err != nil {
		return nil, err
	}
	c, err := recipient.CrowdOf(tx, orgID, who, recipient.Counting{AllowUnknown: set.AllowUnknownConsent, Since: k.since(f.now), Accounts: k.AccountIDs})
	if err != nil {
		return nil, err
	}
	f.audience = audienceFact{
		matched: c.Matched, sendable: c.Sendable, optedOut: c.OptedOut, suppressed: c.Suppressed, unknownConsent: c.UnknownConsent,
		recently: c.Recently, unreached: c.Unreached, allowUnknown: set.AllowUnknownConsent,
	}
	f.repeated, err = s.repeated(tx, orgID, k, who, f.now)
	return who, err
}

// repeated is how many people were in a campaign of the last days that had the same
// text, and were written to since it began.
func (s *Service) repeated(tx *store.Tx, orgID string, k *Campaign, who recipient.Frozen, now time.Time) (int, error) {
	const most = 20
	if k.TextHash == "" {
		return 0, nil
	}
	since := now.Add(-sameText)
	span := store.Between(store.Tuple(store.Text(k.TextHash), store.Time(since)), store.Tuple(store.Text(k.TextHash), store.Time(now.AddDate(1, 0, 0))))
	list, _, err := byText.Walk(tx, orgID, store.Range{Span: span, Limit: most, Reverse: true})
	if err != nil {
		return 0, err
	}
	var before []recipient.Frozen
	for _, other := range list {
		p, err := plans.Get(tx, orgID, other.ID)
		if err == nil && other.ID != k.ID {
			before = append(before, p.Frozen)
		} else if store.IgnoreNotFound(err) != nil {
			return 0, err
		}
	}
	if len(before) == 0 {
		return 0, nil
	}
	return recipient.Again(tx, orgID, who, before, since)
}

// lanesOf shares people out among the accounts that send, each as many as it sends in
// the same time.
func lanesOf(tx *store.Tx, orgID string, ids []string, left int, now time.Time, noPacing bool) (out []schedule.Lane, err error) {
	var sum float64
	var speed []float64
	for _, id := range ids {
		a, err := account.Get(tx, orgID, id)
		if err != nil || !a.Sends() {
			if store.IgnoreNotFound(err) != nil {
				return nil, err
			}
			continue
		}
		l, err := laneOf(tx, orgID, &a, now, noPacing)
		if err != nil {
			return nil, err
		}
		out, speed = append(out, l), append(speed, perDay(&a))
		sum += perDay(&a)
	}
	rest := left
	for i := range out {
		out[i].Left = int(float64(left) * speed[i] / max(sum, 1))
		rest -= out[i].Left
	}
	for i := range out {
		if rest > 0 {
			out[i].Left++
			rest--
		}
	}
	return out, nil
}

// laneOf is an account with nothing to send yet.
func laneOf(tx *store.Tx, orgID string, a *account.Account, now time.Time, noPacing bool) (schedule.Lane, error) {
	p, err := account.PaceOf(tx, orgID, a.ID)
	if store.IgnoreNotFound(err) != nil {
		return schedule.Lane{}, err
	}
	l := schedule.Lane{
		Interval: time.Duration(a.MinInterval) * time.Second, Limit: a.DailyLimit, SentToday: p.SentOn(now), NotBefore: p.CooldownUntil,
	}
	if again := p.LastSentAt.Add(l.Interval); again.After(l.NotBefore) {
		l.NotBefore = again
	}
	if noPacing {
		l.Interval, l.Limit, l.NotBefore = 0, 1<<30, p.CooldownUntil
	}
	return l, nil
}

// inspect makes the report of a campaign that would be launched now. It reads the whole
// audience when its text has variables, a page at a time.
//
// at is the time at which it is to begin in place of its own; nil for its own.
func (s *Service) inspect(ctx context.Context, orgID, id string, at *time.Time) (*Report, error) {
	var f *facts
	var who recipient.Frozen
	var k Campaign
	var m content.Message
	err := s.db.View(ctx, func(tx *store.Tx) (err error) {
		if k, err = campaigns.Get(tx, orgID, id); err != nil {
			return err
		}
		if at != nil {
			k.ScheduledAt = at
		}
		if f, who, err = s.gather(tx, orgID, &k); err != nil {
			return err
		}
		m, err = k.message(tx.DB(), orgID)
		return err
	})
	if err != nil {
		return nil, err
	}
	found, err := s.scan(ctx, orgID, m, who, audienceRules{f.audience.allowUnknown, k.since(f.now)})
	if err != nil {
		return nil, err
	}
	f.longest, f.missing, f.unknown = found.longest, found.missing, found.nobodys()
	f.missingNames = slices.DeleteFunc(slices.Sorted(maps.Keys(found.lacking)), func(name string) bool { return slices.Contains(f.unknown, name) })
	err = s.db.View(ctx, func(tx *store.Tx) error {
		lanes, err := lanesOf(tx, orgID, k.AccountIDs, f.audience.sendable-f.missing, f.now, s.o.NoPacing)
		f.finish, f.finishes = slowest(lanes, f.start, f.window)
		return err
	})
	return f.report(), err
}
