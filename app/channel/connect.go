package channel

import (
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/audit"
	"svc/app/org"
	"svc/app/session/consent"
	"svc/messenger/platform"
	"svc/store"
	"svc/store/queue"
)

// pendingLife is how long an account that was allowed waits for somebody who activates it.
const pendingLife = time.Hour

// ConnectIn asks for a consent page.
type ConnectIn struct {
	Body struct {
		ReturnTo *string `json:"return_to" maxLength:"500" doc:"A path of this service, where the person goes afterwards." example:"/console/channels"`
	}
}

// errUnconfigured refuses a network that this installation cannot reach.
var errUnconfigured = api.ErrState.WithMessage("This network is not configured here; GET /channels/providers names the settings that are missing.")

func (s *Service) connect(name platform.Name) func(*api.Call, ConnectIn) (consent.Connecting, error) {
	return func(c *api.Call, in ConnectIn) (out consent.Connecting, err error) {
		n := s.Network(name)
		if n == nil || name == platform.Video && len(s.o.MissingSignIn) > 0 {
			return out, errUnconfigured
		}
		back, err := consent.ReturnTo(c, in.Body.ReturnTo, defaultReturn)
		if err != nil {
			return out, err
		}
		state, err := consent.State()
		if err != nil {
			return out, err
		}
		x := consent.Consent{Provider: string(name), ReturnTo: back, Redirect: s.callbackURL(c, name)}
		if err = s.db.Update(c, func(tx *store.Tx) error { return s.begin(tx, c, state, &x) }); err != nil {
			return out, err
		}
		return consent.PageAt(c, n.Authorize(x.Redirect, state, x.Verifier), &x), nil
	}
}

// begin keeps a consent that is asked for.
func (s *Service) begin(tx *store.Tx, c *api.Call, state string, x *consent.Consent) (err error) {
	if ok, err := org.PolicyAccepted(tx, c.Org); err != nil || !ok {
		return errors.Join(err, org.ErrPolicyNotAccepted)
	}
	if *x, err = consent.Begin(tx, c, state, *x); err != nil {
		return err
	}
	return audit.Write(tx, c, "channel.connect_started", audit.On("channel", x.Provider, ""))
}

// Paths of the callbacks.
var callbackPaths = map[platform.Name]string{
	platform.Photo: "/api/v1/channels/instagram/callback", platform.Page: "/api/v1/channels/facebook/callback",
	platform.Video: "/api/v1/channels/youtube/callback",
}

// callbackURL is where a consent page returns to.
func (s *Service) callbackURL(c *api.Call, name platform.Name) string {
	return s.base(c) + callbackPaths[name]
}

// base is the address of the service as networks see it.
func (s *Service) base(c *api.Call) string {
	if s.o.PublicURL != "" {
		return s.o.PublicURL
	}
	return c.Base
}

// defaultReturn is where people go who named no place.
const defaultReturn = "/console/channels"

// Codes that a callback returns with.
const (
	codeNothing  = "no_accounts"
	codeConflict = "conflict"
	codeLimit    = "plan_limit_reached"

	codeNoRefresh = "no_refresh_token"
)

// callback finishes a consent. Whatever happens, the person goes back to where they came from.
func (s *Service) callback(name platform.Name) func(*api.Call, consent.Callback) (api.Redirect, error) {
	return func(c *api.Call, in consent.Callback) (api.Redirect, error) {
		x, ok, err := s.consume(c, name, in.State)
		if err != nil {
			return api.Redirect{}, err
		}
		if !ok {
			return consent.Back(defaultReturn, "error", consent.InvalidState), nil
		}
		if in.Error != "" || in.Code == "" {
			return consent.Back(x.ReturnTo, "error", consent.Denied), nil
		}
		grant, err := s.Network(name).Exchange(c, in.Code, x.Redirect, x.Verifier)
		if err != nil {
			s.log.Warn("channel: a consent was not exchanged", "platform", name, "error", err)
			return consent.Back(x.ReturnTo, "error", exchangeCode(err)), nil
		}
		connected, pending, code, err := s.accept(c, &x, &grant)
		if err != nil {
			return api.Redirect{}, err
		}
		return connectedBack(x.ReturnTo, in.State, connected, pending, code), nil
	}
}

// exchangeCode is what the page is told of a consent that was not exchanged.
func exchangeCode(err error) string {
	if e := platform.As(err); e != nil && e.Reason == codeNoRefresh {
		return codeNoRefresh
	}
	return consent.Failed
}

// connectedBack leads back to the page with how many accounts are connected, and with the state
// when others wait to be chosen.
func connectedBack(to, state string, connected, pending int, code string) api.Redirect {
	switch {
	case code != "":
		return consent.Back(to, "error", code)
	case pending > 0:
		return consent.Back(to, "connected", strconv.Itoa(connected), "pending", strconv.Itoa(pending), "state", state)
	}
	return consent.Back(to, "connected", strconv.Itoa(connected))
}

// consume uses the state of a consent of a network up.
func (s *Service) consume(c *api.Call, name platform.Name, state string) (x consent.Consent, ok bool, err error) {
	if s.Network(name) == nil {
		return x, false, nil
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		x, ok, err = consent.Consume(tx, c, string(name), state, perm.AccountsManage, pendingLife)
		return err
	})
	return x, ok, err
}

// accept keeps what was granted. One account is connected at once, and so are those that were
// connected before; of several others a person chooses.
func (s *Service) accept(c *api.Call, x *consent.Consent, g *platform.Grant) (connected, pending int, code string, err error) {
	if len(g.Accounts) == 0 {
		return 0, 0, codeNothing, nil
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		connected, pending, code = 0, 0, ""
		as := *c
		as.Org = x.Org
		for i := range g.Accounts {
			a, err := s.keep(tx, x, g, &g.Accounts[i])
			if err != nil {
				return err
			}
			if a.Obstacle != "" || len(g.Accounts) > 1 && !a.Live() {
				pending++
				continue
			}
			switch err := s.activate(tx, &as, x.Org, &a); {
			case errors.Is(err, api.ErrConflict):
				code = codeConflict
			case errors.Is(err, api.ErrPlanLimit):
				code = codeLimit
			case err != nil:
				return err
			default:
				connected++
			}
		}
		if connected > 0 {
			code = ""
		}
		return nil
	})
	return connected, pending, code, err
}

// keep writes what was granted of one account into its record: that of an account that the
// organization had before goes on.
func (s *Service) keep(tx *store.Tx, x *consent.Consent, g *platform.Grant, in *platform.Granted) (a Account, err error) {
	now := tx.DB().Now()
	a, err = known.Find(tx, x.Org, externalKey(platform.Name(x.Provider), in.ExternalID))
	if store.IsNotFound(err) {
		a, err = Account{ID: tx.DB().NewID("cha"), Platform: platform.Name(x.Provider), ExternalID: in.ExternalID, Status: Disconnected, CreatedAt: now}, nil
	}
	if err != nil {
		return a, err
	}
	a.ScopedID, a.Grantor, a.Name, a.Username = in.ScopedID, g.UserID, in.Name, in.Username
	a.Scopes, a.Expires, a.TokenAt, a.RefreshAt = in.Scopes, in.TokenExpires, now, time.Time{}
	a.Pending, a.PendingUntil, a.Obstacle = x.ID, now.Add(pendingLife), in.Unconnectable
	if x.Person != "" {
		a.ConnectedBy = x.Person
	}
	a.UpdatedAt = now
	b, err := json.Marshal(secrets{Token: in.Token, User: in.UserToken})
	if err != nil {
		return a, err
	}
	return a, errors.Join(token.Set(tx, x.Org, &a, b), accounts.Put(tx, x.Org, &a))
}

// errElsewhere refuses an account that is live in an organization; which one is not said.
var errElsewhere = api.ErrConflict.WithMessage("This account is connected to another organization; disconnect it there first.")

// activate connects an account that was allowed: its key is claimed here.
func (s *Service) activate(tx *store.Tx, c *api.Call, orgID string, a *Account) error {
	if a.Obstacle != "" {
		return api.ErrState.WithMessage("%s", a.Obstacle)
	}
	if a.Token.IsZero() {
		return api.ErrState.WithMessage("The consent for this account is over; connect it again.")
	}
	if _, owner, err := external.Find(tx, externalKey(a.Platform, a.ExternalID)); !store.IsNotFound(err) {
		if err != nil || owner != orgID {
			return errors.Join(err, errElsewhere)
		}
	}
	if a.Status == Disconnected {
		used, err := Count(tx, orgID)
		if err != nil {
			return err
		}
		if err := org.CheckLimit(tx, orgID, org.LimitChannelAccounts, used, 1); err != nil {
			return err
		}
	}
	now := tx.DB().Now()
	a.Pending, a.PendingUntil, a.ConnectedAt, a.LastError, a.Open = "", time.Time{}, now, "", false
	a.CheckAt = now.Add(checkEach)
	if err := s.apply(tx, c, orgID, a, WasConnected, s.reasonOf(a)); err != nil {
		return err
	}
	return s.askCheck(tx, orgID, a.ID)
}

// askCheck asks for a check at once; one that is at work may have read a former token.
func (s *Service) askCheck(tx *store.Tx, orgID, id string) error {
	_, err := queue.Add(tx, checking{orgID, id}, time.Time{}, queue.Coalesced(id), queue.For(orgID, id))
	return err
}

// forgetPending removes accounts that nobody activated in time; of those that were connected
// before only the new token goes.
func forgetPending(tx *store.Tx, orgID string, limit int) (n int, err error) {
	list, _, err := waiting.Walk(tx, orgID, store.Range{Span: store.All(), Limit: limit})
	for i := range list {
		a := &list[i]
		if a.Live() || tx.DB().Now().Before(a.PendingUntil) {
			continue
		}
		n++
		if a.ConnectedAt.IsZero() {
			err = accounts.Delete(tx, orgID, a.ID)
		} else {
			a.Pending, a.PendingUntil = "", time.Time{}
			err = errors.Join(token.Set(tx, orgID, a, nil), accounts.Put(tx, orgID, a))
		}
		if err != nil {
			return n, err
		}
	}
	return n, err
}
