package session

import (
	"svc/app/api"
	"svc/app/session/support"
	"svc/store"
)

// EnterSupport makes a session of an administrator look at an organization.
func EnterSupport(tx *store.Tx, sessionID string, in Support) error {
	_, err := edit(tx, sessionID, func(s *Session) error {
		s.Support = &in
		return nil
	})
	return err
}

// UseSupportLink begins the support session of a link in the caller's own session. A link
// that was used, is too old or belongs to another administrator is store.ErrNotFound.
func UseSupportLink(tx *store.Tx, c *api.Call, token string) error {
	s, err := support.Begin(tx, c, token)
	if err != nil {
		return err
	}
	return EnterSupport(tx, c.Caller.Session, Support{ID: s.ID, Org: s.Org, ExpiresAt: s.ExpiresAt})
}

// EndSupport ends a support session, whoever opened it: its administrator is back in
// their own organization with this commit. One that is over already is ErrState.
func EndSupport(tx *store.Tx, c *api.Call, id string) (support.ShownSupport, error) {
	s, err := support.End(tx, c, id)
	if err != nil {
		return s, err
	}
	return s, leaveSupport(tx, s.Admin.ID, id)
}

// leaveSupport takes the sessions of a person out of a support session.
func leaveSupport(tx *store.Tx, userID, support string) error {
	list, err := ofPerson(tx, userID)
	for i := range list {
		if err != nil || list[i].Support == nil || list[i].Support.ID != support {
			continue
		}
		_, err = edit(tx, list[i].ID, func(s *Session) error {
			s.Support = nil
			return nil
		})
	}
	return err
}
