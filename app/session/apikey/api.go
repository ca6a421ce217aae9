package apikey

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/audit"
	"svc/app/org"
	"svc/store"
)

// ShownKey is a key as the API shows it.
type ShownKey struct {
	ID          string     `json:"id"`
	Name        string     `json:"name"`
	Prefix      string     `json:"prefix"`
	Status      Status     `json:"status" enum:"ACTIVE,ROTATING,EXPIRED,REVOKED"`
	Scopes      []string   `json:"scopes" nullable:"true" doc:"null: everything that API_CLIENT may."`
	ExpiresAt   *time.Time `json:"expires_at"`
	RotatedFrom *string    `json:"rotated_from" doc:"The key that this one replaced."`
	ValidUntil  *time.Time `json:"valid_until" doc:"Until when a rotated key works."`
	LastUsedAt  *time.Time `json:"last_used_at"`
	LastUsedIP  *string    `json:"last_used_ip"`
	CreatedBy   string     `json:"created_by"`
	Creator     *api.Named `json:"creator"`
	CreatedAt   time.Time  `json:"created_at"`
	Key         string     `json:"key,omitempty" doc:"The key itself; in the answers that create and rotate only."`
}

func (k *Key) show(org string, now time.Time) ShownKey {
	return ShownKey{
		k.ID, k.Name, k.Prefix, k.Status(now), k.Scopes, k.ExpiresAt, k.RotatedFrom, k.ValidUntil, k.LastUsedAt, k.LastUsedIP, k.CreatedBy, api.Ref(org, k.CreatedBy), k.CreatedAt, "",
	}
}

type listKeysIn struct {
	api.PageIn
	Sort string `query:"sort" enum:"created_at,-created_at" default:"-created_at"`
}

func (s *Service) listKeys(c *api.Call, in listKeysIn) (out api.Page[ShownKey], err error) {
	return api.ListOf(c, s.db, keys, store.Query[Key]{Sort: keyCreated, Reverse: in.Sort == "-created_at", Offset: in.Offset, Limit: in.Limit, After: in.Behind()}, in.PageIn, func(_ *store.Tx, x *Key) (ShownKey, error) { return s.upToDate(c.Org, x).show(c.Org, c.Now), nil })
}

// getKey answers the row of the list.
func (s *Service) getKey(c *api.Call, tx *store.Tx, in idIn) (out ShownKey, err error) {
	k, err := keys.Get(tx, c.Org, in.ID)
	if err != nil {
		return out, err
	}
	return s.upToDate(c.Org, &k).show(c.Org, c.Now), nil
}

type renameKeyIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		Name api.Patch[string] `json:"name" minLength:"1" maxLength:"120" example:"CRM"`
	}
}

// renameKey changes what people call a key; the key itself stays. A key of any status
// may be renamed.
func (s *Service) renameKey(c *api.Call, in renameKeyIn) (out ShownKey, err error) {
	in.Body.Name.Value = strings.TrimSpace(in.Body.Name.Value)
	if in.Body.Name.Set && in.Body.Name.Value == "" {
		return out, api.Wrong("name", "must not be empty")
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		k, err := keys.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		if err := k.rename(tx, c, in.Body.Name); err != nil {
			return err
		}
		out = s.upToDate(c.Org, &k).show(c.Org, c.Now)
		return nil
	})
	return out, err
}

func (k *Key) rename(tx *store.Tx, c *api.Call, name api.Patch[string]) error {
	before := k.Name
	if !name.Apply(&k.Name) {
		return nil
	}
	tx.Changed(Topic) // whoever keeps the name for the audit log
	if err := keys.Put(tx, c.Org, k); err != nil {
		return err
	}
	return audit.Write(tx, c, "api_key.updated", audit.On("api_key", k.ID, k.Name), audit.Changed("name", before, k.Name))
}

type createKeyIn struct {
	Body struct {
		Name          string    `json:"name" required:"true" minLength:"1" maxLength:"120" example:"CRM"`
		ExpiresInDays *int      `json:"expires_in_days" nullable:"true" minimum:"1" maximum:"3650" doc:"null: it does not expire."`
		Scopes        *[]string `json:"scopes" nullable:"true" doc:"Permissions of API_CLIENT; null: all of them." example:"[\"recipients:read\"]"`
	}
}

func (s *Service) createKey(c *api.Call, in createKeyIn) (out api.Created[ShownKey], err error) {
	scopes, err := checkScopes(in.Body.Scopes)
	if err != nil {
		return out, err
	}
	name := strings.TrimSpace(in.Body.Name)
	if name == "" {
		return out, api.Wrong("name", "must not be empty")
	}
	k := Key{Name: name, Scopes: scopes}
	var life time.Duration
	if d := in.Body.ExpiresInDays; d != nil {
		life = time.Duration(*d) * 24 * time.Hour
	}
	return s.addKey(c, k, life, func(*store.Tx, *Key) error { return nil })
}

// addKey saves a new key that works for life, 0 for ever, after first has run in
// the same transaction, and shows it.
func (s *Service) addKey(c *api.Call, k Key, life time.Duration, first func(*store.Tx, *Key) error) (out api.Created[ShownKey], err error) {
	prefix, whole := newKey()
	err = s.db.Update(c, func(tx *store.Tx) error {
		if err := org.CheckLimit(tx, c.Org, org.LimitAPIAccess, 0, 1); err != nil {
			return err
		}
		n, now := k, tx.DB().Now()
		if err := first(tx, &n); err != nil {
			return err
		}
		hash, err := tx.Hash(keyPurpose, whole)
		if err != nil {
			return err
		}
		n.ID, n.Prefix, n.Hash, n.CreatedBy, n.CreatedAt = tx.DB().NewID("key"), prefix, hash, c.Caller.ID, now
		if life > 0 {
			end := now.Add(life)
			n.ExpiresAt = &end
		}
		if err := keys.Insert(tx, c.Org, &n); err != nil {
			return err
		}
		shown := n.show(c.Org, now)
		shown.Key = whole
		out = api.New(shown)
		return audit.Write(tx, c, "api_key.created", audit.On("api_key", n.ID, n.Name), audit.Changed("prefix", nil, n.Prefix),
			audit.Changed("scopes", nil, n.Scopes), audit.Changed("expires_at", nil, n.ExpiresAt), audit.Changed("rotated_from", nil, n.RotatedFrom))
	})
	return out, err
}

// checkScopes refuses what a key may not do anyway; nil is everything.
func checkScopes(in *[]string) ([]string, error) {
	if in == nil {
		return nil, nil
	}
	if len(*in) == 0 {
		return nil, api.Wrong("scopes", "must name at least one permission; leave it out for all")
	}
	may := perm.APIClient.Permissions()
	wrong, out := map[string]string{}, []string{}
	for i, name := range *in {
		if i >= 100 {
			return nil, api.Wrong("scopes", "there are not that many permissions")
		}
		if p, ok := perm.Parse(name); !ok || !may.Has(p) {
			wrong[fmt.Sprintf("scopes[%d]", i)] = "is no permission that a key can have"
		} else {
			out = append(out, name)
		}
	}
	if len(wrong) > 0 {
		return nil, api.WrongFields(wrong)
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

func (s *Service) rotateKey(c *api.Call, in idIn) (out api.Created[ShownKey], err error) {
	var old Key
	err = s.db.View(c, func(tx *store.Tx) (err error) {
		old, err = keys.Get(tx, c.Org, in.ID)
		return err
	})
	if err != nil {
		return out, err
	}
	var life time.Duration // as long as the old one had
	if old.ExpiresAt != nil {
		life = old.ExpiresAt.Sub(old.CreatedAt)
	}
	return s.addKey(c, Key{RotatedFrom: &old.ID}, life, func(tx *store.Tx, n *Key) error {
		old, err := retire(tx, c.Org, old.ID)
		if err != nil {
			return err
		}
		n.Name, n.Scopes = old.Name, old.Scopes
		return audit.Write(tx, c, "api_key.rotated", audit.On("api_key", old.ID, old.Name), audit.Changed("valid_until", nil, old.ValidUntil))
	})
}

// retire lets a key work for the overlap, no longer than it would have.
func retire(tx *store.Tx, orgID, id string) (Key, error) {
	now := tx.DB().Now()
	return editKey(tx, orgID, id, func(k *Key) error {
		switch k.Status(now) {
		case Revoked, Expired:
			return ErrInactive
		case Rotating:
			return errRotated
		}
		until := now.Add(overlap)
		if k.ExpiresAt != nil && k.ExpiresAt.Before(until) {
			until = *k.ExpiresAt
		}
		k.ValidUntil = &until
		return nil
	})
}

func (s *Service) revokeKey(c *api.Call, in idIn) (out api.NoContent, err error) {
	return out, s.db.Update(c, func(tx *store.Tx) error {
		k, err := keys.Get(tx, c.Org, in.ID)
		if err != nil || k.RevokedAt != nil {
			return err
		}
		now := tx.DB().Now()
		before := k.Status(now)
		k.RevokedAt = &now
		tx.Changed(Topic)
		if err := keys.Put(tx, c.Org, &k); err != nil {
			return err
		}
		return audit.Write(tx, c, "api_key.revoked", audit.On("api_key", k.ID, k.Name), audit.Changed("status", before, Revoked))
	})
}
