package recipient

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"svc/app/api"
	"svc/app/policy"
	"svc/app/recipient/field"
	"svc/store"
)

// MaxPicked is how many people an audience names one by one (contract 4.4).
const MaxPicked = maxBulk

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
func (a *Audience) conditions() (where []store.Cond[Recipient], reads func(*Recipient) bool, err error) {
	if !a.Everyone {
		where = append(where, store.Or(listFacet.Any(a.Lists...), tagFacet.Any(field.FoldTags(a.Tags)...), recipients.Records(a.Picked), recipients.In(a.Kept)))
	}
	for _, no := range a.NotIn {
		where = append(where, recipients.In(no).Not())
	}
	if len(a.NotLists)+len(a.NotTags) > 0 {
		where = append(where, listFacet.Any(a.NotLists...).Not(), tagFacet.Any(field.FoldTags(a.NotTags)...).Not())
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
func join(list []asked, either bool) (where []store.Cond[Recipient], reads func(*Recipient) bool) {
	exact, turned := true, false
	var within []store.Cond[Recipient]
	for _, c := range list {
		exact, turned = exact && c.exact, turned || c.turned
		if c.within != nil {
			within = append(within, *c.within)
		}
	}
	if !exact || either && turned {
		reads = func(r *Recipient) bool {
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
		return []store.Cond[Recipient]{store.Or(within...)}, reads
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
		where = append(where, recipients.In(*found))
	}
	return recipients.Select(tx, org, where...)
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
	var reads func(*Recipient) bool
	err := db.View(ctx, func(tx *store.Tx) error {
		a, err := load(tx)
		if err != nil {
			return err
		}
		var where []store.Cond[Recipient]
		if where, reads, err = a.conditions(); err != nil || reads == nil {
			return err
		}
		among, _, err = recipients.Select(tx, org, where...)
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
func resolveSome(ctx context.Context, db *store.DB, org string, among Frozen, reads func(*Recipient) bool, after store.Cursor, to Frozen) (store.Cursor, Frozen, error) {
	var ids []string
	for read := 0; read < mergedAtATime; read += resolvedAtATime {
		var page []Recipient
		err := db.View(ctx, func(tx *store.Tx) (err error) {
			page, after, err = PageOf(tx, org, among, after, resolvedAtATime)
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
		merged, _, err = recipients.Select(tx, org, store.Or(recipients.Records(ids), recipients.In(to)))
		return err
	})
	return after, merged, err
}

// CheckAudience says which of the lists and people that an audience names are not
// there.
func CheckAudience(tx *store.Tx, org string, a Audience) (noLists, noPeople []string, err error) {
	named := append(slices.Clone(a.Lists), a.NotLists...)
	found, err := lists.GetMany(tx, org, named)
	if err != nil {
		return nil, nil, err
	}
	for i, l := range found {
		if l == nil {
			noLists = append(noLists, named[i])
		}
	}
	for _, id := range a.Picked {
		there, err := recipients.Has(tx, org, id)
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
	n := counts{tx: tx, org: org, in: recipients.In(f)}
	c.Matched = n.count()
	// Sets of people for the reasons that policy compares for one person.
	sets := map[policy.Reason]func() store.Cond[Recipient]{
		policy.OptedOut:         func() store.Cond[Recipient] { return consentFacet.Any(string(field.OptedOut)) },
		policy.Suppressed:       func() store.Cond[Recipient] { return suppressedFacet.Any(on) },
		policy.UnknownConsent:   func() store.Cond[Recipient] { return consentFacet.Any(string(field.Unknown)) },
		policy.RecentlyMessaged: func() store.Cond[Recipient] { return byMessaged.Where(store.During(by.Message.RestSince, time.Time{})) },
	}
	excluded := map[policy.Reason]int{}
	var sendable []store.Cond[Recipient]
	for _, why := range by.Message.Reasons() {
		set := sets[why]()
		excluded[why] = n.count(append(slices.Clip(sendable), set)...)
		sendable = append(sendable, set.Not())
	}
	c.OptedOut, c.Suppressed = excluded[policy.OptedOut], excluded[policy.Suppressed]
	c.UnknownConsent, c.Recently = excluded[policy.UnknownConsent], excluded[policy.RecentlyMessaged]
	sendable = slices.Clip(sendable)
	c.Sendable = n.count(sendable...)
	named := initialFacet.Any(letters...)
	c.Named = n.count(append(sendable, named)...)
	known := knownFacet.Any(by.Accounts...)
	c.Met = n.count(append(sendable, known)...)
	c.Known = n.count(append(sendable, named.Not(), known)...)
	c.Unreached = c.Sendable - c.Named - c.Known
	c.ByConsent = map[field.Consent]int{}
	for _, consent := range field.Consents() {
		c.ByConsent[consent] = n.count(consentFacet.Any(string(consent)))
	}
	if n.err == nil {
		c.ByLanguage, n.err = n.languages(c.Matched)
	}
	return c, n.err
}

// knownFacet holds who is known to an account.
var knownFacet = recipients.Facet("known", func(r *Recipient) []string { return r.KnownTo })

// letters are the first letters of usernames, as initials has them.
var letters = func() (out []string) {
	for l := 'a'; l <= 'z'; l++ {
		out = append(out, string(l))
	}
	return out
}()

// counts says how many people parts of an audience have. After an error it stops.
type counts struct {
	tx  *store.Tx
	org string
	in  store.Cond[Recipient]
	err error
}

func (n *counts) count(where ...store.Cond[Recipient]) (found int) {
	if n.err == nil {
		_, found, n.err = recipients.Select(n.tx, n.org, append([]store.Cond[Recipient]{n.in}, where...)...)
	}
	return found
}

// languages counts the languages that the organization uses most.
func (n *counts) languages(all int) (map[string]int, error) {
	used, err := languageFacet.Counts(n.tx, n.org)
	if err != nil {
		return nil, err
	}
	codes := slices.SortedFunc(maps.Keys(used), func(a, b string) int {
		return cmp.Or(cmp.Compare(used[b], used[a]), cmp.Compare(a, b))
	})
	out := map[string]int{}
	for _, code := range codes[:min(len(codes), maxLanguages)] {
		if found := n.count(languageFacet.Any(code)); found > 0 {
			out[code] = found
			all -= found
		}
	}
	if len(codes) > maxLanguages {
		rest := n.count(languageFacet.Any(codes[maxLanguages:]...))
		out[OtherLanguages], all = rest, all-rest
	}
	if all > 0 {
		out[""] = all
	}
	return out, n.err
}

// PageOf reads the next people of an audience, in the order in which they were first
// saved. next is nil when nobody is left.
func PageOf(tx *store.Tx, org string, f Frozen, after store.Cursor, limit int) (list []Recipient, next store.Cursor, err error) {
	page, err := recipients.Page(tx, org, store.Query[Recipient]{Where: []store.Cond[Recipient]{recipients.In(f)}, After: after, Limit: limit})
	return page.Data, page.Next, err
}

// Again are those people of an audience who were in one of several others, and were
// written to since a time.
func Again(tx *store.Tx, org string, f Frozen, others []Frozen, since time.Time) (Frozen, error) {
	before := make([]store.Cond[Recipient], len(others))
	for i, other := range others {
		before[i] = recipients.In(other)
	}
	again, _, err := recipients.Select(tx, org, recipients.In(f), store.Or(before...), byMessaged.Where(store.During(since, time.Time{})))
	return again, err
}

// Without is an audience without those of another.
func Without(tx *store.Tx, org string, f, other Frozen) (Frozen, int, error) {
	return recipients.Select(tx, org, recipients.In(f), recipients.In(other).Not())
}

// Together is everybody of two audiences.
func Together(tx *store.Tx, org string, f, other Frozen) (Frozen, error) {
	both, _, err := recipients.Select(tx, org, store.Or(recipients.In(f), recipients.In(other)))
	return both, err
}

// InAudience says whether an audience has somebody.
func InAudience(tx *store.Tx, org string, a Audience, r *Recipient) (bool, error) {
	where, reads, err := a.conditions()
	if err != nil || reads != nil && !reads(r) {
		return false, err
	}
	_, n, err := recipients.Select(tx, org, append(where, recipients.Records([]string{r.ID}))...)
	return n > 0, err
}
