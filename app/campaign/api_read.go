package campaign

import (
	"cmp"
	"maps"
	"slices"
	"svc/app/campaign/check"
	"svc/app/policy"
	"svc/app/send/figures"
	"time"

	"svc/app/account"
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/content"
	"svc/app/recipient"
	"svc/app/recipient/audience"
	"svc/app/recipient/field"
	"svc/app/send"
	"svc/app/setting"
	"svc/store"
)

// AudiencePreview says who would get a campaign (contract 4.6). Everybody
// who would not counts once, for the first reason in the order of the fields.
type AudiencePreview struct {
	Matched      int                   `json:"matched"`
	Sendable     int                   `json:"sendable"`
	Excluded     Excluded              `json:"excluded"`
	ByConsent    map[field.Consent]int `json:"by_consent"`
	ByLanguage   map[string]int        `json:"by_language" doc:"An empty key is no language; the rest beyond 50 languages is other."`
	Reachability ReachCounts           `json:"reachability" doc:"Of those who may be written to."`
	Sample       []PreviewPerson       `json:"sample" doc:"Ten people at most: of those who get the message, or of all who match when nobody gets it."`
}

// Excluded counts who is left out.
type Excluded struct {
	OptedOut         int `json:"opted_out"`
	Suppressed       int `json:"suppressed"`
	UnknownConsent   int `json:"unknown_consent"`
	RecentlyMessaged int `json:"recently_messaged"`
	MissingVariables int `json:"missing_variables"`
}

// ReachCounts count how people can be reached.
type ReachCounts struct {
	Username int `json:"username"`
	Known    int `json:"known_to_account"`
	Unknown  int `json:"unknown"`
}

// PreviewPerson is somebody of an audience.
type PreviewPerson struct {
	ID          string        `json:"id"`
	MessengerID *int64        `json:"messenger_id"`
	Username    *string       `json:"username"`
	FirstName   string        `json:"first_name"`
	LastName    string        `json:"last_name"`
	Consent     field.Consent `json:"consent_status"`
	Language    *string       `json:"language"`
}

const (
	sampleSize     = 10
	sampledAtATime = 100 // people that are read to find them
)

func (s *Service) audiencePreview(c *api.Call, in IDIn) (out AudiencePreview, err error) {
	type found struct {
		out AudiencePreview
		m   content.Message
		who audience.Frozen
		by  audienceRules
	}
	people, err := s.readAudience(c, c.Org, in.ID)
	if err != nil {
		return out, err
	}
	f, err := view(c, s.db, func(tx *store.Tx) (f found, err error) {
		k, err := campaigns.Get(tx, c.Org, in.ID)
		if err != nil {
			return f, err
		}
		set, err := setting.Get(tx)
		if err != nil {
			return f, err
		}
		if f.who, _, err = s.meant(tx, c.Org, &k, people); err != nil {
			return f, err
		}
		f.by = audienceRules{message: k.rules(&set, c.Now)}
		crowd, err := audience.CountAudience(tx, c.Org, f.who, audience.Counting{Message: f.by.message, Accounts: k.AccountIDs})
		if err != nil {
			return f, err
		}
		f.out = previewOf(&crowd)
		f.m, err = k.message(tx.DB(), c.Org)
		return f, err
	})
	if err != nil {
		return out, err
	}
	text, err := s.scan(c, c.Org, f.m, f.who, f.by)
	if err != nil {
		return out, err
	}
	f.out.Excluded.MissingVariables = text.missing
	f.out.Sendable -= text.missing
	if !c.Can(perm.RecipientsRead) {
		return f.out, nil
	}
	gets := func(*recipient.Recipient) bool { return true }
	if f.out.Sendable > 0 {
		if gets, err = s.getting(c.Org, f.m, f.by); err != nil {
			return out, err
		}
	}
	err = s.db.View(c, func(tx *store.Tx) (err error) {
		f.out.Sample, err = sampleOf(tx, c.Org, f.who, gets)
		return err
	})
	return f.out, err
}

func previewOf(c *audience.AudienceCounts) AudiencePreview {
	return AudiencePreview{
		Matched: c.Matched, Sendable: c.Sendable, ByConsent: c.ByConsent, ByLanguage: c.ByLanguage, Sample: []PreviewPerson{},
		Excluded:     Excluded{OptedOut: c.OptedOut, Suppressed: c.Suppressed, UnknownConsent: c.UnknownConsent, RecentlyMessaged: c.Recently},
		Reachability: ReachCounts{c.Named, c.Known, c.Unreached},
	}
}

// getting says of one person whether they get a message: they may be written to, and lack
// no value of it.
func (s *Service) getting(orgID string, m content.Message, by audienceRules) (func(*recipient.Recipient) bool, error) {
	text, ok := read(m)
	nobody := recipient.Recipient{ID: nobodyID}
	link, err := s.o.Content.PersonOf(orgID, &nobody)
	return func(r *recipient.Recipient) bool {
		found := scanned{lacking: map[string]int{}, replaced: map[string]int{}}
		return by.message.Objection(r.Person()) == "" && (!ok || found.add(text, r, link.OptOutURL))
	}, err
}

// sampleOf are the first people of an audience of whom that holds. Of an audience in which
// it holds for hardly anybody it reads everybody, a page after the other.
func sampleOf(tx *store.Tx, orgID string, who audience.Frozen, holds func(*recipient.Recipient) bool) ([]PreviewPerson, error) {
	out := []PreviewPerson{}
	for after := (store.Cursor)(nil); ; {
		list, next, err := recipient.PageOf(tx, orgID, who, after, sampledAtATime)
		if err != nil {
			return nil, err
		}
		for i := range list {
			if holds(&list[i]) {
				out = append(out, previewPerson(&list[i]))
			}
			if len(out) == sampleSize {
				return out, nil
			}
		}
		if after = next; after == nil {
			return out, nil
		}
	}
}

func previewPerson(r *recipient.Recipient) PreviewPerson {
	out := PreviewPerson{ID: r.ID, Username: api.Optional(r.Username), FirstName: r.FirstName, LastName: r.LastName, Consent: r.Consent, Language: api.Optional(r.Language)}
	if r.MessengerID != 0 {
		out.MessengerID = &r.MessengerID
	}
	return out
}

// Statistics say how a campaign goes (contract 4.6).
type Statistics struct {
	Totals            Totals         `json:"totals"`
	Read              int            `json:"read"`
	Replied           int            `json:"replied"`
	OptedOutAfter     int            `json:"opted_out_after" doc:"People who opted out within 7 days of the message."`
	DeliveryRate      *float64       `json:"delivery_rate" doc:"Of those who were tried: 0 to 1, null when nobody was."`
	ReplyRate         *float64       `json:"reply_rate" doc:"Of those who got it: 0 to 1, null when nobody did."`
	ByAccount         []AccountStats `json:"by_account"`
	ByError           []ErrorStats   `json:"by_error" doc:"The most frequent first."`
	Timeline          []HourStats    `json:"timeline" doc:"By the hour, without hours in which nothing happened."`
	ThroughputPerHour float64        `json:"throughput_per_hour" doc:"Of the last 24 hours in which it sent."`
	EstimatedFinishAt *time.Time     `json:"estimated_finish_at"`
}

// AccountStats are the figures of one account.
type AccountStats struct {
	AccountID       string `json:"account_id"`
	Delivered       int    `json:"delivered"`
	Failed          int    `json:"failed" doc:"Those who could not be reached among them."`
	CooldownSeconds int    `json:"cooldown_seconds"`
}

// ErrorStats count an error code.
type ErrorStats struct {
	ErrorCode string `json:"error_code"`
	Count     int    `json:"count"`
}

// HourStats are the figures of an hour.
type HourStats struct {
	At        time.Time `json:"at"`
	Delivered int       `json:"delivered"`
	Failed    int       `json:"failed"`
}

func (s *Service) statistics(c *api.Call, in IDIn) (Statistics, error) {
	return view(c, s.db, func(tx *store.Tx) (out Statistics, err error) {
		k, err := campaigns.Get(tx, c.Org, in.ID)
		if err != nil {
			return out, err
		}
		f, err := figures.Of(tx, c.Org, k.ID)
		if err != nil {
			return out, err
		}
		out = statisticsOf(&f, k.AccountIDs)
		if out.Totals, err = totalsOf(tx, c.Org, &k); err != nil {
			return out, err
		}
		out.DeliveryRate = rate(out.Totals.Completed, out.Totals.Completed+out.Totals.Failed)
		out.ReplyRate = rate(out.Replied, out.Totals.Completed)
		if k.Status == Running {
			out.EstimatedFinishAt, err = s.estimate(tx, c.Org, &k)
		}
		return out, err
	})
}

// statisticsOf arranges the figures that package send keeps.
func statisticsOf(f *figures.Sums, accounts []string) Statistics {
	out := Statistics{
		Read: f.Totals.Read, Replied: f.Totals.Replied, OptedOutAfter: f.Totals.OptedOut,
		ByAccount: []AccountStats{}, ByError: []ErrorStats{}, Timeline: make([]HourStats, 0, len(f.Timeline)),
	}
	for _, id := range distinct(append(slices.Clone(accounts), slices.Sorted(maps.Keys(f.ByAccount))...)) {
		if n := f.ByAccount[id]; id != "" {
			out.ByAccount = append(out.ByAccount, AccountStats{id, n.Delivered, n.Failed + n.Unreachable, n.Cooldown})
		}
	}
	for code, n := range f.ByError {
		out.ByError = append(out.ByError, ErrorStats{code, n})
	}
	slices.SortFunc(out.ByError, func(a, b ErrorStats) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.ErrorCode, b.ErrorCode))
	})
	delivered, hours := 0, 0
	for i, p := range f.Timeline {
		out.Timeline = append(out.Timeline, HourStats{p.At, p.Delivered, p.Failed + p.Unreachable})
		if p.Delivered > 0 && len(f.Timeline)-i <= 24 {
			delivered += p.Delivered
			hours++
		}
	}
	if hours > 0 {
		out.ThroughputPerHour = float64(delivered) / float64(hours)
	}
	return out
}

func rate(part, whole int) *float64 {
	if whole == 0 {
		return nil
	}
	r := float64(part) / float64(whole)
	return &r
}

// waiting is why a running campaign sends nothing at the moment; nil while it does. What
// is bound to accounts that do not send waits for a WORKER: of the reasons there are, that
// is the one which does not pass with time (contract 4.1 and 20.2).
func (s *Service) waiting(tx *store.Tx, orgID string, k *Campaign) (*policy.Wait, error) {
	now := tx.DB().Now()
	why, err := send.WaitingOf(tx, orgID, k.ID, now)
	if err == nil && why == "" && k.Planned {
		workloads, left, _, failed := s.workloadsLeft(tx, orgID, k, now)
		if err = failed; left > 0 && len(workloads) == 0 {
			why = policy.WaitWorker // nobody will take it up until a person resumes an account
		}
	}
	return api.Optional(why), err
}

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
