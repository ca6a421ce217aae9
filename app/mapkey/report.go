package mapkey

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// Window is a span of whole UTC hours; To is exclusive.
type Window struct{ From, To time.Time }

// MonthWindow is the current UTC month up to the end of the current hour.
func MonthWindow(now time.Time) Window {
	return Window{From: monthOf(now).start(), To: hourEnd(now)}
}

// DaysWindow is the last days × 24 hours up to the end of the current hour.
func DaysWindow(now time.Time, days int) Window {
	to := hourEnd(now)
	return Window{From: to.Add(-time.Duration(days) * 24 * time.Hour), To: to}
}

func hourEnd(now time.Time) time.Time { return (hourOf(now) + 1).start() }

// Report is the usage report of one key (map contract 54.7).
// Series is left out when nil and stays an empty array when asked for.
type Report struct {
	Key      string       `json:"key"`
	Name     string       `json:"name"`
	From     time.Time    `json:"from"`
	To       time.Time    `json:"to"` // exclusive
	Requests int64        `json:"requests"`
	Denied   int64        `json:"denied"`
	Products []ProductUse `json:"products"` // ordered by product name
	Series   []HourUse    `json:"series,omitzero"`
	Quota    *QuotaReport `json:"quota,omitempty"`
}

// ProductUse is what a key did with one product in the window.
type ProductUse struct {
	Key      string `json:"key"`
	Product  string `json:"product"`
	Requests int64  `json:"requests"`
	Denied   int64  `json:"denied"`
}

// HourUse is one line of the hourly series.
type HourUse struct {
	Hour     time.Time `json:"hour"` // its start
	Product  string    `json:"product"`
	Requests int64     `json:"requests"`
	Denied   int64     `json:"denied"`
}

// QuotaReport is the state of the monthly quota.
type QuotaReport struct {
	Limit     int64     `json:"limit"`
	Used      int64     `json:"used"`
	Remaining int64     `json:"remaining"` // never below 0
	Resets    time.Time `json:"resets"`
}

// reportWait bounds how long a report waits for a flush; after that it shows
// what memory holds.
const reportWait = 2 * time.Second

// hourProduct orders a series.
type hourProduct struct {
	hour    hour
	product string
}

// Report makes the usage report of a key: what the file holds and what is still
// in memory. When the file cannot be read the report is made of what memory
// holds, without a quota, and the reason comes with it for the log; the report
// is good in either case.
func (m *Meter) Report(ctx context.Context, h *Holder, w Window, series bool, now time.Time) (*Report, error) {
	rows, err := m.rows(ctx, h.ID, w)
	r := &Report{Key: h.Key, Name: h.Name, From: w.From, To: w.To, Products: []ProductUse{}}
	if series {
		r.Series = []HourUse{}
	}
	sums := map[string]counts{}
	for at, c := range rows {
		sum := sums[at.product]
		sum.add(c)
		sums[at.product] = sum
		if series {
			r.Series = append(r.Series, HourUse{at.hour.start(), at.product, clamp(c.requests), clamp(c.denied)})
		}
	}
	for product, c := range sums {
		r.Products = append(r.Products, ProductUse{h.Key, product, clamp(c.requests), clamp(c.denied)})
		r.Requests += clamp(c.requests)
		r.Denied += clamp(c.denied)
	}
	slices.SortFunc(r.Products, func(a, b ProductUse) int { return cmp.Compare(a.Product, b.Product) })
	slices.SortFunc(r.Series, func(a, b HourUse) int {
		return cmp.Or(a.Hour.Compare(b.Hour), cmp.Compare(a.Product, b.Product))
	})
	if used, ok := m.Used(h.ID, now); ok && err == nil && h.MonthlyQuota > 0 {
		r.Quota = &QuotaReport{
			Limit: h.MonthlyQuota, Used: used,
			Remaining: max(h.MonthlyQuota-used, 0), Resets: nextMonth(now),
		}
	}
	return r, err
}

// rows adds up the stored and the pending counts of a key. Holding the turn
// keeps a flush from moving counts from one to the other in between.
func (m *Meter) rows(ctx context.Context, id ID, w Window) (map[hourProduct]counts, error) {
	from, to := hourOf(w.From), hourOf(w.To)
	rows := map[hourProduct]counts{}
	sum := func(h hour, product string, c counts) {
		at := hourProduct{h, product}
		have := rows[at]
		have.add(c)
		rows[at] = have
	}
	pending := func() {
		for _, c := range m.pending(id) {
			if c.hour >= from && c.hour < to {
				sum(c.hour, c.product.String(), c.counts)
			}
		}
	}
	ctx, cancel := context.WithTimeout(ctx, reportWait)
	defer cancel()
	if err := m.take(ctx); err != nil {
		pending()
		return rows, err
	}
	defer m.release()
	err := m.stored(id, from, to, sum)
	if err != nil {
		clear(rows) // not half of what the file holds
	}
	pending()
	return rows, err
}

// stored reads the file's counts of a key, in its turn.
func (m *Meter) stored(id ID, from, to hour, fn func(hour, string, counts)) error {
	if m.closed {
		return errClosed
	}
	if m.file == nil {
		return errNotOpen // logged when it happened; only a flush tries again
	}
	err := m.ready()
	if err == nil {
		err = m.file.rows(id, from, to, fn)
	}
	if err != nil {
		m.failed("usage could not be read", err)
		_ = m.shut() // the read's error is the one that matters
	}
	return err
}

func (m *Meter) pending(id ID) []cell {
	m.mu.RLock()
	t := m.tallies[id]
	m.mu.RUnlock()
	if t == nil {
		return nil
	}
	return t.snapshot()
}
