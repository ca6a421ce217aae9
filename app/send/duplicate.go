package send

import (
	"context"

	"svc/messenger"
	"svc/store"
)

// One person may be in an audience twice: as a recipient known by number, and as one
// known by username only. That the two are one shows when the messenger says whose the
// username is; then who comes second is SKIPPED as DUPLICATE (contract 4.5).

// twins is how many of the messages of an account to one person are looked at, newest
// first, for that of a campaign that is running.
const twins = 50

// hasDuplicate says whether somebody got a campaign by another job than the one that is
// named.
func hasDuplicate(tx *store.Tx, org string, b *CampaignPolicy, job string, peer int64) (bool, error) {
	for _, account := range b.Accounts {
		of := store.Tuple(store.Text(account), store.Int(peer))
		list, _, err := byPeer.Walk(tx, org, store.Range{Span: store.Is(of), Limit: twins, Reverse: true})
		if err != nil {
			return false, err
		}
		for i := range list {
			if list[i].Batch == b.ID && list[i].ID != job {
				return true, nil
			}
		}
	}
	return false, nil
}

// rejectDuplicate objects to a message of a campaign when it turns out that its person has it.
func (s *Service) rejectDuplicate(org string, j *Job) func(context.Context, messenger.Peer) error {
	batch, job := j.Batch, j.ID
	return func(ctx context.Context, p messenger.Peer) (err error) {
		var duplicate bool
		if err = s.db.View(ctx, func(tx *store.Tx) error {
			b, err := batchOrNew(tx, org, batch)
			if err == nil {
				duplicate, err = hasDuplicate(tx, org, &b, job, p.ID)
			}
			return err
		}); err == nil && duplicate {
			err = &messenger.Error{Fault: messenger.PeerUnreachable, Code: DuplicateOfBefore}
		}
		return err
	}
}

// isDuplicate says whether a try ended because of rejectDuplicate.
func isDuplicate(e *messenger.Error) bool {
	return e != nil && e.Fault == messenger.PeerUnreachable && e.Code == DuplicateOfBefore
}
