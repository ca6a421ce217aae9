// Package turn answers customers: it notes what they write, waits for the rest of it, runs
// an answer (package answer), and acts on it by what the settings allow.
//
// It promises that no message of a customer is forgotten: what is owed stands in a record
// that outlives every process, and each turn ends in a reply, a draft, a person or an
// execution that says why not; that the same messages are answered once; and that a reply
// which does not fit its conversation any more is not sent (contract 13.10). It refuses to
// know what a good answer is (package answer), and to send (app/inbox/reply).
package turn

import (
	"time"

	"svc/app/api"
	"svc/store"
)

// Phase is where the turn of a conversation is.
type Phase string

// The phases.
const (
	Idle    Phase = "IDLE"    // nothing is owed
	Waiting Phase = "WAITING" // something is owed, from Due on
	Running Phase = "RUNNING" // an execution answers
	Held    Phase = "HELD"    // owed when the business opens
)

// Phases lists them.
func Phases() []Phase { return []Phase{Idle, Waiting, Running, Held} }

// Event is what happens to a turn.
type Event string

// The events.
const (
	Wrote     Event = "the customer wrote"
	Claimed   Event = "a worker answers"
	Closed    Event = "the business is closed"
	Unproven  Event = "nobody knows whether our last reply arrived"
	Settled   Event = "answered, nothing newer"
	Owed      Event = "answered, something newer"
	Failed    Event = "no model answered"
	Died      Event = "its node ended"
	Withdrawn Event = "nothing is to be answered"
)

// Events lists them.
func Events() []Event {
	return []Event{Wrote, Claimed, Closed, Unproven, Settled, Owed, Failed, Died, Withdrawn}
}

// phases is the life of a turn (contract 13.10).
var phases = api.Table[Phase, Event]{
	{From: []Phase{Idle, Waiting, Held}, On: Wrote, To: Waiting},
	{From: []Phase{Running}, On: Wrote, To: Running},
	{From: []Phase{Waiting, Held}, On: Claimed, To: Running},
	{From: []Phase{Waiting, Held}, On: Closed, To: Held},
	{From: []Phase{Waiting, Held}, On: Unproven, To: Waiting},
	{From: []Phase{Running}, On: Settled, To: Idle},
	{From: []Phase{Running}, On: Owed, To: Waiting},
	{From: []Phase{Running, Waiting, Held}, On: Failed, To: Waiting},
	{From: []Phase{Running}, On: Died, To: Waiting},
	{From: []Phase{Idle, Waiting, Running, Held}, On: Withdrawn, To: Idle},
}

// Turn is what is owed to the customer of one conversation.
type Turn struct {
	Conversation string `json:"conversation"`
	// Want is the last message of the customer, as its Seq, and Done up to which one was
	// dealt with: something is owed while Want is the higher.
	Want  int64 `json:"want"`
	Done  int64 `json:"done"`
	Phase Phase `json:"phase"`
	// Due is when it is answered; FirstWait when the first of the messages came that wait.
	Due       time.Time `json:"due,omitzero"`
	FirstWait time.Time `json:"first_wait,omitzero"`
	// Execution is that which answers.
	Execution string `json:"execution,omitempty"`
	// Failures counts the tries in a row that no model answered, Deaths those whose node
	// ended, Superseded the replies in a row that a newer message made wrong before they were
	// sent, and Blocks the
	// turns in a row whose reply no validator let pass.
	Failures   int `json:"failures,omitempty"`
	Deaths     int `json:"deaths,omitempty"`
	Superseded int `json:"superseded,omitempty"`
	Blocks     int `json:"blocks,omitempty"`
	// FollowUps counts what was written into the silence of the customer, and FollowAt is when
	// the next of it is due; zero: nothing is.
	FollowUps int       `json:"follow_ups,omitempty"`
	FollowAt  time.Time `json:"follow_at,omitzero"`
	UpdatedAt time.Time `json:"updated_at"`
}

func (t *Turn) owed() bool { return t.Want > t.Done }

var (
	turns = store.NewTable("seller_turn", "cnv", func(t *Turn) string { return t.Conversation })
	// due are the turns of all organizations that are owed, by when.
	due = turns.MultiAcross("due", func(t *Turn) []store.Key {
		if !t.owed() {
			return nil
		}
		return []store.Key{store.Time(t.Due)}
	})
)

// Tables are what a store that holds turns is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{turns} }

// The times of a turn (contract 13.10).
const (
	// longestWait is how long a customer who goes on writing waits for an answer.
	longestWait = 30 * time.Second
	// again is how soon what came during an answer is answered.
	again = 2 * time.Second
	// untilProven is how long an answer waits, once more and again, while nobody knows whether
	// our last reply arrived.
	untilProven = 5 * time.Second
	// afterFailure is when models are asked again that did not answer.
	afterFailure = time.Minute
)

// maxSuperseded is how many replies in a row are thrown away because the customer wrote
// more; the next one goes out.
const maxSuperseded = 2

// apply changes the phase of a turn and saves it: the one place that does. What the table
// does not have is api.ErrState.
func (t *Turn) apply(tx *store.Tx, org string, on Event) error {
	to, ok := phases.Next(t.Phase, on)
	if !ok {
		return api.ErrState
	}
	t.Phase, t.UpdatedAt = to, tx.DB().Now()
	switch on {
	case Settled, Withdrawn:
		t.Due, t.FirstWait, t.Execution, t.Failures, t.Deaths = time.Time{}, time.Time{}, "", 0, 0
		if on == Withdrawn {
			t.Superseded = 0
		}
	case Owed, Failed, Died:
		t.Execution = ""
	}
	return turns.Put(tx, org, t)
}

// of reads the turn of a conversation, a new one where there is none.
func of(tx *store.Tx, org, conversation string) (Turn, error) {
	t, err := turns.Get(tx, org, conversation)
	if store.IsNotFound(err) {
		return Turn{Conversation: conversation, Phase: Idle}, nil
	}
	return t, err
}
