package support

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

// List lists the support sessions of all organizations, newest first.
func List(tx *store.Tx, in api.PageIn) (out api.Page[ShownSupport], err error) {
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

func showSupport(tx *store.Tx, s *Session) (ShownSupport, error) {
	o, err := org.Get(tx, s.Org)
	if errors.Is(err, store.ErrNotFound) {
		err = nil
	}
	return s.Show(tx.DB().Now(), o.Name), err
}

// Find reads a support session of whatever organization.
func Find(tx *store.Tx, id string) (Session, error) {
	found, _, err := supportsAcross.Walk(tx, store.Range{Span: store.Is(store.Text(id)), Limit: 1})
	if err == nil && len(found) == 0 {
		err = store.ErrNotFound
	}
	if err != nil {
		return Session{}, err
	}
	return found[0].Record, nil
}

// End notes that a support session ended, whoever opened it: a link that was not used works
// no more. One that is over already is ErrState. Its administrator is still to be taken out
// of it (package session).
func End(tx *store.Tx, c *api.Call, id string) (ShownSupport, error) {
	s, err := Find(tx, id)
	if err != nil {
		return ShownSupport{}, err
	}
	now := tx.DB().Now()
	if at := s.status(now); at != Pending && at != Active {
		return ShownSupport{}, api.ErrState.WithMessage("The support session is over already.")
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

// Looking is how many support sessions of the latest ones look at an
// organization now; none lasts longer than four hours.
func Looking(tx *store.Tx) (n int, err error) {
	now := tx.DB().Now()
	list, _, err := supportsAcross.Walk(tx, store.Range{Span: store.All(), Reverse: true, Limit: acrossChunk})
	for i := range list {
		if now.Sub(list[i].Record.CreatedAt) > maxMinutes*time.Minute+linkLives {
			break
		}
		if list[i].Record.status(now) == Active {
			n++
		}
	}
	return n, err
}
