package send

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"svc/app/send/figures"
	"svc/store"
	"svc/store/dispatch"
	"svc/store/queue"
)

// accountQueue is an account as package send sees it: when to look for something to send
// from it, and the message that is being sent.
type accountQueue struct {
	ID string `json:"id"` // of the account
	// Slot says when to look, and has one claim while a message is on its way.
	Slot dispatch.Slot `json:"slot,omitzero"`
	// InFlight is the message that is being sent; nil for none. It is set and cleared
	// with the claim.
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

	// work finds the accounts that may have something to send, and those that send.
	work = dispatch.NewIndex(accountQueues, dispatch.Of[accountQueue]{
		Slot:  func(l *accountQueue) *dispatch.Slot { return &l.Slot },
		Queue: func(*accountQueue) string { return string(queue.Send) },
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

// accountQueueOf reads the queue of an account, which begins empty.
func accountQueueOf(tx *store.Tx, org, account string) (accountQueue, error) {
	l, err := accountQueues.Get(tx, org, account)
	if store.IsNotFound(err) {
		return accountQueue{ID: account}, nil
	}
	return l, err
}

// wake says that an account may have something to send. One that sends is looked at
// when its message is settled.
func wake(tx *store.Tx, org, account string) error {
	l, err := accountQueueOf(tx, org, account)
	now := tx.DB().Now()
	if err != nil || len(l.Slot.Claims) > 0 || !l.Slot.Due.IsZero() && !l.Slot.Due.After(now) {
		return err
	}
	work.Wake(tx, &l, now)
	return accountQueues.Put(tx, org, &l)
}

// SlotMigration gives the accounts of versions before package dispatch their slots. A
// message that was on its way is taken for one of a node that ended, so that it is released
// as such.
var SlotMigration = store.Migration{Name: "2026-11 sending accounts: slots for dispatch", Step: accountQueues.Rewrite(addSlot)}

// addSlot is one account of the migration. It knows of it what it needs, so that it works on
// whatever else an account will be.
func addSlot(old json.RawMessage) (json.RawMessage, error) {
	var l struct {
		NextAt   time.Time `json:"next_at"`
		InFlight *struct {
			Job   string    `json:"job"`
			Since time.Time `json:"since"`
		} `json:"hand"`
	}
	fields := map[string]json.RawMessage{}
	if err := errors.Join(json.Unmarshal(old, &l), json.Unmarshal(old, &fields)); err != nil {
		return nil, fmt.Errorf("an account that sends: %w", err)
	}
	slot := dispatch.Slot{Due: l.NextAt}
	if l.InFlight != nil {
		slot.Token, slot.Claims = 1, []dispatch.Claim{{Node: "before dispatch", Token: 1, Since: l.InFlight.Since, Ref: l.InFlight.Job}}
	}
	b, err := json.Marshal(slot)
	if err != nil {
		return nil, err
	}
	delete(fields, "next_at")
	fields["slot"] = b
	return json.Marshal(fields)
}

// Tables are what a store that sends is opened with. It holds accounts, recipients,
// content, organizations, settings and jobs of package queue too.
func Tables() []store.AnyTable {
	return append([]store.AnyTable{jobs, policies, accountQueues}, figures.Tables()...)
}
