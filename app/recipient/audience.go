package recipient

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"svc/app/recipient/field"
	"svc/store"
)

// MaxPicked is how many people an audience names one by one (messaging decisions,
// 4.4).
const MaxPicked = maxBulk

// Audience says who is meant: everybody in one of the lists, with one of the tags, or
// named (specification, Lists and audiences). A person is meant once, however often.
type Audience struct {
	Lists, Tags []string
	Picked      []string // ids of recipients
	// Kept are people who were frozen earlier (Freeze).
	Kept store.Selection
}

// Frozen is an audience as it was at a moment: a set that can be stored. Who is
// deleted later is no longer in it, who comes later never is.
type Frozen = store.Selection

func (a Audience) everybody() store.Cond[Recipient] {
	return store.Or(listFacet.Any(a.Lists...), tagFacet.Any(field.FoldTags(a.Tags)...), recipients.Records(a.Picked), recipients.In(a.Kept))
}

// Freeze is the audience at this moment, and how many people that are.
func (a Audience) Freeze(tx *store.Tx, org string) (Frozen, int, error) {
	return recipients.Select(tx, org, a.everybody())
}

// CheckAudience says which of the lists and people that an audience names are not
// there.
func CheckAudience(tx *store.Tx, org string, a Audience) (noLists, noPeople []string, err error) {
	found, err := lists.GetMany(tx, org, a.Lists)
	if err != nil {
		return nil, nil, err
	}
	for i, l := range found {
		if l == nil {
			noLists = append(noLists, a.Lists[i])
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

// Crowd is what is known of an audience without reading anybody in it. Every count is
// exact. Who may not be written to counts once, for the first of these reasons: opted
// out, suppressed, no basis, messaged lately.
type Crowd struct {
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

// OtherLanguages stands in Crowd.ByLanguage for all but the most used.
const (
	OtherLanguages = "other"
	maxLanguages   = 50
)

// Counting says how an audience is counted.
type Counting struct {
	AllowUnknown bool
	// Since is from when on a message to somebody was lately; zero leaves that out.
	Since time.Time
	// Accounts are those that would write.
	Accounts []string
}

// CrowdOf counts an audience.
func CrowdOf(tx *store.Tx, org string, f Frozen, by Counting) (c Crowd, err error) {
	n := counts{tx: tx, org: org, in: recipients.In(f)}
	optedOut, suppressed := consentFacet.Any(string(field.OptedOut)), suppressedFacet.Any(on)
	unknown := consentFacet.Any(string(field.Unknown))
	c.Matched = n.of()
	c.OptedOut = n.of(optedOut)
	c.Suppressed = n.of(suppressed, optedOut.Not())
	sendable := []store.Cond[Recipient]{suppressed.Not(), optedOut.Not()}
	if !by.AllowUnknown {
		c.UnknownConsent = n.of(append(sendable, unknown)...)
		sendable = append(sendable, unknown.Not())
	}
	if !by.Since.IsZero() {
		lately := byMessaged.Where(store.During(by.Since, time.Time{}))
		c.Recently = n.of(append(slices.Clip(sendable), lately)...)
		sendable = append(sendable, lately.Not())
	}
	sendable = slices.Clip(sendable)
	c.Sendable = n.of(sendable...)
	named := initialFacet.Any(letters...)
	c.Named = n.of(append(sendable, named)...)
	known := knownFacet.Any(by.Accounts...)
	c.Met = n.of(append(sendable, known)...)
	c.Known = n.of(append(sendable, named.Not(), known)...)
	c.Unreached = c.Sendable - c.Named - c.Known
	c.ByConsent = map[field.Consent]int{}
	for _, consent := range field.Consents() {
		c.ByConsent[consent] = n.of(consentFacet.Any(string(consent)))
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

func (n *counts) of(where ...store.Cond[Recipient]) (found int) {
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
		if found := n.of(languageFacet.Any(code)); found > 0 {
			out[code] = found
			all -= found
		}
	}
	if len(codes) > maxLanguages {
		rest := n.of(languageFacet.Any(codes[maxLanguages:]...))
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
	for _, list := range a.Lists {
		if slices.Contains(r.Lists, list) {
			return true, nil
		}
	}
	for _, tag := range a.Tags {
		if field.HasTag(r.Tags, tag) {
			return true, nil
		}
	}
	if slices.Contains(a.Picked, r.ID) || len(a.Kept) == 0 {
		return slices.Contains(a.Picked, r.ID), nil
	}
	_, n, err := recipients.Select(tx, org, recipients.In(a.Kept), recipients.Records([]string{r.ID}))
	return n > 0, err
}
