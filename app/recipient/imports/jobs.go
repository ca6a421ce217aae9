package imports

import (
	"context"
	"errors"
	"fmt"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/audit"
	"svc/app/event"
	"svc/app/notify"
	"svc/app/recipient"
	"svc/app/recipient/sheet"
	"svc/app/recipient/suppression"
	"svc/store"
	"svc/store/queue"
)

// importJob goes through the batches of an import.
type importJob struct {
	Org    string `json:"org"`
	Import string `json:"import"`
	Next   int    `json:"next"` // the batch to go on with
}

// Kind names the job on disk.
func (importJob) Kind() string { return "recipient.import" }

// Queue is where it waits.
func (importJob) Queue() queue.Name { return queue.Imports }

// importTries is how often an import is tried, within some ten seconds: somebody
// waits for it.
const importTries = 5

// Work registers the job of the slice.
func (s *Service) Work(w *queue.Workers) {
	queue.Register(w, s.runImport, queue.WithBackoff(func(failures int) time.Duration { return time.Second << min(failures-1, 3) }))
}

// runImport imports batch after batch. Each is one transaction with its place, so
// that a process that dies in between neither loses nor doubles a row. While one is
// saved the next is read.
func (s *Service) runImport(ctx context.Context, j queue.Job, a importJob) error {
	l := s.load(ctx, a)
	for {
		ahead := importJob{a.Org, a.Import, a.Next + 1}
		next := make(chan preparedBatch, 1)
		go func() { next <- s.load(ctx, ahead) }()
		ended, err := s.importBatch(ctx, j, a, l)
		l = <-next
		switch {
		case err == nil && ended:
			return nil
		case err == nil:
			a = ahead
			continue
		case ctx.Err() != nil || j.Attempts < j.MaxAttempts:
			return err
		}
		failed := s.db.Update(ctx, func(tx *store.Tx) error {
			i, err := imports.Get(tx, a.Org, a.Import)
			if err != nil || i.Status != Running {
				return err
			}
			return fail(tx, a.Org, &i)
		})
		return queue.Drop(errors.Join(err, failed))
	}
}

// importBatch imports a batch and says whether it was the last.
func (s *Service) importBatch(ctx context.Context, j queue.Job, a importJob, l preparedBatch) (ended bool, err error) {
	if l.err != nil || l.ended {
		return l.ended, l.err
	}
	err = s.db.Update(ctx, func(tx *store.Tx) error {
		i, err := imports.Get(tx, a.Org, a.Import)
		if ended = store.IsNotFound(err) || err == nil && i.Status != Running; ended {
			return nil
		}
		if err != nil {
			return err
		}
		c := i.call(ctx, a.Org, tx.DB().Now())
		if i.Batches > 0 {
			if err := batches.Delete(tx, a.Org, l.id); store.IsNotFound(err) {
				return errLostBatch
			} else if err != nil {
				return err
			}
		}
		if err := s.writeRows(tx, c, &i, l); err != nil {
			return err
		}
		if ended = a.Next+1 >= i.Batches; ended {
			return finish(tx, c, &i, j)
		}
		return advance(tx, c, &i, j, importJob{a.Org, a.Import, a.Next + 1})
	})
	return ended, err
}

// call is the call of the import's job, in the name of who asked for it.
func (i *Import) call(ctx context.Context, org string, now time.Time) *api.Call {
	c := api.System(ctx, org, now)
	c.Caller = api.Caller{Kind: i.By.Kind, ID: i.By.ID, Name: i.By.Name, Perms: perm.Owner.Permissions()}
	return c
}

// writeRows imports the rows of a batch.
func (s *Service) writeRows(tx *store.Tx, c *api.Call, i *Import, l preparedBatch) error {
	t, rows := i.Terms, l.rows
	if t.List != "" {
		there, err := recipient.HasList(tx, c.Org, t.List)
		if err != nil {
			return err
		}
		if !there { // it was deleted meanwhile
			t.List, l.drafts = "", nil
		}
	}
	suppressed, err := suppression.Any(tx, c.Org)
	if err != nil {
		return err
	}
	part := ImportReport{ByConsent: i.Report.ByConsent}
	var refused []sheet.Rejected
	for n := range rows {
		row := &rows[n]
		var d *draft
		if l.drafts != nil {
			d = l.drafts[n]
		}
		if d != nil {
			known, err := s.people.Acquaintances(tx, c.Org, row.MessengerID)
			if err != nil {
				return err
			}
			if len(known) > 0 {
				d = nil // a draft does not say so
			}
		}
		o, old, err := judge(tx, c.Org, row, t, suppressed, d)
		if err != nil {
			return err
		}
		if old != nil && old.Import == i.ID {
			o.again()
		}
		part.count(row, &o)
		if !o.imported() {
			refused = append(refused, i.rejected(row, &o))
			continue
		}
		switch {
		case o.draft != nil:
			part.Created++
			err = s.people.SaveDraft(tx, c, o.draft.rec)
		case o.isNew:
			part.Created++
			err = s.people.SaveImported(tx, c, i.imported(&o, old))
		default:
			part.Updated++
			err = s.people.SaveImported(tx, c, i.imported(&o, old))
		}
		if err != nil {
			return fmt.Errorf("row %d: %w", row.Number, err)
		}
		if o.optOut {
			suppressed = true
		}
	}
	i.Report.add(part)
	i.Processed += len(rows)
	if err := i.keepRejected(tx, c.Org, refused); err != nil {
		return err
	}
	return i.note(tx, c.Org, part.Issues)
}

// imported is what a row of the import came to, as it is saved.
func (i *Import) imported(o *outcome, old *recipient.Recipient) recipient.Imported {
	return recipient.Imported{Recipient: o.rec, Before: old, Import: i.ID, Source: i.Terms.Source, OptOut: o.optOut, Named: o.named}
}

// advance saves the place of an import that goes on, and tells of it once a second.
func advance(tx *store.Tx, c *api.Call, i *Import, j queue.Job, next importJob) error {
	if c.Now.Sub(i.ProgressAt) >= time.Second {
		i.ProgressAt = c.Now
		err := event.Emit(tx, c.Org, event.RecipientImportProgress, map[string]any{"import_id": i.ID, "processed": i.Processed, "total": i.Report.Total})
		if err != nil {
			return err
		}
	}
	if err := imports.Put(tx, c.Org, i); err != nil {
		return err
	}
	return queue.Progress(tx, j, next)
}

// finish ends an import whose rows are all there.
func finish(tx *store.Tx, c *api.Call, i *Import, j queue.Job) error {
	i.Status, i.FinishedAt = Done, &c.Now
	err := event.Emit(tx, c.Org, event.RecipientImported, map[string]any{
		"import_id": i.ID, "created": i.Report.Created, "updated": i.Report.Updated, "opted_out": i.Report.OptedOut,
	})
	if err != nil {
		return err
	}
	err = audit.Write(tx, c, "import.finished", audit.On("import", i.ID, i.FileName), audit.Changed("created", 0, i.Report.Created),
		audit.Changed("updated", 0, i.Report.Updated), audit.Changed("opted_out", 0, i.Report.OptedOut))
	if err != nil {
		return err
	}
	err = notifyOwner(tx, c.Org, i, "An import has ended", fmt.Sprintf("New recipients: %d; updated: %d; rows left out: %d.",
		i.Report.Created, i.Report.Updated, i.Report.Invalid+i.Report.Duplicates))
	if err != nil {
		return err
	}
	return queue.Finish(tx, j)
}

// fail ends an import that cannot go on. What it imported stays; the rest is
// forgotten.
func fail(tx *store.Tx, org string, i *Import) error {
	now := tx.DB().Now()
	i.Status, i.FinishedAt = Failed, &now
	for n := range i.Batches {
		if err := batches.Delete(tx, org, batchID(i.ID, n)); err != nil && !store.IsNotFound(err) {
			return err
		}
	}
	return notifyOwner(tx, org, i, "An import failed", fmt.Sprintf("%d of %d rows were imported; import the file again.", i.Processed, i.Report.Total))
}

// notifyOwner saves an import that ended, notifies the importer and wakes the request that
// waits.
func notifyOwner(tx *store.Tx, org string, i *Import, title, body string) error {
	if err := imports.Put(tx, org, i); err != nil {
		return err
	}
	tx.Notify(importTopic(i.ID))
	return notify.Send(tx, org, notify.Notice{
		Kind: "IMPORT_FINISHED", Title: title, Body: body, Resource: &notify.Resource{Type: "import", ID: i.ID}, User: i.By.ID,
	})
}
