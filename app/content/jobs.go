package content

import (
	"bytes"
	"context"
	"errors"
	"io"
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/store"
	"svc/store/queue"
)

const (
	// Keep is how long an attachment that nothing uses is kept (contract 6).
	Keep = 30 * 24 * time.Hour
	// every is how often files are cleaned.
	every = 6 * time.Hour
	// chunk bounds one transaction.
	chunk = 100
)

// cleaning is the job that removes what is not used any more. It runs for ever.
type cleaning struct{}

func (cleaning) Kind() string      { return "content.clean" }
func (cleaning) Queue() queue.Name { return queue.Maintenance }

// Work registers the workers of the slice. Call Schedule once the store is open.
func (s *Service) Work(w *queue.Workers) {
	queue.Register(w, func(ctx context.Context, _ queue.Job, _ cleaning) error {
		if err := s.Clean(ctx); err != nil {
			return err
		}
		return queue.Snooze(every)
	}, queue.WithTimeout(time.Hour))
}

// Schedule asks for the jobs that run for ever, at every start.
func (s *Service) Schedule(tx *store.Tx) error {
	_, err := queue.Add(tx, cleaning{}, time.Time{}, queue.Once("all"))
	return err
}

// Clean removes attachments that nothing used for Keep, and files that a crash left
// without a record.
func (s *Service) Clean(ctx context.Context) error {
	return errors.Join(s.removeUnused(ctx), s.removeOrphans(ctx))
}

func (s *Service) removeUnused(ctx context.Context) error {
	before := s.db.Now().Add(-Keep)
	for {
		var due []store.Of[file]
		err := s.db.View(ctx, func(tx *store.Tx) (err error) {
			due, _, err = byUnused.Walk(tx, store.Range{Span: store.Between(nil, store.Time(before)), Limit: chunk})
			return err
		})
		if err != nil || len(due) == 0 {
			return err
		}
		for i := range due {
			if err := s.remove(ctx, due[i].Org, &due[i].Record, before); err != nil {
				return err
			}
		}
	}
}

// remove removes an attachment that is still unused, and its file when no other
// attachment has the same content. The record goes first: a crash in between leaves
// a file without one.
func (s *Service) remove(ctx context.Context, org string, f *file, before time.Time) error {
	name, err := s.vaultName(org, f.SHA256)
	if err != nil {
		return err
	}
	return s.vault.Locked(name, func() error {
		last := false
		err := s.db.Update(ctx, func(tx *store.Tx) (err error) {
			last, err = forget(tx, api.System(ctx, org, tx.DB().Now()), f.ID, before)
			return err
		})
		if err != nil || !last {
			return err
		}
		return errors.Join(s.vault.Remove(name), s.vault.Remove(name+thumbEnding))
	})
}

// forget removes the records of an attachment; last says that its content is not
// needed any more.
func forget(tx *store.Tx, c *api.Call, id string, before time.Time) (last bool, err error) {
	f, err := files.Get(tx, c.Org, id)
	if errors.Is(err, store.ErrNotFound) || err == nil && (f.UnusedSince == nil || !f.UnusedSince.Before(before)) {
		return false, nil // gone, or used again
	}
	if err != nil {
		return false, err
	}
	b, err := blobs.Get(tx, c.Org, f.SHA256)
	if err != nil {
		return false, err
	}
	if err := files.Delete(tx, c.Org, id); err != nil {
		return false, err
	}
	if err := audit.Write(tx, c, "attachment.removed", audit.On("attachment", id, f.FileName), audit.Because("unused for 30 days")); err != nil {
		return false, err
	}
	if b.Refs--; b.Refs > 0 {
		return false, blobs.Put(tx, c.Org, &b)
	}
	st, err := storageOf(tx, c.Org)
	if err != nil {
		return false, err
	}
	if st.Bytes -= b.Size; st.Bytes < 0 {
		st.Bytes = 0
	}
	return true, errors.Join(storages.Put(tx, c.Org, &st), blobs.Delete(tx, c.Org, b.SHA256))
}

// removeOrphans removes the files that no record knows.
func (s *Service) removeOrphans(ctx context.Context) error {
	return s.vault.Sweep(ctx, s.o.Log, thumbEnding, s.knows)
}

func (s *Service) knows(ctx context.Context, name string) (known bool, err error) {
	err = s.db.View(ctx, func(tx *store.Tx) error {
		_, _, err := byFile.Find(tx, store.Text(name))
		known = err == nil
		if errors.Is(err, store.ErrNotFound) {
			return nil
		}
		return err
	})
	return known, err
}

// same says whether r reads exactly content.
func same(r io.Reader, content []byte) bool {
	buffer := make([]byte, 64<<10)
	for {
		n, err := r.Read(buffer)
		if !bytes.HasPrefix(content, buffer[:n]) {
			return false
		}
		content = content[n:]
		if err != nil {
			return errors.Is(err, io.EOF) && len(content) == 0
		}
	}
}
