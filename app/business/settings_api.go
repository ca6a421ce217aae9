package business

import (
	"fmt"
	"slices"
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/business/hours"
	"svc/app/business/texts"
	"svc/app/org"
	"svc/store"
)

// ShownSettings are seller settings as the API answers them.
type ShownSettings struct {
	BusinessID string `json:"business_id"`
	Settings
	Version   int        `json:"version" doc:"Grows with each change; 0: these are the defaults."`
	UpdatedAt *time.Time `json:"updated_at"`
}

func (s *Service) getSettings(c *api.Call, tx *store.Tx, in idIn) (out ShownSettings, err error) {
	b, err := businesses.Get(tx, c.Org, in.ID)
	if err != nil {
		return out, err
	}
	rec, err := settingsTable.Get(tx, c.Org, b.ID)
	if store.IsNotFound(err) {
		out = ShownSettings{BusinessID: b.ID, Settings: defaultSettings()}
		return out, nil
	}
	out = rec.shown()
	return out, err
}

func (s *storedSettings) shown() ShownSettings {
	return ShownSettings{s.BusinessID, s.Settings, s.Version, &s.UpdatedAt}
}

// settingsBody is [Settings] with every field optional: what is left out is the default,
// because PUT replaces.
type settingsBody struct {
	Active             bool             `json:"active"`
	Level              *int             `json:"autonomy_level" minimum:"0" maximum:"5"`
	Approved           []Scenario       `json:"approved_scenarios" maxItems:"7" enum:"FAQ,PRICING,AVAILABILITY,DELIVERY,BOOKING,ORDER_STATUS,SMALL_TALK"`
	Strict             []Scenario       `json:"strict_scenarios" maxItems:"7" enum:"FAQ,PRICING,AVAILABILITY,DELIVERY,BOOKING,ORDER_STATUS,SMALL_TALK"`
	WindowHours        *int             `json:"reply_window_hours" minimum:"1" maximum:"168"`
	FollowUp           *followUpsIn     `json:"follow_up"`
	ReplyDelay         *Delay           `json:"reply_delay_seconds"`
	Debounce           *int             `json:"debounce_seconds" minimum:"0" maximum:"60"`
	Disclosure         *Texts           `json:"disclosure" doc:"A language that is left out or empty keeps the default sentence."`
	DisclosureMode     string           `json:"disclosure_mode" enum:"FIRST_MESSAGE,WHEN_ASKED" default:"WHEN_ASKED"`
	HandoffNotice      *Texts           `json:"handoff_notice" doc:"A language that is left out or empty keeps the default sentence."`
	Rules              map[Trigger]Rule `json:"handoff_rules" doc:"By trigger; one that is left out keeps its default."`
	Confidence         *float64         `json:"confidence_threshold" minimum:"0" maximum:"1"`
	OutsideHours       string           `json:"outside_hours" enum:"REPLY,REPLY_WITH_NOTICE,HOLD" default:"REPLY"`
	ProhibitedPhrases  []string         `json:"prohibited_phrases" maxItems:"200" doc:"Up to 200 characters each."`
	YieldMinutes       *int             `json:"yield_to_people_minutes" minimum:"0" maximum:"1440"`
	Shadow             Shadow           `json:"shadow"`
	IdentityID         *string          `json:"identity_id" maxLength:"64"`
	CommunicationID    *string          `json:"communication_profile_id" maxLength:"64"`
	LanguageProfileIDs []string         `json:"language_profile_ids" maxItems:"3"`
	FunnelID           *string          `json:"funnel_id" maxLength:"64"`
	MaxCharacters      *int             `json:"max_reply_characters" minimum:"50" maximum:"4096"`
}

// followUpsIn leaves what is absent as it is by default; a null of quiet_hours is none.
type followUpsIn struct {
	Limit *int                      `json:"limit" minimum:"0" maximum:"5"`
	Delay *int                      `json:"delay_minutes" minimum:"10" maximum:"10080"`
	Quiet api.PatchNull[QuietHours] `json:"quiet_hours"`
}

type putSettingsIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body settingsBody
}

// set writes a value that is there.
func set[T any](to *T, v *T) {
	if v != nil {
		*to = *v
	}
}

// settings are the defaults with what a body says.
func (b *settingsBody) settings() Settings {
	s := defaultSettings()
	s.Active, s.Shadow = b.Active, b.Shadow
	s.Approved, s.Strict = texts.Unique(b.Approved), texts.Unique(b.Strict)
	s.DisclosureMode, s.OutsideHours = b.DisclosureMode, b.OutsideHours
	s.IdentityID, s.CommunicationID, s.FunnelID, s.MaxCharacters = texts.Trimmed(b.IdentityID), texts.Trimmed(b.CommunicationID), texts.Trimmed(b.FunnelID), b.MaxCharacters
	s.LanguageProfileIDs, s.ProhibitedPhrases = texts.Unique(b.LanguageProfileIDs), b.ProhibitedPhrases
	set(&s.Level, b.Level)
	set(&s.WindowHours, b.WindowHours)
	set(&s.ReplyDelay, b.ReplyDelay)
	set(&s.Debounce, b.Debounce)
	set(&s.Confidence, b.Confidence)
	set(&s.YieldMinutes, b.YieldMinutes)
	if b.FollowUp != nil {
		set(&s.FollowUp.Limit, b.FollowUp.Limit)
		set(&s.FollowUp.Delay, b.FollowUp.Delay)
		b.FollowUp.Quiet.Apply(&s.FollowUp.Quiet)
	}
	if b.Disclosure != nil {
		s.Disclosure = b.Disclosure.Or(s.Disclosure)
	}
	if b.HandoffNotice != nil {
		s.HandoffNotice = b.HandoffNotice.Or(s.HandoffNotice)
	}
	for t, r := range b.Rules {
		s.Rules[t] = r
	}
	return s
}

// check brings settings into form, or says what is wrong with each field, as far as that
// can be seen without the store.
func (s *Settings) check() error {
	wrong := map[string]string{}
	for t, r := range s.Rules {
		at := "handoff_rules." + string(t)
		r.Sentence, r.Notify = texts.Trimmed(r.Sentence), texts.Unique(r.Notify)
		s.Rules[t] = r
		switch {
		case !slices.Contains(triggers, t):
			wrong[at] = "is no trigger; those are " + texts.Joined(triggers)
		case slices.Contains(always, t) && !r.Enabled:
			wrong[at+".enabled"] = "cannot be switched off: requests for a person and complaints always go to a person"
		case t == HighValueLead && r.Enabled && r.Threshold == nil:
			wrong[at+".threshold"] = "is needed: the value of a lead from which a person is called"
		case t == CustomRule && r.Enabled && r.Sentence == nil:
			wrong[at+".sentence"] = "is needed: what the model judges"
		case t != HighValueLead && r.Threshold != nil && *r.Threshold > 1:
			wrong[at+".threshold"] = "must be 0 to 1"
		}
	}
	if s.ReplyDelay.Max < s.ReplyDelay.Min {
		wrong["reply_delay_seconds.max"] = "is below min"
	}
	if q := s.FollowUp.Quiet; q != nil {
		from, ok := hours.Minutes(q.Start)
		to, also := hours.Minutes(q.End)
		if !ok || !also || from == to {
			wrong["follow_up.quiet_hours"] = "must have start and end as HH:MM, such as 21:00 and 09:00"
		}
	}
	var err error
	if s.ProhibitedPhrases, err = texts.Short(s.ProhibitedPhrases, maxPhrase); err != nil {
		wrong["prohibited_phrases"] = err.Error()
	}
	if len(wrong) > 0 {
		return api.WrongFields(wrong)
	}
	return nil
}

const maxPhrase = 200

// checkNamed refuses records that the settings name and that are not there, or belong to
// another business.
func (s *Settings) checkNamed(tx *store.Tx, orgID string, b *Business) error {
	var checks []error
	note := func(field string, found bool, err error) error {
		if err != nil && !store.IsNotFound(err) {
			return err
		}
		if err != nil || !found {
			checks = append(checks, api.Wrong(field, "names none of this business"))
		}
		return nil
	}
	if s.IdentityID != nil {
		i, err := identities.Get(tx, orgID, *s.IdentityID)
		if err = note("identity_id", i.BusinessID == b.ID, err); err != nil {
			return err
		}
	}
	if s.FunnelID != nil {
		f, err := funnels.Get(tx, orgID, *s.FunnelID)
		if err = note("funnel_id", f.BusinessID == b.ID, err); err != nil {
			return err
		}
	}
	if s.CommunicationID != nil {
		_, err := communication.find(tx, orgID, *s.CommunicationID)
		if err = note("communication_profile_id", true, err); err != nil {
			return err
		}
	}
	spoken := map[Language]bool{}
	for n, id := range s.LanguageProfileIDs {
		at := fmt.Sprintf("language_profile_ids[%d]", n)
		p, err := languageOf.find(tx, orgID, id)
		if err = note(at, true, err); err != nil {
			return err
		}
		if spoken[p.Language] {
			checks = append(checks, api.Wrong(at, "is a second profile of its language; one a language is enough"))
		}
		spoken[p.Language] = p.Language != ""
	}
	for t, r := range s.Rules {
		for _, user := range r.Notify {
			_, err := org.MemberOf(tx, orgID, user)
			if err = note("handoff_rules."+string(t)+".notify_user_ids", true, err); err != nil {
				return err
			}
		}
	}
	return api.AllWrong(checks...)
}

func (s *Service) putSettings(c *api.Call, in putSettingsIn) (out ShownSettings, err error) {
	made := in.Body.settings()
	if err := made.check(); err != nil {
		return out, err
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		b, err := businesses.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		if err := made.checkNamed(tx, c.Org, &b); err != nil {
			return err
		}
		rec, err := b.saveSettings(tx, c, &made)
		out = rec.shown()
		return err
	})
	return out, err
}

// saveSettings stores a new version of the settings of a business.
func (b *Business) saveSettings(tx *store.Tx, c *api.Call, made *Settings) (rec storedSettings, err error) {
	before, version, err := settingsOf(tx, c.Org, b.ID)
	if err != nil {
		return rec, err
	}
	rec = storedSettings{Settings: *made, BusinessID: b.ID, Version: version + 1, UpdatedAt: c.Now}
	if err := settingsTable.Put(tx, c.Org, &rec); err != nil {
		return rec, err
	}
	return rec, audit.Write(tx, c, "seller_settings.updated", b.resource(), audit.Changed("active", before.Active, made.Active),
		audit.Changed("autonomy_level", before.Level, made.Level), audit.Changed("approved_scenarios", before.Approved, made.Approved),
		audit.Changed("strict_scenarios", before.Strict, made.Strict), audit.Changed("outside_hours", before.OutsideHours, made.OutsideHours),
		audit.Changed("confidence_threshold", before.Confidence, made.Confidence))
}
