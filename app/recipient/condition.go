package recipient

import (
	"time"

	"svc/app/recipient/field"
	"svc/store"
)

// Cond holds for some people. The store answers it from sets and indexes that it keeps.
type Cond = store.Cond[Recipient]

// knownFacet holds who is known to an account.
var knownFacet = recipients.Facet("known", func(r *Recipient) []string { return r.KnownTo })

// InLists holds for the members of any of the lists.
func InLists(ids ...string) Cond { return listFacet.Any(ids...) }

// Tagged holds for those who have any of the tags, in any case.
func Tagged(tags ...string) Cond { return tagFacet.Any(field.FoldTags(tags)...) }

// WithConsent holds for those with any of the statuses.
func WithConsent(status ...field.Consent) Cond {
	values := make([]string, len(status))
	for i, s := range status {
		values[i] = string(s)
	}
	return consentFacet.Any(values...)
}

// WithLanguage holds for those of whom any of the codes, in small letters, is recorded.
func WithLanguage(codes ...string) Cond { return languageFacet.Any(codes...) }

// WithAttribute holds for those who have a value under a key.
func WithAttribute(key string) Cond { return attributeFacet.Any(key) }

// WithUsername holds for those who have a username.
func WithUsername() Cond { return initialFacet.Any(letters...) }

// IsSuppressed holds for those whom the suppression list names.
func IsSuppressed() Cond { return suppressedFacet.Any(on) }

// KnownTo holds for those whom any of the accounts has met.
func KnownTo(accounts ...string) Cond { return knownFacet.Any(accounts...) }

// MessagedSince holds for those who were written to at a time or later.
func MessagedSince(t time.Time) Cond { return byMessaged.Where(store.During(t, time.Time{})) }

// Named holds for the recipients of those ids.
func Named(ids []string) Cond { return recipients.Records(ids) }

// In holds for the people of a set (Select).
func In(set store.Selection) Cond { return recipients.In(set) }

// letters are the first letters of usernames, as field.Who.Initials has them.
var letters = func() (out []string) {
	for l := 'a'; l <= 'z'; l++ {
		out = append(out, string(l))
	}
	return out
}()

// Select is the set of those for whom all conditions hold, which can be stored, and how
// many they are. Nobody is read for it.
func Select(tx *store.Tx, org string, where ...Cond) (store.Selection, int, error) {
	return recipients.Select(tx, org, where...)
}

// PageOf reads the next people of a set, in the order in which they were first saved.
// next is nil when nobody is left.
func PageOf(tx *store.Tx, org string, set store.Selection, after store.Cursor, limit int) (list []Recipient, next store.Cursor, err error) {
	page, err := recipients.Page(tx, org, store.Query[Recipient]{Where: []Cond{In(set)}, After: after, Limit: limit})
	return page.Data, page.Next, err
}

// Languages are the codes in use, with how many people each is recorded of.
func Languages(tx *store.Tx, org string) (map[string]int, error) {
	return languageFacet.Counts(tx, org)
}
