package managed

import (
	"context"
	"reflect"

	"svc/app/api"
	"svc/app/mapkey"
	"svc/store"
)

// Add makes a stored key for who owns the machine (map contract 54.10), and says how many
// others have its name.
func (s *Service) Add(ctx context.Context, n mapkey.NewKey) (made NewMapKey, sameName int, err error) {
	if _, err := n.Check(); err != nil {
		return made, 0, err
	}
	if made, err = s.add(api.System(ctx, store.Platform, s.db.Now()), n); err != nil {
		return made, 0, err
	}
	list, err := s.Stored(ctx)
	for i := range list {
		if list[i].Name == made.Name && list[i].ID != made.ID {
			sameName++
		}
	}
	return made, sameName, err
}

// Stored are the stored keys, oldest first.
func (s *Service) Stored(ctx context.Context) (keys []MapKey, err error) {
	err = s.db.View(ctx, func(tx *store.Tx) error {
		list, err := all(tx)
		if err != nil {
			return err
		}
		keys = make([]MapKey, 0, len(list))
		for i := range list {
			keys = append(keys, s.show(&list[i], s.db.Now()))
		}
		return nil
	})
	return keys, err
}

// Revoke revokes the one stored key that who names: the key itself, its ID, its start or
// the name of exactly one that is not revoked. already says that it was revoked before.
func (s *Service) Revoke(ctx context.Context, who string) (k MapKey, already bool, err error) {
	r, _, err := s.named(ctx, who)
	if err != nil {
		return k, false, err
	}
	k, err = s.revoke(api.System(ctx, store.Platform, s.db.Now()), idIn{ID: r.ID})
	return k, r.RevokedAt != nil, err
}

// EditedMapKey is the outcome of Edit.
type EditedMapKey struct {
	MapKey
	Same     bool // it was like that before
	SameName int  // how many others have the name that it has now
}

// Edit changes the one stored key that who names, as Revoke finds it.
func (s *Service) Edit(ctx context.Context, who string, c mapkey.KeyChanges) (out EditedMapKey, err error) {
	if err := c.Check(); err != nil {
		return out, err
	}
	found, list, err := s.named(ctx, who)
	if err != nil {
		return out, err
	}
	out.MapKey, err = s.edit(api.System(ctx, store.Platform, s.db.Now()), found.ID, "map_key.updated", func(r *record) (bool, error) {
		before := r.fields()
		after := c.Apply(before)
		r.Name, r.Origins, r.RateLimit, r.MonthlyQuota, r.Note = after.Name, after.Origins, after.RateLimit, after.MonthlyQuota, after.Note
		err := r.check()
		out.Same = reflect.DeepEqual(before, r.fields())
		return !out.Same, err
	})
	for _, other := range list {
		if other.ID != out.ID && other.Name == out.Name {
			out.SameName++
		}
	}
	return out, err
}

// fields are what people decide about a key.
func (r *record) fields() mapkey.Key {
	return mapkey.Key{Name: r.Name, Origins: r.Origins, RateLimit: r.RateLimit, MonthlyQuota: r.MonthlyQuota, Note: r.Note}
}

// named finds the one stored key that who names, and gives all of them.
func (s *Service) named(ctx context.Context, who string) (found record, list []record, err error) {
	err = s.db.View(ctx, func(tx *store.Tx) (err error) {
		list, err = all(tx)
		return err
	})
	if err != nil {
		return found, nil, err
	}
	candidates := make([]mapkey.Candidate, 0, len(list))
	for _, r := range list {
		candidates = append(candidates, mapkey.Candidate{
			ID: r.ID, Name: r.Name, Disabled: r.RevokedAt != nil,
			Is:     func(who string) bool { return who == r.ID || mapkey.KeyID(who) == r.hash() },
			Begins: func(who string) bool { return who+"…" == r.Start }, // more of the key is not known
		})
	}
	hit, err := mapkey.Find(candidates, who, "the database")
	if err != nil {
		return found, nil, err
	}
	return list[hit[0]], list, nil
}
