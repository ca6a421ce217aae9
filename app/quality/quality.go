// Package quality says how good the seller is and keeps bad prompts from customers: what
// people say of its answers, datasets made of that, evaluations, experiments, and the gate
// that versions of prompts pass. Its parts:
//
//	feedback    what people say of what the AI wrote
//	dataset     conversations with what a good answer has
//	grade       whether an answer is as expected
//	judge       what a language model says of an answer, and how far it is believed
//	evaluation  runs over datasets, and the quality gate
//	experiment  versions compared on conversations of customers
//
// It promises that nothing of a personal chat is kept here, and that what was made of a chat
// or business goes with it (contract 13.30 to 13.34).
package quality

import (
	"context"
	"slices"
	"time"

	"svc/app/org"
	"svc/app/quality/dataset"
	"svc/app/quality/evaluation"
	"svc/app/quality/experiment"
	"svc/app/quality/feedback"
	"svc/store"
	"svc/store/queue"
)

// Tables are what a store that holds the slice is opened with.
func Tables() []store.AnyTable {
	return slices.Concat(feedback.Tables(), dataset.Tables(), evaluation.Tables(), experiment.Tables())
}

// forgetting is the job that removes what was made of a chat that became personal, or of a
// business that was deleted. One of both is set.
type forgetting struct {
	Org          string `json:"org"`
	Conversation string `json:"conversation,omitempty"`
	Business     string `json:"business,omitempty"`
}

// Kind implements queue.Args.
func (forgetting) Kind() string { return "quality.forget" }

// Queue implements queue.Args.
func (forgetting) Queue() queue.Name { return queue.Maintenance }

func forget(tx *store.Tx, f forgetting) error {
	_, err := queue.Add(tx, f, time.Time{}, queue.For(f.Org, f.Conversation+f.Business))
	return err
}

// atOnce is how many records one transaction removes.
const atOnce = 100

// run removes until nothing is left.
func (f forgetting) run(ctx context.Context, db *store.DB, j queue.Job) error {
	for more := true; more; {
		err := db.Update(ctx, func(tx *store.Tx) (err error) {
			if more, err = f.step(tx); err == nil && !more {
				err = queue.Finish(tx, j)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// step removes some; more says whether anything is left.
func (f forgetting) step(tx *store.Tx) (more bool, err error) {
	if f.Conversation != "" {
		n, err := feedback.Forget(tx, f.Org, f.Conversation, atOnce)
		if err != nil || n == atOnce {
			return true, err
		}
		items, err := dataset.Forget(tx, f.Org, f.Conversation, atOnce)
		if err != nil {
			return true, err
		}
		_, err = evaluation.ForgetItems(tx, f.Org, items, atOnce)
		return len(items) == atOnce, err
	}
	if more, err := experiment.RemoveOfBusiness(tx, f.Org, f.Business); more || err != nil {
		return true, err
	}
	if more, err := evaluation.RemoveOfBusiness(tx, f.Org, f.Business); more || err != nil {
		return true, err
	}
	list, err := dataset.OfBusiness(tx, f.Org, f.Business, 1)
	if err != nil || len(list) == 0 {
		return false, err
	}
	_, err = dataset.Remove(tx, f.Org, list[0].ID, atOnce)
	return true, err
}

const day = 24 * time.Hour

// purgeFeedback removes the words of feedback that is older than the organization keeps
// messages.
func purgeFeedback(tx *store.Tx, orgID string, limit int) (int, error) {
	o, err := org.Get(tx, orgID)
	if err != nil || o.Retention.MessagesDays == nil {
		return 0, store.IgnoreNotFound(err)
	}
	return feedback.Purge(tx, orgID, tx.DB().Now().Add(-time.Duration(*o.Retention.MessagesDays)*day), limit)
}

// purgeResults removes what evaluations answered that are older than the organization keeps
// executions; their figures stay.
func purgeResults(tx *store.Tx, orgID string, limit int) (int, error) {
	o, err := org.Get(tx, orgID)
	if err != nil {
		return 0, store.IgnoreNotFound(err)
	}
	return evaluation.Purge(tx, orgID, tx.DB().Now().AddDate(0, 0, -o.Retention.ExecutionsDays), limit)
}
