package session

import (
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/org"
	"svc/app/user"
)

// Endpoints are the operations of the slice.
func (s *Service) Endpoints() []api.Endpoint {
	people := api.ForPersons(api.ErrNotApplicable)
	person := api.ForPersons(api.ErrPersonRequired)
	always := api.InMaintenance()
	shownURL := api.OneTime("url")
	return []api.Endpoint{
		api.E("POST /auth/signup", "auth.signup", perm.Public, "Make an account and its organization, and sign in.", s.signup, api.Errors(ErrSignupsClosed, user.ErrEmailTaken)),
		api.E("POST /auth/login", "auth.login", perm.Public, "Sign in with address and password; sets the session cookie.", s.login, always, api.Errors(ErrCredentials, ErrUserDisabled)),
		api.E("POST /auth/token", "auth.token", perm.Public, "Exchange an API key for an access token of one hour.", s.token, always, api.Errors(ErrGrantType, ErrCredentials, api.ErrPlanLimit)),
		api.E("POST /auth/mfa/verify", "auth.mfa_verify", perm.Anyone, "Give the two-factor code that the session waits for, or a recovery code.", s.verifyMFA, people, always, api.BeforeMFA(),
			api.Errors(ErrCredentials, user.ErrMFAOff)),
		api.E("POST /auth/logout", "auth.logout", perm.Anyone, "Sign out; ends the session.", s.logout, people, always, api.BeforeMFA(), api.InSupport()),

		api.E("POST /auth/password-reset", "auth.password_reset", perm.Public, "Ask for a link for a new password by mail; answers the same whether the address belongs to somebody.", s.askReset, api.Status(202)),
		api.E("GET /auth/password-reset/lookup", "auth.password_reset_lookup", perm.Public, "Read whose password a link changes.", s.lookupReset, api.Errors(ErrLink)),
		api.E("POST /auth/password-reset/confirm", "auth.password_reset_confirm", perm.Public, "Choose a new password with a link; ends every session of the person, two-factor stays.", s.confirmReset, api.Errors(ErrLink)),
		api.E("POST /auth/email/confirm", "auth.email_confirm", perm.Public, "Confirm a new address with the link that it got.", s.confirmEmail, api.Errors(ErrLink, user.ErrEmailTaken)),
		api.E("POST /members/{id}/password-reset", "members.password_reset", perm.MembersManage, "Make a link for a new password of a member, to hand over; refused for people who belong to other organizations too.",
			s.memberReset, person, shownURL, api.Errors(ErrResetRefused, ErrUserDisabled)),

		api.E("GET /me", "me.get", perm.Anyone, "Read who you are, where, and what you may do.", api.Read(s.db, s.me), api.BeforeMFA()),
		api.E("PATCH /me", "me.update", perm.Anyone, "Change your name, your password, the language of mails to you and which notifications come by mail; a new password ends your other sessions.", s.updateMe, people, api.Errors(api.ErrState)),
		api.E("POST /me/email", "me.change_email", perm.Anyone, "Change your address: confirmed by a link that the new one gets, or at once where no mail is sent.", s.changeEmail, people,
			api.Errors(user.ErrEmailTaken, api.ErrState)),
		api.E("GET /me/sessions", "me.sessions", perm.Anyone, "List where you are signed in, newest first.", api.Read(s.db, s.listSessions), people),
		api.E("DELETE /me/sessions/{id}", "me.end_session", perm.Anyone, "End one of your sessions.", s.endSession, people),
		api.E("POST /me/switch-organization", "me.switch_organization", perm.Anyone, "Make another of your organizations the active one of this session.", s.switchOrganization, people, api.Errors(api.ErrNotFound)),
		api.E("POST /me/organizations", "me.create_organization", perm.Anyone, "Make an organization, become its OWNER and switch to it; a person owns 3 at most until an administrator allows more.", s.createOrganization, people, api.Errors(api.ErrConflict, api.ErrSuspended, api.ErrPlanLimit)),
		api.E("POST /me/support/end", "me.end_support", perm.Anyone, "End the support session that you are in.", s.endSupport, people, api.InSupport(), api.Errors(ErrNotInSupport)),
		api.E("POST /me/mfa/setup", "me.mfa_setup", perm.Anyone, "Begin two-factor: get a secret for an authenticator app.", s.setupMFA, people, api.Errors(user.ErrMFAEnabled),
			api.OneTime("secret", "otpauth_url")),
		api.E("POST /me/mfa/enable", "me.mfa_enable", perm.Anyone, "Turn two-factor on with a first code; answers ten recovery codes.", s.enableMFA, people, api.OneTime("recovery_codes"), api.Errors(user.ErrMFASetup, user.ErrMFAEnabled, ErrCredentials)),
		api.E("POST /me/mfa/recovery-codes", "me.mfa_recovery_codes", perm.Anyone, "Make ten new recovery codes, with a code or your password; the earlier ones work no more.", s.makeRecoveryCodes, people,
			api.OneTime("recovery_codes"), api.Errors(user.ErrMFAOff, ErrCredentials)),
		api.E("POST /me/mfa/disable", "me.mfa_disable", perm.Anyone, "Turn two-factor off, with a code or your password.", s.disableMFA, people, api.Errors(user.ErrMFAOff, ErrCredentials)),

		api.E("POST /invitations/accept", "invitations.accept", perm.Public, "Accept an invitation: as a new person with a password, or signed in as its address.", s.accept,
			api.Errors(org.ErrInvalidInvitation, org.ErrInvitationUsed, org.ErrInvitationRevoked, org.ErrInvitationExpired, org.ErrSignInRequired,
				org.ErrAlreadyMember, api.ErrPlanLimit, api.ErrSuspended, api.ErrMFARequired, ErrUserDisabled)),
	}
}

// idIn is the id in the path.
type idIn struct {
	ID string `path:"id" maxLength:"64"`
}

// As is the call as that person makes it from now on, for the audit log: signing in
// begins as nobody's call.
func As(c *api.Call, who *user.User, orgID string) *api.Call {
	me := *c
	me.Org = orgID
	me.Caller = api.Caller{Kind: api.Person, ID: who.ID, Name: who.Label()}
	return &me
}
