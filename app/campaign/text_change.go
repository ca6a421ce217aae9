package campaign

import (
	"time"

	"svc/app/api"
	"svc/app/campaign/check"
	"svc/app/content"
	"svc/app/recipient/audience"
	"svc/app/setting"
	"svc/store"
)

// checkTextChange refuses a new text of a paused campaign that would not have been launched. It
// reads the audience, and so comes before the transaction that changes the text; seen is
// what that has to find unchanged.
func (s *Service) checkTextChange(c *api.Call, in *updateIn) (seen time.Time, err error) {
	var f *inspection
	var m content.Message
	var who audience.Frozen
	var by audienceRules
	people, err := s.readAudience(c, c.Org, in.ID)
	if err != nil {
		return seen, err
	}
	err = s.db.View(c, func(tx *store.Tx) error {
		f = nil
		k, err := campaigns.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		seen = k.UpdatedAt
		ch, err := s.changeOf(tx, c.Org, &k, in)
		if err != nil || k.Status != Paused || ch.message == nil {
			return err
		}
		if _, m, err = content.Check(tx, c.Org, "message", *ch.message); err != nil {
			return err
		}
		set, err := setting.Get(tx)
		if err != nil {
			return err
		}
		f, by = &inspection{Facts: check.Facts{NoAddress: s.o.NoAddress}}, audienceRules{message: k.rules(&set, c.Now)}
		f.gatherMessage(tx, c.Org, m)
		who, _, err = s.meant(tx, c.Org, &k, people)
		return err
	})
	if err != nil || f == nil {
		return seen, err
	}
	found, err := s.scan(c, c.Org, m, who, by)
	if err != nil {
		return seen, err
	}
	f.read(found)
	if say := f.TextProblem(); say != "" {
		return seen, api.Wrong("message.text", "%s", say)
	}
	return seen, nil
}
