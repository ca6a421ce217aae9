package campaign

import (
	"time"

	"svc/app/api"
	"svc/app/campaign/inspect"
	"svc/app/campaign/record"
	"svc/app/content"
	"svc/store"
)

// checkTextChange refuses a new text of a paused campaign that would not have been launched. It
// reads the audience, and so comes before the transaction that changes the text; seen is
// what that has to find unchanged.
func (s *Service) checkTextChange(c *api.Call, in *updateIn) (seen time.Time, err error) {
	var q *inspect.TextQuestion
	people, err := s.people.Resolve(c, c.Org, in.ID)
	if err != nil {
		return seen, err
	}
	err = s.db.View(c, func(tx *store.Tx) error {
		q = nil
		k, err := record.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		seen = k.UpdatedAt
		ch, err := s.changeOf(tx, c.Org, &k, in)
		if err != nil || k.Status != record.Paused || ch.message == nil {
			return err
		}
		_, m, err := content.Check(tx, c.Org, "message", *ch.message)
		if err != nil {
			return err
		}
		q, err = s.checks.AboutText(tx, c, &k, m, people)
		return err
	})
	if err != nil || q == nil {
		return seen, err
	}
	say, err := s.checks.ProblemOf(c, c.Org, q)
	if err == nil && say != "" {
		err = api.Wrong("message.text", "%s", say)
	}
	return seen, err
}
