package passkey

import (
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/module"
	"svc/app/session"
	"svc/app/user"
	"svc/store"
)

// Tables are what a store that holds passkeys is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{passkeys, challenges} }

// Service keeps passkeys, and signs people in with them.
type Service struct {
	db        *store.DB
	sessions  *session.Service
	publicURL string
}

// New makes the service. publicURL is where people reach the service, without a slash at
// its end; "": not known.
func New(db *store.DB, sessions *session.Service, publicURL string) *Service {
	return &Service{db, sessions, publicURL}
}

// Has says whether a person has a passkey.
func Has(tx *store.Tx, userID string) (bool, error) {
	list, err := passkeysOfPerson(tx, userID)
	return len(list) > 0, err
}

// Slice registers passkeys.
func Slice() module.Slice {
	return module.Slice{Name: "passkey", Tables: Tables, New: func(e *module.Env) module.Module {
		s := New(e.DB, module.Get[*session.Service](e), e.Options.PublicURL)
		module.Offer(e, session.HasPasskey(Has))
		return module.Module{Endpoints: s.Endpoints(), Cleanup: []module.Cleanup{{Platform: Sweep}}}
	}}
}

// Endpoints are the operations of the slice.
func (s *Service) Endpoints() []api.Endpoint {
	people, always := api.ForPersons(api.ErrNotApplicable), api.InMaintenance()
	return []api.Endpoint{
		api.E("POST /auth/passkey/begin", "auth.passkey_begin", perm.Public, "Begin to sign in with a passkey: get what the browser asks it.", s.beginPasskeySignIn, always, api.Errors(api.ErrConflict)),
		api.E("POST /auth/passkey/finish", "auth.passkey_finish", perm.Public, "Sign in with what a passkey answered; sets the session cookie.", s.passkeySignIn, always, api.Errors(session.ErrCredentials, session.ErrUserDisabled, api.ErrConflict)),
		api.E("POST /auth/passkey/mfa/begin", "auth.passkey_mfa_begin", perm.Anyone, "Begin to use a passkey in place of the two-factor code that the session waits for.", s.beginPasskeyCode, people, always, api.BeforeMFA(),
			api.Errors(user.ErrMFAOff, api.ErrConflict)),
		api.E("POST /auth/passkey/mfa/finish", "auth.passkey_mfa_finish", perm.Anyone, "Give what a passkey answered in place of the two-factor code.", s.passkeyCode, people, always, api.BeforeMFA(),
			api.Errors(session.ErrCredentials, user.ErrMFAOff, api.ErrConflict)),

		api.E("GET /me/passkeys", "me.passkeys", perm.Anyone, "List your passkeys, oldest first.", api.Read(s.db, s.listPasskeys), people),
		api.E("POST /me/passkeys/begin", "me.begin_passkey", perm.Anyone, "Begin to add a passkey, with your password or a two-factor code: get what the browser asks the authenticator.", s.beginPasskey, people,
			api.Errors(session.ErrCredentials, user.ErrMFAOff, api.ErrConflict)),
		api.E("POST /me/passkeys", "me.add_passkey", perm.Anyone, "Add a passkey with what the authenticator answered.", s.addPasskey, people, api.Errors(api.ErrConflict)),
		api.E("PATCH /me/passkeys/{id}", "me.rename_passkey", perm.Anyone, "Rename a passkey.", s.renamePasskey, people),
		api.E("POST /me/passkeys/{id}/delete", "me.delete_passkey", perm.Anyone, "Delete a passkey, with your password or a two-factor code; sessions that it opened end.", s.removePasskey, people,
			api.Errors(session.ErrCredentials, user.ErrMFAOff)),
	}
}
