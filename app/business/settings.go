package business

import (
	"slices"
	"time"

	"svc/app/business/texts"
	"svc/store"
)

// Trigger says why a conversation goes to a person (contract 13).
type Trigger string

// The triggers that seller settings have rules for.
const (
	HumanRequested    Trigger = "HUMAN_REQUESTED"
	LowConfidence     Trigger = "LOW_CONFIDENCE"
	Complaint         Trigger = "COMPLAINT"
	SensitiveTopic    Trigger = "SENSITIVE_TOPIC"
	PricingException  Trigger = "PRICING_EXCEPTION"
	HighValueLead     Trigger = "HIGH_VALUE_LEAD"
	PolicyUncertainty Trigger = "POLICY_UNCERTAINTY"
	CalendarAmbiguity Trigger = "CALENDAR_AMBIGUITY"
	RepeatedFailures  Trigger = "REPEATED_FAILURES"
	CustomRule        Trigger = "CUSTOM"
)

// Scenario is a kind of question that the seller may be trusted with (contract 11.5).
type Scenario string

// The scenarios.
const (
	FAQ             Scenario = "FAQ"
	Pricing         Scenario = "PRICING"
	InStock         Scenario = "AVAILABILITY"
	DeliveryTerms   Scenario = "DELIVERY"
	Booking         Scenario = "BOOKING"
	OrderStatus     Scenario = "ORDER_STATUS"
	SmallTalk       Scenario = "SMALL_TALK"
	AnotherScenario Scenario = "OTHER" // of a message; never approved
)

// Rule says when a trigger hands over.
type Rule struct {
	Enabled   bool     `json:"enabled"`
	Threshold *float64 `json:"threshold" minimum:"0" doc:"HIGH_VALUE_LEAD: a sum of money; CUSTOM: how sure the model must be, 0 to 1."`
	Notify    []string `json:"notify_user_ids" nullable:"false" maxItems:"20" doc:"Who is told; none: everybody who may answer."`
	Sentence  *string  `json:"sentence" maxLength:"500" doc:"CUSTOM: what the model judges, such as: the customer asks for a contract."`
}

// FollowUps say when the seller writes again to a customer who is silent.
type FollowUps struct {
	Limit int         `json:"limit" minimum:"0" maximum:"5" doc:"Of one silence; 1 by default."`
	Delay int         `json:"delay_minutes" minimum:"10" maximum:"10080" doc:"240 by default."`
	Quiet *QuietHours `json:"quiet_hours" doc:"By the clocks of the business; null: none."`
}

// QuietHours are when nobody is written to first; they may pass midnight.
type QuietHours struct {
	Start string `json:"start" example:"21:00" doc:"HH:MM."`
	End   string `json:"end" example:"09:00" doc:"HH:MM."`
}

// Delay is how long a reply waits, so that it does not come faster than anybody types.
type Delay struct {
	Min int `json:"min" minimum:"0" maximum:"600"`
	Max int `json:"max" minimum:"0" maximum:"600"`
}

// Shadow says whether turns are judged as the next level would have acted.
type Shadow struct {
	Enabled bool `json:"enabled"`
}

// Settings are how much the seller of a business may do (contract 11.5).
type Settings struct {
	Active             bool             `json:"active" doc:"The AI answers for this business."`
	Level              int              `json:"autonomy_level" minimum:"0" maximum:"5" doc:"0 reads only, 1 recommends, 2 writes drafts, 3 sends in approved scenarios, 4 sends, 5 sends and books."`
	Approved           []Scenario       `json:"approved_scenarios" nullable:"false" maxItems:"7" enum:"FAQ,PRICING,AVAILABILITY,DELIVERY,BOOKING,ORDER_STATUS,SMALL_TALK"`
	Strict             []Scenario       `json:"strict_scenarios" nullable:"false" maxItems:"7" enum:"FAQ,PRICING,AVAILABILITY,DELIVERY,BOOKING,ORDER_STATUS,SMALL_TALK" doc:"In these only approved answers of the knowledge are sent, word for word."`
	WindowHours        int              `json:"reply_window_hours" minimum:"1" maximum:"168" doc:"How long after a customer's message it may answer; 24 by default."`
	FollowUp           FollowUps        `json:"follow_up"`
	ReplyDelay         Delay            `json:"reply_delay_seconds"`
	Debounce           int              `json:"debounce_seconds" minimum:"0" maximum:"60" doc:"How long it waits for the rest of what the customer writes; 6 by default."`
	Disclosure         Texts            `json:"disclosure" doc:"How it says that it is no person."`
	DisclosureMode     string           `json:"disclosure_mode" enum:"FIRST_MESSAGE,WHEN_ASKED"`
	HandoffNotice      Texts            `json:"handoff_notice" doc:"What a customer reads when a person takes over, from level 3 on."`
	Rules              map[Trigger]Rule `json:"handoff_rules" doc:"By trigger. HUMAN_REQUESTED and COMPLAINT always hand over from level 1 on."`
	Confidence         float64          `json:"confidence_threshold" minimum:"0" maximum:"1" doc:"Below it a decision is not trusted; 0.6 by default."`
	OutsideHours       string           `json:"outside_hours" enum:"REPLY,REPLY_WITH_NOTICE,HOLD"`
	ProhibitedPhrases  []string         `json:"prohibited_phrases" nullable:"false" maxItems:"200"`
	YieldMinutes       int              `json:"yield_to_people_minutes" minimum:"0" maximum:"1440" doc:"After a person of the team wrote, replies wait as drafts for so long; 15 by default, 0 not at all."`
	Shadow             Shadow           `json:"shadow"`
	IdentityID         *string          `json:"identity_id" maxLength:"64" doc:"null: the default of the business."`
	CommunicationID    *string          `json:"communication_profile_id" maxLength:"64" doc:"null: the first built-in one."`
	LanguageProfileIDs []string         `json:"language_profile_ids" nullable:"false" maxItems:"3" doc:"One a language; the built-in one for a language that none is for."`
	FunnelID           *string          `json:"funnel_id" maxLength:"64" doc:"null: the default funnel."`
	MaxCharacters      *int             `json:"max_reply_characters" minimum:"50" maximum:"4096" doc:"null: what the network takes."`
}

// storedSettings are the settings of a business as they are kept.
type storedSettings struct {
	Settings
	BusinessID string    `json:"business_id"`
	Version    int       `json:"version"`
	UpdatedAt  time.Time `json:"updated_at"`
}

var settingsTable = store.NewTable("seller_settings", "bus", func(s *storedSettings) string { return s.BusinessID })

// Default settings of a business that has none.
func defaultSettings() Settings {
	s := Settings{
		Level: 2, Approved: []Scenario{}, Strict: []Scenario{}, WindowHours: 24, ReplyDelay: Delay{Min: 2, Max: 8}, Debounce: 6,
		FollowUp: FollowUps{Limit: 1, Delay: 240, Quiet: &QuietHours{Start: "21:00", End: "09:00"}},
		Disclosure: texts.Of(
			"Men sun’iy intellekt yordamchisiman.", "Я помощник на основе искусственного интеллекта.", "I am an AI assistant."),
		DisclosureMode: "WHEN_ASKED",
		HandoffNotice: texts.Of(
			"Savolingizni hamkasbimga yetkazdim, u tez orada javob beradi.", "Передал ваш вопрос коллеге, он скоро ответит.",
			"I have passed your question to a colleague, who will answer soon."),
		Rules: map[Trigger]Rule{}, Confidence: 0.6, OutsideHours: "REPLY", ProhibitedPhrases: []string{}, YieldMinutes: 15, LanguageProfileIDs: []string{},
	}
	for _, t := range triggers {
		s.Rules[t] = Rule{Enabled: t != HighValueLead && t != CustomRule, Notify: []string{}}
	}
	return s
}

// triggers are those that rules exist for, in the order of the contract.
var triggers = []Trigger{
	HumanRequested, LowConfidence, Complaint, SensitiveTopic, PricingException, HighValueLead, PolicyUncertainty, CalendarAmbiguity, RepeatedFailures, CustomRule,
}

// always are the triggers that no rule switches off.
var always = []Trigger{HumanRequested, Complaint}

// settingsOf are the settings of a business; version 0: nobody has set them.
func settingsOf(tx *store.Tx, org, business string) (Settings, int, error) {
	s, err := settingsTable.Get(tx, org, business)
	if store.IsNotFound(err) {
		return defaultSettings(), 0, nil
	}
	return s.Settings, s.Version, err
}

// SettingsOf are the settings of a business and their version, which grows with each
// change; 0: nobody has set them.
func SettingsOf(tx *store.Tx, org, business string) (Settings, int, error) {
	return settingsOf(tx, org, business)
}

// HandsOver says whether a trigger hands over (contract 11.5).
func (s *Settings) HandsOver(t Trigger) bool {
	if slices.Contains(always, t) {
		return true
	}
	return s.Rules[t].Enabled
}

// usesProfile says whether the settings of a business of the organization name a profile.
func usesProfile(tx *store.Tx, org, id string) (bool, error) {
	list, _, err := settingsTable.Walk(tx, org, nil, maxBusinesses)
	for i := range list {
		s := &list[i]
		if s.CommunicationID != nil && *s.CommunicationID == id || slices.Contains(s.LanguageProfileIDs, id) {
			return true, nil
		}
	}
	return false, err
}

// maxBusinesses bounds a walk over the businesses of an organization.
const maxBusinesses = 10_000
