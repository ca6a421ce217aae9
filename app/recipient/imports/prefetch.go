package imports

import (
	"context"

	"svc/app/recipient"
	"svc/app/recipient/sheet"
	"svc/store"
)

// preparedBatch is a batch of an import that was read while the one before it was being
// saved, because one core saves and another is idle then.
type preparedBatch struct {
	id   string
	rows []sheet.Row
	// drafts are what the rows make of people who are new, as most are; nil for rows
	// that need more than that. The transaction decides.
	drafts []*draft
	ended  bool // the import is not under way any more
	err    error
}

// draft is what a row comes to when nobody matches it and the suppression list does
// not name the person, ready to be saved.
type draft struct {
	outcome outcome
	rec     *recipient.Draft
}

// load reads a batch. Whether it is still to be imported, the transaction sees.
func (s *Service) load(ctx context.Context, a importJob) (l preparedBatch) {
	var i Import
	var b batch
	l.id = batchID(a.Import, a.Next)
	l.err = s.db.View(ctx, func(tx *store.Tx) (err error) {
		if i, err = imports.Get(tx, a.Org, a.Import); err != nil {
			return err
		}
		b, err = batches.Get(tx, a.Org, l.id)
		if store.IsNotFound(err) && i.Status == Running && i.Batches > 0 {
			return errLostBatch
		}
		return err
	})
	if store.IsNotFound(l.err) { // an import without rows has no batch
		l.err, l.ended = nil, i.Status != Running
		return l
	}
	if l.err != nil {
		return l
	}
	packed, err := batchRows.Open(s.db, a.Org, &b)
	if err == nil {
		l.rows, err = unpack(packed)
	}
	if err == nil && i.Reserved > i.Report.Total/2 {
		l.drafts, err = s.drafts(ctx, a.Org, &i, l.rows)
	}
	l.err = err
	return l
}

// drafts makes ready what the rows of an import make of new people.
func (s *Service) drafts(ctx context.Context, org string, i *Import, rows []sheet.Row) ([]*draft, error) {
	out := make([]*draft, len(rows))
	c := i.call(ctx, org, s.db.Now())
	for n := range rows {
		o := merge(nil, &rows[n], i.Terms, false, false, c.Now)
		if !o.imported() || o.optOut {
			continue
		}
		rec, err := s.people.Draft(c, i.imported(&o, nil))
		if err != nil {
			return nil, err
		}
		out[n] = &draft{outcome: o, rec: rec}
	}
	return out, nil
}
