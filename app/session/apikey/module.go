package apikey

import (
	"fmt"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/module"
	"svc/app/notify"
	"svc/store"
)

// The refusals of this slice (contract 46).
var (
	ErrInactive = &api.Error{Kind: api.Conflict, Code: "key_inactive", Message: "The key was revoked or has expired; make a new one."}

	errRotated = api.ErrState.WithMessage("The key was rotated already; rotate the key that replaced it.")
)

// LastUse is a use of a key that is not written down yet, if there is one. The slice of
// sessions offers it.
type LastUse func(org, id string) (at time.Time, ip string, used bool)

// Service makes, rotates and revokes keys.
type Service struct {
	db      *store.DB
	lastUse LastUse // nil: all are written down
}

// New makes the service.
func New(db *store.DB, lastUse LastUse) *Service { return &Service{db, lastUse} }

// Slice registers API keys.
func Slice() module.Slice {
	return module.Slice{Name: "apikey", New: func(e *module.Env) module.Module {
		s := New(e.DB, nil)
		module.Offer(e, api.NameSource{Prefix: "key_", Perm: perm.MembersRead, Names: NamesOf})
		return module.Module{
			Endpoints: s.Endpoints(),
			Ready: func() {
				for _, f := range module.All[LastUse](e) {
					s.lastUse = f
				}
			},
		}
	}}
}

// Endpoints are the operations of the slice.
func (s *Service) Endpoints() []api.Endpoint {
	person, shown := api.ForPersons(api.ErrPersonRequired), api.OneTime("key")
	return []api.Endpoint{
		api.E("GET /api-keys", "api_keys.list", perm.DevelopersManage, "List API keys, newest first.", s.listKeys, person),
		api.E("POST /api-keys", "api_keys.create", perm.DevelopersManage, "Make an API key; the key is in this answer only.", s.createKey, person, api.Errors(api.ErrPlanLimit), shown),
		api.E("GET /api-keys/{id}", "api_keys.get", perm.DevelopersManage, "Get an API key, without the key itself.", api.Read(s.db, s.getKey), person),
		api.E("PATCH /api-keys/{id}", "api_keys.update", perm.DevelopersManage, "Rename an API key.", s.renameKey, person),
		api.E("POST /api-keys/{id}/rotate", "api_keys.rotate", perm.DevelopersManage, "Replace an API key; the old one works 24 hours more.", s.rotateKey, person, shown,
			api.Errors(ErrInactive, api.ErrState, api.ErrPlanLimit)),
		api.E("DELETE /api-keys/{id}", "api_keys.revoke", perm.DevelopersManage, "Revoke an API key and its tokens at once.", s.revokeKey, person),
	}
}

// idIn is the id in the path.
type idIn struct {
	ID string `path:"id" maxLength:"64"`
}

// upToDate is a key with a use of it that is not written down yet.
func (s *Service) upToDate(org string, k *Key) *Key {
	if s.lastUse == nil {
		return k
	}
	if at, ip, used := s.lastUse(org, k.ID); used {
		k.LastUsedAt, k.LastUsedIP = &at, api.Optional(ip)
	}
	return k
}

// warnBefore is how long before its end people hear of a key.
const warnBefore = 7 * 24 * time.Hour

// Warn tells of up to limit keys that expire soon, and says how many there were.
func Warn(tx *store.Tx, limit int) (int, error) {
	soon := store.Between(nil, store.Time(tx.DB().Now().Add(warnBefore)))
	list, _, err := expiring.Walk(tx, store.Range{Span: soon, Limit: limit})
	for i := range list {
		if err == nil {
			err = warn(tx, list[i].Org, &list[i].Record)
		}
	}
	return len(list), err
}

// warn tells of one key, once; one that is over already needs no warning.
func warn(tx *store.Tx, orgID string, k *Key) error {
	k.Warned = true
	if err := keys.Put(tx, orgID, k); err != nil || !k.works(tx.DB().Now()) {
		return err
	}
	return notify.Send(tx, orgID, notify.Notice{
		Kind: "API_KEY_EXPIRING", Title: "An API key expires soon",
		Body:     fmt.Sprintf("The key %s (%s) expires on %s; rotate it before.", k.Name, k.Prefix, k.ExpiresAt.Format("2 January 2006")),
		Resource: &notify.Resource{Type: "api_key", ID: k.ID}, Link: "/developers/keys",
	})
}
