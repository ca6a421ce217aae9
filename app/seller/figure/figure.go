// Package figure keeps the sums of what the seller and people did with conversations, and
// answers with them.
//
// It promises that each sum changes in the transaction of what it counts, so that it is
// never adrift; that reading costs the days asked for and not the conversations; that days
// are those of the organization's time zone; and that personal chats are not counted
// (contract 13.4). It refuses to know why something happened: its callers say what did.
package figure

import (
	"maps"
	"slices"
	"time"

	"svc/ai/catalog"
	"svc/app/business"
	"svc/app/business/price"
	"svc/app/org"
	"svc/store"
)

// Place is what sums are kept by, beside the day.
type Place struct{ Business, Account string }

// Counters are the sums of one day and place.
type Counters struct {
	In       int `json:"in,omitempty"`
	OutAI    int `json:"out_ai,omitempty"`
	OutHuman int `json:"out_human,omitempty"`
	// ByAI and ByHuman are how long customers waited for answers.
	ByAI    Histogram `json:"by_ai,omitempty"`
	ByHuman Histogram `json:"by_human,omitempty"`

	Turns    map[string]int `json:"turns,omitempty"`    // by final action
	Handoffs map[string]int `json:"handoffs,omitempty"` // by trigger
	Blocked  int            `json:"blocked,omitempty"`  // turns
	Codes    map[string]int `json:"codes,omitempty"`    // why
	Drafts   Drafts         `json:"drafts,omitzero"`
	Leads    Leads          `json:"leads,omitzero"`
}

// Drafts are what became of drafts.
type Drafts struct {
	Created   int `json:"created,omitempty"`
	Approved  int `json:"approved,omitempty"`
	Edited    int `json:"edited,omitempty"` // of Approved
	Discarded int `json:"discarded,omitempty"`
}

// Leads are what became of leads.
type Leads struct {
	Opened int                     `json:"opened,omitempty"`
	Won    int                     `json:"won,omitempty"`
	Lost   int                     `json:"lost,omitempty"`
	Value  map[string]price.Amount `json:"value,omitempty"` // of Won, by currency
}

// Add adds others to them.
func (c *Counters) Add(o *Counters) {
	c.In, c.OutAI, c.OutHuman, c.Blocked = c.In+o.In, c.OutAI+o.OutAI, c.OutHuman+o.OutHuman, c.Blocked+o.Blocked
	c.ByAI, c.ByHuman = addAll(c.ByAI, o.ByAI), addAll(c.ByHuman, o.ByHuman)
	c.Turns, c.Handoffs, c.Codes = addAll(c.Turns, o.Turns), addAll(c.Handoffs, o.Handoffs), addAll(c.Codes, o.Codes)
	d, l := &c.Drafts, &c.Leads
	d.Created, d.Approved = d.Created+o.Drafts.Created, d.Approved+o.Drafts.Approved
	d.Edited, d.Discarded = d.Edited+o.Drafts.Edited, d.Discarded+o.Drafts.Discarded
	l.Opened, l.Won, l.Lost = l.Opened+o.Leads.Opened, l.Won+o.Leads.Won, l.Lost+o.Leads.Lost
	l.Value = addAll(l.Value, o.Leads.Value)
}

// addAll adds numbers by their keys; a map of nothing is nil.
func addAll[M ~map[K]V, K comparable, V ~int | ~int64](to, of M) M {
	if len(of) == 0 {
		return to
	}
	if to == nil {
		to = M{}
	}
	for k, n := range of {
		to[k] += n
	}
	return to
}

// placeDay are the sums of a day and place.
type placeDay struct {
	ID  string `json:"id"` // day/business/account
	Day string `json:"day"`
	Place
	Counters
}

// versionDay are the turns of a day that one version of the seller's prompt wrote.
type versionDay struct {
	ID      string `json:"id"` // day/version
	Day     string `json:"day"`
	Version string `json:"version,omitempty"` // "" for the default
	versionSums
}

type versionSums struct {
	Turns    int          `json:"turns,omitempty"`
	Sent     int          `json:"sent,omitempty"`
	Blocked  int          `json:"blocked,omitempty"`
	Handoff  int          `json:"handoff,omitempty"`
	Approved int          `json:"approved,omitempty"` // drafts
	Refused  int          `json:"refused,omitempty"`  // drafts that a person discarded
	Ratings  int          `json:"ratings,omitempty"`  // that people gave
	Stars    int          `json:"stars,omitempty"`    // of all ratings
	Cost     catalog.Nano `json:"cost,omitempty"`
}

// personDay is what one person did on a day.
type personDay struct {
	ID   string `json:"id"` // day/user
	Day  string `json:"day"`
	User string `json:"user"`
	personSums
}

type personSums struct {
	Replies  int       `json:"replies,omitempty"`
	Waited   Histogram `json:"waited,omitempty"`
	Resolved int       `json:"resolved,omitempty"` // handoffs
}

// shadowDay are the turns of a day that were judged as the next level would have acted.
type shadowDay struct {
	ID       string `json:"id"` // day/business/scenario
	Day      string `json:"day"`
	Business string `json:"business"`
	Scenario string `json:"scenario"`
	shadowSums
}

type shadowSums struct {
	Turns    int `json:"turns,omitempty"`
	Compared int `json:"compared,omitempty"` // that a person decided too
	Agreed   int `json:"agreed,omitempty"`
}

// active says on which days somebody wrote in a conversation.
type active struct {
	ID       string   `json:"id"` // of the conversation
	Business string   `json:"business,omitempty"`
	New      string   `json:"new,omitempty"`  // the day on which it began
	Days     []string `json:"days,omitempty"` // the newest, ascending
}

// keptDays is how many days of one conversation are known: those that can be asked for.
const keptDays = maxDays

var (
	places   = store.NewTable("seller_figure", "", func(r *placeDay) string { return r.ID })
	versions = store.NewTable("seller_figure_version", "", func(r *versionDay) string { return r.ID })
	people   = store.NewTable("seller_figure_person", "", func(r *personDay) string { return r.ID })
	shadows  = store.NewTable("seller_figure_shadow", "", func(r *shadowDay) string { return r.ID })
	actives  = store.NewTable("seller_active", "cnv", func(r *active) string { return r.ID })

	activeOn = actives.Facet("day", func(r *active) []string { return r.Days })
	newOn    = actives.Facet("new", func(r *active) []string {
		if r.New == "" {
			return nil
		}
		return []string{r.New}
	})
	activeFor = actives.Facet("business", func(r *active) []string { return []string{r.Business} })
)

// Tables are what a store that holds figures is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{places, versions, people, shadows, actives} }

// zoneOf is the time zone of an organization.
func zoneOf(tx *store.Tx, orgID string) (*time.Location, error) {
	o, err := org.Get(tx, orgID)
	if err != nil {
		return nil, err
	}
	return time.LoadLocation(o.Timezone)
}

// dayOf is the day of an organization in which a time falls.
func dayOf(tx *store.Tx, orgID string, at time.Time) (string, error) {
	zone, err := zoneOf(tx, orgID)
	if err != nil {
		return "", err
	}
	return at.In(zone).Format(time.DateOnly), nil
}

// change changes the row of an id, which begins as fresh.
func change[T any](tx *store.Tx, org string, t *store.Table[T], fresh T, f func(*T)) error {
	r, err := t.Get(tx, org, t.ID(&fresh))
	if store.IsNotFound(err) {
		r, err = fresh, nil
	}
	if err != nil {
		return err
	}
	f(&r)
	return t.Put(tx, org, &r)
}

// Add adds to the sums of the day of a time.
func Add(tx *store.Tx, org string, p Place, at time.Time, c *Counters) error {
	day, err := dayOf(tx, org, at)
	if err != nil {
		return err
	}
	return addOn(tx, org, day, p, c)
}

func addOn(tx *store.Tx, org, day string, p Place, c *Counters) error {
	fresh := placeDay{ID: day + "/" + p.Business + "/" + p.Account, Day: day, Place: p}
	return change(tx, org, places, fresh, func(r *placeDay) { r.Add(c) })
}

// Turn is a turn of the seller that ended.
type Turn struct {
	Place
	At     time.Time
	Action string // final
	// PromptVersion is that of the seller's prompt, "" for the default.
	PromptVersion string
	Blocked       []string // codes of a turn that ended BLOCK
	Handoff       string   // the trigger, "" for none; HandedOver counts it
	Cost          catalog.Nano
}

// Count adds a turn, in its last transaction.
func Count(tx *store.Tx, org string, t Turn) error {
	day, err := dayOf(tx, org, t.At)
	if err != nil {
		return err
	}
	c := Counters{Turns: map[string]int{t.Action: 1}}
	v := versionSums{Turns: 1, Cost: t.Cost}
	if t.Action == "SEND" {
		v.Sent = 1
	}
	if t.Action == "BLOCK" {
		c.Blocked, v.Blocked = 1, 1
		c.Codes = map[string]int{}
		for _, code := range slices.Compact(slices.Sorted(slices.Values(t.Blocked))) {
			c.Codes[code] = 1
		}
	}
	if t.Handoff != "" {
		v.Handoff = 1
	}
	if err := addOn(tx, org, day, t.Place, &c); err != nil {
		return err
	}
	return addVersion(tx, org, day, t.PromptVersion, v)
}

func addVersion(tx *store.Tx, org, day, version string, v versionSums) error {
	return change(tx, org, versions, versionDay{ID: day + "/" + version, Day: day, Version: version}, func(r *versionDay) { r.add(&v) })
}

func (s *versionSums) add(o *versionSums) {
	s.Turns, s.Sent, s.Blocked, s.Handoff = s.Turns+o.Turns, s.Sent+o.Sent, s.Blocked+o.Blocked, s.Handoff+o.Handoff
	s.Approved, s.Refused, s.Cost = s.Approved+o.Approved, s.Refused+o.Refused, s.Cost+o.Cost
	s.Ratings, s.Stars = s.Ratings+o.Ratings, s.Stars+o.Stars
}

// Draft is what happened to a draft. It counts for the day on which it happened.
type Draft struct {
	Place
	PromptVersion string
	Drafts
	// ByPerson: somebody decided, and not time.
	ByPerson bool
}

// Drafted adds what happened to a draft now.
func Drafted(tx *store.Tx, org string, d *Draft) error {
	day, err := dayOf(tx, org, tx.DB().Now())
	if err != nil {
		return err
	}
	if err := addOn(tx, org, day, d.Place, &Counters{Drafts: d.Drafts}); err != nil || !d.ByPerson {
		return err
	}
	return addVersion(tx, org, day, d.PromptVersion, versionSums{Approved: d.Approved, Refused: d.Discarded})
}

// Rated adds a rating, 1 to 5, that a person gave what a version of the prompt wrote. It counts
// for the day on which it was given.
func Rated(tx *store.Tx, org, version string, stars int) error {
	day, err := dayOf(tx, org, tx.DB().Now())
	if err != nil {
		return err
	}
	return addVersion(tx, org, day, version, versionSums{Ratings: 1, Stars: stars})
}

// HandedOver adds a handoff that was opened.
func HandedOver(tx *store.Tx, org, account, trigger string) error {
	p, err := placeOf(tx, org, account)
	if err != nil {
		return err
	}
	return Add(tx, org, p, tx.DB().Now(), &Counters{Handoffs: map[string]int{trigger: 1}})
}

// Withheld adds a turn that a gate ended before anything was written, for the reason of a code.
func Withheld(tx *store.Tx, org, account, code string) error {
	p, err := placeOf(tx, org, account)
	if err != nil {
		return err
	}
	return Add(tx, org, p, tx.DB().Now(), &Counters{Turns: map[string]int{"BLOCK": 1}, Blocked: 1, Codes: map[string]int{code: 1}})
}

// Resolved adds a handoff that a person resolved.
func Resolved(tx *store.Tx, org, user string) error {
	return addPerson(tx, org, tx.DB().Now(), user, personSums{Resolved: 1})
}

func addPerson(tx *store.Tx, org string, at time.Time, user string, p personSums) error {
	day, err := dayOf(tx, org, at)
	if err != nil {
		return err
	}
	return change(tx, org, people, personDay{ID: day + "/" + user, Day: day, User: user}, func(r *personDay) { r.add(&p) })
}

func (s *personSums) add(o *personSums) {
	s.Replies, s.Resolved, s.Waited = s.Replies+o.Replies, s.Resolved+o.Resolved, addAll(s.Waited, o.Waited)
}

// Shadow is a turn that was judged as the next level would have acted.
type Shadow struct {
	Business, Scenario string
	At                 time.Time
	// Compared: a person decided too; Agreed: as that level would have.
	Compared, Agreed bool
}

// Judged adds a turn that was judged, or that an earlier one of Judged was compared now:
// then Again is true.
func Judged(tx *store.Tx, org string, s Shadow, again bool) error {
	day, err := dayOf(tx, org, s.At)
	if err != nil {
		return err
	}
	fresh := shadowDay{ID: day + "/" + s.Business + "/" + s.Scenario, Day: day, Business: s.Business, Scenario: s.Scenario}
	return change(tx, org, shadows, fresh, func(r *shadowDay) {
		if !again {
			r.Turns++
		}
		if s.Compared {
			r.Compared++
		}
		if s.Compared && s.Agreed {
			r.Agreed++
		}
	})
}

// placeOf is the business for which an account answers now, with the account.
func placeOf(tx *store.Tx, org, account string) (Place, error) {
	ids, err := business.IDsOf(tx, org, []string{account})
	return Place{Business: ids[account], Account: account}, err
}

// keys are the sorted keys of a map.
func keys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
