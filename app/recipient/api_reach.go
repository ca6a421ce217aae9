package recipient

import (
	"slices"
	"time"

	"svc/app/api"
	"svc/app/policy"
	"svc/app/setting"
	"svc/store"
)

type reachabilityIn struct {
	IDIn
	CampaignID string `query:"campaign_id" maxLength:"64" doc:"Also ask what this campaign has against it."`
}

// Reachability says whether a message would reach somebody.
type Reachability struct {
	Reachable bool      `json:"reachable"`
	Reasons   []Reason  `json:"reasons" doc:"Why not; empty when reachable."`
	AccountID *string   `json:"account_id" doc:"The account that it would be sent from, where that is known."`
	CheckedAt time.Time `json:"checked_at"`
}

func (s *Service) reachability(c *api.Call, in reachabilityIn) (out Reachability, err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		r, err := recipients.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		platform, err := setting.Get(tx)
		if err != nil {
			return err
		}
		reasons := r.obstacles(platform.AllowUnknownConsent)
		account := ""
		if len(r.KnownTo) > 0 {
			account = r.KnownTo[0]
		}
		if in.CampaignID != "" {
			if s.o.Campaign == nil {
				return store.ErrNotFound
			}
			from, more, err := s.o.Campaign(tx, c, in.CampaignID, r)
			if err != nil {
				return err
			}
			account = from
			for _, r := range more {
				if !slices.ContainsFunc(reasons, func(said Reason) bool { return said.Code == r.Code }) {
					reasons = append(reasons, r)
				}
			}
		}
		out = Reachability{Reachable: len(reasons) == 0, Reasons: reasons, AccountID: api.Optional(account), CheckedAt: c.Now}
		return nil
	})
	return out, err
}

// reasonWords say what the reasons of the policy mean.
var reasonWords = map[policy.Reason]string{
	policy.OptedOut:       "The person opted out.",
	policy.Suppressed:     "The suppression list names the person.",
	policy.UnknownConsent: "No basis for contact is recorded.",
}

// obstacles are what keeps every message of a campaign from a person (contract 32.3).
func (r *Recipient) obstacles(allowUnknown bool) []Reason {
	out := []Reason{}
	for _, why := range (policy.Message{Campaign: true, AllowUnknown: allowUnknown}).Objections(r.Person()) {
		out = append(out, Reason{string(why), reasonWords[why]})
	}
	if r.Username == "" && len(r.KnownTo) == 0 {
		out = append(out, Reason{"PEER_UNRESOLVABLE", "Only the numeric ID is known, and no account of yours has met the person; add the username."})
	}
	return out
}
