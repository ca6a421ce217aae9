package admin

import (
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/campaign"
	"svc/app/org"
	"svc/store"
)

func (s *Service) campaignEndpoints() []api.Endpoint {
	return []api.Endpoint{
		e("GET /admin/campaigns", "list_campaigns", "List the campaigns of all organizations, newest first.", s.listCampaigns),
		e("GET /admin/campaigns/{id}", "get_campaign", "Read a campaign.", s.getCampaign),
		e("POST /admin/campaigns/{id}/pause", "pause_campaign", "Pause a campaign, which its organization then cannot resume.", s.pauseCampaign, api.Errors(api.ErrState)),
		e("POST /admin/campaigns/{id}/resume", "resume_campaign", "Go on with a campaign that an administrator paused.", s.resumeCampaign,
			api.Errors(campaign.ErrNotByAdmin, campaign.ErrNoAccounts, campaign.ErrEnded, campaign.ErrInvalid, org.ErrPolicyNotAccepted), api.Timeout(checksWithin)),
		e("POST /admin/campaigns/{id}/cancel", "cancel_campaign", "End a campaign; who was not reached is not written to.", s.cancelCampaign, api.Errors(api.ErrState)),
	}
}

// checksWithin bounds what may read a whole audience.
const checksWithin = 2 * time.Minute

// Campaign is a campaign with whose it is.
type Campaign struct {
	campaign.Shown
	Organization OrgName `json:"organization"`
}

type listCampaignsIn struct {
	api.PageIn
	Status campaign.Status `query:"status" enum:"DRAFT,SCHEDULED,RUNNING,PAUSED,COMPLETED,CANCELLED,FAILED"`
}

func (s *Service) listCampaigns(c *api.Call, in listCampaignsIn) (out api.Page[Campaign], err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		page, err := s.o.Campaigns.PageAcross(tx, in.Status, in.PageIn)
		if err == nil {
			out, err = named(tx, page, func(k campaign.Shown, o OrgName) Campaign { return Campaign{k, o} })
		}
		return err
	})
	return out, err
}

func (s *Service) getCampaign(c *api.Call, in idIn) (out Campaign, err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		orgID, err := campaign.Find(tx, in.ID)
		if err != nil {
			return err
		}
		k, err := campaign.Get(tx, orgID, in.ID)
		if err != nil {
			return err
		}
		if out.Shown, err = s.o.Campaigns.Show(tx, orgID, &k); err != nil {
			return err
		}
		out.Organization, err = nameOf(tx, orgID)
		return err
	})
	return out, err
}

func (s *Service) pauseCampaign(c *api.Call, body reasonIn) (Campaign, error) {
	reason, err := checkReason(body.Body.Reason)
	if err != nil {
		return Campaign{}, err
	}
	k, name, err := turn(s, c, body.ID, "campaign.paused", "campaign", reason, campaign.Find, func(tx *store.Tx, c *api.Call, orgID string) (campaign.Shown, error) {
		return s.o.Campaigns.AdminPause(tx, c, orgID, body.ID, reason)
	})
	return Campaign{k, name}, err
}

func (s *Service) cancelCampaign(c *api.Call, body reasonIn) (Campaign, error) {
	reason, err := checkReason(body.Body.Reason)
	if err != nil {
		return Campaign{}, err
	}
	k, name, err := turn(s, c, body.ID, "campaign.cancelled", "campaign", reason, campaign.Find, func(tx *store.Tx, c *api.Call, orgID string) (campaign.Shown, error) {
		return s.o.Campaigns.AdminCancel(tx, c, orgID, body.ID, reason)
	})
	return Campaign{k, name}, err
}

// resumeCampaign opens several transactions: a campaign that never began is checked
// first. The log of its organization has the entry with the change; the platform's
// has it right after.
func (s *Service) resumeCampaign(c *api.Call, body mayReasonIn) (out Campaign, err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		orgID, err := campaign.Find(tx, body.ID)
		if err == nil {
			out.Organization, err = nameOf(tx, orgID)
		}
		return err
	})
	if err != nil {
		return out, err
	}
	orgID := out.Organization.ID
	if out.Shown, err = s.o.Campaigns.AdminResume(in(c, orgID), orgID, body.ID, body.reason()); err != nil {
		return out, err
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		return note(tx, c, "campaign.resumed", audit.On("campaign", body.ID, out.Name), orgID, audit.Because(body.reason()))
	})
	return out, err
}
