package calendar

import (
	"context"
	"sync"
	"time"

	"svc/app/api"
	"svc/app/business"
	"svc/app/calendar/slot"
	"svc/store"
)

// cache keeps for a moment when calendars are taken, for those who only look.
type cache struct {
	mu sync.Mutex
	of map[string]cached
}

type cached struct {
	slot.Span
	at   time.Time
	busy []slot.Span
}

// Bounds of the cache.
const (
	cacheFor  = 30 * time.Second
	mostCache = 1000 // organizations
)

func (c *cache) get(org string, in slot.Span, now time.Time) ([]slot.Span, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k, ok := c.of[org]
	if !ok || now.Sub(k.at) >= cacheFor || now.Before(k.at) || in.Start.Before(k.Start) || in.End.After(k.End) {
		return nil, false
	}
	var out []slot.Span
	for _, b := range k.busy {
		if b.Start.Before(in.End) && in.Start.Before(b.End) {
			out = append(out, b)
		}
	}
	return out, true
}

func (c *cache) put(org string, k cached) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.of == nil || len(c.of) >= mostCache {
		c.of = map[string]cached{}
	}
	c.of[org] = k
}

func (c *cache) forget(org string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.of, org)
}

// freeBusy is when the calendar of an organization is taken, as it was half a minute ago at most:
// never for what books.
func (s *Service) freeBusy(ctx context.Context, org string, from, to time.Time) (out []slot.Span, err error) {
	in, now := slot.Span{Start: from, End: to}, s.db.Now()
	if list, ok := s.busy.get(org, in, now); ok {
		return list, nil
	}
	err = s.ask(ctx, org, func(o *open) error {
		list, err := s.out.Client.Busy(ctx, o.access, o.id, from, to)
		out = nil
		for _, b := range list {
			out = append(out, slot.Span(b))
		}
		return err
	})
	if err == nil {
		s.busy.put(org, cached{in, now, out})
	}
	return out, err
}

// Found is what was read of a calendar: the times that can be booked, of each length that the
// business allows.
type Found struct {
	Action string // that looked
	Free   []slot.Span
	Rules  slot.Rules
}

// daysAhead is how far ahead free times are looked for at once.
const daysAhead = 14

// Find looks for times that can be booked in the next two weeks.
func (s *Service) Find(ctx context.Context, org string, from Origin) (Found, error) {
	return s.read(ctx, org, from, Find, func(r *slot.Rules, now time.Time) (look, want slot.Span) {
		look = r.Window(now, daysAhead)
		return look, look
	})
}

// Check looks whether one time can be booked: it is free when the answer has it.
func (s *Service) Check(ctx context.Context, org string, from Origin, want slot.Span) (Found, error) {
	return s.read(ctx, org, from, Check, func(r *slot.Rules, _ time.Time) (slot.Span, slot.Span) { return r.Around(want), want })
}

// read looks at the calendar as an action of its own, which says what was wanted; the time that
// is looked at may be longer.
func (s *Service) read(ctx context.Context, org string, from Origin, kind Type, window func(*slot.Rules, time.Time) (look, want slot.Span)) (out Found, err error) {
	var t *task
	var in slot.Span
	err = s.db.Update(ctx, func(tx *store.Tx) error {
		b, err := business.Get(tx, org, from.Business)
		if err != nil {
			return err
		}
		rules, now := rulesOf(&b), tx.DB().Now()
		var want slot.Span
		in, want = window(&rules, now)
		a := Action{ID: tx.DB().NewID("cac"), Type: kind, Origin: from, ExpiresAt: now.Add(longestOpen)}
		if err := words.SetJSON(tx, org, &a, Extracted{Start: want.Start.UTC(), End: want.End.UTC()}); err != nil {
			return err
		}
		if err := s.act(tx, api.System(ctx, org, now), org, &a, RunsAtOnce); err != nil {
			return err
		}
		if t, err = s.load(tx, org, a.ID); err != nil || t == nil {
			return err
		}
		return countDays(tx, org, &b, &rules, in, t.booked)
	})
	if err != nil || t == nil {
		return out, err
	}
	if !in.Start.Before(in.End) { // nothing can be booked that far ahead
		return Found{Action: t.action.ID, Rules: t.rules}, s.ended(ctx, t, &done{})
	}
	busy, err := s.freeBusy(ctx, org, in.Start, in.End)
	if err != nil {
		return out, err // the job of the action looks again
	}
	out = Found{Action: t.action.ID, Rules: t.rules}
	for _, minutes := range t.rules.Booking.Lengths {
		out.Free = append(out.Free, t.rules.Free(in, time.Duration(minutes)*time.Minute, busy, t.booked, t.now)...)
	}
	return out, s.ended(ctx, t, &done{})
}

// countDays counts the bookings of each day within a time, where that matters.
func countDays(tx *store.Tx, org string, b *business.Business, rules *slot.Rules, in slot.Span, into map[string]int) error {
	if b.Calendar.PerDay == nil {
		return nil
	}
	for day := in.Start; day.Before(in.End.Add(24 * time.Hour)); day = day.Add(24 * time.Hour) {
		date := rules.Day(day)
		if _, known := into[date]; known {
			continue
		}
		if err := countDay(tx, org, b.ID, date, nil, into); err != nil {
			return err
		}
	}
	return nil
}

// ended settles an action that only looked.
func (s *Service) ended(ctx context.Context, t *task, out *done) error {
	return s.db.Update(context.WithoutCancel(ctx), func(tx *store.Tx) error { return s.settle(tx, t, out) })
}
