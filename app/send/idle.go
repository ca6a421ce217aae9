package send

import (
	"time"

	"svc/store"
	"svc/store/queue"
)

// Idle says whether no message is on its way and none is due.
func Idle(tx *store.Tx, now time.Time) (bool, error) {
	inFlight, _, err := inFlightIndex.Walk(tx, store.Range{Span: store.All(), Limit: 1})
	if err != nil || len(inFlight) > 0 {
		return false, err
	}
	_, due, err := work.Oldest(tx, string(queue.Send), now)
	return !due, err
}
