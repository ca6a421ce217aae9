package calendar

import (
	"sync"
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/event"
	"svc/app/notify"
	"svc/app/signal"
	"svc/store"
	"svc/store/queue"
)

// Type is what an action does.
type Type string

// The types.
const (
	Create Type = "CREATE"
	Update Type = "UPDATE"
	Cancel Type = "CANCEL"
	Find   Type = "FIND"
	Check  Type = "CHECK_AVAILABILITY"
)

// reads says whether an action only looks.
func (t Type) reads() bool { return t == Find || t == Check }

// ActionStatus is where an action is (contract 60.71).
type ActionStatus string

// The statuses.
const (
	Awaiting  ActionStatus = "AWAITING_CUSTOMER"
	Pending   ActionStatus = "PENDING"
	Executing ActionStatus = "EXECUTING"
	Completed ActionStatus = "COMPLETED"
	Rejected  ActionStatus = "REJECTED"
	Failed    ActionStatus = "FAILED"
	Expired   ActionStatus = "EXPIRED"
)

// ActionStatuses lists them.
func ActionStatuses() []ActionStatus {
	return []ActionStatus{Awaiting, Pending, Executing, Completed, Rejected, Failed, Expired}
}

// ActionEvent is what happens to an action.
type ActionEvent string

// The events. The first three are how an action comes to be.
const (
	AsksCustomer      ActionEvent = "proposed, the customer is asked"
	AsksPerson        ActionEvent = "proposed, a person is asked"
	RunsAtOnce        ActionEvent = "runs by itself"
	CustomerConfirmed ActionEvent = "the customer confirmed the exact time"
	CustomerRuns      ActionEvent = "the customer confirmed, and it runs by itself"
	PersonConfirmed   ActionEvent = "a person confirmed"
	WasRejected       ActionEvent = "rejected"
	TimePassed        ActionEvent = "nobody confirmed in time"
	WasDone           ActionEvent = "the calendar answered"
	WasRefused        ActionEvent = "refused"
)

// ActionEvents lists them.
func ActionEvents() []ActionEvent {
	return []ActionEvent{AsksCustomer, AsksPerson, RunsAtOnce, CustomerConfirmed, CustomerRuns, PersonConfirmed, WasRejected, TimePassed, WasDone, WasRefused}
}

const unborn ActionStatus = ""

// actions is the life of an action (contract 14.3).
var actions = api.Table[ActionStatus, ActionEvent]{
	{From: []ActionStatus{unborn}, On: AsksCustomer, To: Awaiting},
	{From: []ActionStatus{unborn}, On: AsksPerson, To: Pending},
	{From: []ActionStatus{unborn}, On: RunsAtOnce, To: Executing},
	{From: []ActionStatus{Awaiting}, On: CustomerConfirmed, To: Pending},
	{From: []ActionStatus{Awaiting}, On: CustomerRuns, To: Executing},
	{From: []ActionStatus{Pending}, On: PersonConfirmed, To: Executing},
	{From: []ActionStatus{Awaiting, Pending}, On: WasRejected, To: Rejected},
	{From: []ActionStatus{Awaiting, Pending}, On: TimePassed, To: Expired},
	{From: []ActionStatus{Executing}, On: WasDone, To: Completed},
	{From: []ActionStatus{Executing}, On: WasRefused, To: Failed},
}

// Code is why an action failed.
type Code string

// The codes.
const (
	SlotTaken     Code = "SLOT_TAKEN"
	OutsideHours  Code = "OUTSIDE_HOURS"
	NotConnected  Code = "NOT_CONNECTED"
	CalendarError Code = "CALENDAR_ERROR"
)

// Origin is where an action comes from.
type Origin struct {
	Conversation string `json:"conversation"`
	Message      string `json:"message,omitempty"` // of the customer
	Business     string `json:"business"`
	Execution    string `json:"execution"`
	// Step is the execution of the agent, Decision what was decided of the turn.
	Step          string  `json:"step"`
	Decision      string  `json:"decision,omitempty"`
	Confidence    float64 `json:"confidence"`
	Model         string  `json:"model"`
	PromptVersion string  `json:"prompt_version,omitempty"`
}

// Action is what somebody wants of the calendar.
type Action struct {
	ID     string       `json:"id"`
	Type   Type         `json:"type"`
	Status ActionStatus `json:"status"`
	Origin
	Words store.Sealed `json:"words,omitzero"` // Extracted
	// StartsAt, EndsAt, EventID and EventURL are what stands in the calendar.
	StartsAt time.Time `json:"starts_at,omitzero"`
	EndsAt   time.Time `json:"ends_at,omitzero"`
	EventID  string    `json:"event_id,omitempty"`
	EventURL string    `json:"event_url,omitempty"`

	ExpiresAt   time.Time `json:"expires_at"`
	Code        Code      `json:"code,omitempty"`
	ConfirmedBy string    `json:"confirmed_by,omitempty"` // ByCustomer, or a person
	CreatedAt   time.Time `json:"created_at"`
	UpdatedAt   time.Time `json:"updated_at"`
}

// ByCustomer is who confirmed where the customer did.
const ByCustomer = "CUSTOMER"

// Extracted is what was understood of what the customer wants. It is sealed.
type Extracted struct {
	Title    string    `json:"title"`
	Start    time.Time `json:"start"`
	End      time.Time `json:"end"`
	Attendee *string   `json:"attendee_name"`
	Note     *string   `json:"note"`
	EventID  *string   `json:"event_id" doc:"Of a booking that is moved or cancelled."`
}

// DecisionMigration gives the decisions that actions come from the ids that they have now.
var DecisionMigration = store.Migration{
	Name: "2026-11 calendar actions: ids of decisions begin with dec_",
	Step: actionTable.Rewrite(store.Replace(`"decision":"dcn_`, `"decision":"dec_`)),
}

var (
	actionTable = store.NewTable("calendar_action", "cac", func(a *Action) string { return a.ID })
	words       = actionTable.Sealed("words", func(a *Action) *store.Sealed { return &a.Words })
	statusFacet = actionTable.Facet("status", func(a *Action) []string { return []string{string(a.Status)} })
	typeFacet   = actionTable.Facet("type", func(a *Action) []string { return []string{string(a.Type)} })
	inPlace     = actionTable.Multi("conversation", func(a *Action) []store.Key { return []store.Key{store.Text(a.Conversation)} })
	ofBusiness  = actionTable.Multi("business", func(a *Action) []store.Key { return []store.Key{store.Text(a.Business)} })
	// openIn are those of a conversation that wait for somebody.
	openIn = actionTable.Multi("open", func(a *Action) []store.Key {
		if a.Status != Awaiting && a.Status != Pending {
			return nil
		}
		return []store.Key{store.Text(a.Conversation)}
	})
	byAge = actionTable.Index("age", func(a *Action) store.Key { return store.Time(a.CreatedAt) })
)

// Booking is an appointment that stands in the calendar because an action made it.
type Booking struct {
	EventID      string    `json:"event_id"`
	Conversation string    `json:"conversation"`
	Business     string    `json:"business"`
	Day          string    `json:"day"` // by the clocks of the business
	Start        time.Time `json:"start"`
	End          time.Time `json:"end"`
}

var (
	bookingTable = store.NewTable("calendar_booking", "", func(b *Booking) string { return b.EventID })
	bookingsIn   = bookingTable.Multi("conversation", func(b *Booking) []store.Key {
		return []store.Key{store.Tuple(store.Text(b.Conversation), store.Time(b.End))}
	})
	bookingsOn = bookingTable.Multi("day", func(b *Booking) []store.Key {
		return []store.Key{store.Tuple(store.Text(b.Business), store.Text(b.Day))}
	})
)

// Settled is published when an action ended, in the transaction of its end.
type Settled struct {
	Org    string
	Action Action
	Extracted
}

// figures counts what became of actions in this process.
type figures struct {
	mu sync.Mutex
	n  map[Figure]int64
}

// Figure is what is counted: the statuses that actions of a type entered.
type Figure struct {
	Type   Type
	Status ActionStatus
}

func (f *figures) count(t Type, s ActionStatus) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.n == nil {
		f.n = map[Figure]int64{}
	}
	f.n[Figure{t, s}]++
}

// Figures are the counts since the process began.
func (s *Service) Figures() map[Figure]int64 {
	s.seen.mu.Lock()
	defer s.seen.mu.Unlock()
	out := make(map[Figure]int64, len(s.seen.n))
	for k, v := range s.seen.n {
		out[k] = v
	}
	return out
}

func (a *Action) resource() audit.Resource { return audit.On("calendar_action", a.ID, "") }

// Open reads what was understood.
func (a *Action) Open(db *store.DB, org string) (x Extracted, err error) {
	err = words.OpenJSON(db, org, a, &x)
	return x, err
}

// act is the one writer of the status of an action. What the table does not have is api.ErrState.
func (s *Service) act(tx *store.Tx, c *api.Call, org string, a *Action, on ActionEvent) error {
	to, ok := actions.Next(a.Status, on)
	if !ok {
		return api.ErrState
	}
	before := a.Status
	a.Status, a.UpdatedAt = to, tx.DB().Now()
	emit, action := event.CalendarActionUpdated, "calendar_action."+actionNames[to]
	save := actionTable.Put
	if before == unborn {
		a.CreatedAt = a.UpdatedAt
		emit, action, save = event.CalendarActionCreated, "calendar_action.created", actionTable.Insert
	}
	if err := save(tx, org, a); err != nil {
		return err
	}
	tx.AfterCommit(func() { s.seen.count(a.Type, to) })
	err := event.Emit(tx, org, emit, map[string]any{
		"action_id": a.ID, "conversation_id": a.Conversation, "type": a.Type, "status": a.Status, "event_id": api.Optional(a.EventID), "starts_at": api.Optional(a.StartsAt),
	})
	if err != nil {
		return err
	}
	if !a.Type.reads() {
		details := []audit.Detail{audit.Changed("status", api.Optional(before), a.Status)}
		if a.Code != "" {
			details = append(details, audit.Because(string(a.Code)))
		}
		if err := audit.WriteTo(tx, org, c, action, a.resource(), details...); err != nil {
			return err
		}
	}
	return s.follow(tx, c, org, a, before)
}

var actionNames = map[ActionStatus]string{
	Awaiting: "awaiting", Pending: "pending", Executing: "executing", Completed: "completed", Rejected: "rejected", Failed: "failed", Expired: "expired",
}

// follow does what belongs to a status: it tells people who are to confirm, asks for the work,
// and for the end of what nobody confirms.
func (s *Service) follow(tx *store.Tx, c *api.Call, org string, a *Action, before ActionStatus) error {
	if before == Pending {
		if err := notify.Settle(tx, org, a.ID); err != nil {
			return err
		}
	}
	switch a.Status {
	case Awaiting, Pending:
		if a.Status == Pending {
			err := notify.Send(tx, org, notify.Notice{
				Kind: actionPending, Title: "An appointment waits for a confirmation", Body: "Confirm or reject it in the calendar.",
				Resource: &notify.Resource{Type: "calendar_action", ID: a.ID}, Link: "/calendar?action=" + a.ID,
			})
			if err != nil {
				return err
			}
		}
		if before == unborn {
			_, err := queue.Add(tx, expiring{org, a.ID}, a.ExpiresAt, queue.Once(a.ID), queue.For(org, a.ID))
			return err
		}
		return nil
	case Executing:
		at := time.Time{}
		if a.Type.reads() { // whoever asks for it does it; the job is for when they end before
			at = tx.DB().Now().Add(afterReader)
		}
		_, err := queue.Add(tx, executing{org, a.ID}, at, queue.Once(a.ID), queue.For(org, a.ID), queue.InLane(org), queue.Attempts(mostTries))
		return err
	}
	if a.Type.reads() {
		return nil
	}
	x, err := a.Open(tx.DB(), org)
	if err != nil {
		return err
	}
	return signal.Publish(s.bus, tx, c, Settled{org, *a, x})
}

// mostTries is how often an action is tried: five times more after the first.
const mostTries = 6

// afterReader is when a job finishes what nobody finished who asked for it.
const afterReader = 2 * time.Minute
