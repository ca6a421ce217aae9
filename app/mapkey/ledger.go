package mapkey

import (
	"context"
	"errors"
	"time"
)

// Ledger keeps what a Meter counts where several processes share it, in place of a usage
// file (map contract 54.10).
type Ledger interface {
	// Add adds counts: all of them, or none and an error.
	Add(ctx context.Context, list []Use) error
	// Months are the billable requests of keys by month, of the months from one on.
	Months(ctx context.Context, from time.Time) ([]MonthUse, error)
	// Uses calls yield with what is kept of a key from one hour up to, not including,
	// another, in any order.
	Uses(ctx context.Context, id ID, from, to time.Time, yield func(Use)) error
}

// Use is what a key did with one product in one hour.
type Use struct {
	ID       ID
	Hour     time.Time // its start, in UTC
	Product  string
	Requests uint64 // admitted and billable
	Denied   uint64
}

// MonthUse is how many billable requests a key made in a month.
type MonthUse struct {
	ID       ID
	Month    time.Time // its start, in UTC
	Requests uint64
}

// NewMeter starts metering without a usage file: counts stay in memory, and no quota
// holds, until UseLedger says where they go.
func NewMeter(opt MeterOptions) *Meter { return newMeter("", opt) }

// UseLedger lets a Meter of NewMeter write to a ledger from now on.
func (m *Meter) UseLedger(ctx context.Context, l Ledger) error {
	if err := m.take(ctx); err != nil {
		return err
	}
	defer m.release()
	if m.path != "" {
		return errors.New("this meter counts into a file")
	}
	m.ledger = l
	if err := m.open(); err != nil {
		m.failed("the counts in the database cannot be read; counting goes on in memory and no quota holds until they can", err)
	}
	return nil
}

// NeedsLedger reports whether a meter has neither a file nor a ledger yet.
func (m *Meter) NeedsLedger() bool { return m.path == "" && m.ledger == nil }

// ledgerWait bounds one call of a ledger.
const ledgerWait = 20 * time.Second

// ledgerFile is a ledger as a Meter uses it. A flush that failed has not been written.
type ledgerFile struct {
	ledger Ledger
	seq    uint64
}

var errNoLedger = errors.New("the database is not open yet")

func (f *ledgerFile) touched() bool                        { return false }
func (f *ledgerFile) probe() error                         { return nil } // refreshed by every flush
func (f *ledgerFile) close() error                         { return nil }
func (f *ledgerFile) shared() bool                         { return true }
func (f *ledgerFile) landed() (id [16]byte, number uint64) { return id, f.seq }

func (f *ledgerFile) add(batch []flight, number uint64) error {
	var list []Use
	for _, fl := range batch {
		for _, c := range fl.cells {
			list = append(list, Use{fl.id, c.hour.start(), c.product.String(), c.requests, c.denied})
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), ledgerWait)
	defer cancel()
	if err := f.ledger.Add(ctx, list); err != nil {
		return err
	}
	f.seq = number
	return nil
}

func (f *ledgerFile) months(from month) (map[ID][]monthUse, error) {
	ctx, cancel := context.WithTimeout(context.Background(), ledgerWait)
	defer cancel()
	list, err := f.ledger.Months(ctx, from.start())
	out := map[ID][]monthUse{}
	for _, u := range list {
		if len(out[u.ID]) < maxMonths {
			out[u.ID] = append(out[u.ID], monthUse{monthOf(u.Month), u.Requests})
		}
	}
	return out, err
}

func (f *ledgerFile) rows(id ID, from, to hour, fn func(h hour, product string, c counts)) error {
	ctx, cancel := context.WithTimeout(context.Background(), ledgerWait)
	defer cancel()
	return f.ledger.Uses(ctx, id, from.start(), to.start(), func(u Use) {
		fn(hourOf(u.Hour), u.Product, counts{u.Requests, u.Denied})
	})
}
