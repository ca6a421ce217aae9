package campaign

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

// Audience counts of a report (contract 5).
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

// failed are the keys of the checks that fail.
func (r *Report) failed() []string {
	out := []string{}
	for _, c := range r.Checks {
		if c.Status == Fail {
			out = append(out, c.Key)
		}
	}
	return out
}

// facts are all that the checks look at, gathered before: nothing is asked while they
// decide.
type facts struct {
	now       time.Time
	suspended bool
	policy    bool // accepted
	limits    []limitFact

	hasText, hasFiles bool
	textError         string // "" for a text that can be read
	hasOptOut         bool
	noAddress         Verdict  // of a link that nobody can open; "" when people can
	longest, room     int      // the longest text of anybody, and how long one may be; UTF-16 units
	unknown           []string // variables that nobody in the audience has
	missing           int      // people who lack a value and could be written to otherwise
	missingNames      []string
	unused            []string // variables of which everybody reads the default
	badFiles          []string // attachments that are gone or too large

	audience audienceFact
	same     possibleDuplicates
	repeated int // people who got the same text in the last days

	accounts []accountFact

	start          time.Time // when it would begin
	scheduled, end *time.Time
	window         *policy.Window
	repeat         *schedule.Rule
	first          time.Time // run of the series
	runsLeft       bool      // max_runs allows another
	laterRun       bool      // it is not the first of its series
	left           int       // people who are still to get the message
	finish         time.Time // of the slowest account
	finishes       bool
	zone           *time.Location // of the campaign
	quiet          time.Time      // the first message at night; zero: there is none
}

// limitFact is the use of one limit of the plan.
type limitFact struct {
	key         string
	used, limit int // with this campaign
	none        bool
}

type audienceFact struct {
	matched, sendable                              int
	optedOut, suppressed, unknownConsent, recently int
	unreached                                      int // only known by a numeric id that no account knows
	met                                            int // of sendable: known to one of the accounts
	message                                        policy.Message
}

// accountFact is an account as the checks see it.
type accountFact struct {
	name     string
	status   account.Status
	sends    bool
	cooldown time.Time
	shared   []string // names of other running campaigns that use it
	proxy    *proxyFact
}

type proxyFact struct {
	broken    bool // UNREACHABLE, AUTH_FAILED or DISABLED
	checkedAt time.Time
}

// check is one line of the table below: its function answers a verdict and a sentence.
type check struct {
	key, label string
	ask        func(*facts) (Verdict, string)
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

// report runs all checks.
func (f *facts) report() *Report {
	a := &f.audience
	r := &Report{
		OK: true, CheckedAt: f.now, Checks: make([]Check, 0, len(checks)),
		Audience: audienceReport{a.matched, a.sendable - f.missing, a.optedOut, a.suppressed, a.unknownConsent, f.missing},
	}
	for _, c := range checks {
		v, say := c.ask(f)
		r.Checks = append(r.Checks, Check{c.key, c.label, v, say})
		r.OK = r.OK && v != Fail
	}
	if f.finishes {
		hours := math.Ceil(f.finish.Sub(f.start).Seconds()/36) / 100 // 0.07 hours times 100 is more than 7
		r.EstimatedHours = &hours
	}
	return r
}

func checkOrganization(f *facts) (Verdict, string) {
	if f.suspended {
		return Fail, "The organization is suspended and sends no messages."
	}
	return Pass, "The organization is active."
}

func checkPolicy(f *facts) (Verdict, string) {
	if !f.policy {
		return Fail, "The acceptable-use policy is not accepted; an owner or administrator accepts it in the settings."
	}
	return Pass, "The current policy is accepted."
}

func checkPlan(f *facts) (Verdict, string) {
	worst, say := Pass, "The plan has room."
	for _, l := range f.limits {
		switch {
		case l.none:
		case l.used > l.limit:
			return Fail, fmt.Sprintf("The plan allows %d (%s), and %d would be in use.", l.limit, l.key, l.used)
		case l.used*10 > l.limit*9 && worst == Pass:
			worst, say = Warn, fmt.Sprintf("%d of the %d that the plan allows (%s) are in use.", l.used, l.limit, l.key)
		}
	}
	return worst, say
}

func checkContent(f *facts) (Verdict, string) {
	switch {
	case !f.hasText && !f.hasFiles:
		return Fail, "The message has neither a text nor an attachment; write one."
	case f.textError != "":
		return Fail, "The text cannot be read: " + f.textError + "."
	}
	return Pass, "The message can be read."
}

func checkLength(f *facts) (Verdict, string) {
	switch {
	case f.longest > f.room:
		return Fail, fmt.Sprintf("For somebody the text has %d characters, and %d are allowed; shorten it.", f.longest, f.room)
	case f.longest*10 > f.room*9:
		return Warn, fmt.Sprintf("The longest text has %d of %d characters.", f.longest, f.room)
	}
	return Pass, fmt.Sprintf("The longest text has %d of %d characters.", f.longest, f.room)
}

func checkVariables(f *facts) (Verdict, string) {
	switch {
	case len(f.unknown) > 0:
		return Fail, "Nobody in the audience has a value for {{" + strings.Join(f.unknown, "}}, {{") + "}}; correct the name, or add the values."
	case f.missing > 0:
		return Warn, fmt.Sprintf("%s no value for {{%s}} and will be skipped.", people(f.missing, "person has", "people have"), strings.Join(f.missingNames, "}}, {{"))
	case len(f.unused) > 0:
		return Warn, "Everybody reads the text behind | of {{" + strings.Join(f.unused, "}}, {{") + "}}, because nobody in the audience has a value; correct the name if that is not meant."
	}
	return Pass, "Everybody has a value for every variable."
}

func checkOptOut(f *facts) (Verdict, string) {
	if !f.hasOptOut {
		return Fail, "The text does not contain {{opt_out_url}}; everybody must be able to opt out."
	}
	if f.noAddress != "" {
		return f.noAddress, "The opt-out link has no address that people can open; start the server with --public-url."
	}
	return Pass, "The text carries the opt-out link."
}

func checkAttachments(f *facts) (Verdict, string) {
	if len(f.badFiles) > 0 {
		return Fail, "These attachments are missing or too large: " + strings.Join(f.badFiles, ", ") + "; upload them again."
	}
	return Pass, "Every attachment is ready."
}

func checkAudience(f *facts) (Verdict, string) {
	switch n := f.audience.matched; {
	case n == 0:
		return Fail, "Nobody is in the audience; choose lists, tags or people."
	case n < 2:
		return Warn, "Only one person is in the audience."
	default:
		return Pass, fmt.Sprintf("%d people are in the audience.", n)
	}
}

func checkSendable(f *facts) (Verdict, string) {
	a := &f.audience
	left := a.sendable - f.missing
	switch {
	case left <= 0:
		return Fail, "Nobody in the audience can be written to."
	case 2*(a.matched-left) > a.matched:
		return Warn, fmt.Sprintf("More than half of the audience is left out: %d of %d can be written to.", left, a.matched)
	}
	return Pass, fmt.Sprintf("%d of %d can be written to.", left, a.matched)
}

func checkConsent(f *facts) (Verdict, string) {
	if n := f.audience.unknownConsent; n > 0 {
		return Warn, people(n, "person without a recorded basis is", "people without a recorded basis are") + " left out."
	}
	return Pass, "Nobody is left out for want of a recorded basis."
}

func checkRepeated(f *facts) (Verdict, string) {
	if f.repeated > 0 {
		return Warn, people(f.repeated, "person was", "people were") + " sent the same text in the last 7 days."
	}
	return Pass, "Nobody was sent this text in the last 7 days."
}

func people(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
