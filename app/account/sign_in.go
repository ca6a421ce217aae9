package account

import (
	"svc/app/account/connection"
	"svc/app/account/login"
	"svc/app/api"
	"svc/app/audit"
	"svc/app/event"
	"svc/app/org"
	"svc/app/setting"
	"svc/app/signal"
	"svc/messenger"
	"svc/store"
)

// Login is the answer of each step of a sign-in; account is null until it is completed.
type Login struct {
	State   login.ShownFlow `json:"state"`
	Account *Shown          `json:"account"`
}

func (s *Service) start(c *api.Call, in login.StartIn) (Login, error) {
	out, err := s.logins.Start(c, in)
	return Login(out), err
}

func (s *Service) reauth(c *api.Call, in login.ReauthIn) (Login, error) {
	out, err := s.logins.Reauth(c, in)
	return Login(out), err
}

func (s *Service) code(c *api.Call, in login.CodeIn) (Login, error) {
	out, err := s.logins.Code(c, in)
	return Login(out), err
}

func (s *Service) password(c *api.Call, in login.PasswordIn) (Login, error) {
	out, err := s.logins.Password(c, in)
	return Login(out), err
}

// signable is the accounts as package login sees them.
type signable struct{ s *Service }

var _ login.Accounts[Shown] = signable{}

// MayConnect implements login.Accounts.
func (x signable) MayConnect(tx *store.Tx, org string, f *login.Flow) error {
	return x.s.mayConnect(tx, org, f)
}

// MayReauth implements login.Accounts.
func (x signable) MayReauth(tx *store.Tx, org string, f *login.Flow) error {
	a, err := accounts.Get(tx, org, f.AccountID)
	if err != nil {
		return err
	}
	if !f.SetProxy {
		f.ProxyID = a.ProxyID
	}
	return x.s.mayReauth(tx, org, &a, f)
}

// Connect implements login.Accounts.
func (x signable) Connect(tx *store.Tx, c *api.Call, f *login.Flow, step messenger.Step) (Shown, error) {
	a, err := x.s.connect(tx, c, f, step)
	if err != nil {
		return Shown{}, err
	}
	return x.s.show(tx, c.Org, &a)
}

// SignInAgain implements login.Accounts.
func (x signable) SignInAgain(tx *store.Tx, c *api.Call, f *login.Flow, step messenger.Step) (Shown, error) {
	a, err := x.s.signInAgain(tx, c, f, step)
	if err != nil {
		return Shown{}, err
	}
	return x.s.show(tx, c.Org, &a)
}

// Route implements login.Accounts.
func (x signable) Route(tx *store.Tx, org, proxyID string) (messenger.Route, error) {
	return x.s.proxies.Route(tx, org, proxyID)
}

// LogOut implements login.Accounts.
func (signable) LogOut(tx *store.Tx, org, id string, session []byte, via messenger.Route) error {
	return connection.LogOut(tx, org, id, session, via)
}

func (s *Service) mayReauth(tx *store.Tx, orgID string, a *Account, f *login.Flow) error {
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
func (s *Service) mayConnect(tx *store.Tx, orgID string, f *login.Flow) error {
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

// connect makes the account of a sign-in.
func (s *Service) connect(tx *store.Tx, c *api.Call, f *login.Flow, step messenger.Step) (a Account, err error) {
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
	now, id := tx.DB().Now(), f.AccountID
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
func (s *Service) signInAgain(tx *store.Tx, c *api.Call, f *login.Flow, step messenger.Step) (a Account, err error) {
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
