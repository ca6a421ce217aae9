package session

import (
	"errors"
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/org"
	"svc/store"
)

// acrossChunk bounds the records that are read at a time to pass over an offset.
const acrossChunk = 500

// ListSupport lists the support sessions of all organizations, newest first.
func ListSupport(tx *store.Tx, in api.PageIn) (out api.Page[ShownSupport], err error) {
	total, err := supportCount.Count(tx, everyone)
	if err != nil || in.Offset >= total {
		return api.NewPage[ShownSupport](nil, total, in, nil), err
	}
	r := store.Range{Span: store.All(), After: in.Behind(), Reverse: true}
	for left := in.Offset; left > 0 && err == nil; left -= r.Limit {
		r.Limit = min(left, acrossChunk)
		_, r.After, err = supportsAcross.Walk(tx, r)
	}
	if err != nil {
		return out, err
	}
	r.Limit = in.Limit
	list, next, err := supportsAcross.Walk(tx, r)
	rows := make([]ShownSupport, len(list))
	for i := range list {
		if err == nil {
			rows[i], err = showSupport(tx, &list[i].Record)
		}
	}
	return api.NewPage(rows, total, in, next), err
}

func showSupport(tx *store.Tx, s *SupportSession) (ShownSupport, error) {
	o, err := org.Get(tx, s.Org)
	if errors.Is(err, store.ErrNotFound) {
		err = nil
	}
	return s.Show(tx.DB().Now(), o.Name), err
}

// FindSupport reads a support session of whatever organization.
func FindSupport(tx *store.Tx, id string) (SupportSession, error) {
	found, _, err := supportsAcross.Walk(tx, store.Range{Span: store.Is(store.Text(id)), Limit: 1})
	if err == nil && len(found) == 0 {
		err = store.ErrNotFound
	}
	if err != nil {
		return SupportSession{}, err
	}
	return found[0].Record, nil
}

// EndSupport ends a support session, whoever opened it: its administrator is back in
// his own organization with this commit, and a link that was not used works no more.
// One that is over already is ErrState.
func EndSupport(tx *store.Tx, c *api.Call, id string) (ShownSupport, error) {
	s, err := FindSupport(tx, id)
	if err != nil {
		return ShownSupport{}, err
	}
	now := tx.DB().Now()
	if at := s.status(now); at != SupportPending && at != SupportActive {
		return ShownSupport{}, api.ErrState.WithMessage("The support session is over already.")
	}
	if err := leaveSupport(tx, s.AdminID, id); err != nil {
		return ShownSupport{}, err
	}
	s.EndedAt, s.TokenHash = &now, ""
	if err := supports.Put(tx, s.Org, &s); err != nil {
		return ShownSupport{}, err
	}
	on := audit.On("support_session", s.ID, s.AdminName)
	err = errors.Join(
		audit.WriteTo(tx, store.Platform, c, "support_session.ended", on),
		audit.WriteTo(tx, s.Org, c, "support_session.ended", on))
	if err != nil {
		return ShownSupport{}, err
	}
	return showSupport(tx, &s)
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

// ActiveSupport is how many support sessions of the latest ones look at an
// organization now; none lasts longer than four hours.
func ActiveSupport(tx *store.Tx) (n int, err error) {
	now := tx.DB().Now()
	list, _, err := supportsAcross.Walk(tx, store.Range{Span: store.All(), Reverse: true, Limit: acrossChunk})
	for i := range list {
		if now.Sub(list[i].Record.CreatedAt) > maxSupportMinutes*time.Minute+linkLives {
			break
		}
		if list[i].Record.status(now) == SupportActive {
			n++
		}
	}
	return n, err
}
