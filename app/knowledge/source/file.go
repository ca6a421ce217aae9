package source

import (
	"context"
	"errors"
	"io"
	"time"

	"svc/store"
	"svc/store/queue"
)

// Files is where they lie among all files of the installation.
const Files = "knowledge"

// every is how often they are compared with the records.
const every = 6 * time.Hour

// ReadFile is the file of a source as it was uploaded.
func (s *Service) ReadFile(src *Source) ([]byte, error) {
	r, err := s.vault.Open(src.Vault, src.Size)
	if err != nil {
		return nil, err
	}
	b := make([]byte, src.Size)
	_, err = io.ReadFull(r, b)
	return b, errors.Join(err, r.Close())
}

// droppingFile is the job that removes a file from the disk whose source is gone.
type droppingFile struct {
	Vault string `json:"vault"`
}

func (droppingFile) Kind() string      { return "knowledge.drop_file" }
func (droppingFile) Queue() queue.Name { return queue.Media }

// sweeping is the job that removes what a crash left. It runs for ever.
type sweeping struct{}

func (sweeping) Kind() string      { return "knowledge.files" }
func (sweeping) Queue() queue.Name { return queue.Maintenance }

func (s *Service) runDropFile(ctx context.Context, _ queue.Job, d droppingFile) error {
	return s.vault.Locked(d.Vault, func() error {
		known, err := s.knows(ctx, d.Vault)
		if err != nil || known {
			return err
		}
		return s.vault.Remove(d.Vault)
	})
}

func (s *Service) knows(ctx context.Context, name string) (known bool, err error) {
	err = s.db.View(ctx, func(tx *store.Tx) error {
		_, _, err := byVault.Find(tx, store.Text(name))
		known = err == nil
		return store.IgnoreNotFound(err)
	})
	return known, err
}

func (s *Service) runSweep(ctx context.Context, _ queue.Job, _ sweeping) error {
	if err := s.Sweep(ctx); err != nil {
		return err
	}
	return queue.Snooze(every)
}

// Sweep removes the files that no record knows: what a crash left.
func (s *Service) Sweep(ctx context.Context) error {
	return s.vault.Sweep(ctx, s.log, "", s.knows)
}
