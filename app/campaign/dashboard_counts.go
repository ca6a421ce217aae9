package campaign

import (
	"time"

	"svc/store"
)

// ByStatus counts the campaigns of an organization, for its dashboard.
func ByStatus(tx *store.Tx, orgID string) (map[Status]int, error) {
	counts, err := statusFacet.Counts(tx, orgID)
	out := map[Status]int{}
	for status, n := range counts {
		out[Status(status)] = n
	}
	return out, err
}

// CompletedSince is how many campaigns of an organization were completed since a time.
func CompletedSince(tx *store.Tx, orgID string, since time.Time) (int, error) {
	page, err := campaigns.Page(tx, orgID, store.Query[Campaign]{
		Where: []store.Cond[Campaign]{completedAt.Where(store.During(since, time.Time{}))}, Limit: 1,
	})
	return page.Total, err
}
