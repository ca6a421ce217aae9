// Package audience says who is meant: by lists, tags, names and conditions of people, as a
// set that can be frozen and counted; and what keeps a message from a person.
//
// It promises that a person is meant once however often, and that counts are exact without
// reading anybody, but where a condition has to be asked of each person (Resolve). It
// refuses to write: recipients are package recipient's.
package audience

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"svc/app/api"
	"svc/app/policy"
	"svc/app/recipient"
	"svc/app/recipient/field"
	"svc/store"
)

// MaxPicked is how many people an audience names one by one (contract 4.4).
const MaxPicked = recipient.MaxBulk

// Audience says who is meant: everybody in one of the lists, with one of the tags, or
// named (contract 34), or simply everybody; of those the ones for
// whom the conditions hold; and of those the ones that nothing excludes (contract 21.2,
// Audience). A person is meant once, however often.
type Audience struct {
	Everyone    bool
	Lists, Tags []string
	Picked      []string // ids of recipients
	// Kept are people who were frozen earlier (Freeze).
	Kept store.Selection
	// Where narrows; Match joins its conditions, all of them when it is "".
	Where []Condition
	Match Match
	// Who is in one of these is not meant.
	NotLists, NotTags []string
	NotIn             []Frozen
}

// Frozen is an audience as it was at a moment: a set that can be stored. Who is
// deleted later is no longer in it, who comes later never is.
type Frozen = store.Selection

// conditions hold for everybody whom the audience means, and for nobody else unless reads,
// which then says who of them is meant.
func (a *Audience) conditions() (where []recipient.Cond, reads func(*recipient.Recipient) bool, err error) {
	if !a.Everyone {
		where = append(where, store.Or(recipient.InLists(a.Lists...), recipient.Tagged(a.Tags...), recipient.Named(a.Picked), recipient.In(a.Kept)))
	}
	for _, no := range a.NotIn {
		where = append(where, recipient.In(no).Not())
	}
	if len(a.NotLists)+len(a.NotTags) > 0 {
		where = append(where, recipient.InLists(a.NotLists...).Not(), recipient.Tagged(a.NotTags...).Not())
	}
	list := make([]asked, len(a.Where))
	for i := range a.Where {
		var wrong *wrongCondition
		if list[i], wrong = a.Where[i].prepare(); wrong != nil {
			return nil, nil, fmt.Errorf("a condition of an audience cannot be asked: %s %s", wrong.of, wrong.says)
		}
	}
	narrower, reads := join(list, a.Match == MatchAny)
	return append(where, narrower...), reads, nil
}

// join makes one of several conditions.
func join(list []asked, either bool) (where []recipient.Cond, reads func(*recipient.Recipient) bool) {
	exact, turned := true, false
	var within []recipient.Cond
	for _, c := range list {
		exact, turned = exact && c.exact, turned || c.turned
		if c.within != nil {
			within = append(within, *c.within)
		}
	}
	if !exact || either && turned {
		reads = func(r *recipient.Recipient) bool {
			if either {
				return slices.ContainsFunc(list, func(c asked) bool { return c.holds(r) })
			}
			return !slices.ContainsFunc(list, func(c asked) bool { return !c.holds(r) })
		}
	}
	switch {
	case len(list) == 0:
		return nil, nil
	case !either:
		return within, reads
	case len(within) == len(list) && !turned:
		return []recipient.Cond{store.Or(within...)}, reads
	}
	return nil, reads
}

// Reads says whether people have to be read to know who is meant (Resolve).
func (a *Audience) Reads() bool {
	_, reads, err := a.conditions()
	return err == nil && reads != nil
}

// Freeze is the audience at this moment, and how many people that are. Where people have
// to be read for that, it is those whom found holds, that Resolve answered before, as far
// as everything else still holds for them.
func (a Audience) Freeze(tx *store.Tx, org string, found *Frozen) (Frozen, int, error) {
	where, reads, err := a.conditions()
	if err != nil {
		return nil, 0, err
	}
	if reads != nil {
		if found == nil {
			return nil, 0, api.ErrState // who is meant was not known to need reading
		}
		where = append(where, recipient.In(*found))
	}
	return recipient.Select(tx, org, where...)
}

// resolvedAtATime bounds the people that one transaction reads, and mergedAtATime those
// who are remembered one by one.
const (
	resolvedAtATime = 1000
	mergedAtATime   = 10_000
)

// Resolve reads whom an audience means, page by page: a million people cost a set of a bit
// each. nil: nobody has to be read (Freeze). load is asked for the audience in the first
// of its transactions.
func Resolve(ctx context.Context, db *store.DB, org string, load func(*store.Tx) (Audience, error)) (*Frozen, error) {
	var among Frozen
	var reads func(*recipient.Recipient) bool
	err := db.View(ctx, func(tx *store.Tx) error {
		a, err := load(tx)
		if err != nil {
			return err
		}
		var where []recipient.Cond
		if where, reads, err = a.conditions(); err != nil || reads == nil {
			return err
		}
		among, _, err = recipient.Select(tx, org, where...)
		return err
	})
	if err != nil || reads == nil {
		return nil, err
	}
	out := Frozen(nil)
	for after := (store.Cursor)(nil); ; {
		next, found, err := resolveSome(ctx, db, org, among, reads, after, out)
		if err != nil {
			return nil, err
		}
		out = found
		if after = next; after == nil {
			return &out, nil
		}
	}
}

// resolveSome reads the people behind a place and adds those who are meant to a set.
func resolveSome(ctx context.Context, db *store.DB, org string, among Frozen, reads func(*recipient.Recipient) bool, after store.Cursor, to Frozen) (store.Cursor, Frozen, error) {
	var ids []string
	for read := 0; read < mergedAtATime; read += resolvedAtATime {
		var page []recipient.Recipient
		err := db.View(ctx, func(tx *store.Tx) (err error) {
			page, after, err = recipient.PageOf(tx, org, among, after, resolvedAtATime)
			return err
		})
		if err != nil {
			return nil, nil, err
		}
		for i := range page {
			if reads(&page[i]) {
				ids = append(ids, page[i].ID)
			}
		}
		if after == nil {
			break
		}
	}
	if len(ids) == 0 {
		return after, to, nil
	}
	var merged Frozen
	err := db.View(ctx, func(tx *store.Tx) (err error) {
		merged, _, err = recipient.Select(tx, org, store.Or(recipient.Named(ids), recipient.In(to)))
		return err
	})
	return after, merged, err
}

// CheckAudience says which of the lists and people that an audience names are not
// there.
func CheckAudience(tx *store.Tx, org string, a Audience) (noLists, noPeople []string, err error) {
	named := append(slices.Clone(a.Lists), a.NotLists...)
	found, err := recipient.ListNames(tx, org, named)
	if err != nil {
		return nil, nil, err
	}
	for _, id := range named {
		if _, there := found[id]; !there {
			noLists = append(noLists, id)
		}
	}
	for _, id := range a.Picked {
		there, err := recipient.Has(tx, org, id)
		if err != nil {
			return nil, nil, err
		}
		if !there {
			noPeople = append(noPeople, id)
		}
	}
	return noLists, noPeople, nil
}

// AudienceCounts is what is known of an audience without reading anybody in it. Every count is
// exact. Who may not be written to counts once, for the first of these reasons: opted
// out, suppressed, no basis, messaged lately.
type AudienceCounts struct {
	Matched, Sendable                              int
	OptedOut, Suppressed, UnknownConsent, Recently int
	ByConsent                                      map[field.Consent]int // of Matched
	ByLanguage                                     map[string]int        // of Matched; "" is no language, OtherLanguages the rest
	// Of Sendable: with a username; without one, but known to one of the accounts;
	// neither.
	Named, Known, Unreached int
	// Met are those of Sendable whom one of the accounts knows, with a username or not.
	Met int
}

// OtherLanguages stands in AudienceCounts.ByLanguage for all but the most used.
const (
	OtherLanguages = "other"
	maxLanguages   = 50
)

// Counting says how an audience is counted.
type Counting struct {
	// Message is what they would be sent.
	Message policy.Message
	// Accounts are those that would write.
	Accounts []string
}

// CountAudience counts an audience.
func CountAudience(tx *store.Tx, org string, f Frozen, by Counting) (c AudienceCounts, err error) {
	n := counts{tx: tx, org: org, in: recipient.In(f)}
	c.Matched = n.count()
	// Sets of people for the reasons that policy compares for one person.
	sets := map[policy.Reason]func() recipient.Cond{
		policy.OptedOut:         func() recipient.Cond { return recipient.WithConsent(field.OptedOut) },
		policy.Suppressed:       recipient.IsSuppressed,
		policy.UnknownConsent:   func() recipient.Cond { return recipient.WithConsent(field.Unknown) },
		policy.RecentlyMessaged: func() recipient.Cond { return recipient.MessagedSince(by.Message.RestSince) },
	}
	excluded := map[policy.Reason]int{}
	var sendable []recipient.Cond
	for _, why := range by.Message.Reasons() {
		set := sets[why]()
		excluded[why] = n.count(append(slices.Clip(sendable), set)...)
		sendable = append(sendable, set.Not())
	}
	c.OptedOut, c.Suppressed = excluded[policy.OptedOut], excluded[policy.Suppressed]
	c.UnknownConsent, c.Recently = excluded[policy.UnknownConsent], excluded[policy.RecentlyMessaged]
	sendable = slices.Clip(sendable)
	c.Sendable = n.count(sendable...)
	named := recipient.WithUsername()
	c.Named = n.count(append(sendable, named)...)
	known := recipient.KnownTo(by.Accounts...)
	c.Met = n.count(append(sendable, known)...)
	c.Known = n.count(append(sendable, named.Not(), known)...)
	c.Unreached = c.Sendable - c.Named - c.Known
	c.ByConsent = map[field.Consent]int{}
	for _, consent := range field.Consents() {
		c.ByConsent[consent] = n.count(recipient.WithConsent(consent))
	}
	if n.err == nil {
		c.ByLanguage, n.err = n.languages(c.Matched)
	}
	return c, n.err
}

// counts says how many people parts of an audience have. After an error it stops.
type counts struct {
	tx  *store.Tx
	org string
	in  recipient.Cond
	err error
}

func (n *counts) count(where ...recipient.Cond) (found int) {
	if n.err == nil {
		_, found, n.err = recipient.Select(n.tx, n.org, append([]recipient.Cond{n.in}, where...)...)
	}
	return found
}

// languages counts the languages that the organization uses most.
func (n *counts) languages(all int) (map[string]int, error) {
	used, err := recipient.Languages(n.tx, n.org)
	if err != nil {
		return nil, err
	}
	codes := slices.SortedFunc(maps.Keys(used), func(a, b string) int {
		return cmp.Or(cmp.Compare(used[b], used[a]), cmp.Compare(a, b))
	})
	out := map[string]int{}
	for _, code := range codes[:min(len(codes), maxLanguages)] {
		if found := n.count(recipient.WithLanguage(code)); found > 0 {
			out[code] = found
			all -= found
		}
	}
	if len(codes) > maxLanguages {
		rest := n.count(recipient.WithLanguage(codes[maxLanguages:]...))
		out[OtherLanguages], all = rest, all-rest
	}
	if all > 0 {
		out[""] = all
	}
	return out, n.err
}

// Again are those people of an audience who were in one of several others, and were
// written to since a time.
func Again(tx *store.Tx, org string, f Frozen, others []Frozen, since time.Time) (Frozen, error) {
	before := make([]recipient.Cond, len(others))
	for i, other := range others {
		before[i] = recipient.In(other)
	}
	again, _, err := recipient.Select(tx, org, recipient.In(f), store.Or(before...), recipient.MessagedSince(since))
	return again, err
}

// Without is an audience without those of another.
func Without(tx *store.Tx, org string, f, other Frozen) (Frozen, int, error) {
	return recipient.Select(tx, org, recipient.In(f), recipient.In(other).Not())
}

// Together is everybody of two audiences.
func Together(tx *store.Tx, org string, f, other Frozen) (Frozen, error) {
	both, _, err := recipient.Select(tx, org, store.Or(recipient.In(f), recipient.In(other)))
	return both, err
}

// InAudience says whether an audience has somebody.
func InAudience(tx *store.Tx, org string, a Audience, r *recipient.Recipient) (bool, error) {
	where, reads, err := a.conditions()
	if err != nil || reads != nil && !reads(r) {
		return false, err
	}
	_, n, err := recipient.Select(tx, org, append(where, recipient.Named([]string{r.ID}))...)
	return n > 0, err
}
