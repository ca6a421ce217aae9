package user

import (
	"slices"
	"strings"

	"svc/app/api"
	"svc/store"
)

// Filter narrows a list of people; a zero field does not filter.
type Filter struct {
	// Q is the beginning of an address, of a name or of a word in it, or, with an @,
	// of what stands behind the @ of the address.
	Q      string
	Status Status
}

// List reads a page of people in the order in which they came, or the newest first.
// The total is exact.
func List(tx *store.Tx, f Filter, newestFirst bool, in api.PageIn) (store.Page[User], error) {
	var where []store.Cond[User]
	if f.Status != "" {
		where = append(where, statusFacet.Any(string(f.Status)))
	}
	if q := store.Fold(strings.TrimSpace(f.Q)); q != "" {
		where = append(where, bySearch.Where(store.HasPrefix(q)))
	}
	return table.Page(tx, store.Platform, store.Query[User]{Where: where, Reverse: newestFirst, Offset: in.Offset, Limit: in.Limit, After: in.Behind()})
}

// Count is how many people there are.
func Count(tx *store.Tx) (int, error) { return table.Count(tx, store.Platform) }

// Administrators is how many platform administrators may sign in, one left out; ""
// leaves out none.
func Administrators(tx *store.Tx, but string) (int, error) {
	page, err := table.Page(tx, store.Platform, store.Query[User]{
		Where: []store.Cond[User]{adminFacet.Any("yes"), statusFacet.Any(string(Active))}, Limit: 1,
	})
	if err != nil || but == "" {
		return page.Total, err
	}
	u, err := Get(tx, but)
	if err == nil && u.IsPlatformAdmin && u.Status == Active {
		page.Total--
	}
	return page.Total, err
}

// searchKeys are what a person is found by, from its beginning on.
func searchKeys(u *User) (out []store.Key) {
	email := store.Fold(u.Email)
	texts := []string{email}
	if at := strings.LastIndexByte(email, '@'); at >= 0 {
		texts = append(texts, email[at:])
	}
	if u.Name != nil {
		words := strings.Fields(store.Fold(*u.Name))
		for i := range words[:min(len(words), maxWords)] {
			texts = append(texts, strings.Join(words[i:], " "))
		}
	}
	slices.Sort(texts)
	for _, t := range slices.Compact(texts) {
		out = append(out, store.Text(t))
	}
	return out
}

// maxWords bounds by how many words of a name a person is found.
const maxWords = 10
