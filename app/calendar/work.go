package calendar

import (
	"context"
	"encoding/hex"
	"errors"
	"slices"
	"time"

	"svc/app/api"
	"svc/app/business"
	"svc/app/calendar/slot"
	"svc/messenger/platform"
	"svc/messenger/platform/calendar"
	"svc/store"
	"svc/store/queue"
	"svc/store/recordid"
)

// executing is the job that brings an action to the calendar. One of an organization runs at a
// time, on all nodes: that is the lease of its calendar.
type executing struct {
	Org    string `json:"org"`
	Action string `json:"action"`
}

func (executing) Kind() string      { return "calendar.execute" }
func (executing) Queue() queue.Name { return queue.Calendar }

// executeTime bounds one try.
const executeTime = 2 * time.Minute

// EventID is the id that an action gives its event: that of the action in the letters that ids of
// events may have.
func EventID(action string) string {
	b, ok := recordid.Bytes("cac", action)
	if !ok {
		return ""
	}
	return "svc" + hex.EncodeToString(b[:])
}

// task is an action with what it depends on.
type task struct {
	org    string
	action Action
	want   Extracted
	zone   string
	rules  slot.Rules
	booked map[string]int // bookings of the day that is wanted
	title  string
	// held is the booking that is changed; nil for none.
	held *Booking
	now  time.Time
}

func (t *task) span() slot.Span { return slot.Span{Start: t.want.Start, End: t.want.End} }

// done is what came of a task: an event that stands, or a code.
type done struct {
	code  Code
	event calendar.Event
	gone  bool // the event does not stand any more
}

// execute is one try. What has to be waited for is waited for without counting.
func (s *Service) execute(ctx context.Context, j queue.Job, x executing) error {
	var t *task
	err := s.db.View(ctx, func(tx *store.Tx) (err error) {
		t, err = s.load(tx, x.Org, x.Action)
		return err
	})
	if err != nil || t == nil {
		return err
	}
	out, err := s.perform(ctx, t)
	e := platform.As(err)
	switch {
	case err == nil:
	case errors.Is(err, errNotConnected):
		out = done{code: NotConnected}
	case errors.Is(ctx.Err(), context.Canceled):
		return err // svc stops: that says nothing of the calendar
	case e != nil && e.Fault == platform.Limited:
		return queue.Snooze(max(e.Wait, leastPause))
	case e != nil && e.Fault == platform.Gone:
		out = done{code: NotConnected}
	case e != nil && (e.Fault == platform.Refused || e.Fault == platform.NoPermission), j.Attempts >= j.MaxAttempts:
		s.log.Warn("calendar: an action was refused", "action", x.Action, "error", err)
		out = done{code: CalendarError}
	default:
		return err
	}
	return s.db.Update(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		if err := s.settle(tx, t, &out); err != nil {
			return err
		}
		return queue.Finish(tx, j)
	})
}

// leastPause is how long a calendar that asks to wait is left alone at least.
const leastPause = 5 * time.Second

// load reads an action that is under way; nil: there is nothing to do.
func (s *Service) load(tx *store.Tx, org, id string) (*task, error) {
	a, err := actionTable.Get(tx, org, id)
	if err != nil || a.Status != Executing {
		return nil, store.IgnoreNotFound(err)
	}
	b, err := business.Get(tx, org, a.Business)
	if store.IgnoreNotFound(err) != nil {
		return nil, err
	}
	t := &task{org: org, action: a, now: tx.DB().Now(), title: b.Name, zone: b.Timezone, rules: rulesOf(&b), booked: map[string]int{}}
	if t.want, err = a.Open(tx.DB(), org); err != nil {
		return nil, err
	}
	if t.want.EventID != nil {
		held, err := bookingTable.Get(tx, org, *t.want.EventID)
		if store.IgnoreNotFound(err) != nil {
			return nil, err
		}
		if err == nil {
			t.held = &held
		}
	}
	if !a.Type.reads() && a.Type != Cancel {
		err = countDay(tx, org, a.Business, t.rules.Day(t.want.Start), t.want.EventID, t.booked)
	}
	return t, err
}

func rulesOf(b *business.Business) slot.Rules {
	return slot.Rules{Hours: b.Hours, Zone: b.Location(), Booking: b.Calendar}
}

// countDay counts the bookings of a day, without that of an event.
func countDay(tx *store.Tx, org, businessID, day string, without *string, into map[string]int) error {
	list, _, err := bookingsOn.Walk(tx, org, store.Range{Span: store.Is(store.Tuple(store.Text(businessID), store.Text(day))), Limit: mostADay})
	for i := range list {
		if without == nil || list[i].EventID != *without {
			into[day]++
		}
	}
	return err
}

const mostADay = 1000

// perform does what an action wants, and may be repeated: whatever was done of it before is found.
func (s *Service) perform(ctx context.Context, t *task) (out done, err error) {
	if t.action.Type.reads() {
		_, err = s.freeBusy(ctx, t.org, t.want.Start, t.want.End)
		return out, err
	}
	err = s.ask(ctx, t.org, func(o *open) (err error) {
		c := at{ctx, s.out.Client, o, t}
		switch t.action.Type {
		case Create:
			out, err = c.create()
		case Update:
			out, err = c.change(c.move)
		case Cancel:
			out, err = c.change(c.cancel)
		}
		return err
	})
	return out, err
}

// at is a task at a calendar.
type at struct {
	ctx    context.Context
	client *calendar.Client
	*open
	*task
}

// create makes the event of a new booking, once: under the id of the action.
func (c at) create() (done, error) {
	id := EventID(c.action.ID)
	if !c.rules.Allows(c.span(), c.now) {
		return c.madeBefore(id, OutsideHours)
	}
	around := c.rules.Around(c.span())
	busy, err := c.client.Busy(c.ctx, c.access, c.id, around.Start, around.End)
	if err != nil {
		return done{}, err
	}
	if len(busy) > 0 || c.rules.Full(c.want.Start, c.booked) {
		return c.madeBefore(id, SlotTaken)
	}
	e, err := c.client.Insert(c.ctx, c.access, c.id, c.wanted(id))
	if calendar.Taken(err) {
		return c.madeBefore(id, CalendarError)
	}
	if err != nil {
		return done{}, err
	}
	return c.alone(&e)
}

func (c at) wanted(id string) *calendar.Event {
	e := &calendar.Event{ID: id, Title: c.want.Title, Start: c.want.Start, End: c.want.End, Zone: c.zone, Action: c.action.ID}
	if e.Title == "" {
		e.Title = c.title
	}
	for _, line := range []*string{c.want.Attendee, c.want.Note} {
		if line != nil && *line != "" {
			if e.Note != "" {
				e.Note += "\n"
			}
			e.Note += *line
		}
	}
	return e
}

// madeBefore looks whether an earlier try, whose answer was lost, made the event. If not, code is
// why there is none; one that a person deleted since is none.
func (c at) madeBefore(id string, code Code) (done, error) {
	e, err := c.client.Get(c.ctx, c.access, c.id, id)
	switch {
	case gone(err), err == nil && e.Cancelled && code != CalendarError:
		return done{code: code}, nil
	case err != nil:
		return done{}, err
	case e.Cancelled, e.Action != c.action.ID:
		return done{code: CalendarError}, nil
	}
	return c.alone(&e)
}

func gone(err error) bool {
	e := platform.As(err)
	return e != nil && e.Fault == platform.Gone
}

// alone looks whether the time was taken by somebody else in the moment of booking: what stood
// there before stays, and ours goes.
func (c at) alone(e *calendar.Event) (done, error) {
	list, err := c.client.List(c.ctx, c.access, c.id, e.Start, e.End)
	if err != nil {
		return done{}, err
	}
	for i := range list {
		o := &list[i]
		older := o.Created.Before(e.Created) || o.Created.Equal(e.Created) && o.ID < e.ID
		if o.ID == e.ID || o.Free || !older || !o.Start.Before(e.End) || !e.Start.Before(o.End) {
			continue
		}
		if err := c.client.Delete(c.ctx, c.access, c.id, "", e.ID); err != nil && !gone(err) {
			return done{}, err
		}
		return done{code: SlotTaken}, nil
	}
	return done{event: *e}, nil
}

// readings is how often an event is read again that somebody changes at the same time.
const readings = 3

// change does something with the event of a booking as it is now. It is read again when somebody
// changed it meanwhile. An event that is not ours is left as it is.
func (c at) change(do func(*calendar.Event) (done, error)) (out done, err error) {
	if c.held == nil {
		return done{code: CalendarError}, nil
	}
	for range readings {
		e, err := c.client.Get(c.ctx, c.access, c.id, c.held.EventID)
		switch {
		case gone(err), err == nil && e.Cancelled:
			if c.action.Type == Cancel {
				return done{gone: true}, nil
			}
			return done{code: CalendarError, gone: true}, nil
		case err != nil:
			return out, err
		case e.Action == "":
			return done{code: CalendarError}, nil
		}
		if out, err = do(&e); !calendar.Changed(err) {
			return out, err
		}
	}
	return done{code: CalendarError}, nil
}

// move brings an event to another time, unless a person moved it: that is respected.
func (c at) move(e *calendar.Event) (done, error) {
	if e.Action == c.action.ID && e.Start.Equal(c.want.Start) && e.End.Equal(c.want.End) {
		return done{event: *e}, nil // the answer was lost
	}
	if !e.Start.Equal(c.held.Start) || !e.End.Equal(c.held.End) {
		return done{code: CalendarError}, nil
	}
	if !c.rules.Allows(c.span(), c.now) {
		return done{code: OutsideHours}, nil
	}
	around := c.rules.Around(c.span())
	list, err := c.client.List(c.ctx, c.access, c.id, around.Start, around.End)
	if err != nil {
		return done{}, err
	}
	other := func(o calendar.Event) bool {
		return o.ID != e.ID && !o.Free && o.Start.Before(around.End) && around.Start.Before(o.End)
	}
	if slices.ContainsFunc(list, other) || c.rules.Full(c.want.Start, c.booked) {
		return done{code: SlotTaken}, nil
	}
	moved, err := c.client.Patch(c.ctx, c.access, c.id, e.ETag, &calendar.Event{ID: e.ID, Start: c.want.Start, End: c.want.End, Zone: c.zone, Action: c.action.ID})
	return done{event: moved}, err
}

// cancel deletes an event.
func (c at) cancel(e *calendar.Event) (done, error) {
	if err := c.client.Delete(c.ctx, c.access, c.id, e.ETag, e.ID); err != nil && !gone(err) {
		return done{}, err
	}
	return done{gone: true}, nil
}

// settle ends an action, and keeps what stands in the calendar.
func (s *Service) settle(tx *store.Tx, t *task, out *done) error {
	a, err := actionTable.Get(tx, t.org, t.action.ID)
	if err != nil || a.Status != Executing {
		return store.IgnoreNotFound(err) // forgotten, or ended by somebody else
	}
	s.busy.forget(t.org)
	c := api.System(context.Background(), t.org, tx.DB().Now())
	if out.gone && t.held != nil {
		if err := bookingTable.Delete(tx, t.org, t.held.EventID); store.IgnoreNotFound(err) != nil {
			return err
		}
	}
	if out.code != "" {
		a.Code = out.code
		return s.act(tx, c, t.org, &a, WasRefused)
	}
	if e := &out.event; e.ID != "" {
		a.StartsAt, a.EndsAt, a.EventID, a.EventURL = e.Start, e.End, e.ID, e.URL
		b := Booking{EventID: e.ID, Conversation: a.Conversation, Business: a.Business, Day: t.rules.Day(e.Start), Start: e.Start, End: e.End}
		if err := bookingTable.Put(tx, t.org, &b); err != nil {
			return err
		}
	} else if t.held != nil {
		a.StartsAt, a.EndsAt, a.EventID = t.held.Start, t.held.End, t.held.EventID
	}
	return s.act(tx, c, t.org, &a, WasDone)
}
