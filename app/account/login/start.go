package login

import (
	"context"

	"svc/app/api"
	"svc/app/audit"
	"svc/messenger"
	"svc/store"
)

// StartIn begins the sign-in of a number.
type StartIn struct {
	Body struct {
		Phone   string  `json:"phone" required:"true" minLength:"1" maxLength:"40" doc:"In international form." example:"+998901234567"`
		ProxyID *string `json:"proxy_id" maxLength:"64" doc:"A proxy that no other account uses."`
	}
}

// Start begins the sign-in of a number that is not connected.
func (s *Service[A]) Start(c *api.Call, in StartIn) (Answer[A], error) {
	number, f, err := s.newFlow(c, in.Body.Phone, in.Body.ProxyID)
	if err != nil {
		return Answer[A]{}, err
	}
	return s.begin(c, f, number, func(tx *store.Tx) error { return s.o.Accounts.MayConnect(tx, c.Org, f) })
}

// ReauthIn begins the sign-in of an account whose session ended.
type ReauthIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		Phone   string  `json:"phone" required:"true" minLength:"1" maxLength:"40" doc:"The number that the account was connected with; it is not kept." example:"+998901234567"`
		ProxyID *string `json:"proxy_id" maxLength:"64" doc:"null: the proxy that the account has."`
	}
}

// Reauth begins the sign-in of an account whose session ended (contract 7.2 and 20.8).
func (s *Service[A]) Reauth(c *api.Call, in ReauthIn) (Answer[A], error) {
	number, f, err := s.newFlow(c, in.Body.Phone, in.Body.ProxyID)
	if err != nil {
		return Answer[A]{}, err
	}
	f.AccountID, f.SetProxy = in.ID, f.ProxyID != ""
	return s.begin(c, f, number, func(tx *store.Tx) error {
		return s.o.Accounts.MayReauth(tx, c.Org, f)
	})
}

func (s *Service[A]) newFlow(c *api.Call, phone string, proxy *string) (number string, f *Flow, err error) {
	number, hash, masked, err := Identify(s.db, phone)
	if err != nil {
		return "", nil, err
	}
	f = &Flow{
		ID: s.db.NewID("flw"), Step: CodeSent, PhoneHash: hash, PhoneMasked: masked, CreatedBy: c.Caller.ID, CreatedAt: c.Now, ExpiresAt: c.Now.Add(flowFor),
	}
	if proxy != nil {
		f.ProxyID = *proxy
	}
	return number, f, nil
}

// begin asks the platform for a code. may is asked before, and again when the
// sign-in is saved.
func (s *Service[A]) begin(c *api.Call, f *Flow, number string, may func(*store.Tx) error) (out Answer[A], err error) {
	done, err := s.lock(c, f.PhoneHash)
	if err != nil {
		return out, err
	}
	defer done()
	var via messenger.Route
	err = s.db.View(c, func(tx *store.Tx) error {
		if err := may(tx); err != nil {
			return err
		}
		via, err = s.o.Accounts.Route(tx, c.Org, f.ProxyID)
		return err
	})
	if err != nil {
		return out, err
	}
	step, err := s.o.Driver.SendCode(c, via, number)
	if err != nil {
		return out, signInError(err)
	}
	f.CodeType = step.CodeType
	secret := flowSecret{Phone: number, State: step.State}
	err = s.db.Update(context.WithoutCancel(c), func(tx *store.Tx) error {
		if err := may(tx); err != nil {
			return err
		}
		if err := replace(tx, c, f.PhoneHash); err != nil {
			return err
		}
		f := *f
		if err := sealFlow(tx, c.Org, &f, secret); err != nil {
			return err
		}
		if err := flows.Insert(tx, c.Org, &f); err != nil {
			return err
		}
		return audit.Write(tx, c, "account.login_started", f.resource())
	})
	if err != nil {
		return out, err
	}
	if step.Kind != messenger.CodeSent { // the platform remembers the number: no code is needed
		return s.stepped(c, f.ID, via, secret, step)
	}
	return Answer[A]{State: f.shown("")}, nil
}

// replace ends the open sign-in of a number in this organization.
func replace(tx *store.Tx, c *api.Call, phoneHash string) error {
	old, err := openFlow.Find(tx, c.Org, store.Text(phoneHash))
	if err != nil {
		return store.IgnoreNotFound(err)
	}
	if err := old.happens(tx, c.Org, replaced); err != nil {
		return err
	}
	return flows.Put(tx, c.Org, &old)
}

// CodeIn gives the code that the platform sent.
type CodeIn struct {
	FlowID string `path:"flow_id" maxLength:"64"`
	Body   struct {
		Code string `json:"code" required:"true" minLength:"1" maxLength:"32" example:"12345"`
	}
}

// Code takes the code of a sign-in.
func (s *Service[A]) Code(c *api.Call, in CodeIn) (Answer[A], error) {
	return s.enter(c, in.FlowID, CodeSent, func(via messenger.Route, state []byte) (messenger.Step, error) {
		return s.o.Driver.EnterCode(c, via, state, in.Body.Code)
	})
}

// PasswordIn gives the two-step password.
type PasswordIn struct {
	FlowID string `path:"flow_id" maxLength:"64"`
	Body   struct {
		Password string `json:"password" required:"true" minLength:"1" maxLength:"1000"`
	}
}

// Password takes the two-step password of a sign-in.
func (s *Service[A]) Password(c *api.Call, in PasswordIn) (Answer[A], error) {
	return s.enter(c, in.FlowID, PasswordRequired, func(via messenger.Route, state []byte) (messenger.Step, error) {
		return s.o.Driver.EnterPassword(c, via, state, in.Body.Password)
	})
}

// enter takes one step of a sign-in; the steps of one wait for each other.
func (s *Service[A]) enter(c *api.Call, id string, at Step, ask func(messenger.Route, []byte) (messenger.Step, error)) (out Answer[A], err error) {
	done, err := s.lock(c, id)
	if err != nil {
		return out, err
	}
	defer done()
	var (
		secret flowSecret
		via    messenger.Route
	)
	err = s.db.View(c, func(tx *store.Tx) error {
		f, err := openAt(tx, c, id, at)
		if err != nil {
			return err
		}
		if secret, err = f.secret(s.db, c.Org); err != nil {
			return err
		}
		via, err = s.o.Accounts.Route(tx, c.Org, f.ProxyID)
		return err
	})
	if err != nil {
		return out, signInError(err)
	}
	step, err := ask(via, secret.State)
	if err != nil {
		return out, s.refused(c, id, at, signInError(err))
	}
	return s.stepped(c, id, via, secret, step)
}
