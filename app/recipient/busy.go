package recipient

import (
	"errors"
	"time"

	"svc/store"
)

// busyMark says that a message to somebody is being sent. It is a record of its own,
// small and gone soon, because a recipient has many indexes and every message makes
// one.
type busyMark struct {
	ID    string    `json:"id"` // of the recipient
	Until time.Time `json:"until"`
}

var busyMarks = store.NewTable("recipient_busy", "rcp", func(m *busyMark) string { return m.ID })

// MarkSending says that a message to somebody is being sent, until a time at the latest,
// or with the zero time that it no longer is. Meanwhile the recipient cannot be
// deleted or renamed. A recipient that is gone is no error.
func MarkSending(tx *store.Tx, org, id string, until time.Time) error {
	if !until.IsZero() {
		return busyMarks.Put(tx, org, &busyMark{ID: id, Until: until})
	}
	if err := busyMarks.Delete(tx, org, id); !errors.Is(err, store.ErrNotFound) {
		return err
	}
	return nil
}

// isBusy says whether a message to somebody is being sent.
func isBusy(tx *store.Tx, org, id string) (bool, error) {
	m, err := busyMarks.Get(tx, org, id)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil && tx.DB().Now().Before(m.Until), err
}

// orBusy is err, or without one ErrBusy.
func orBusy(err error) error {
	if err != nil {
		return err
	}
	return ErrBusy
}
