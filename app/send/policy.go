package send

import (
	"slices"
	"time"

	"svc/app/policy"
	"svc/store"
	"svc/store/queue"
)

// CampaignPolicy is what package send must know of a campaign. Package campaign writes it
// down through PutBatch, in the transaction that changes the campaign.
type CampaignPolicy struct {
	ID string `json:"id"`
	// Running: its jobs may be sent.
	Running bool `json:"running"`
	// Ended: it was cancelled, and jobs without an outcome count as CANCELLED.
	Ended bool `json:"ended,omitempty"`
	// Accounts send for it. Jobs of others are cancelled: taking an account off a
	// campaign does that (contract 20.2).
	Accounts []string       `json:"accounts"`
	Window   *policy.Window `json:"window,omitempty"`
	EndAt    *time.Time     `json:"end_at,omitempty"`
	// MinDays: who got a message in that many days is skipped; 0 for nobody.
	MinDays int `json:"min_days,omitempty"`
	// Swept: of a cancelled one no job is stored as waiting any more. Package send
	// alone writes it.
	Swept bool `json:"swept,omitempty"`
}

var (
	policies = store.NewTable("send_batch", "cmp", func(b *CampaignPolicy) string { return b.ID })
	// unswept are the cancelled campaigns of which jobs may be stored as waiting.
	unswept = policies.Multi("unswept", func(b *CampaignPolicy) []store.Key {
		if !b.Ended || b.Swept {
			return nil
		}
		return []store.Key{store.Text(b.ID)}
	})
)

// PutPolicy notes what holds for the jobs of a campaign from now on.
func PutPolicy(tx *store.Tx, org string, b CampaignPolicy) error {
	old, err := policies.Get(tx, org, b.ID)
	if err != nil && !store.IsNotFound(err) {
		return err
	}
	b.Swept = b.Ended && old.Swept
	if err := policies.Put(tx, org, &b); err != nil {
		return err
	}
	lost := slices.DeleteFunc(slices.Clone(old.Accounts), func(a string) bool { return slices.Contains(b.Accounts, a) })
	if b.Ended && !old.Ended || len(lost) > 0 {
		a := sweeping{Org: org, Batch: b.ID}
		if _, err := queue.Add(tx, a, time.Time{}, queue.For(org, b.ID), queue.Once(b.ID)); err != nil {
			return err
		}
	}
	if !b.Running {
		return nil
	}
	for _, account := range b.Accounts {
		if err := wake(tx, org, account); err != nil {
			return err
		}
	}
	return nil
}

// PolicyOf reads what holds for the jobs of a campaign.
func PolicyOf(tx *store.Tx, org, id string) (CampaignPolicy, error) { return policies.Get(tx, org, id) }

// RemovePolicy forgets a campaign that has no jobs.
func RemovePolicy(tx *store.Tx, org, id string) error {
	return store.IgnoreNotFound(policies.Delete(tx, org, id))
}
