package hook

import (
	"slices"
	"time"

	"svc/app/event"
	"svc/store"
)

// DeliveryStatus is where a delivery is in its life.
type DeliveryStatus string

// The statuses (contract 8.3). CANCELLED are those of an endpoint that
// was disabled, and those whose event is no longer kept.
const (
	Pending   DeliveryStatus = "PENDING"
	Succeeded DeliveryStatus = "SUCCEEDED"
	Retrying  DeliveryStatus = "RETRYING"
	Failed    DeliveryStatus = "FAILED"
	Cancelled DeliveryStatus = "CANCELLED"
)

func (s DeliveryStatus) open() bool { return s == Pending || s == Retrying }

// Failure is what went wrong with an attempt; "" is nothing.
type Failure string

// The failures.
const (
	Timeout        Failure = "TIMEOUT"
	DNS            Failure = "DNS"
	TLS            Failure = "TLS"
	Connect        Failure = "CONNECT"
	BlockedAddress Failure = "BLOCKED_ADDRESS"
	Redirect       Failure = "REDIRECT"
	BadStatus      Failure = "STATUS"
)

// Attempt is one try.
type Attempt struct {
	At             time.Time `json:"at"`
	ResponseStatus *int      `json:"response_status"`
	Error          *Failure  `json:"error" enum:"TIMEOUT,DNS,TLS,CONNECT,BLOCKED_ADDRESS,REDIRECT,STATUS"`
	DurationMS     int64     `json:"duration_ms"`
}

// Delivery is one event on its way to one endpoint.
type Delivery struct {
	ID             string         `json:"id"`
	WebhookID      string         `json:"webhook_id"`
	EventID        string         `json:"event_id"`
	EventType      event.Type     `json:"event_type"`
	Status         DeliveryStatus `json:"status" enum:"PENDING,SUCCEEDED,RETRYING,FAILED,CANCELLED"`
	Attempts       int            `json:"attempts" doc:"Tries that ended, since it began or was begun anew."`
	MaxAttempts    int            `json:"max_attempts"`
	NextAttemptAt  *time.Time     `json:"next_attempt_at"`
	ResponseStatus *int           `json:"response_status"`
	ResponseBody   *string        `json:"response_body" doc:"Its first 2 KB."`
	Error          *Failure       `json:"error" enum:"TIMEOUT,DNS,TLS,CONNECT,BLOCKED_ADDRESS,REDIRECT,STATUS"`
	DurationMS     *int64         `json:"duration_ms"`
	CreatedAt      time.Time      `json:"created_at"`
	FinishedAt     *time.Time     `json:"finished_at"`
	AttemptLog     []Attempt      `json:"attempt_log"`
}

// What waits of one endpoint lies together: first attempts in the order of events,
// then retries by when they are due.
var (
	first = store.Text("first")
	retry = store.Text("retry")
	// behindAll sorts behind both.
	behindAll = store.Text("~")
)

var (
	deliveries = store.NewTable("delivery", "dlv", func(d *Delivery) string { return d.ID })
	byWebhook  = deliveries.Index("webhook", func(d *Delivery) store.Key {
		return store.Tuple(store.Text(d.WebhookID), store.Text(d.ID))
	})
	// An event goes to an endpoint in one delivery, also when it is recovered.
	byPair = deliveries.Unique("pair", func(d *Delivery) store.Key {
		return store.Tuple(store.Text(d.WebhookID), store.Text(d.EventID))
	})
	open = deliveries.MultiAcross("open", func(d *Delivery) []store.Key {
		switch {
		case d.Status == Pending:
			return []store.Key{store.Tuple(store.Text(d.WebhookID), first, store.Text(d.EventID))}
		case d.Status == Retrying && d.NextAttemptAt != nil:
			return []store.Key{store.Tuple(store.Text(d.WebhookID), retry, store.Time(*d.NextAttemptAt))}
		}
		return nil
	})
	// openCount counts what is open of all organizations.
	openCount = deliveries.TallyAcross("open", func(d *Delivery) []string {
		if !d.Status.open() {
			return nil
		}
		return []string{string(d.Status)}
	})
)

// insert makes the delivery of an event to an endpoint.
func insert(tx *store.Tx, org string, w *Webhook, e *event.Event) error {
	now := tx.DB().Now()
	return deliveries.Insert(tx, org, &Delivery{
		ID: tx.DB().NewID("dlv"), WebhookID: w.ID, EventID: e.ID, EventType: e.Type, Status: Pending, MaxAttempts: maxAttempts,
		NextAttemptAt: &now, CreatedAt: now, AttemptLog: []Attempt{},
	})
}

// save writes a delivery whose status was another, and corrects the counts of its
// event.
func save(tx *store.Tx, org string, d *Delivery, was DeliveryStatus) error {
	if err := deliveries.Put(tx, org, d); err != nil {
		return err
	}
	return counted(tx, org, d.EventID, was, d.Status)
}

func counted(tx *store.Tx, org, eventID string, from, to DeliveryStatus) error {
	var change event.Deliveries
	add := func(s DeliveryStatus, n int) {
		switch {
		case s.open():
			change.Pending += n
		case s == Succeeded:
			change.Succeeded += n
		case s == Failed:
			change.Failed += n
		}
	}
	add(from, -1)
	add(to, 1)
	if change == (event.Deliveries{}) {
		return nil
	}
	return event.Delivered(tx, org, eventID, change)
}

// record notes an attempt and what follows from it; wait is how long until the next
// when it failed.
func (d *Delivery) record(at, now time.Time, a Answer, took, wait time.Duration) {
	entry := Attempt{At: at, DurationMS: took.Milliseconds()}
	if a.Status != 0 {
		entry.ResponseStatus = &a.Status
	}
	if a.Failure != "" {
		entry.Error = &a.Failure
	}
	d.Attempts++
	d.ResponseStatus, d.Error, d.DurationMS = entry.ResponseStatus, entry.Error, &entry.DurationMS
	d.ResponseBody = nil
	if a.Status != 0 {
		body := kept(a.Body)
		d.ResponseBody = &body
	}
	d.AttemptLog = append(slices.Clone(d.AttemptLog), entry)
	if n := len(d.AttemptLog) - keptAttempts; n > 0 {
		d.AttemptLog = d.AttemptLog[n:]
	}
	switch {
	case a.Failure == "":
		d.end(Succeeded, now)
	case d.Attempts >= maxAttempts:
		d.end(Failed, now)
	default:
		next := now.Add(wait).Truncate(time.Millisecond)
		d.Status, d.NextAttemptAt = Retrying, &next
	}
}

func (d *Delivery) end(s DeliveryStatus, now time.Time) {
	d.Status, d.NextAttemptAt, d.FinishedAt = s, nil, &now
}

// again begins a finished delivery anew, with all its attempts; one that waits
// comes now.
func (d *Delivery) again(now time.Time) {
	if !d.Status.open() {
		d.Status, d.Attempts, d.FinishedAt = Pending, 0, nil
	}
	d.NextAttemptAt = &now
}

// Purge removes up to limit deliveries of an organization that are older than Keep,
// and says how many there were.
func Purge(tx *store.Tx, org string, limit int) (n int, err error) {
	before := tx.DB().Now().Add(-Keep)
	list, _, err := deliveries.Walk(tx, org, nil, limit)
	for i := range list {
		if d := &list[i]; err == nil && d.CreatedAt.Before(before) {
			err = remove(tx, org, d)
			n++
		}
	}
	return n, err
}

// remove takes a delivery away; one that waited does not count as pending any more.
func remove(tx *store.Tx, org string, d *Delivery) error {
	if err := deliveries.Delete(tx, org, d.ID); err != nil {
		return err
	}
	if d.Status.open() {
		return counted(tx, org, d.EventID, d.Status, Cancelled)
	}
	return nil
}
