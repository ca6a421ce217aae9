package admin

import (
	"strings"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/audit"
	"svc/app/event"
	"svc/app/org"
	"svc/app/user"
	"svc/store"
)

func (s *Service) organizationEndpoints() []api.Endpoint {
	return []api.Endpoint{
		e("GET /admin/organizations", "list_organizations", "List organizations, newest first.", api.Read(s.db, s.listOrganizations)),
		e("POST /admin/organizations", "create_organization", "Make an organization and invite its OWNER; the link is in this answer only.", s.createOrganization,
			api.OneTime("invitation_url")),
		e("GET /admin/organizations/{id}", "get_organization", "Read an organization.", api.Read(s.db, s.getOrganization)),
		e("PATCH /admin/organizations/{id}", "update_organization", "Change name, plan or AI of an organization.", s.updateOrganization),
		e("POST /admin/organizations/{id}/suspend", "suspend_organization", "Suspend an organization: it can be read, not changed, and sends nothing.", s.suspend, api.Errors(api.ErrState)),
		e("POST /admin/organizations/{id}/reactivate", "reactivate_organization", "Let a suspended organization act again; what was paused stays so.", s.reactivate, api.Errors(api.ErrState)),
		e("GET /admin/organizations/{id}/limits", "get_limits", "Read the limits of an organization.", api.Read(s.db, s.getLimits)),
		e("PUT /admin/organizations/{id}/limits", "put_limits", "Replace limits of the plan for one organization.", s.putLimits),
	}
}

// Organization is an organization as administrators see it (contract 17).
type Organization struct {
	org.ShownOrganization
	Owner           *Owner     `json:"owner" doc:"Its first OWNER, or who is invited to be; null for none."`
	MembersCount    int        `json:"members_count"`
	AccountsCount   int        `json:"accounts_count"`
	RecipientsCount int        `json:"recipients_count"`
	LastActivityAt  *time.Time `json:"last_activity_at" doc:"When something was changed, or happened, in it last."`
	Usage           org.Usage  `json:"usage"`
	InvitationURL   string     `json:"invitation_url,omitempty" doc:"The link for the OWNER; in the answer that makes the organization only."`
}

// Owner is whom an organization belongs to.
type Owner struct {
	Email  string  `json:"email"`
	UserID *string `json:"user_id" doc:"null until the invitation was accepted."`
}

func (s *Service) show(tx *store.Tx, id string, now time.Time) (out Organization, err error) {
	if out.ShownOrganization, err = org.Show(tx, id); err != nil {
		return out, err
	}
	email, person, err := org.OwnerOf(tx, id)
	if err != nil {
		return out, err
	}
	if email != "" {
		out.Owner = &Owner{email, api.Optional(person)}
	}
	if out.Usage, err = s.o.Orgs.UsageOf(tx, id, now); err != nil {
		return out, err
	}
	if out.MembersCount, err = org.CountMembers(tx, id); err != nil {
		return out, err
	}
	out.AccountsCount, out.RecipientsCount = out.Usage.Used[org.LimitAccounts], out.Usage.Used[org.LimitRecipients]
	out.LastActivityAt, err = lastActivity(tx, id)
	return out, err
}

// lastActivity is when the newest entry of its log or the newest of its events was
// written.
func lastActivity(tx *store.Tx, id string) (*time.Time, error) {
	changed, err := audit.Latest(tx, id)
	if err != nil {
		return nil, err
	}
	happened, err := event.Latest(tx, id)
	if happened.After(changed) {
		changed = happened
	}
	if err != nil || changed.IsZero() {
		return nil, err
	}
	return &changed, nil
}

type listOrganizationsIn struct {
	api.PageIn
	Q      string     `query:"q" minLength:"2" maxLength:"64" doc:"The beginning of a name, of a word in it, or of a slug."`
	Status org.Status `query:"status" enum:"ACTIVE,SUSPENDED"`
	Plan   org.Plan   `query:"plan" enum:"FREE,STARTER,PRO,ENTERPRISE"`
	Sort   string     `query:"sort" enum:"created_at,-created_at" default:"-created_at"`
}

func (s *Service) listOrganizations(c *api.Call, tx *store.Tx, in listOrganizationsIn) (out api.Page[Organization], err error) {
	page, err := org.List(tx, org.Filter{Q: in.Q, Status: in.Status, Plan: in.Plan}, strings.HasPrefix(in.Sort, "-"), in.PageIn)
	if err != nil {
		return out, err
	}
	return api.ShowPage(page, in.PageIn, func(x *org.Organization) (Organization, error) { return s.show(tx, x.ID, c.Now) })
}

func (s *Service) getOrganization(c *api.Call, tx *store.Tx, in idIn) (out Organization, err error) {
	return s.show(tx, in.ID, c.Now)
}

type createOrganizationIn struct {
	Body struct {
		Name       string   `json:"name" required:"true" maxLength:"480"`
		OwnerEmail string   `json:"owner_email" required:"true" maxLength:"254" example:"olga@example.com"`
		Plan       org.Plan `json:"plan" enum:"FREE,STARTER,PRO,ENTERPRISE" doc:"The default of the platform when not given."`
		Timezone   string   `json:"timezone" maxLength:"64" doc:"UTC when not given." example:"Asia/Tashkent"`
	}
}

func (s *Service) createOrganization(c *api.Call, body createOrganizationIn) (out api.Created[Organization], err error) {
	b := body.Body
	email, err := user.CheckEmail("owner_email", b.OwnerEmail)
	if err != nil {
		return out, err
	}
	token := org.NewToken()
	err = s.db.Update(c, func(tx *store.Tx) error {
		id, err := createFor(tx, c, org.Fields{Name: b.Name, Timezone: b.Timezone, Plan: b.Plan}, email, token)
		if err != nil {
			return err
		}
		shown, err := s.show(tx, id, c.Now)
		shown.InvitationURL = org.InvitationURL(c, token)
		out = api.New(shown)
		return err
	})
	return out, err
}

// createFor makes an organization and invites its owner.
func createFor(tx *store.Tx, c *api.Call, f org.Fields, email, token string) (id string, err error) {
	o, err := org.Create(tx, c, f)
	if err != nil {
		return "", err
	}
	if _, err := org.Invite(tx, in(c, o.ID), o.ID, email, perm.Owner, token); err != nil {
		return "", err
	}
	return o.ID, note(tx, c, "organization.created", audit.On("organization", o.ID, o.Name), o.ID)
}

type updateOrganizationIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		Name                     api.Patch[string]   `json:"name" maxLength:"480"`
		Plan                     api.Patch[org.Plan] `json:"plan" enum:"FREE,STARTER,PRO,ENTERPRISE"`
		AIEnabled                api.Patch[bool]     `json:"ai_enabled"`
		ConversationIntelligence api.Patch[bool]     `json:"conversation_intelligence_enabled"`
	}
}

// given is a field of a PATCH as a pointer: nil when it was not there.
func given[T any](p api.Patch[T]) *T {
	if !p.Set {
		return nil
	}
	return &p.Value
}

func (s *Service) updateOrganization(c *api.Call, body updateOrganizationIn) (out Organization, err error) {
	b := body.Body
	err = s.db.Update(c, func(tx *store.Tx) error {
		o, details, err := org.Administer(tx, in(c, body.ID), body.ID, org.Administration{
			Name: given(b.Name), Plan: given(b.Plan), AIEnabled: given(b.AIEnabled), ConversationIntelligence: given(b.ConversationIntelligence),
		})
		if err != nil {
			return err
		}
		if len(details) > 0 {
			if err := note(tx, c, "organization.updated", audit.On("organization", o.ID, o.Name), o.ID, details...); err != nil {
				return err
			}
		}
		out, err = s.show(tx, o.ID, c.Now)
		return err
	})
	return out, err
}

func (s *Service) suspend(c *api.Call, body reasonIn) (out Organization, err error) {
	reason, err := checkReason(body.Body.Reason)
	if err != nil {
		return out, err
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		o, err := s.o.Orgs.Suspend(tx, in(c, body.ID), body.ID, reason)
		if err != nil {
			return err
		}
		if err := note(tx, c, "organization.suspended", audit.On("organization", o.ID, o.Name), o.ID, audit.Because(reason)); err != nil {
			return err
		}
		out, err = s.show(tx, o.ID, c.Now)
		return err
	})
	return out, err
}

func (s *Service) reactivate(c *api.Call, body mayReasonIn) (out Organization, err error) {
	err = s.db.Update(c, func(tx *store.Tx) error {
		o, err := s.o.Orgs.Reactivate(tx, in(c, body.ID), body.ID)
		if err != nil {
			return err
		}
		if err := note(tx, c, "organization.reactivated", audit.On("organization", o.ID, o.Name), o.ID, audit.Because(body.reason())); err != nil {
			return err
		}
		out, err = s.show(tx, o.ID, c.Now)
		return err
	})
	return out, err
}
