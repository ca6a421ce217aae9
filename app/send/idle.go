package send

import (
	"time"

	"svc/store"
)

// Idle says whether no message is on its way and none is due.
func Idle(tx *store.Tx, now time.Time) (bool, error) {
	hands, _, err := inFlightIndex.Walk(tx, store.Range{Span: store.All(), Limit: 1})
	if err != nil || len(hands) > 0 {
		return false, err
	}
	ready, _, err := due.Walk(tx, store.Range{Span: store.Between(nil, store.Time(now.Add(time.Millisecond))), Limit: 1})
	return len(ready) == 0, err
}
