package admin

import (
	"svc/app/api"
	"svc/app/audit"
	"svc/app/org"
	"svc/store"
	"svc/store/recordid"
)

// OrgName names an organization beside what belongs to it.
type OrgName struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// nameOf names an organization; one that is gone has no name.
func nameOf(tx *store.Tx, orgID string) (OrgName, error) {
	o, err := org.Get(tx, orgID)
	if missing(err) {
		err = nil
	}
	return OrgName{orgID, o.Name}, err
}

// AcrossIn narrows a list over all organizations to one.
type AcrossIn struct {
	OrganizationID string `query:"organization_id" maxLength:"64" doc:"Of that organization only."`
}

// across is a list of what organizations have, each with whose it is. What is no id of an
// organization has nothing, as one that nobody has.
func across[T, R any](s *Service, c *api.Call, in AcrossIn, window api.PageIn, find func(*store.Tx) (api.Page[store.Of[T]], error), row func(T, OrgName) R) (out api.Page[R], err error) {
	if in.OrganizationID != "" && !recordid.Valid("org", in.OrganizationID) {
		return api.NewPage([]R{}, 0, window, nil), nil
	}
	err = s.db.View(c, func(tx *store.Tx) error {
		page, err := find(tx)
		if err != nil {
			return err
		}
		names := map[string]OrgName{}
		out = api.Page[R]{Data: []R{}, Total: page.Total, Limit: page.Limit, Offset: page.Offset, NextCursor: page.NextCursor}
		for _, of := range page.Data {
			name, known := names[of.Org]
			if !known {
				if name, err = nameOf(tx, of.Org); err != nil {
					return err
				}
				names[of.Org] = name
			}
			out.Data = append(out.Data, row(of.Record, name))
		}
		return nil
	})
	return out, err
}

// read is the operation that shows one thing.
func read[T, R any](s *Service, find func(*store.Tx, string) (string, error), get func(tx *store.Tx, orgID, id string) (T, error), row func(T, OrgName) R) func(*api.Call, idIn) (R, error) {
	return func(c *api.Call, in idIn) (out R, err error) {
		err = s.db.View(c, func(tx *store.Tx) error {
			orgID, err := find(tx, in.ID)
			if err != nil {
				return err
			}
			it, err := get(tx, orgID, in.ID)
			if err != nil {
				return err
			}
			name, err := nameOf(tx, orgID)
			out = row(it, name)
			return err
		})
		return out, err
	}
}

// adminAction is what changes one thing that an organization has: the slice that keeps the
// thing does it and writes the log of the organization; the log of the platform is
// written here, in the same transaction.
type adminAction[T, R any] struct {
	action, kind string // as the log calls them
	find         func(*store.Tx, string) (orgID string, err error)
	change       func(tx *store.Tx, c *api.Call, orgID, id, reason string) (T, error)
	row          func(T, OrgName) R
}

// reasonRequired is the operation for which a reason has to be given.
func reasonRequired[T, R any](s *Service, st adminAction[T, R]) func(*api.Call, reasonIn) (R, error) {
	return func(c *api.Call, in reasonIn) (out R, err error) {
		reason, err := checkReason(in.Body.Reason)
		if err != nil {
			return out, err
		}
		return st.steer(s, c, in.ID, reason)
	}
}

// reasonOptional is the operation for which a reason can be given.
func reasonOptional[T, R any](s *Service, st adminAction[T, R]) func(*api.Call, mayReasonIn) (R, error) {
	return func(c *api.Call, in mayReasonIn) (R, error) { return st.steer(s, c, in.ID, in.reason()) }
}

func (st adminAction[T, R]) steer(s *Service, c *api.Call, id, reason string) (out R, err error) {
	err = s.db.Update(c, func(tx *store.Tx) error {
		orgID, err := st.find(tx, id)
		if err != nil {
			return err
		}
		it, err := st.change(tx, in(c, orgID), orgID, id, reason)
		if err != nil {
			return err
		}
		name, err := nameOf(tx, orgID)
		if err != nil {
			return err
		}
		out = st.row(it, name)
		return note(tx, c, st.action, audit.On(st.kind, id, ""), orgID, audit.Because(reason))
	})
	return out, err
}
