package targeting

import (
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/campaign/record"
	"svc/app/content"
	"svc/app/recipient"
	"svc/app/recipient/audience"
	"svc/app/recipient/field"
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

// SampleSize is how many people, or texts, stand for an audience.
const SampleSize = 10

// sampledAtATime is how many people are read at once to find them.
const sampledAtATime = 100

// Preview counts who would get a campaign, and shows some of them to whom may read recipients.
func (s *Reader) Preview(c *api.Call, in record.IDIn) (out AudiencePreview, err error) {
	people, err := s.Resolve(c, c.Org, in.ID)
	if err != nil {
		return out, err
	}
	a, err := record.View(c, s.db, func(tx *store.Tx) (aimed, error) { return aimedAt(tx, c, in.ID, people) })
	if err != nil {
		return out, err
	}
	text, err := s.Scan(c, c.Org, a.message, a.who, a.by)
	if err != nil {
		return out, err
	}
	out = previewOf(&a.counts)
	out.Excluded.MissingVariables = text.Missing
	out.Sendable -= text.Missing
	if c.Can(perm.RecipientsRead) {
		out.Sample, err = s.sample(c, &a, out.Sendable)
	}
	return out, err
}

// aimed is a campaign with those whom it is meant for.
type aimed struct {
	counts  audience.AudienceCounts
	message content.Message
	who     audience.Frozen
	by      Rules
}

// aimedAt reads and counts for whom a campaign is meant, among people that were resolved.
func aimedAt(tx *store.Tx, c *api.Call, id string, people *audience.Frozen) (a aimed, err error) {
	k, err := record.Get(tx, c.Org, id)
	if err != nil {
		return a, err
	}
	set, err := setting.Get(tx)
	if err != nil {
		return a, err
	}
	if a.who, _, err = Meant(tx, c.Org, &k, people); err != nil {
		return a, err
	}
	a.by = Rules{Message: k.PolicyRules(&set, c.Now)}
	if a.counts, err = audience.CountAudience(tx, c.Org, a.who, audience.Counting{Message: a.by.Message, Accounts: k.AccountIDs}); err != nil {
		return a, err
	}
	a.message, err = k.OpenMessage(tx.DB(), c.Org)
	return a, err
}

// sample shows some of those who get a campaign, or of those it is meant for when nobody does.
func (s *Reader) sample(c *api.Call, a *aimed, sendable int) (out []PreviewPerson, err error) {
	gets := func(*recipient.Recipient) bool { return true }
	if sendable > 0 {
		if gets, err = s.getting(c.Org, a.message, a.by); err != nil {
			return nil, err
		}
	}
	return record.View(c, s.db, func(tx *store.Tx) ([]PreviewPerson, error) { return sampleOf(tx, c.Org, a.who, gets) })
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
func (s *Reader) getting(orgID string, m content.Message, by Rules) (func(*recipient.Recipient) bool, error) {
	text, ok := read(m)
	nobody := recipient.Recipient{ID: nobodyID}
	link, err := s.content.PersonOf(orgID, &nobody)
	return func(r *recipient.Recipient) bool {
		found := Scanned{Lacking: map[string]int{}, replaced: map[string]int{}}
		return by.Message.Objection(r.Person()) == "" && (!ok || found.add(text, r, link.OptOutURL))
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
			if len(out) == SampleSize {
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
