// Package check decides whether a campaign may start (contract 5): twenty-five checks over facts that were
// gathered before, each with a verdict and one sentence for people.
//
// It is pure: it reads no store and no clock. Who asks gathers the facts; what it cannot know, because it is
// not among them, it does not judge.
package check

import (
	"fmt"
	"math"
	"strings"
	"time"

	"svc/app/account"
	"svc/app/campaign/schedule"
	"svc/app/policy"
)

// Verdict is what a check comes to.
type Verdict string

// The verdicts, best first.
const (
	Pass Verdict = "PASS"
	Warn Verdict = "WARN"
	Fail Verdict = "FAIL"
)

// Check is one of the checks before a launch.
type Check struct {
	Key     string  `json:"key" example:"opt_out_link"`
	Label   string  `json:"label"`
	Status  Verdict `json:"status" enum:"PASS,WARN,FAIL"`
	Message string  `json:"message"`
}

// audienceReport are the counts of a report (contract 5).
type audienceReport struct {
	Matched          int `json:"matched"`
	Sendable         int `json:"sendable"`
	OptedOut         int `json:"opted_out"`
	Suppressed       int `json:"suppressed"`
	UnknownConsent   int `json:"unknown_consent"`
	MissingVariables int `json:"missing_variables"`
}

// Report says whether a campaign may start (contract 5).
type Report struct {
	OK             bool           `json:"ok" doc:"No check is FAIL."`
	CheckedAt      time.Time      `json:"checked_at"`
	EstimatedHours *float64       `json:"estimated_hours" doc:"How long the slowest account sends, in hundredths rounded up; null when it never ends."`
	Audience       audienceReport `json:"audience"`
	Checks         []Check        `json:"checks"`
}

// Failed are the keys of the checks that fail.
func (r *Report) Failed() []string {
	out := []string{}
	for _, c := range r.Checks {
		if c.Status == Fail {
			out = append(out, c.Key)
		}
	}
	return out
}

// Facts are all that the checks look at, gathered before: nothing is asked while they
// decide.
type Facts struct {
	Now       time.Time
	Suspended bool
	Policy    bool // accepted
	Limits    []Limit

	HasText, HasFiles bool
	TextError         string // "" for a text that can be read
	HasOptOut         bool
	NoAddress         Verdict  // of a link that nobody can open; "" when people can
	Longest, Room     int      // the longest text of anybody, and how long one may be; UTF-16 units
	Unknown           []string // variables that nobody in the audience has
	Missing           int      // people who lack a value and could be written to otherwise
	MissingNames      []string
	Unused            []string // variables of which everybody reads the default
	BadFiles          []string // attachments that are gone or too large

	Audience Audience
	Repeated int // people who got the same text in the last days

	Accounts []Account

	Start          time.Time // when it would begin
	Scheduled, End *time.Time
	Window         *policy.Window
	Repeat         *schedule.Rule
	First          time.Time // run of the series
	RunsLeft       bool      // max_runs allows another
	LaterRun       bool      // it is not the first of its series
	Left           int       // people who are still to get the message
	FinishAt       time.Time // of the slowest account
	Finishes       bool
	Zone           *time.Location // of the campaign
	Quiet          time.Time      // the first message at night; zero: there is none
}

// Limit is the use of one limit of the plan.
type Limit struct {
	Key       string
	Used, Max int  // with this campaign; how many the plan allows
	None      bool // the plan does not limit it
}

// Audience counts the people of an audience by what keeps them from the message.
type Audience struct {
	Matched, Sendable                              int
	OptedOut, Suppressed, UnknownConsent, Recently int
	Unreached                                      int // only known by a numeric id that no account knows
	Met                                            int // of sendable: known to one of the accounts
	Message                                        policy.Message
}

// Account is an account as the checks see it.
type Account struct {
	Name     string
	Status   account.Status
	Sends    bool
	Cooldown time.Time
	Shared   []string // names of other running campaigns that use it
	Proxy    *Proxy
}

// Proxy is the proxy of an account as the checks see it.
type Proxy struct {
	Broken    bool // UNREACHABLE, AUTH_FAILED or DISABLED
	CheckedAt time.Time
}

// check is one line of the table below: its function answers a verdict and a sentence.
type check struct {
	key, label string
	ask        func(*Facts) (Verdict, string)
}

// checks are the checks before a launch, in the order of contract 5, with
// that of 21.1 behind them.
var checks = []check{
	{"organization_active", "Organization", checkOrganization},
	{"policy_accepted", "Acceptable-use policy", checkPolicy},
	{"plan_limits", "Plan", checkPlan},
	{"message_content", "Message", checkContent},
	{"message_length", "Length of the message", checkLength},
	{"template_variables", "Variables", checkVariables},
	{"opt_out_link", "Opt-out link", checkOptOut},
	{"attachments_ready", "Attachments", checkAttachments},
	{"audience_not_empty", "Audience", checkAudience},
	{"audience_sendable", "People who can be written to", checkSendable},
	{"consent_basis", "Basis for contact", checkConsent},
	{"duplicate_send", "Same text before", checkRepeated},
	{"accounts_selected", "Accounts", checkSelected},
	{"accounts_authorized", "Sign-in of accounts", checkAuthorized},
	{"accounts_healthy", "Health of accounts", checkHealthy},
	{"accounts_active", "Active accounts", checkActive},
	{"accounts_cooldown", "Cooldowns", checkCooldown},
	{"accounts_in_use", "Shared accounts", checkInUse},
	{"proxies_reachable", "Proxies", checkProxies},
	{"reachability", "Reachability", checkReachability},
	{"schedule", "Schedule", checkSchedule},
	{"sending_window", "Sending window", checkWindow},
	{"repeat_rule", "Repetition", checkRepeat},
	{"capacity", "Capacity", checkCapacity},
	{"quiet_hours", "Night", checkQuiet},
}

// Report runs all checks.
func (f *Facts) Report() *Report {
	a := &f.Audience
	r := &Report{
		OK: true, CheckedAt: f.Now, Checks: make([]Check, 0, len(checks)),
		Audience: audienceReport{a.Matched, a.Sendable - f.Missing, a.OptedOut, a.Suppressed, a.UnknownConsent, f.Missing},
	}
	for _, c := range checks {
		v, say := c.ask(f)
		r.Checks = append(r.Checks, Check{c.key, c.label, v, say})
		r.OK = r.OK && v != Fail
	}
	if f.Finishes {
		hours := math.Ceil(f.FinishAt.Sub(f.Start).Seconds()/36) / 100 // 0.07 hours times 100 is more than 7
		r.EstimatedHours = &hours
	}
	return r
}

// textChecks are the checks that a text has to pass again when it changes after the launch
// (contract 4.4 and 5): nobody asks them when the campaign goes on.
var textChecks = []func(*Facts) (Verdict, string){checkContent, checkLength, checkVariables, checkOptOut}

// TextProblem is what the first of textChecks that fails says; "" when the text may take
// the place of the one that was launched.
func (f *Facts) TextProblem() string {
	for _, ask := range textChecks {
		if v, say := ask(f); v == Fail {
			return say
		}
	}
	return ""
}

func checkOrganization(f *Facts) (Verdict, string) {
	if f.Suspended {
		return Fail, "The organization is suspended and sends no messages."
	}
	return Pass, "The organization is active."
}

func checkPolicy(f *Facts) (Verdict, string) {
	if !f.Policy {
		return Fail, "The acceptable-use policy is not accepted; an owner or administrator accepts it in the settings."
	}
	return Pass, "The current policy is accepted."
}

func checkPlan(f *Facts) (Verdict, string) {
	worst, say := Pass, "The plan has room."
	for _, l := range f.Limits {
		switch {
		case l.None:
		case l.Used > l.Max:
			return Fail, fmt.Sprintf("The plan allows %d (%s), and %d would be in use.", l.Max, l.Key, l.Used)
		case l.Used*10 > l.Max*9 && worst == Pass:
			worst, say = Warn, fmt.Sprintf("%d of the %d that the plan allows (%s) are in use.", l.Used, l.Max, l.Key)
		}
	}
	return worst, say
}

func checkContent(f *Facts) (Verdict, string) {
	switch {
	case !f.HasText && !f.HasFiles:
		return Fail, "The message has neither a text nor an attachment; write one."
	case f.TextError != "":
		return Fail, "The text cannot be read: " + f.TextError + "."
	}
	return Pass, "The message can be read."
}

func checkLength(f *Facts) (Verdict, string) {
	switch {
	case f.Longest > f.Room:
		return Fail, fmt.Sprintf("For somebody the text has %d characters, and %d are allowed; shorten it.", f.Longest, f.Room)
	case f.Longest*10 > f.Room*9:
		return Warn, fmt.Sprintf("The longest text has %d of %d characters.", f.Longest, f.Room)
	}
	return Pass, fmt.Sprintf("The longest text has %d of %d characters.", f.Longest, f.Room)
}

func checkVariables(f *Facts) (Verdict, string) {
	switch {
	case len(f.Unknown) > 0:
		return Fail, "Nobody in the audience has a value for {{" + strings.Join(f.Unknown, "}}, {{") + "}}; correct the name, or add the values."
	case f.Missing > 0:
		return Warn, fmt.Sprintf("%s no value for {{%s}} and will be skipped.", people(f.Missing, "person has", "people have"), strings.Join(f.MissingNames, "}}, {{"))
	case len(f.Unused) > 0:
		return Warn, "Everybody reads the text behind | of {{" + strings.Join(f.Unused, "}}, {{") + "}}, because nobody in the audience has a value; correct the name if that is not meant."
	}
	return Pass, "Everybody has a value for every variable."
}

func checkOptOut(f *Facts) (Verdict, string) {
	if !f.HasOptOut {
		return Fail, "The text does not contain {{opt_out_url}}; everybody must be able to opt out."
	}
	if f.NoAddress != "" {
		return f.NoAddress, "The opt-out link has no address that people can open; start the server with --public-url."
	}
	return Pass, "The text carries the opt-out link."
}

func checkAttachments(f *Facts) (Verdict, string) {
	if len(f.BadFiles) > 0 {
		return Fail, "These attachments are missing or too large: " + strings.Join(f.BadFiles, ", ") + "; upload them again."
	}
	return Pass, "Every attachment is ready."
}

func checkAudience(f *Facts) (Verdict, string) {
	switch n := f.Audience.Matched; {
	case n == 0:
		return Fail, "Nobody is in the audience; choose lists, tags or people."
	case n < 2:
		return Warn, "Only one person is in the audience."
	default:
		return Pass, fmt.Sprintf("%d people are in the audience.", n)
	}
}

func checkSendable(f *Facts) (Verdict, string) {
	a := &f.Audience
	left := a.Sendable - f.Missing
	switch {
	case left <= 0:
		return Fail, "Nobody in the audience can be written to."
	case 2*(a.Matched-left) > a.Matched:
		return Warn, fmt.Sprintf("More than half of the audience is left out: %d of %d can be written to.", left, a.Matched)
	}
	return Pass, fmt.Sprintf("%d of %d can be written to.", left, a.Matched)
}

func checkConsent(f *Facts) (Verdict, string) {
	if n := f.Audience.UnknownConsent; n > 0 {
		return Warn, people(n, "person without a recorded basis is", "people without a recorded basis are") + " left out."
	}
	return Pass, "Nobody is left out for want of a recorded basis."
}

func checkRepeated(f *Facts) (Verdict, string) {
	if f.Repeated > 0 {
		return Warn, people(f.Repeated, "person was", "people were") + " sent the same text in the last 7 days."
	}
	return Pass, "Nobody was sent this text in the last 7 days."
}

func people(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
