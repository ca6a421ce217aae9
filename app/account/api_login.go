package account

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"svc/app/account/connection"
	"svc/app/api"
	"svc/app/audit"
	"svc/app/event"
	"svc/app/org"
	"svc/app/setting"
	"svc/app/signal"
	"svc/messenger"
	"svc/store"
)

type startIn struct {
	Body struct {
		Phone   string  `json:"phone" required:"true" minLength:"1" maxLength:"40" doc:"In international form." example:"+998901234567"`
		ProxyID *string `json:"proxy_id" maxLength:"64" doc:"A proxy that no other account uses."`
	}
}

// start begins the sign-in of a number that is not connected.
func (s *Service) start(c *api.Call, in startIn) (Login, error) {
	number, f, err := s.newFlow(c, in.Body.Phone, in.Body.ProxyID)
	if err != nil {
		return Login{}, err
	}
	return s.begin(c, f, number, func(tx *store.Tx) error { return s.mayConnect(tx, c.Org, f) })
}

type reauthIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		Phone   string  `json:"phone" required:"true" minLength:"1" maxLength:"40" doc:"The number that the account was connected with; it is not kept." example:"+998901234567"`
		ProxyID *string `json:"proxy_id" maxLength:"64" doc:"null: the proxy that the account has."`
	}
}

// reauth begins the sign-in of an account whose session ended (contract 7.2 and 20.8).
func (s *Service) reauth(c *api.Call, in reauthIn) (Login, error) {
	number, f, err := s.newFlow(c, in.Body.Phone, in.Body.ProxyID)
	if err != nil {
		return Login{}, err
	}
	f.AccountID, f.SetProxy = in.ID, f.ProxyID != ""
	return s.begin(c, f, number, func(tx *store.Tx) error {
		a, err := accounts.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		if !f.SetProxy {
			f.ProxyID = a.ProxyID
		}
		return s.mayReauth(tx, c.Org, &a, f)
	})
}

func (s *Service) mayReauth(tx *store.Tx, orgID string, a *Account, f *flow) error {
	switch {
	case a.DisabledByAdmin:
		return ErrDisabled
	case a.Status != AuthRequired:
		return api.ErrState.WithMessage("Only an account whose session ended can sign in again.")
	case a.PhoneHash != f.PhoneHash:
		return errOther
	}
	if err := policyAccepted(tx, orgID); err != nil {
		return err
	}
	return s.proxies.CheckUse(tx, orgID, f.ProxyID, a.ID)
}

// mayConnect says whether a number may become an account of an organization.
func (s *Service) mayConnect(tx *store.Tx, orgID string, f *flow) error {
	if err := policyAccepted(tx, orgID); err != nil {
		return err
	}
	if err := notConnected(byPhone.Find(tx, store.Text(f.PhoneHash)))(orgID); err != nil {
		return err
	}
	used, err := Count(tx, orgID)
	if err != nil {
		return err
	}
	if err := org.CheckLimit(tx, orgID, org.LimitAccounts, used, 1); err != nil {
		return err
	}
	return s.proxies.CheckUse(tx, orgID, f.ProxyID, "")
}

func policyAccepted(tx *store.Tx, orgID string) error {
	ok, err := org.PolicyAccepted(tx, orgID)
	if err == nil && !ok {
		return org.ErrPolicyNotAccepted
	}
	return err
}

// notConnected makes a refusal of an account that was found; another organization's
// is not named.
func notConnected(_ Account, ownerOrgID string, err error) func(orgID string) error {
	return func(orgID string) error {
		switch {
		case store.IsNotFound(err):
			return nil
		case err != nil:
			return err
		case ownerOrgID == orgID:
			return errConnected
		}
		return errElsewhere
	}
}

func (s *Service) newFlow(c *api.Call, phone string, proxy *string) (number string, f *flow, err error) {
	number, masked, err := normalPhone(phone)
	if err != nil {
		return "", nil, err
	}
	hash, err := s.db.Hash(phonePurpose, number)
	if err != nil {
		return "", nil, err
	}
	f = &flow{
		ID: s.db.NewID("flw"), Step: CodeSent, PhoneHash: hash, PhoneMasked: masked, CreatedBy: c.Caller.ID, CreatedAt: c.Now, ExpiresAt: c.Now.Add(flowFor),
	}
	if proxy != nil {
		f.ProxyID = *proxy
	}
	return number, f, nil
}

// begin asks the platform for a code. may is asked before, and again when the
// sign-in is saved.
func (s *Service) begin(c *api.Call, f *flow, number string, may func(*store.Tx) error) (out Login, err error) {
	done, err := s.steps.Lock(c, f.PhoneHash)
	if err != nil {
		return out, err
	}
	defer done()
	var via messenger.Route
	err = s.db.View(c, func(tx *store.Tx) error {
		if err := may(tx); err != nil {
			return err
		}
		via, err = s.proxies.Route(tx, c.Org, f.ProxyID)
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
	return Login{State: f.shown("")}, nil
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

type codeIn struct {
	FlowID string `path:"flow_id" maxLength:"64"`
	Body   struct {
		Code string `json:"code" required:"true" minLength:"1" maxLength:"32" example:"12345"`
	}
}

func (s *Service) code(c *api.Call, in codeIn) (Login, error) {
	return s.enter(c, in.FlowID, CodeSent, func(via messenger.Route, state []byte) (messenger.Step, error) {
		return s.o.Driver.EnterCode(c, via, state, in.Body.Code)
	})
}

type passwordIn struct {
	FlowID string `path:"flow_id" maxLength:"64"`
	Body   struct {
		Password string `json:"password" required:"true" minLength:"1" maxLength:"1000"`
	}
}

func (s *Service) password(c *api.Call, in passwordIn) (Login, error) {
	return s.enter(c, in.FlowID, PasswordRequired, func(via messenger.Route, state []byte) (messenger.Step, error) {
		return s.o.Driver.EnterPassword(c, via, state, in.Body.Password)
	})
}

// enter takes one step of a sign-in; the steps of one wait for each other.
func (s *Service) enter(c *api.Call, id string, at Step, ask func(messenger.Route, []byte) (messenger.Step, error)) (out Login, err error) {
	done, err := s.steps.Lock(c, id)
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
		via, err = s.proxies.Route(tx, c.Org, f.ProxyID)
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

// openAt reads a sign-in that waits for a step.
func openAt(tx *store.Tx, c *api.Call, id string, at Step) (flow, error) {
	f, err := flows.Get(tx, c.Org, id)
	if store.IsNotFound(err) {
		return f, ErrFlowNotFound
	}
	if err == nil {
		err = f.over(tx.DB().Now(), at)
	}
	return f, err
}

// refused notes what a refusal of the platform means for the sign-in.
func (s *Service) refused(c *api.Call, id string, at Step, refusal error) error {
	var e *api.Error
	if !errors.As(refusal, &e) {
		return refusal
	}
	wrong := errors.Is(e, ErrCode) || errors.Is(e, ErrPassword)
	ends := errors.Is(e, ErrFlowFailed) || slices.ContainsFunc(endsFlow, func(x *api.Error) bool { return errors.Is(e, x) })
	if !wrong && !ends {
		return e
	}
	answer := e
	err := s.db.Update(context.WithoutCancel(c), func(tx *store.Tx) error {
		f, err := openAt(tx, c, id, at)
		if err != nil {
			return err
		}
		on := failed
		if wrong {
			f.Attempts++
			on = usedUp
		}
		if left := flowAttempts - f.Attempts; wrong && left > 0 {
			answer = e.WithMessage("%s", e.Message+" "+counted(left, "attempt is", "attempts are")+" left.").WithExtra("attempts_left", left).WithFigure("attempts_left", left) // beside it for clients that know it there
			return flows.Put(tx, c.Org, &f)
		}
		if err := f.happens(tx, c.Org, on); err != nil {
			return err
		}
		if answer = e; wrong {
			answer = ErrAttempts.After(f.ExpiresAt.Sub(tx.DB().Now())).WithCause(e.Cause)
		}
		if err := flows.Put(tx, c.Org, &f); err != nil {
			return err
		}
		return audit.Write(tx, c, "account.login_failed", f.resource(), audit.Because(answer.Code))
	})
	if err != nil {
		return err
	}
	return answer
}

// stepped saves the step that the platform answered with.
func (s *Service) stepped(c *api.Call, id string, via messenger.Route, secret flowSecret, step messenger.Step) (out Login, err error) {
	if step.Kind == messenger.Completed {
		return s.complete(c, id, via, step)
	}
	secret.State, secret.Hint = step.State, step.Hint
	err = s.db.Update(context.WithoutCancel(c), func(tx *store.Tx) error {
		f, err := openAt(tx, c, id, CodeSent)
		if err != nil {
			return err
		}
		if step.Kind == messenger.PasswordRequired {
			if err := f.happens(tx, c.Org, passwordAsked); err != nil {
				return err
			}
		}
		if err := sealFlow(tx, c.Org, &f, secret); err != nil {
			return err
		}
		out = Login{State: f.shown(step.Hint)}
		return flows.Put(tx, c.Org, &f)
	})
	return out, err
}

// complete makes the account, or gives one its new session. A session that cannot
// become an account's is ended at the platform.
func (s *Service) complete(c *api.Call, id string, via messenger.Route, step messenger.Step) (out Login, err error) {
	ctx := context.WithoutCancel(c)
	accountID := s.db.NewID("acc")
	err = s.db.Update(ctx, func(tx *store.Tx) error {
		f, err := flows.Get(tx, c.Org, id)
		if err != nil {
			return err
		}
		if !f.open() { // replaced, or its time ran out, while the platform answered
			return f.over(tx.DB().Now(), f.Step)
		}
		var a Account
		if f.AccountID == "" {
			a, err = s.connect(tx, c, &f, accountID, step)
		} else {
			a, err = s.signInAgain(tx, c, &f, step)
		}
		if err != nil {
			return err
		}
		f.AccountID = a.ID
		if err := f.happens(tx, c.Org, signedIn); err != nil {
			return err
		}
		shown, err := s.show(tx, c.Org, &a)
		out = Login{State: f.shown(""), Account: &shown}
		if err != nil {
			return err
		}
		return flows.Put(tx, c.Org, &f)
	})
	if err == nil {
		return out, nil
	}
	if failed := s.abandon(ctx, c, id, via, step.Session, err); failed != nil {
		return Login{}, failed
	}
	return Login{}, err
}

// abandon ends a sign-in that succeeded at the platform and may not here.
func (s *Service) abandon(ctx context.Context, c *api.Call, id string, via messenger.Route, secret []byte, why error) error {
	leaver := s.db.NewID("acc")
	err := s.db.Update(ctx, func(tx *store.Tx) error {
		if err := connection.LogOut(tx, c.Org, leaver, secret, via); err != nil {
			return err
		}
		f, err := flows.Get(tx, c.Org, id)
		if err != nil || !f.open() {
			return store.IgnoreNotFound(err)
		}
		if err := f.happens(tx, c.Org, failed); err != nil {
			return err
		}
		if err := flows.Put(tx, c.Org, &f); err != nil {
			return err
		}
		return audit.Write(tx, c, "account.login_failed", f.resource(), audit.Because(api.From(why).Code))
	})
	if err != nil {
		return fmt.Errorf("end a session that is not used: %w", err)
	}
	return nil
}

// connect makes the account of a sign-in.
func (s *Service) connect(tx *store.Tx, c *api.Call, f *flow, id string, step messenger.Step) (a Account, err error) {
	if err := s.mayConnect(tx, c.Org, f); err != nil {
		return a, err
	}
	if err := notConnected(byPerson.Find(tx, store.Int(step.Self.ID)))(c.Org); err != nil {
		return a, err
	}
	set, err := setting.Get(tx)
	if err != nil {
		return a, err
	}
	now := tx.DB().Now()
	a = Account{
		ID: id, PhoneHash: f.PhoneHash, PhoneMasked: f.PhoneMasked, Status: Active, StatusChangedAt: now,
		DailyLimit: set.DefaultDailyLimit, MinInterval: set.DefaultMinInterval, ProxyID: f.ProxyID, InboundEnabled: true,
		CreatedBy: c.Caller.ID, CreatedAt: now, UpdatedAt: now,
	}
	a.profile(step.Self)
	if err := session.Set(tx, c.Org, &a, step.Session); err != nil {
		return a, err
	}
	if err := accounts.Insert(tx, c.Org, &a); err != nil {
		return a, err
	}
	if err := paces.Insert(tx, c.Org, &Pace{ID: id, SeenAt: now, CheckedAt: now}); err != nil {
		return a, err
	}
	if err := connection.ListenFrom(tx, c.Org, id, step.UpdateState); err != nil {
		return a, err
	}
	if err := note(tx, c.Org, id, activity{Kind: Connected, Message: "The account was connected."}); err != nil {
		return a, err
	}
	if err := audit.Write(tx, c, "account.connected", a.resource()); err != nil {
		return a, err
	}
	if err := event.Emit(tx, c.Org, event.AccountConnected, changeData{AccountID: id, Status: a.Status}); err != nil {
		return a, err
	}
	s.pool.AdjustAfter(tx, c.Org, id)
	return a, signal.Publish(s.o.Bus, tx, c, Changed{Org: c.Org, ID: id, To: Active, Event: NewlyConnected})
}

// profile takes over how the platform shows the person behind an account, and says
// whether that changed anything.
func (a *Account) profile(p messenger.Profile) bool {
	before := [4]string{a.Username, a.FirstName, a.LastName}
	was := a.Premium
	a.MessengerID, a.Username, a.FirstName, a.LastName, a.Premium = p.ID, p.Username, p.FirstName, p.LastName, p.Premium
	return before != [4]string{a.Username, a.FirstName, a.LastName} || was != a.Premium
}

// signInAgain gives an account its new session; everything else stays.
func (s *Service) signInAgain(tx *store.Tx, c *api.Call, f *flow, step messenger.Step) (a Account, err error) {
	if a, err = accounts.Get(tx, c.Org, f.AccountID); err != nil {
		return a, err
	}
	if err := s.mayReauth(tx, c.Org, &a, f); err != nil {
		return a, err
	}
	if step.Self.ID != a.MessengerID {
		return a, errStranger
	}
	a.profile(step.Self)
	if before := a.ProxyID; f.SetProxy && f.ProxyID != before {
		if err := s.changeProxy(tx, c, &a, f.ProxyID); err != nil {
			return a, err
		}
		if err := audit.Write(tx, c, "account.updated", a.resource(), audit.Changed("proxy_id", api.Optional(before), a.ProxyID)); err != nil {
			return a, err
		}
	}
	if err := session.Set(tx, c.Org, &a, step.Session); err != nil {
		return a, err
	}
	if err := connection.ListenFrom(tx, c.Org, a.ID, step.UpdateState); err != nil {
		return a, err
	}
	return a, s.apply(tx, c, c.Org, &a, transition{event: SignedIn, reason: "Somebody signed in again."})
}
