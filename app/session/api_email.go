package session

import (
	"time"

	"svc/app/api"
	"svc/app/mail"
	"svc/app/org"
	"svc/app/session/notice"
	"svc/app/user"
	"svc/store"
)

// emailPath is where a link that confirms a new address leads, before its token.
const emailPath = "/public/email?token="

// emailChangesADay bounds the mails to addresses that nobody confirmed.
const emailChangesADay = 5

type changeEmailIn struct {
	Body struct {
		Email           string `json:"email" required:"true" maxLength:"254" example:"olga@example.com"`
		CurrentPassword string `json:"current_password" required:"true" maxLength:"1024"`
	}
}

type changeEmailOut struct {
	Email string `json:"email" doc:"Your address now."`
	// Waits for the link in the mail.
	ConfirmationSent bool `json:"confirmation_sent" doc:"A link was sent to the new address, which becomes yours when the link is opened. false: it is yours already, because this service sends no mail."`
}

// changeEmail changes the caller's address: at once where no mail is sent, else with
// the link that the new address gets. Sessions stay; invitations stay with the address
// that they were made for.
func (s *Service) changeEmail(c *api.Call, in changeEmailIn) (out changeEmailOut, err error) {
	email, err := user.CheckEmail("email", in.Body.Email)
	if err != nil {
		return out, err
	}
	verified, err := s.password(c, "current_password", in.Body.CurrentPassword)
	if err != nil {
		return out, err
	}
	token := org.NewToken()
	err = s.db.Update(c, func(tx *store.Tx) error {
		u, err := user.Get(tx, c.Caller.ID)
		switch {
		case err != nil:
			return err
		case u.Password != verified:
			return api.ErrState
		}
		out, err = moveTo(tx, c, &u, email, token)
		return err
	})
	return out, err
}

// moveTo gives a person another address: once they confirmed it when the platform sends mail, at
// once when it does not.
func moveTo(tx *store.Tx, c *api.Call, u *user.User, email, token string) (out changeEmailOut, err error) {
	if u.Email == email {
		return out, api.Wrong("email", "is your address already")
	}
	if other, err := user.ByEmail(tx, email); err == nil && other.ID != u.ID {
		return out, user.ErrEmailTaken
	} else if err != nil && !store.IsNotFound(err) {
		return out, err
	}
	base, on, err := mail.Base(tx)
	switch {
	case err != nil:
		return out, err
	case on:
		return changeEmailOut{u.Email, true}, askForConfirmation(tx, u, email, base, token)
	}
	return changeEmailOut{email, false}, setEmail(tx, c, u, email)
}

func askForConfirmation(tx *store.Tx, u *user.User, email, base, token string) error {
	queued, err := mail.Add(tx, mail.Message{
		Kind: mail.EmailConfirmation, To: email, Language: u.Language, Until: tx.DB().Now().Add(emailLife),
		Vars: map[string]string{"link": base + emailPath + token}, Limits: []mail.Limit{{Key: "email " + u.ID, Most: emailChangesADay, Within: 24 * time.Hour}},
	})
	if err != nil {
		return err
	}
	if !queued {
		return api.ErrRateLimited.WithMessage("Too many new addresses today; try again tomorrow.").After(24 * time.Hour)
	}
	if _, err := addLink(tx, oneTimeLink{Kind: emailLink, UserID: u.ID, Email: email}, token, emailLife); err != nil {
		return err
	}
	_, err = mail.Add(tx, mail.Message{
		Kind: mail.EmailChanging, To: u.Email, Language: u.Language, Vars: map[string]string{"email": email, "link": base + "/console/profile"},
	})
	return err
}

// setEmail makes an address the person's, and tells the old one too.
func setEmail(tx *store.Tx, c *api.Call, u *user.User, email string) error {
	before := u.Email
	now, err := user.SetEmail(tx, c, u.ID, email)
	if err != nil {
		return err
	}
	if err := endLinks(tx, u.ID, emailLink); err != nil {
		return err
	}
	// A link for a new password that the old address got works no more.
	if err := endLinks(tx, u.ID, resetLink); err != nil {
		return err
	}
	return notice.Person(tx, &now, "SECURITY_EMAIL_CHANGED", "Your e-mail address was changed", "You sign in with the new address from now on.", before)
}

type confirmEmailIn struct {
	Body struct {
		Token string `json:"token" required:"true" maxLength:"200"`
	}
}

// confirmEmail uses up the link that a new address got.
func (s *Service) confirmEmail(c *api.Call, in confirmEmailIn) (out api.NoContent, err error) {
	return out, s.db.Update(c, func(tx *store.Tx) error {
		l, u, err := openLink(tx, emailLink, in.Body.Token)
		if err != nil {
			return err
		}
		return setEmail(tx, As(c, &u, ""), &u, l.Email)
	})
}
