package seller

import (
	"time"

	"svc/app/business"
	"svc/store"
)

// openFor is when the business of an account has been open for a while: inbox.Selling.
func openFor(tx *store.Tx, org, account string, since time.Time, long time.Duration) (at time.Time, ok, set bool, err error) {
	b, _, found, err := business.Of(tx, org, account)
	if err != nil || !found || b.Hours.Always() {
		return at, false, false, err
	}
	at, ok = b.Hours.Passed(since, long, b.Location())
	return at, ok, true, nil
}
