package file

import (
	"context"
	"errors"
	"slices"
	"time"

	"svc/app/inbox/conversation"
	"svc/store"
	"svc/store/queue"
)

// every is how often the folder is compared with the records, and these with their messages.
const every = 6 * time.Hour

// dropping is the job that removes a file from the disk whose record is gone.
type dropping struct {
	Vault string `json:"vault"`
}

func (dropping) Kind() string      { return "inbox.drop" }
func (dropping) Queue() queue.Name { return queue.Media }

// sweeping is the job that removes what a crash left, and files of messages that do not have
// them any more. It runs for ever.
type sweeping struct{}

func (sweeping) Kind() string      { return "inbox.files" }
func (sweeping) Queue() queue.Name { return queue.Maintenance }

// Work registers the jobs.
func (s *Service) Work(w *queue.Workers) {
	queue.Register(w, s.fetch, queue.WithTimeout(fetchTime), queue.Elsewhere(s.elsewhere))
	queue.Register(w, func(ctx context.Context, _ queue.Job, d dropping) error { return s.drop(ctx, d.Vault) })
	queue.Register(w, func(ctx context.Context, _ queue.Job, _ sweeping) error {
		if err := s.Sweep(ctx); err != nil {
			return err
		}
		return queue.Snooze(every)
	}, queue.WithTimeout(time.Hour))
}

// Schedule asks for the job that runs for ever, at every start.
func (s *Service) Schedule(tx *store.Tx) error {
	_, err := queue.Add(tx, sweeping{}, time.Time{}, queue.Once("all"))
	return err
}

// drop removes a file that no record knows.
func (s *Service) drop(ctx context.Context, name string) error {
	return s.vault.Locked(name, func() error {
		known, err := s.knows(ctx, name)
		if err != nil || known {
			return err
		}
		return errors.Join(s.vault.Remove(name), s.vault.Remove(name+thumbEnding))
	})
}

func (s *Service) knows(ctx context.Context, name string) (known bool, err error) {
	err = s.db.View(ctx, func(tx *store.Tx) error {
		f, _, err := byVault.Find(tx, store.Text(name))
		if store.IsNotFound(err) {
			f, _, err = uploadsByVault.Find(tx, store.Text(name))
		}
		known = err == nil && f.Stored
		return store.IgnoreNotFound(err)
	})
	return known, err
}

// Sweep removes the records whose message has no such file any more, then the files that no
// record knows: what a crash left.
func (s *Service) Sweep(ctx context.Context) error {
	if err := eachPage(ctx, s.db, files, func(org string, page []kept) error { return s.sweepPage(ctx, org, page) }); err != nil {
		return err
	}
	return s.vault.Sweep(ctx, s.log, thumbEnding, s.knows)
}

// sweepPage removes those of a page of records whose message is gone, purged, or without the
// file: retention once kept them.
func (s *Service) sweepPage(ctx context.Context, org string, page []kept) error {
	var over []string
	err := s.db.View(ctx, func(tx *store.Tx) error {
		over = nil
		for i := range page {
			if there, err := hasFile(tx, org, &page[i]); err != nil {
				return err
			} else if !there {
				over = append(over, page[i].ID)
			}
		}
		return nil
	})
	if err != nil || len(over) == 0 {
		return err
	}
	s.log.Info("removing files whose messages do not have them any more", "organization", org, "files", len(over))
	return s.db.Update(ctx, func(tx *store.Tx) error { return Remove(tx, org, over) })
}

// hasFile says whether the message of a record still has the file.
func hasFile(tx *store.Tx, org string, f *kept) (bool, error) {
	m, err := conversation.GetMessage(tx, org, f.Message)
	if err != nil {
		return false, store.IgnoreNotFound(err)
	}
	return slices.ContainsFunc(m.Files, func(x conversation.File) bool { return x.ID == f.ID }), nil
}

// expire removes up to limit files of uploads that no reply took in time, or what is left of
// those later.
func (s *Service) expire(tx *store.Tx, org string, limit int) (int, error) {
	over := store.Between(nil, store.Time(tx.DB().Now()))
	list, _, err := byExpiry.Walk(tx, org, store.Range{Span: over, Limit: limit})
	for i := range list {
		if err != nil {
			break
		}
		f := &list[i]
		if !f.Stored {
			err = uploads.Delete(tx, org, f.ID)
			continue
		}
		if err = forget(tx, org, f); err == nil {
			f.Stored, f.Name = false, store.Sealed{}
			err = uploads.Put(tx, org, f)
		}
	}
	return len(list), err
}

// Files is where they lie among all files of the installation.
const Files = "inbox"
