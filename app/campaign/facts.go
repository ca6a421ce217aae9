package campaign

import (
	"context"
	"maps"
	"slices"
	"time"

	"svc/app/account"
	"svc/app/campaign/check"
	"svc/app/content"
	"svc/app/content/media"
	"svc/app/org"
	"svc/app/recipient"
	"svc/app/recipient/audience"
	"svc/app/recipient/imports"
	"svc/app/setting"
	"svc/store"
)

// inspection is what the checks of one campaign look at, while it is gathered.
type inspection struct {
	check.Facts
	same possibleDuplicates
}

// gather reads all that the checks look at but what needs every person of the audience
// (scan).
func (s *Service) gather(tx *store.Tx, orgID string, k *Campaign, found *audience.Frozen) (f *inspection, who audience.Frozen, err error) {
	now := tx.DB().Now()
	f = &inspection{Facts: check.Facts{Now: now, Start: startOf(k, now), Scheduled: k.ScheduledAt, End: k.EndAt, Window: k.Window.in(k.Timezone), Zone: location(k.Timezone), NoAddress: s.o.NoAddress}}
	if err := f.gatherOrg(tx, orgID, k); err != nil {
		return nil, nil, err
	}
	m, err := k.message(tx.DB(), orgID)
	if err != nil {
		return nil, nil, err
	}
	f.gatherMessage(tx, orgID, m)
	if err := f.gatherAccounts(tx, orgID, k); err != nil {
		return nil, nil, err
	}
	if who, err = f.gatherAudience(tx, s, orgID, k, found); err != nil {
		return nil, nil, err
	}
	if k.Repeat != nil {
		return f, who, f.gatherSeries(tx, orgID, k)
	}
	return f, who, nil
}

func (f *inspection) gatherOrg(tx *store.Tx, orgID string, k *Campaign) error {
	o, err := org.Get(tx, orgID)
	if err != nil {
		return err
	}
	f.Suspended = o.Status == org.Suspended
	if f.Policy, err = org.PolicyAccepted(tx, orgID); err != nil {
		return err
	}
	used, err := Active(tx, orgID)
	if err != nil {
		return err
	}
	if !k.Status.active() {
		used++
	}
	there, err := imports.Used(tx, orgID)
	if err != nil {
		return err
	}
	for _, l := range []struct {
		key  org.LimitKey
		used int
	}{{org.LimitActiveCampaigns, used}, {org.LimitRecipients, there}} {
		n, none := o.Limit(l.key)
		f.Limits = append(f.Limits, check.Limit{Key: string(l.key), Used: l.used, Max: n, None: none})
	}
	return nil
}

func (f *inspection) gatherMessage(tx *store.Tx, orgID string, m content.Message) {
	f.HasText, f.HasFiles, f.Room = m.Text != "", len(m.AttachmentIDs) > 0, content.MaxLength(len(m.AttachmentIDs))
	text, err := content.Parse(m.Text, m.Format)
	if err != nil {
		f.TextError = err.Error()
	} else {
		f.HasOptOut = slices.Contains(text.Variables(), content.OptOutVariable)
	}
	for _, id := range m.AttachmentIDs {
		list, err := content.GetAttachments(tx, orgID, "message.attachment_ids", []string{id})
		switch {
		case err != nil || len(list) != 1:
			f.BadFiles = append(f.BadFiles, id)
		case list[0].SizeBytes > content.MaxFile, list[0].Kind == media.Photo && list[0].SizeBytes > content.MaxPhoto:
			f.BadFiles = append(f.BadFiles, list[0].FileName)
		}
	}
}

func (f *inspection) gatherAccounts(tx *store.Tx, orgID string, k *Campaign) error {
	for _, id := range k.AccountIDs {
		a, err := account.Get(tx, orgID, id)
		if store.IsNotFound(err) {
			continue // it was deleted: the campaign has one less
		}
		if err != nil {
			return err
		}
		fact := check.Account{Name: a.DisplayName(), Status: a.Status, Sends: a.Sends()}
		pace, err := account.PaceOf(tx, orgID, id)
		if store.IgnoreNotFound(err) != nil {
			return err
		}
		fact.Cooldown = pace.CooldownUntil
		if fact.Shared, err = others(tx, orgID, k.ID, id); err != nil {
			return err
		}
		if fact.Proxy, err = proxyOf(tx, orgID, &a); err != nil {
			return err
		}
		f.Accounts = append(f.Accounts, fact)
	}
	return nil
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

func (f *inspection) gatherAudience(tx *store.Tx, s *Service, orgID string, k *Campaign, found *audience.Frozen) (audience.Frozen, error) {
	set, err := setting.Get(tx)
	if err != nil {
		return nil, err
	}
	who, _, err := s.meant(tx, orgID, k, found)
	if err != nil {
		return nil, err
	}
	c, err := audience.CountAudience(tx, orgID, who, audience.Counting{Message: k.rules(&set, f.Now), Accounts: k.AccountIDs})
	if err != nil {
		return nil, err
	}
	f.Audience = check.Audience{
		Matched: c.Matched, Sendable: c.Sendable, OptedOut: c.OptedOut, Suppressed: c.Suppressed, UnknownConsent: c.UnknownConsent,
		Recently: c.Recently, Unreached: c.Unreached, Met: c.Met, Message: k.rules(&set, f.Now),
	}
	return who, f.gatherSameText(tx, orgID, k, who)
}

// inspect makes the report of a campaign that would be launched now. It reads the whole
// audience when its text has variables, a page at a time.
//
// at is the time at which it is to begin in place of its own; nil for its own. people are
// whom the audience means, where they had to be read (readAudience): the launch takes them.
func (s *Service) inspect(ctx context.Context, orgID, id string, at *time.Time) (report *check.Report, people *audience.Frozen, err error) {
	var f *inspection
	var who audience.Frozen
	var k Campaign
	var m content.Message
	var share *binding
	if people, err = s.readAudience(ctx, orgID, id); err != nil {
		return nil, nil, err
	}
	err = s.db.View(ctx, func(tx *store.Tx) (err error) {
		if k, err = campaigns.Get(tx, orgID, id); err != nil {
			return err
		}
		if at != nil {
			k.ScheduledAt = at
		}
		if f, who, err = s.gather(tx, orgID, &k, people); err != nil {
			return err
		}
		if share, err = sharing(tx, orgID, &k, f); err != nil {
			return err
		}
		m, err = k.message(tx.DB(), orgID)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	by := audienceRules{message: f.Audience.Message}
	if share != nil {
		by.visit = func(r *recipient.Recipient) { share.bind(r) }
	}
	found, err := s.scan(ctx, orgID, m, who, by)
	if err != nil {
		return nil, nil, err
	}
	f.read(found)
	if f.Repeated, err = s.repeated(ctx, orgID, f.same, f.Now); err != nil {
		return nil, nil, err
	}
	err = s.db.View(ctx, func(tx *store.Tx) error { return s.gatherWorkloads(tx, orgID, &k, f, share) })
	return f.Report(), people, err
}

// read takes over what a text comes to.
func (f *inspection) read(found *scanned) {
	f.Longest, f.Missing, f.Unknown, f.Unused = found.longest, found.missing, found.nobodys(), found.unused()
	f.MissingNames = slices.DeleteFunc(slices.Sorted(maps.Keys(found.lacking)), func(name string) bool { return slices.Contains(f.Unknown, name) })
}
