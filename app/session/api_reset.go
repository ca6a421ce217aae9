package session

import (
	"context"
	"errors"
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/mail"
	"svc/app/org"
	"svc/app/session/guess"
	"svc/app/session/notice"
	"svc/app/user"
	"svc/store"
	"svc/store/queue"
)

// resetPath is where a link for a new password leads, before its token.
const resetPath = "/public/password-reset?token="

// How often links for a new password are mailed to one person.
const (
	resetsAtOnce = 1
	resetPause   = 5 * time.Minute
	resetsADay   = 6
)

type askResetIn struct {
	Body struct {
		Email    string `json:"email" required:"true" maxLength:"254"`
		Language string `json:"language" enum:"uz,ru,en" doc:"Of the mail, for people who chose none."`
	}
}

type askResetOut struct {
	Accepted bool `json:"accepted" doc:"Always true: whether the address belongs to somebody is not told."`
}

// resetRequest is what somebody asked for, until the job looked at it. The address is
// sealed: it need not be that of anybody here.
type resetRequest struct {
	ID        string       `json:"id"`
	Email     store.Sealed `json:"email,omitzero"`
	Language  string       `json:"language,omitempty"`
	CreatedAt time.Time    `json:"created_at"`
}

var (
	resetRequests     = store.NewTable("password_reset_request", "prq", func(r *resetRequest) string { return r.ID }).Global()
	resetRequestTime  = resetRequests.Index("time", func(r *resetRequest) store.Key { return store.Time(r.CreatedAt) })
	resetRequestEmail = resetRequests.Sealed("email", func(r *resetRequest) *store.Sealed { return &r.Email })
)

// resetMail is the job that answers a request.
type resetMail struct {
	ID string `json:"id"`
}

// Kind implements queue.Args.
func (resetMail) Kind() string { return "password_reset.mail" }

// Queue implements queue.Args.
func (resetMail) Queue() queue.Name { return queue.Maintenance }

// askReset does the same for every address: who has it is looked up by the job, so
// neither the answer nor its time tells.
func (s *Service) askReset(c *api.Call, in askResetIn) (askResetOut, error) {
	email, err := user.CheckEmail("email", in.Body.Email)
	if err != nil {
		return askResetOut{}, err
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		on, err := mail.Enabled(tx)
		if err != nil || !on {
			return err
		}
		r := resetRequest{ID: tx.DB().NewID("prq"), Language: in.Body.Language, CreatedAt: tx.DB().Now()}
		if err := resetRequestEmail.Set(tx, store.Platform, &r, []byte(email)); err != nil {
			return err
		}
		if err := resetRequests.Insert(tx, store.Platform, &r); err != nil {
			return err
		}
		_, err = queue.Add(tx, resetMail{r.ID}, time.Time{}, queue.For("", r.ID))
		return err
	})
	return askResetOut{Accepted: err == nil}, err
}

// mailReset sends a link to the person of the address, if there is one.
func (s *Service) mailReset(ctx context.Context, j queue.Job, in resetMail) error {
	token := org.NewToken()
	return s.db.Update(ctx, func(tx *store.Tx) error {
		r, err := resetRequests.Get(tx, store.Platform, in.ID)
		if errors.Is(err, store.ErrNotFound) {
			return queue.Finish(tx, j)
		}
		if err != nil {
			return err
		}
		email, err := resetRequestEmail.Open(tx.DB(), store.Platform, &r)
		if err != nil {
			return err
		}
		u, err := user.ByEmail(tx, string(email))
		if err == nil && u.Status == user.Active {
			err = s.mailResetTo(ctx, tx, &u, r.Language, token)
		}
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
		return errors.Join(resetRequests.Delete(tx, store.Platform, r.ID), queue.Finish(tx, j))
	})
}

func (s *Service) mailResetTo(ctx context.Context, tx *store.Tx, u *user.User, language, token string) error {
	base, _, err := mail.Base(tx)
	if err != nil {
		return err
	}
	if u.Language != "" {
		language = u.Language
	}
	queued, err := mail.Add(tx, mail.Message{
		Kind: mail.PasswordReset, To: u.Email, Language: language, Until: tx.DB().Now().Add(resetLife),
		Vars:   map[string]string{"link": base + resetPath + token},
		Limits: []mail.Limit{{Key: "reset " + u.ID, Most: resetsAtOnce, Within: resetPause}, {Key: "reset " + u.ID, Most: resetsADay, Within: 24 * time.Hour}},
	})
	if err != nil || !queued {
		return err // the link of the earlier mail still works
	}
	if _, err := addLink(tx, oneTimeLink{Kind: resetLink, UserID: u.ID}, token, resetLife); err != nil {
		return err
	}
	return audit.WriteTo(tx, store.Platform, api.System(ctx, store.Platform, tx.DB().Now()), "user.password_reset_mailed", audit.On("user", u.ID, u.Label()))
}

type resetTokenIn struct {
	Token string `query:"token" required:"true" maxLength:"200"`
}

type resetOf struct {
	Email     string    `json:"email"`
	ExpiresAt time.Time `json:"expires_at"`
}

// lookupReset is whose password a link changes.
func (s *Service) lookupReset(c *api.Call, in resetTokenIn) (out resetOf, err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		l, u, err := openLink(tx, resetLink, in.Token)
		out = resetOf{u.Email, l.ExpiresAt}
		return err
	})
	if err != nil {
		return resetOf{}, err
	}
	return out, nil
}

type confirmResetIn struct {
	Body struct {
		Token    string `json:"token" required:"true" maxLength:"200"`
		Password string `json:"password" required:"true" maxLength:"1024" doc:"At least 10 characters."`
	}
}

// confirmReset uses a link up: the password is new, every session of the person ends,
// and two-factor stays as it is.
func (s *Service) confirmReset(c *api.Call, in confirmResetIn) (out api.NoContent, err error) {
	if err := user.CheckPassword("password", in.Body.Password); err != nil {
		return out, err
	}
	if err := s.db.View(c, func(tx *store.Tx) error { _, _, err := openLink(tx, resetLink, in.Body.Token); return err }); err != nil {
		return out, err // before the hash is computed
	}
	hash, err := s.users.Hash(c, in.Body.Password)
	if err != nil {
		return out, err
	}
	return out, s.db.Update(c, func(tx *store.Tx) error { return resetPassword(tx, c, in.Body.Token, hash) })
}

// resetPassword uses the link with that token up.
func resetPassword(tx *store.Tx, c *api.Call, token, hash string) error {
	_, u, err := openLink(tx, resetLink, token)
	if err != nil {
		return err
	}
	me := As(c, &u, "")
	if err := user.SetPassword(tx, me, u.ID, hash); err != nil {
		return err
	}
	if err := errors.Join(endLinks(tx, u.ID, resetLink), endLinks(tx, u.ID, emailLink), EndAll(tx, u.ID, ""), guess.Forgive(tx, u.Email)); err != nil {
		return err
	}
	return notice.Person(tx, &u, "SECURITY_PASSWORD_RESET", "Your password was changed", "A link for a new password was used; all your sessions ended.")
}

// ResetLink is a link to hand over; its url is shown once.
type ResetLink struct {
	URL       string    `json:"url" doc:"The link for the person; in this answer only."`
	ExpiresAt time.Time `json:"expires_at"`
}

// memberReset makes a link for a member, to hand over.
func (s *Service) memberReset(c *api.Call, in idIn) (out api.Created[ResetLink], err error) {
	token := org.NewToken()
	err = s.db.Update(c, func(tx *store.Tx) error {
		m, u, err := org.MemberToManage(tx, c, in.ID)
		switch {
		case err != nil:
			return err
		case u.ID == c.Caller.ID:
			return errOwnReset
		case u.Status != user.Active:
			return ErrUserDisabled
		}
		if err := onlyIn(tx, c.Org, &u); err != nil {
			return err
		}
		l, err := addLink(tx, oneTimeLink{Kind: resetLink, UserID: u.ID, Org: c.Org}, token, resetLife)
		if err != nil {
			return err
		}
		out = api.New(ResetLink{c.Base + resetPath + token, l.ExpiresAt})
		return audit.Write(tx, c, "member.password_reset_link", audit.On("member", m.ID, u.Label()))
	})
	return out, err
}

// MakeResetLink makes a link for whatever person but the caller, for administrators of
// the platform. token comes from outside of the transaction (org.NewToken).
func MakeResetLink(tx *store.Tx, c *api.Call, userID, token string) (out ResetLink, err error) {
	u, err := user.Get(tx, userID)
	switch {
	case err != nil:
		return out, err
	case u.ID == c.Caller.ID:
		return out, errOwnReset
	case u.Status != user.Active:
		return out, ErrUserDisabled
	}
	l, err := addLink(tx, oneTimeLink{Kind: resetLink, UserID: u.ID}, token, resetLife)
	if err != nil {
		return out, err
	}
	return ResetLink{c.Base + resetPath + token, l.ExpiresAt}, audit.WriteTo(tx, store.Platform, c, "user.password_reset_link", audit.On("user", u.ID, u.Label()))
}

// sweepResetRequests removes requests whose job was given up.
func sweepResetRequests(tx *store.Tx, limit int) (int, error) {
	old := store.Between(nil, store.Time(tx.DB().Now().Add(-24*time.Hour)))
	ids, _, err := resetRequestTime.IDs(tx, store.Platform, store.Range{Span: old, Limit: limit})
	for _, id := range ids {
		if err == nil {
			err = resetRequests.Delete(tx, store.Platform, id)
		}
	}
	return len(ids), err
}
