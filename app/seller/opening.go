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

// replyWindow is how long after a customer's message an account may answer without consent, as
// the settings of its business say; 0 for an account that answers for none.
func replyWindow(tx *store.Tx, org, account string) (time.Duration, error) {
	b, _, found, err := business.Of(tx, org, account)
	if err != nil || !found {
		return 0, err
	}
	set, _, err := business.SettingsOf(tx, org, b.ID)
	return time.Duration(set.WindowHours) * time.Hour, err
}
