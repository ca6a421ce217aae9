package audience

import (
	"slices"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/module"
	"svc/app/policy"
	"svc/app/recipient"
	"svc/app/setting"
	"svc/store"
)

// Reason says why a message would not reach somebody.
type Reason struct {
	Code    string `json:"code" example:"OPTED_OUT"`
	Message string `json:"message"`
}

// CampaignReach says what of a campaign keeps a message from a person, and the account
// that it would be sent from, "" for none. Unknown campaigns are store.ErrNotFound. The
// slice of campaigns offers it.
type CampaignReach func(tx *store.Tx, c *api.Call, campaign string, r recipient.Recipient) (account string, reasons []Reason, err error)

// Service says whether messages reach recipients.
type Service struct {
	db       *store.DB
	campaign CampaignReach
}

// New makes the service. Without a campaign, nil, there are no campaigns.
func New(db *store.DB, campaign CampaignReach) *Service { return &Service{db, campaign} }

// Slice registers the reachability of recipients.
func Slice() module.Slice {
	return module.Slice{Name: "audience", New: func(e *module.Env) module.Module {
		s := New(e.DB, nil)
		return module.Module{
			Endpoints: s.Endpoints(),
			Ready: func() {
				for _, f := range module.All[CampaignReach](e) {
					s.campaign = f
				}
			},
		}
	}}
}

// Endpoints are the operations of the slice.
func (s *Service) Endpoints() []api.Endpoint {
	return []api.Endpoint{
		api.E("GET /recipients/{id}/reachability", "recipients.reachability", perm.RecipientsRead, "Say whether a message would reach a recipient, and why not.", api.Read(s.db, s.reachability)),
	}
}

type reachabilityIn struct {
	recipient.IDIn
	CampaignID string `query:"campaign_id" maxLength:"64" doc:"Also ask what this campaign has against it."`
}

// Reachability says whether a message would reach somebody.
type Reachability struct {
	Reachable bool      `json:"reachable"`
	Reasons   []Reason  `json:"reasons" doc:"Why not; empty when reachable."`
	AccountID *string   `json:"account_id" doc:"The account that it would be sent from, where that is known."`
	CheckedAt time.Time `json:"checked_at"`
}

func (s *Service) reachability(c *api.Call, tx *store.Tx, in reachabilityIn) (out Reachability, err error) {
	r, err := recipient.Get(tx, c.Org, in.ID)
	if err != nil {
		return out, err
	}
	platform, err := setting.Get(tx)
	if err != nil {
		return out, err
	}
	account, more, err := s.accountFor(tx, c, in.CampaignID, &r)
	if err != nil {
		return out, err
	}
	reasons := withoutRepeats(obstacles(&r, platform.AllowUnknownConsent), more)
	return Reachability{Reachable: len(reasons) == 0, Reasons: reasons, AccountID: api.Optional(account), CheckedAt: c.Now}, nil
}

// accountFor is the account that writes to a recipient, with what stands in the way of a campaign
// when one is named; without a campaign the first that knows them, "" when none does.
func (s *Service) accountFor(tx *store.Tx, c *api.Call, campaign string, r *recipient.Recipient) (account string, more []Reason, err error) {
	switch {
	case campaign != "" && s.campaign == nil:
		return "", nil, store.ErrNotFound
	case campaign != "":
		return s.campaign(tx, c, campaign, *r)
	case len(r.KnownTo) > 0:
		return r.KnownTo[0], nil, nil
	}
	return "", nil, nil
}

// withoutRepeats adds the reasons whose code is not among them yet.
func withoutRepeats(reasons, more []Reason) []Reason {
	for _, r := range more {
		if !slices.ContainsFunc(reasons, func(said Reason) bool { return said.Code == r.Code }) {
			reasons = append(reasons, r)
		}
	}
	return reasons
}

// reasonWords say what the reasons of the policy mean.
var reasonWords = map[policy.Reason]string{
	policy.OptedOut:       "The person opted out.",
	policy.Suppressed:     "The suppression list names the person.",
	policy.UnknownConsent: "No basis for contact is recorded.",
}

// obstacles are what keeps every message of a campaign from a person (contract 32.3).
func obstacles(r *recipient.Recipient, allowUnknown bool) []Reason {
	out := []Reason{}
	for _, why := range (policy.Message{Campaign: true, AllowUnknown: allowUnknown}).Objections(r.Person()) {
		out = append(out, Reason{string(why), reasonWords[why]})
	}
	if r.Username == "" && len(r.KnownTo) == 0 {
		out = append(out, Reason{"PEER_UNRESOLVABLE", "Only the numeric ID is known, and no account of yours has met the person; add the username."})
	}
	return out
}
