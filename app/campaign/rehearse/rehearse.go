// Package rehearse plays a campaign through on a virtual clock, against a model of the
// platform: who is reached when, where the platform asks to wait, when it is done.
//
// It promises that the same plan gives the same report, and that pace, daily limits,
// windows and waits are those of real sending (package schedule). It is pure: no clock,
// no store, nothing is sent. It refuses to foretell what no model knows: restrictions,
// people who opt out meanwhile, which messages fail (only how many), and what the
// platform really thinks of an account.
package rehearse

import (
	"cmp"
	"slices"
	"time"

	"svc/app/policy"
)

// Person is what the model knows of somebody, as their account sees them.
type Person uint8

// The kinds of person.
const (
	Known     Person = iota // the account has met them
	Stranger                // found by the username
	Unreached               // known by a numeric id only, which the account has not met
)

// Model is how the platform behaves. It takes a number of messages to strangers at
// once, and one more after a time each; who sends faster is asked to wait until it
// would take some again. Messages to people whom the account knows cost nothing.
type Model struct {
	Burst  int           // messages to strangers at once
	Refill time.Duration // until it takes one more
	Pardon int           // how many it takes again after a wait
	Answer time.Duration // how long a message is on its way
}

// UsualFailing is the share of messages that is expected to fail where nothing was sent yet.
const UsualFailing = 0.04

// Usual is a cautious model of an account in good standing.
func Usual() Model {
	return Model{Burst: 100, Refill: 10 * time.Second, Pardon: 5, Answer: 300 * time.Millisecond}
}

// Account is one account with the people it writes to, in their order.
type Account struct {
	ID     string
	People []Person
	Others int // messages of other campaigns that take turns with these
	Pace   policy.Pace
	// Failing is the share of its messages that the platform takes for nobody: people who blocked it, left, or
	// let no stranger write. 0 to 1.
	Failing float64
}

// Plan is a campaign as it is rehearsed.
type Plan struct {
	Start    time.Time
	End      time.Time // zero: none
	Window   *policy.Window
	Accounts []Account
	Model    Model
}

// Hour counts what happened in an hour, which begins at At.
type Hour struct {
	At        time.Time `json:"at"`
	Delivered int       `json:"delivered"`
	Failed    int       `json:"failed"`
}

// Flood is a wait that the platform asks for.
type Flood struct {
	AccountID   string    `json:"account_id"`
	At          time.Time `json:"at"`
	WaitSeconds int       `json:"wait_seconds"`
}

// Done is what one account did.
type Done struct {
	AccountID  string     `json:"account_id"`
	Delivered  int        `json:"delivered"`
	Failed     int        `json:"failed"`
	Unsent     int        `json:"unsent" doc:"Not reached before the end, or at all when the account cannot send."`
	Floods     int        `json:"floods"`
	FinishesAt *time.Time `json:"finishes_at" doc:"null when it does not finish."`
}

// Report is what a rehearsal found.
type Report struct {
	FinishesAt    *time.Time `json:"finishes_at" doc:"null when it does not finish."`
	DurationHours *float64   `json:"duration_hours"`
	Timeline      []Hour     `json:"timeline" doc:"By the hour, without hours in which nothing happens."`
	ByAccount     []Done     `json:"by_account"`
	Floods        []Flood    `json:"floods" doc:"The first 100."`
}

const maxFloods = 100

// Run plays a plan through.
func Run(p *Plan) Report {
	out := Report{Timeline: []Hour{}, ByAccount: []Done{}, Floods: []Flood{}}
	hours := map[time.Time]*Hour{}
	all, last := len(p.Accounts) > 0, p.Start
	for i := range p.Accounts {
		l := play(p, &p.Accounts[i], hours)
		out.ByAccount = append(out.ByAccount, l.done)
		out.Floods = append(out.Floods, l.floods...)
		if all = all && l.done.FinishesAt != nil; all && l.done.FinishesAt.After(last) {
			last = *l.done.FinishesAt
		}
	}
	for _, h := range hours {
		out.Timeline = append(out.Timeline, *h)
	}
	slices.SortFunc(out.Timeline, func(a, b Hour) int { return a.At.Compare(b.At) })
	slices.SortFunc(out.Floods, func(a, b Flood) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.AccountID, b.AccountID)) })
	out.Floods = out.Floods[:min(len(out.Floods), maxFloods)]
	if all {
		took := last.Sub(p.Start).Hours()
		out.FinishesAt, out.DurationHours = &last, &took
	}
	return out
}
