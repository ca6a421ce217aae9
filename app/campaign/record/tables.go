package record

import (
	"errors"

	"svc/store"
)

// Insert, Put and Remove, and all whose names begin with Put, are for package campaign, which alone
// changes what is kept.

// Insert saves a campaign that did not exist.
func Insert(tx *store.Tx, orgID string, k *Campaign) error { return campaigns.Insert(tx, orgID, k) }

// Put saves a campaign.
func Put(tx *store.Tx, orgID string, k *Campaign) error { return campaigns.Put(tx, orgID, k) }

// Remove removes a draft with what is kept beside it.
func Remove(tx *store.Tx, orgID, id string) error {
	return errors.Join(campaigns.Delete(tx, orgID, id), store.IgnoreNotFound(progress.Delete(tx, orgID, id)), store.IgnoreNotFound(picksTable.Delete(tx, orgID, id)))
}

// GetPicks reads the people that an audience names: store.ErrNotFound when it names nobody.
func GetPicks(tx *store.Tx, orgID, id string) (Picks, error) { return picksTable.Get(tx, orgID, id) }

// GetPlan reads the frozen audience of a campaign: store.ErrNotFound when it has not begun.
func GetPlan(tx *store.Tx, orgID, id string) (Plan, error) { return plans.Get(tx, orgID, id) }

// PutPlan saves the frozen audience of a campaign.
func PutPlan(tx *store.Tx, orgID string, p *Plan) error { return plans.Put(tx, orgID, p) }

// GetRun reads a series: store.ErrNotFound when there is none of that id.
func GetRun(tx *store.Tx, orgID, id string) (Run, error) { return runs.Get(tx, orgID, id) }

// PutRun saves a series.
func PutRun(tx *store.Tx, orgID string, r *Run) error { return runs.Put(tx, orgID, r) }

// GetProgress reads what changes with the messages of a campaign: store.ErrNotFound when there is no
// such campaign.
func GetProgress(tx *store.Tx, orgID, id string) (SendProgress, error) {
	return progress.Get(tx, orgID, id)
}

// PutProgress saves it.
func PutProgress(tx *store.Tx, orgID string, p *SendProgress) error {
	return progress.Put(tx, orgID, p)
}
