package managed

import (
	"context"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
	"time"

	"svc/app/mapkey"
	"svc/store"
)

// Without a usage file the counts of the map's keys live in the store (map contract
// 54.10), so that every process adds to the same ones and a quota holds over all of them.

// dayUse is what a key did on one day in UTC.
type dayUse struct {
	ID    string                          `json:"id"`    // key and day
	Day   time.Time                       `json:"day"`   // its start
	Hours map[string]map[string][2]uint64 `json:"hours"` // by hour and product: requests, denied
}

// monthUse are the billable requests of a key by month.
type monthUse struct {
	ID     string            `json:"id"`     // the key
	Months map[string]uint64 `json:"months"` // by month, such as 2026-11
}

// keepUse is how long counts are kept: a report reaches back 366 days.
const keepUse = 400 * 24 * time.Hour

const monthLayout = "2006-01"

var (
	days       = store.NewTable("map_use", "", func(u *dayUse) string { return u.ID }).Global()
	daysByTime = days.Index("day", func(u *dayUse) store.Key { return store.Time(u.Day) })
	months     = store.NewTable("map_use_month", "", func(u *monthUse) string { return u.ID }).Global()
)

func dayID(id mapkey.ID, day time.Time) string { return id.String() + " " + day.Format(time.DateOnly) }

// Add is mapkey.Ledger.Add.
func (l ledger) Add(ctx context.Context, list []mapkey.Use) error {
	return l.db.Update(ctx, func(tx *store.Tx) error {
		byDay, byMonth := map[string]*dayUse{}, map[string]*monthUse{}
		for _, u := range list {
			d, err := loaded(tx, days, byDay, dayID(u.ID, u.Hour), func(id string) *dayUse {
				return &dayUse{ID: id, Day: u.Hour.UTC().Truncate(24 * time.Hour), Hours: map[string]map[string][2]uint64{}}
			})
			if err != nil {
				return err
			}
			hour := strconv.Itoa(u.Hour.UTC().Hour())
			if d.Hours[hour] == nil {
				d.Hours[hour] = map[string][2]uint64{}
			}
			c := d.Hours[hour][u.Product]
			d.Hours[hour][u.Product] = [2]uint64{c[0] + u.Requests, c[1] + u.Denied}
			if u.Requests == 0 {
				continue
			}
			m, err := loaded(tx, months, byMonth, u.ID.String(), func(id string) *monthUse {
				return &monthUse{ID: id, Months: map[string]uint64{}}
			})
			if err != nil {
				return err
			}
			m.Months[u.Hour.UTC().Format(monthLayout)] += u.Requests
		}
		return errors.Join(putAll(tx, days, byDay), putAll(tx, months, byMonth))
	})
}

// loaded is a record of a transaction, read once, or a new one.
func loaded[T any](tx *store.Tx, t *store.Table[T], seen map[string]*T, id string, fresh func(id string) *T) (*T, error) {
	if r := seen[id]; r != nil {
		return r, nil
	}
	r, err := t.Get(tx, store.Platform, id)
	switch {
	case errors.Is(err, store.ErrNotFound):
		seen[id] = fresh(id)
	case err != nil:
		return nil, err
	default:
		seen[id] = &r
	}
	return seen[id], nil
}

func putAll[T any](tx *store.Tx, t *store.Table[T], list map[string]*T) error {
	for _, r := range list {
		if err := t.Put(tx, store.Platform, r); err != nil {
			return err
		}
	}
	return nil
}

// Months is mapkey.Ledger.Months.
func (l ledger) Months(ctx context.Context, from time.Time) (out []mapkey.MonthUse, err error) {
	err = l.db.View(ctx, func(tx *store.Tx) error {
		out = nil
		for r, err := range months.Each(tx, store.Platform, "") {
			if err != nil {
				return err
			}
			for name, n := range r.Months {
				month, err := time.Parse(monthLayout, name)
				if err == nil && !month.Before(from) {
					out = append(out, mapkey.MonthUse{ID: idOf(r.ID), Month: month, Requests: n})
				}
			}
		}
		return nil
	})
	return out, err
}

// Uses is mapkey.Ledger.Uses.
func (l ledger) Uses(ctx context.Context, id mapkey.ID, from, to time.Time, yield func(mapkey.Use)) error {
	return l.db.View(ctx, func(tx *store.Tx) error {
		for day := from.UTC().Truncate(24 * time.Hour); day.Before(to); day = day.Add(24 * time.Hour) {
			d, err := days.Get(tx, store.Platform, dayID(id, day))
			if errors.Is(err, store.ErrNotFound) {
				continue
			}
			if err != nil {
				return err
			}
			for name, products := range d.Hours {
				n, err := strconv.Atoi(name)
				at := day.Add(time.Duration(n) * time.Hour)
				if err != nil || at.Before(from) || !at.Before(to) {
					continue
				}
				for product, c := range products {
					yield(mapkey.Use{ID: id, Hour: at, Product: product, Requests: c[0], Denied: c[1]})
				}
			}
		}
		return nil
	})
}

// purge removes counts that no report reaches any more.
func purge(tx *store.Tx, limit int) (int, error) {
	old := store.Between(nil, store.Time(tx.DB().Now().Add(-keepUse)))
	list, _, err := daysByTime.Walk(tx, store.Platform, store.Range{Span: old, Limit: limit})
	for i := range list {
		if err == nil {
			err = days.Delete(tx, store.Platform, list[i].ID)
		}
	}
	return len(list), err
}

// ledger is the store as a Meter sees it.
type ledger struct{ db *store.DB }

// idOf is the inverse of mapkey.ID.String; we wrote it.
func idOf(text string) (id mapkey.ID) {
	_, _ = hex.Decode(id[:], []byte(strings.ToLower(text)))
	return id
}
