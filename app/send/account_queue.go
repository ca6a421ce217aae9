package send

import (
	"time"

	"svc/store"
)

// accountQueue is an account as package send sees it: the message that is being sent from
// it, or when it is looked at again. One of the two is set while there is something to do.
type accountQueue struct {
	ID string `json:"id"` // of the account
	// NextAt is when to look for something to send; zero: somebody says (wake).
	NextAt time.Time `json:"next_at,omitzero"`
	// InFlight is the message that is being sent; nil for none.
	InFlight *inFlight `json:"hand,omitempty"`
	// Batch is the campaign that was served last: the next one has its turn.
	Batch string `json:"batch,omitempty"`
	// LastAt is when the last try ended that pacing counts.
	LastAt time.Time `json:"last_at,omitzero"`
	// HoldUntil: the platform was not reached, and paced messages wait.
	HoldUntil time.Time `json:"hold_until,omitzero"`
}

// inFlight is a message that is being sent.
type inFlight struct {
	Job       string    `json:"job"`
	Kind      Kind      `json:"kind"`
	Batch     string    `json:"batch,omitempty"`
	Recipient string    `json:"recipient,omitempty"`
	Since     time.Time `json:"since"`
	By        string    `json:"by,omitempty"` // the process
}

var (
	accountQueues = store.NewTable("send_lane", "acc", func(l *accountQueue) string { return l.ID })

	due = accountQueues.MultiAcross("due", func(l *accountQueue) []store.Key {
		if l.InFlight != nil || l.NextAt.IsZero() {
			return nil
		}
		return []store.Key{store.Time(l.NextAt)}
	})
	inFlightIndex = accountQueues.MultiAcross("in_hand", func(l *accountQueue) []store.Key {
		if l.InFlight == nil {
			return nil
		}
		return []store.Key{store.Text(l.ID)}
	})
	inFlightOf = accountQueues.Multi("hand_of", func(l *accountQueue) []store.Key {
		if l.InFlight == nil {
			return nil
		}
		return []store.Key{store.Text(l.InFlight.Batch)}
	})
	inFlightCounts = accountQueues.Tally("hands", func(l *accountQueue) []string {
		if l.InFlight == nil {
			return nil
		}
		return []string{l.InFlight.Batch}
	})
)

// topic is what the store is told when an account may have something to do.
const topic = "send lanes"

// accountQueueOf reads the queue of an account, which begins empty.
func accountQueueOf(tx *store.Tx, org, account string) (accountQueue, error) {
	l, err := accountQueues.Get(tx, org, account)
	if store.IsNotFound(err) {
		return accountQueue{ID: account}, nil
	}
	return l, err
}

// wake says that an account may have something to send.
func wake(tx *store.Tx, org, account string) error {
	l, err := accountQueueOf(tx, org, account)
	now := tx.DB().Now()
	if err != nil || l.InFlight != nil || !l.NextAt.IsZero() && !l.NextAt.After(now) {
		return err
	}
	l.NextAt = now
	tx.Notify(topic)
	return accountQueues.Put(tx, org, &l)
}

// Tables are what a store that sends is opened with. It holds accounts, recipients,
// content, organizations, settings and jobs of package queue too.
func Tables() []store.AnyTable {
	return []store.AnyTable{jobs, policies, accountQueues, figures, tests}
}
