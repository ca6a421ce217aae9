package send

import (
	"time"

	"svc/store"
)

// lane is an account as package send sees it: what it has in hand, and when it is
// looked at again. One of the two is set while there is something to do.
type lane struct {
	ID string `json:"id"` // of the account
	// NextAt is when to look for something to send; zero: somebody says (wake).
	NextAt time.Time `json:"next_at,omitzero"`
	// Hand is the message on its way.
	Hand *hand `json:"hand,omitempty"`
	// Batch is the campaign that was served last: the next one has its turn.
	Batch string `json:"batch,omitempty"`
	// LastAt is when the last try ended that pacing counts.
	LastAt time.Time `json:"last_at,omitzero"`
	// HoldUntil: the platform was not reached, and paced messages wait.
	HoldUntil time.Time `json:"hold_until,omitzero"`
}

// hand is a message on its way.
type hand struct {
	Job       string    `json:"job"`
	Kind      Kind      `json:"kind"`
	Batch     string    `json:"batch,omitempty"`
	Recipient string    `json:"recipient,omitempty"`
	Since     time.Time `json:"since"`
	By        string    `json:"by,omitempty"` // the process
}

var (
	lanes = store.NewTable("send_lane", "acc", func(l *lane) string { return l.ID })

	due = lanes.MultiAcross("due", func(l *lane) []store.Key {
		if l.Hand != nil || l.NextAt.IsZero() {
			return nil
		}
		return []store.Key{store.Time(l.NextAt)}
	})
	inHand = lanes.MultiAcross("in_hand", func(l *lane) []store.Key {
		if l.Hand == nil {
			return nil
		}
		return []store.Key{store.Text(l.ID)}
	})
	handOf = lanes.Multi("hand_of", func(l *lane) []store.Key {
		if l.Hand == nil {
			return nil
		}
		return []store.Key{store.Text(l.Hand.Batch)}
	})
	hands = lanes.Tally("hands", func(l *lane) []string {
		if l.Hand == nil {
			return nil
		}
		return []string{l.Hand.Batch}
	})
)

// topic is what the store is told when a lane may have something to do.
const topic = "send lanes"

// laneOf reads the lane of an account, which begins empty.
func laneOf(tx *store.Tx, org, account string) (lane, error) {
	l, err := lanes.Get(tx, org, account)
	if store.IsNotFound(err) {
		return lane{ID: account}, nil
	}
	return l, err
}

// wake says that an account may have something to send.
func wake(tx *store.Tx, org, account string) error {
	l, err := laneOf(tx, org, account)
	now := tx.DB().Now()
	if err != nil || l.Hand != nil || !l.NextAt.IsZero() && !l.NextAt.After(now) {
		return err
	}
	l.NextAt = now
	tx.Notify(topic)
	return lanes.Put(tx, org, &l)
}

// Tables are what a store that sends is opened with. It holds accounts, recipients,
// content, organizations, settings and jobs of package queue too.
func Tables() []store.AnyTable {
	return []store.AnyTable{jobs, batches, lanes, figures, tests}
}
