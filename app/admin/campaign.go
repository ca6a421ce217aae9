package admin

import (
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/campaign"
	"svc/app/campaign/record"
	"svc/app/org"
	"svc/store"
)

func (s *Service) campaignEndpoints() []api.Endpoint {
	return []api.Endpoint{
		e("GET /admin/campaigns", "list_campaigns", "List the campaigns of all organizations, newest first.", s.listCampaigns),
		e("GET /admin/campaigns/{id}", "get_campaign", "Read a campaign.", read(s, record.Find, s.showCampaign, campaignWithOwner)),
		e("POST /admin/campaigns/{id}/pause", "pause_campaign", "Pause a campaign, which its organization then cannot resume.",
			reasonRequired(s, adminAction[campaign.Shown, Campaign]{"campaign.paused", "campaign", record.Find, s.o.Campaigns.AdminPause, campaignWithOwner}), api.Errors(api.ErrState)),
		e("POST /admin/campaigns/{id}/resume", "resume_campaign", "Go on with a campaign that an administrator paused.", s.resumeCampaign,
			api.Errors(campaign.ErrNotByAdmin, campaign.ErrNoAccounts, campaign.ErrEnded, campaign.ErrInvalid, org.ErrPolicyNotAccepted, api.ErrSuspended), api.Timeout(checksWithin)),
		e("POST /admin/campaigns/{id}/cancel", "cancel_campaign", "End a campaign; who was not reached is not written to.",
			reasonRequired(s, adminAction[campaign.Shown, Campaign]{"campaign.cancelled", "campaign", record.Find, s.o.Campaigns.AdminCancel, campaignWithOwner}), api.Errors(api.ErrState)),
	}
}

// checksWithin bounds what may read a whole audience.
const checksWithin = 2 * time.Minute

// Campaign is a campaign with whose it is.
type Campaign struct {
	campaign.Shown
	Organization OrgName `json:"organization"`
}

func campaignWithOwner(k campaign.Shown, o OrgName) Campaign { return Campaign{k, o} }

type listCampaignsIn struct {
	api.PageIn
	AcrossIn
	Status record.Status `query:"status" enum:"DRAFT,SCHEDULED,RUNNING,PAUSED,COMPLETED,CANCELLED,FAILED"`
}

func (s *Service) listCampaigns(c *api.Call, in listCampaignsIn) (api.Page[Campaign], error) {
	return across(s, c, in.AcrossIn, in.PageIn, func(tx *store.Tx) (api.Page[store.Of[campaign.Shown]], error) {
		return s.o.Campaigns.PageAcross(tx, in.OrganizationID, in.Status, in.PageIn)
	}, campaignWithOwner)
}

// showCampaign shows a campaign as its organization sees it.
func (s *Service) showCampaign(tx *store.Tx, orgID, id string) (campaign.Shown, error) {
	k, err := record.Get(tx, orgID, id)
	if err != nil {
		return campaign.Shown{}, err
	}
	return s.o.Campaigns.Show(tx, orgID, &k)
}

// resumeCampaign opens several transactions: a campaign that never began is checked
// first. The logs of its organization and of the platform get their entries in the one
// that resumes it.
func (s *Service) resumeCampaign(c *api.Call, body mayReasonIn) (out Campaign, err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		orgID, err := record.Find(tx, body.ID)
		if err == nil {
			out.Organization, err = nameOf(tx, orgID)
		}
		return err
	})
	if err != nil {
		return out, err
	}
	orgID := out.Organization.ID
	out.Shown, err = s.o.Campaigns.AdminResume(in(c, orgID), orgID, body.ID, body.reason(), func(tx *store.Tx) error {
		return note(tx, c, "campaign.resumed", audit.On("campaign", body.ID, ""), orgID, audit.Because(body.reason()))
	})
	return out, err
}
