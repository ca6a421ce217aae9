package admin

import (
	"net/url"

	"svc/app/api"
	"svc/app/org"
	"svc/app/session"
	"svc/app/session/support"
	"svc/app/setting"
	"svc/store"
)

func (s *Service) supportEndpoints() []api.Endpoint {
	return []api.Endpoint{
		e("POST /admin/organizations/{id}/support-sessions", "open_support", "Prepare a look into an organization, which reads the reason; the link is in this answer only.", s.openSupport,
			api.OneTime("enter_url")),
		e("GET /admin/support-sessions", "list_support", "List support sessions, newest first.", api.Read(s.db, s.listSupport)),
		e("POST /admin/support-sessions/{id}/end", "end_support", "End a support session at once, whoever is in it.", s.endSupport, api.Errors(api.ErrState)),
		e("GET /admin/support-sessions/{id}/accesses", "support_accesses", "List what a support session looked at, newest first.", api.Read(s.db, s.supportAccesses)),
		e("GET /support/enter", "enter_support", "Begin the support session of a link, once, and go to the console.", s.enterSupport, api.Errors(api.ErrNotFound)),
	}
}

// exists is store.ErrNotFound unless there is such an organization.
func exists(tx *store.Tx, orgID string) error {
	_, err := org.Get(tx, orgID)
	return err
}

type openSupportIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		Reason  string `json:"reason" required:"true" maxLength:"500" doc:"The organization reads it." example:"They asked about an import"`
		Minutes *int   `json:"minutes" minimum:"1" maximum:"240" doc:"How long it may last; support_session_minutes of the settings when not given."`
	}
}

// OpenedSupport is a support session with the link that begins it.
type OpenedSupport struct {
	support.ShownSupport
	EnterURL string `json:"enter_url" doc:"Works once, for 5 minutes, in the session of the administrator who asked for it."`
}

func (s *Service) openSupport(c *api.Call, body openSupportIn) (out api.Created[OpenedSupport], err error) {
	reason, err := checkReason(body.Body.Reason)
	if err != nil {
		return out, err
	}
	token := org.NewToken()
	err = s.db.Update(c, func(tx *store.Tx) error {
		o, err := org.Get(tx, body.ID)
		if err != nil {
			return err
		}
		minutes, err := supportMinutes(tx, body.Body.Minutes)
		if err != nil {
			return err
		}
		opened, err := support.Open(tx, c, o.ID, reason, minutes, token)
		if err != nil {
			return err
		}
		out = api.New(OpenedSupport{opened.Show(c.Now, o.Name), c.Base + "/api/v1/support/enter?token=" + url.QueryEscape(token)})
		return nil
	})
	return out, err
}

func supportMinutes(tx *store.Tx, asked *int) (int, error) {
	if asked != nil {
		return *asked, nil
	}
	settings, err := setting.Get(tx)
	return settings.SupportSessionMinutes, err
}

func (s *Service) listSupport(_ *api.Call, tx *store.Tx, in api.PageIn) (out api.Page[support.ShownSupport], err error) {
	return support.List(tx, in)
}

func (s *Service) endSupport(c *api.Call, in idIn) (out support.ShownSupport, err error) {
	err = s.db.Update(c, func(tx *store.Tx) (err error) {
		out, err = session.EndSupport(tx, c, in.ID)
		return err
	})
	return out, err
}

type supportAccessesIn struct {
	api.PageIn
	ID string `path:"id" maxLength:"64"`
}

func (s *Service) supportAccesses(_ *api.Call, tx *store.Tx, in supportAccessesIn) (out api.Page[support.ShownAccess], err error) {
	at, err := support.Find(tx, in.ID)
	if err != nil {
		return out, err
	}
	return support.Accesses(tx, at.Org, at.ID, in.PageIn)
}

type enterSupportIn struct {
	Token string `query:"token" required:"true" maxLength:"200"`
}

// enterSupport is a GET that begins something, because a person follows a link to it:
// it works once, in the session of one administrator, and changes nothing else.
func (s *Service) enterSupport(c *api.Call, in enterSupportIn) (out api.Redirect, err error) {
	err = s.db.Update(c, func(tx *store.Tx) error {
		err := session.UseSupportLink(tx, c, in.Token)
		if missing(err) {
			return errLink
		}
		return err
	})
	return api.Redirect{To: c.Base + "/console/"}, err
}
