// Package inspect gathers what the checks of a campaign look at (package check judges it), and makes
// the report of a launch.
package inspect

import (
	"context"
	"maps"
	"slices"
	"time"

	"svc/app/account"
	"svc/app/api"
	"svc/app/campaign/check"
	"svc/app/campaign/record"
	"svc/app/campaign/targeting"
	"svc/app/campaign/workload"
	"svc/app/content"
	"svc/app/content/media"
	"svc/app/org"
	"svc/app/policy"
	"svc/app/recipient"
	"svc/app/recipient/audience"
	"svc/app/recipient/imports"
	"svc/app/setting"
	"svc/store"
)

// proxyOf is what the checks know of the proxy of an account; nil for none.
func proxyOf(tx *store.Tx, orgID string, a *account.Account) (*check.Proxy, error) {
	p, found, err := account.ProxyOf(tx, orgID, a)
	if err != nil || !found {
		return nil, err
	}
	out := &check.Proxy{Broken: p.Fails()}
	if p.LastCheckedAt != nil {
		out.CheckedAt = *p.LastCheckedAt
	}
	return out, nil
}

// inspection is what the checks of one campaign look at, while it is gathered.
type inspection struct {
	check.Facts
	same possibleDuplicates
}

// Inspector asks the checks of a campaign what they say.
type Inspector struct {
	db        *store.DB
	people    *targeting.Reader
	noAddress check.Verdict
	noPacing  bool
}

// New makes an inspector. noAddress is what the checks say of opt-out links that nobody
// can open; noPacing says that accounts send without pace and daily limit.
func New(db *store.DB, people *targeting.Reader, noAddress check.Verdict, noPacing bool) *Inspector {
	return &Inspector{db: db, people: people, noAddress: noAddress, noPacing: noPacing}
}

// gather reads all that the checks look at but what needs every person of the audience
// (targeting.Reader.Scan).
func (s *Inspector) gather(tx *store.Tx, orgID string, k *record.Campaign, found *audience.Frozen) (f *inspection, who audience.Frozen, err error) {
	now := tx.DB().Now()
	f = &inspection{Facts: check.Facts{Now: now, Start: record.StartOf(k, now), Scheduled: k.ScheduledAt, End: k.EndAt, Window: k.Window.In(k.Timezone), Zone: record.Location(k.Timezone), NoAddress: s.noAddress}}
	if err := f.gatherOrg(tx, orgID, k); err != nil {
		return nil, nil, err
	}
	m, err := k.OpenMessage(tx.DB(), orgID)
	if err != nil {
		return nil, nil, err
	}
	f.gatherMessage(tx, orgID, m)
	if err := f.gatherAccounts(tx, orgID, k); err != nil {
		return nil, nil, err
	}
	if who, err = f.gatherAudience(tx, orgID, k, found); err != nil {
		return nil, nil, err
	}
	if k.Repeat != nil {
		return f, who, f.gatherSeries(tx, orgID, k)
	}
	return f, who, nil
}

func (f *inspection) gatherOrg(tx *store.Tx, orgID string, k *record.Campaign) error {
	o, err := org.Get(tx, orgID)
	if err != nil {
		return err
	}
	f.Suspended = o.Status == org.Suspended
	if f.Policy, err = org.PolicyAccepted(tx, orgID); err != nil {
		return err
	}
	used, err := record.Active(tx, orgID)
	if err != nil {
		return err
	}
	if !k.Status.Active() {
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

func (f *inspection) gatherAccounts(tx *store.Tx, orgID string, k *record.Campaign) error {
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
	list, err := record.RunningOf(tx, orgID, accountID, most)
	for _, other := range list {
		if other.ID != id {
			names = append(names, other.Name)
		}
	}
	return names, err
}

func (f *inspection) gatherAudience(tx *store.Tx, orgID string, k *record.Campaign, found *audience.Frozen) (audience.Frozen, error) {
	set, err := setting.Get(tx)
	if err != nil {
		return nil, err
	}
	who, _, err := targeting.Meant(tx, orgID, k, found)
	if err != nil {
		return nil, err
	}
	c, err := audience.CountAudience(tx, orgID, who, audience.Counting{Message: k.PolicyRules(&set, f.Now), Accounts: k.AccountIDs})
	if err != nil {
		return nil, err
	}
	f.Audience = check.Audience{
		Matched: c.Matched, Sendable: c.Sendable, OptedOut: c.OptedOut, Suppressed: c.Suppressed, UnknownConsent: c.UnknownConsent,
		Recently: c.Recently, Unreached: c.Unreached, Met: c.Met, Message: k.PolicyRules(&set, f.Now),
	}
	return who, f.gatherSameText(tx, orgID, k, who)
}

// Report makes the report of a campaign that would be launched now. It reads the whole
// audience when its text has variables, a page at a time.
//
// at is the time at which it is to begin in place of its own; nil for its own. people are
// whom the audience means, where they had to be read (targeting.Reader.Resolve): the launch takes them.
func (s *Inspector) Report(ctx context.Context, orgID, id string, at *time.Time) (report *check.Report, people *audience.Frozen, err error) {
	var f *inspection
	var who audience.Frozen
	var k record.Campaign
	var m content.Message
	var share *targeting.Binding
	if people, err = s.people.Resolve(ctx, orgID, id); err != nil {
		return nil, nil, err
	}
	err = s.db.View(ctx, func(tx *store.Tx) (err error) {
		if k, err = record.Get(tx, orgID, id); err != nil {
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
		m, err = k.OpenMessage(tx.DB(), orgID)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	by := targeting.Rules{Message: f.Audience.Message}
	if share != nil {
		by.Visit = func(r *recipient.Recipient) { share.Bind(r) }
	}
	found, err := s.people.Scan(ctx, orgID, m, who, by)
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
func (f *inspection) read(found *targeting.Scanned) {
	f.Longest, f.Missing, f.Unknown, f.Unused = found.Longest, found.Missing, found.Nobodys(), found.Unused()
	f.MissingNames = slices.DeleteFunc(slices.Sorted(maps.Keys(found.Lacking)), func(name string) bool { return slices.Contains(f.Unknown, name) })
}

// TextQuestion is what is asked about a text that a campaign is to have.
type TextQuestion struct {
	f   *inspection
	m   content.Message
	who audience.Frozen
	by  targeting.Rules
}

// AboutText gathers what has to be known before ProblemOf. found is what Resolve answered.
func (s *Inspector) AboutText(tx *store.Tx, c *api.Call, k *record.Campaign, m content.Message, found *audience.Frozen) (*TextQuestion, error) {
	set, err := setting.Get(tx)
	if err != nil {
		return nil, err
	}
	q := &TextQuestion{f: &inspection{Facts: check.Facts{NoAddress: s.noAddress}}, m: m, by: targeting.Rules{Message: k.PolicyRules(&set, c.Now)}}
	q.f.gatherMessage(tx, c.Org, m)
	q.who, _, err = targeting.Meant(tx, c.Org, k, found)
	return q, err
}

// ProblemOf is what keeps a text from being launched, in words for people; "" is nothing.
func (s *Inspector) ProblemOf(ctx context.Context, orgID string, q *TextQuestion) (string, error) {
	found, err := s.people.Scan(ctx, orgID, q.m, q.who, q.by)
	if err != nil {
		return "", err
	}
	q.f.read(found)
	return q.f.TextProblem(), nil
}

// gatherSeries adds what the checks ask about the repetition.
func (f *inspection) gatherSeries(tx *store.Tx, orgID string, k *record.Campaign) error {
	rule, number := k.Repeat.Rule(), 1
	if k.Series != nil {
		number = k.Series.RunNumber
	}
	f.Repeat, f.First, f.RunsLeft = &rule, f.Start, k.Repeat.MaxRuns == nil || *k.Repeat.MaxRuns > number
	if k.Series == nil {
		return nil
	}
	r, err := record.GetRun(tx, orgID, k.Series.ID)
	if err != nil {
		return err
	}
	f.First, f.LaterRun = r.First, number > 1
	return nil
}

// sharing is how people are given to the accounts, as a launch would do it, where that
// has to be found person by person: there are several accounts, and somebody is known to
// one of them. nil: it is arithmetic.
func sharing(tx *store.Tx, orgID string, k *record.Campaign, f *inspection) (*targeting.Binding, error) {
	if k.SnapshotAt != nil || len(k.AccountIDs) < 2 || f.Audience.Met == 0 {
		return nil, nil
	}
	return targeting.BindingOf(tx, orgID, k, nil)
}

// gatherWorkloads estimates when the last person will have the message. What is bound to an
// account that does not send is not in it: another check warns of that account.
func (s *Inspector) gatherWorkloads(tx *store.Tx, orgID string, k *record.Campaign, f *inspection, share *targeting.Binding) (err error) {
	f.Left = f.Audience.Sendable - f.Missing
	var loads []policy.Workload
	switch {
	case k.SnapshotAt != nil:
		loads, f.Left, _, err = workload.Left(tx, orgID, k, f.Start, s.noPacing)
	case share != nil:
		loads, _, err = workload.For(tx, orgID, share.Load, f.Start, s.noPacing)
	default:
		loads, err = workload.Among(tx, orgID, k.AccountIDs, f.Left, f.Start, s.noPacing)
	}
	f.FinishAt, f.Finishes = check.Finish(loads, f.Start, f.Window)
	f.Quiet = check.FirstQuiet(loads, f.Start, f.Window, f.End, f.Zone)
	return err
}
