package draft

import (
	"context"

	"svc/app/inbox/conversation"
	"svc/store"
	"svc/store/queue"
)

// expire is the job that discards a draft whose time passed.
type expire struct {
	Org   string `json:"org"`
	Draft string `json:"draft"`
}

// Kind implements queue.Args.
func (expire) Kind() string { return "seller.draft_expire" }

// Queue implements queue.Args.
func (expire) Queue() queue.Name { return queue.AI }

// Work registers the job.
func Work(db *store.DB, w *queue.Workers) {
	queue.Register(w, func(ctx context.Context, j queue.Job, a expire) error {
		return db.Update(ctx, func(tx *store.Tx) error {
			if err := ranOut(tx, a); err != nil {
				return err
			}
			return queue.Finish(tx, j)
		})
	})
}

// ranOut discards a draft that still waits. One that is gone, or was decided on, is left.
func ranOut(tx *store.Tx, a expire) error {
	d, err := drafts.Get(tx, a.Org, a.Draft)
	if err != nil || d.Status != Waiting {
		return store.IgnoreNotFound(err)
	}
	k, err := conversation.Get(tx, a.Org, d.Conversation)
	if err != nil {
		return store.IgnoreNotFound(err)
	}
	return apply(tx, a.Org, &k, &d, RanOut)
}
