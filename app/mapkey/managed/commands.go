package managed

import (
	"context"

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
	var list []record
	err = s.db.View(ctx, func(tx *store.Tx) (err error) {
		list, err = all(tx)
		return err
	})
	if err != nil {
		return k, false, err
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
		return k, false, err
	}
	r := list[hit[0]]
	k, err = s.revoke(api.System(ctx, store.Platform, s.db.Now()), idIn{ID: r.ID})
	return k, r.RevokedAt != nil, err
}
