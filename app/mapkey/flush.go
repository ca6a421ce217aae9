package mapkey

import (
	"context"
	"errors"
	"fmt"
)

var (
	errClosed  = errors.New("usage metering is closed")
	errNotOpen = errors.New("the usage file is not open; the next flush tries again")
)

// take waits for the turn to use the file, at most until ctx ends.
func (m *Meter) take(ctx context.Context) error {
	select {
	case m.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("usage file: waiting for a flush: %w", ctx.Err())
	}
}

func (m *Meter) release() { <-m.turn }

// Flush writes what is pending in one transaction. When it fails, everything
// stays pending and the next flush tries again; the error is logged and counted
// here. With nothing pending it still looks whether the file is sound, because
// quotas hold only while it is.
func (m *Meter) Flush(ctx context.Context) error {
	if err := m.take(ctx); err != nil {
		return err
	}
	defer m.release()
	switch {
	case m.closed:
		return errClosed
	case m.NeedsLedger(): // the service is starting; nothing is wrong
		return errNoLedger
	}
	err := m.flush()
	if err != nil {
		m.quotasFrom.Store(0)
		m.failed("usage was not written; counting goes on in memory and no quota holds until it is", err)
		return err
	}
	m.done.Add(1)
	return nil
}

// Close writes what is pending for the last time and closes the file. Counting
// stays harmless afterwards but is not written. ctx bounds the wait for a flush
// that is under way.
func (m *Meter) Close(ctx context.Context) error {
	err := m.Flush(ctx)
	if errors.Is(err, errClosed) || errors.Is(err, errNoLedger) {
		return nil
	}
	if terr := m.take(ctx); terr != nil {
		return errors.Join(err, terr)
	}
	defer m.release()
	m.closed = true
	return errors.Join(err, m.shut())
}

// flush runs in its turn.
func (m *Meter) flush() error {
	if err := m.ready(); err != nil {
		return err
	}
	if batch := m.launch(); len(batch) > 0 {
		id, last := m.file.landed()
		m.attempt, m.attemptN = last+1, id
		if err := m.file.add(batch, last+1); err != nil {
			// Whether the file holds the flight is decided when it is next opened.
			return errors.Join(err, m.shut())
		}
		m.land(true)
	}
	if m.file.shared() { // what others counted since
		if err := m.totals(m.file); err != nil {
			return errors.Join(err, m.shut())
		}
	}
	return nil
}

// ready leaves the file open, unchanged by others, answering, and with the fate
// of an earlier flight decided.
func (m *Meter) ready() error {
	if m.file != nil && m.file.touched() {
		m.opt.Log.Warn("the usage file was changed by something else; opening it again", "file", m.path)
		if err := m.shut(); err != nil {
			m.opt.Log.Warn("closing the changed usage file", "file", m.path, "error", err.Error())
		}
	}
	if m.file == nil {
		return m.open()
	}
	if err := m.file.probe(); err != nil {
		return errors.Join(err, m.shut())
	}
	return nil
}

// open opens the file, settles an open flight, and makes the months' totals in
// memory those of the file. A version of the file that was found damaged is not
// read again.
func (m *Meter) open() error {
	m.quotasFrom.Store(0)
	stamp := stampOf(m.path)
	if m.bad != "" && m.bad == stamp {
		return errStillDamaged
	}
	f, err := m.openFile()
	if err != nil {
		m.bad = ""
		if errors.Is(err, errDamaged) {
			m.bad = stamp
		}
		return err
	}
	m.bad = ""
	id, last := f.landed()
	m.land(m.attempt != 0 && m.attemptN == id && last >= m.attempt)
	if err := m.totals(f); err != nil {
		return errors.Join(err, f.close())
	}
	m.file = f
	return nil
}

func (m *Meter) openFile() (counterFile, error) {
	switch {
	case m.path != "":
		return openUsage(m.path)
	case m.ledger == nil:
		return nil, errNoLedger
	}
	return &ledgerFile{ledger: m.ledger}, nil
}

// totals makes the months' totals in memory those of a file, and what it does not hold
// yet.
func (m *Meter) totals(f counterFile) error {
	from := monthOf(m.opt.Clock())
	if from > 0 {
		from-- // a clock that is a little wrong around midnight
	}
	stored, err := f.months(from)
	if err != nil {
		return err
	}
	m.rebase(stored)
	m.quotasFrom.Store(uint32(from) + 1)
	return nil
}

// shut closes the file and forgets it.
func (m *Meter) shut() error {
	f := m.file
	if f == nil {
		return nil
	}
	m.file = nil
	m.quotasFrom.Store(0)
	return f.close()
}

// flight is what one flush writes of one key.
type flight struct {
	id    ID
	cells []cell
}

// launch copies everything that is pending.
func (m *Meter) launch() []flight {
	m.mu.RLock()
	defer m.mu.RUnlock()
	var batch []flight
	for id, t := range m.tallies {
		if cells := t.launch(); len(cells) > 0 {
			batch = append(batch, flight{id, cells})
		}
	}
	return batch
}

// land ends all flights.
func (m *Meter) land(written bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	for _, t := range m.tallies {
		m.cells.Add(-int64(t.land(written)))
	}
	m.attempt = 0
}

// rebase installs the totals of a newly opened file.
func (m *Meter) rebase(stored map[ID][]monthUse) {
	for id := range stored {
		m.tally(id)
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	for id, t := range m.tallies {
		t.rebase(stored[id])
	}
}
