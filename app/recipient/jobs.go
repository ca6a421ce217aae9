package recipient

import (
	"context"

	"svc/store"
	"svc/store/queue"
)

// forget removes the history of a recipient that is gone, the newest entry first.
type forget struct {
	Org       string `json:"org"`
	Recipient string `json:"recipient"`
	Left      int    `json:"left"`
}

// Kind names the job on disk.
func (forget) Kind() string { return "recipient.forget" }

// Queue is where it waits.
func (forget) Queue() queue.Name { return queue.Maintenance }

// unlist takes the id of a list that is gone out of its members.
type unlist struct {
	Org  string `json:"org"`
	List string `json:"list"`
}

// Kind names the job on disk.
func (unlist) Kind() string { return "recipient.unlist" }

// Queue is where it waits.
func (unlist) Queue() queue.Name { return queue.Maintenance }

// jobChunk is how many records one transaction of the other jobs changes.
const jobChunk = 500

// Work registers the jobs of the slice.
func (s *Service) Work(w *queue.Workers) {
	queue.Register(w, s.runForget)
	queue.Register(w, s.runUnlist)
}

func (s *Service) runForget(ctx context.Context, j queue.Job, a forget) error {
	for a.Left > 0 {
		left := max(0, a.Left-jobChunk)
		err := s.db.Update(ctx, func(tx *store.Tx) error {
			for n := a.Left; n > left; n-- {
				if err := histories.Delete(tx, a.Org, historyID(a.Recipient, n)); err != nil && !store.IsNotFound(err) {
					return err
				}
			}
			return queue.Progress(tx, j, forget{a.Org, a.Recipient, left})
		})
		if err != nil {
			return err
		}
		a.Left = left
	}
	return nil
}

func (s *Service) runUnlist(ctx context.Context, _ queue.Job, a unlist) error {
	for more := true; more; {
		err := s.db.Update(ctx, func(tx *store.Tx) error {
			page, err := recipients.Page(tx, a.Org, store.Query[Recipient]{Where: []Cond{listFacet.Any(a.List)}, Limit: jobChunk})
			if err != nil {
				return err
			}
			more = page.Total > len(page.Data)
			for i := range page.Data {
				r := &page.Data[i]
				r.Lists, _ = without(r.Lists, []string{a.List})
				if err := put(tx, a.Org, r); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
