package channel

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/audit"
	"svc/app/org"
	"svc/messenger/platform"
	"svc/store"
	"svc/store/queue"
)

// Bounds of a consent.
const (
	consentLife = 10 * time.Minute
	pendingLife = time.Hour
	maxReturn   = 500
)

// consent is what somebody was sent to a consent page for. Its id is the hash of the state.
type consent struct {
	ID       string        `json:"id"`
	Org      string        `json:"org"`
	Platform platform.Name `json:"platform"`
	Person   string        `json:"person,omitempty"` // "" for a key
	Session  string        `json:"session,omitempty"`
	ReturnTo string        `json:"return_to,omitempty"`
	Redirect string        `json:"redirect"`
	Expires  time.Time     `json:"expires"`
	Used     bool          `json:"used,omitempty"`
}

var (
	consents  = store.NewTable("channel_consent", "", func(c *consent) string { return c.ID }).Global()
	byExpires = consents.Index("expires", func(c *consent) store.Key { return store.Time(c.Expires) })
)

// ConnectIn asks for a consent page.
type ConnectIn struct {
	Body struct {
		ReturnTo *string `json:"return_to" maxLength:"500" doc:"A path of this service, where the person goes afterwards." example:"/console/channels"`
	}
}

// Connecting is where to send the person.
type Connecting struct {
	URL     string    `json:"authorization_url"`
	Expires time.Time `json:"expires_at" doc:"Until then the page may be answered, once."`
}

// errUnconfigured refuses a network that this installation cannot reach.
var errUnconfigured = api.ErrState.WithMessage("This network is not configured here; GET /channels/providers names the settings that are missing.")

func (s *Service) connect(name platform.Name) func(*api.Call, ConnectIn) (Connecting, error) {
	return func(c *api.Call, in ConnectIn) (out Connecting, err error) {
		n := s.Network(name)
		if n == nil || name == platform.Video && len(s.o.MissingSignIn) > 0 {
			return out, errUnconfigured
		}
		back, err := returnTo(c, in.Body.ReturnTo)
		if err != nil {
			return out, err
		}
		state, err := newState()
		if err != nil {
			return out, err
		}
		x := consent{Org: c.Org, Platform: name, ReturnTo: back, Redirect: s.callbackURL(c, name), Expires: c.Now.Add(consentLife)}
		if c.Caller.Kind == api.Person {
			x.Person, x.Session = c.Caller.ID, c.Caller.Session
		}
		if err = s.db.Update(c, func(tx *store.Tx) error { return s.begin(tx, c, state, &x) }); err != nil {
			return out, err
		}
		out = Connecting{URL: n.Authorize(x.Redirect, state), Expires: x.Expires}
		if strings.HasPrefix(out.URL, "/") { // the simulator is a part of this service
			out.URL = c.Base + out.URL
		}
		return out, nil
	}
}

// begin keeps a consent that is asked for.
func (s *Service) begin(tx *store.Tx, c *api.Call, state string, x *consent) (err error) {
	if ok, err := org.PolicyAccepted(tx, c.Org); err != nil || !ok {
		return errors.Join(err, org.ErrPolicyNotAccepted)
	}
	if x.ID, err = tx.Hash("channel consent", state); err != nil {
		return err
	}
	if err := consents.Insert(tx, store.Platform, x); err != nil {
		return err
	}
	return audit.Write(tx, c, "channel.connect_started", audit.On("channel", string(x.Platform), ""))
}

func newState() (string, error) {
	b := make([]byte, 32)
	_, err := rand.Read(b)
	return base64.RawURLEncoding.EncodeToString(b), err
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

// returnTo is a path of this service, or what is wrong with it.
func returnTo(c *api.Call, asked *string) (string, error) {
	if asked == nil || *asked == "" {
		return defaultReturn, nil
	}
	path, own := strings.CutPrefix(*asked, c.Base)
	if !own || c.Base == "" {
		path = *asked
	}
	u, err := url.Parse(path)
	if err != nil || u.Host != "" || u.Scheme != "" || !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") ||
		strings.ContainsAny(path, "\\\r\n\t") || len(path) > maxReturn {
		return "", api.Wrong("return_to", "must be a path of this service, such as /console/channels")
	}
	return path, nil
}

// CallbackIn is how a consent page returns.
type CallbackIn struct {
	Code   string `query:"code" maxLength:"2000"`
	State  string `query:"state" maxLength:"200"`
	Error  string `query:"error" maxLength:"100"`
	Reason string `query:"error_reason" maxLength:"100"`
}

// Codes that a callback returns with.
const (
	codeState    = "invalid_state"
	codeDenied   = "access_denied"
	codeFailed   = "network_failed"
	codeNothing  = "no_accounts"
	codeConflict = "conflict"
	codeLimit    = "plan_limit_reached"

	codeNoRefresh = "no_refresh_token"
)

// callback finishes a consent. Whatever happens, the person goes back to where they came from.
func (s *Service) callback(name platform.Name) func(*api.Call, CallbackIn) (api.Redirect, error) {
	return func(c *api.Call, in CallbackIn) (api.Redirect, error) {
		x, ok, err := s.consume(c, name, in.State)
		if err != nil {
			return api.Redirect{}, err
		}
		if !ok {
			return back(defaultReturn, "error", codeState), nil
		}
		if in.Error != "" || in.Code == "" {
			return back(x.ReturnTo, "error", codeDenied), nil
		}
		grant, err := s.Network(name).Exchange(c, in.Code, x.Redirect)
		if err != nil {
			s.log.Warn("channel: a consent was not exchanged", "platform", name, "error", err)
			if e := platform.As(err); e != nil && e.Reason == codeNoRefresh {
				return back(x.ReturnTo, "error", codeNoRefresh), nil
			}
			return back(x.ReturnTo, "error", codeFailed), nil
		}
		connected, pending, code, err := s.accept(c, &x, &grant)
		switch {
		case err != nil:
			return api.Redirect{}, err
		case code != "":
			return back(x.ReturnTo, "error", code), nil
		case pending > 0:
			return back(x.ReturnTo, "connected", strconv.Itoa(connected), "pending", strconv.Itoa(pending), "state", in.State), nil
		}
		return back(x.ReturnTo, "connected", strconv.Itoa(connected)), nil
	}
}

// back is the way back, with what is to be said there.
func back(to string, pairs ...string) api.Redirect {
	u, err := url.Parse(to)
	if err != nil {
		u = &url.URL{Path: defaultReturn}
	}
	q := u.Query()
	for i := 0; i < len(pairs); i += 2 {
		q.Set(pairs[i], pairs[i+1])
	}
	u.RawQuery = q.Encode()
	return api.Redirect{To: u.String()}
}

// consume uses a state up: once, in time, and by whoever asked for it. A key has no browser:
// there a person of its organization who may connect accounts answers the page.
func (s *Service) consume(c *api.Call, name platform.Name, state string) (x consent, ok bool, err error) {
	if state == "" || s.Network(name) == nil {
		return x, false, nil
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		ok = false
		id, err := tx.Hash("channel consent", state)
		if err != nil {
			return err
		}
		if x, err = consents.Get(tx, store.Platform, id); err != nil {
			return store.IgnoreNotFound(err)
		}
		if x.Used || x.Platform != name || !tx.DB().Now().Before(x.Expires) || !s.answers(c, &x) {
			return nil
		}
		x.Used, ok = true, true
		x.Expires = tx.DB().Now().Add(pendingLife)
		return consents.Put(tx, store.Platform, &x)
	})
	return x, ok, err
}

// answers says whether the caller is who asked for the consent.
func (s *Service) answers(c *api.Call, x *consent) bool {
	if x.Person != "" {
		return c.Caller.Kind == api.Person && c.Caller.ID == x.Person && c.Caller.Session == x.Session
	}
	return c.Caller.Kind == api.Person && c.Org == x.Org && c.Can(perm.AccountsManage)
}

// accept keeps what was granted. One account is connected at once, and so are those that were
// connected before; of several others a person chooses.
func (s *Service) accept(c *api.Call, x *consent, g *platform.Grant) (connected, pending int, code string, err error) {
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
func (s *Service) keep(tx *store.Tx, x *consent, g *platform.Grant, in *platform.Granted) (a Account, err error) {
	now := tx.DB().Now()
	a, err = known.Find(tx, x.Org, externalKey(x.Platform, in.ExternalID))
	if store.IsNotFound(err) {
		a, err = Account{ID: tx.DB().NewID("cha"), Platform: x.Platform, ExternalID: in.ExternalID, Status: Disconnected, CreatedAt: now}, nil
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

// askCheck asks for a check at once.
func (s *Service) askCheck(tx *store.Tx, orgID, id string) error {
	_, err := queue.Add(tx, checking{orgID, id}, time.Time{}, queue.Once(id), queue.For(orgID, id))
	return err
}

// forgetConsents removes those that nobody answered, and what waits behind them.
func forgetConsents(tx *store.Tx, limit int) (int, error) {
	list, _, err := byExpires.Walk(tx, store.Platform, store.Range{Span: store.During(time.Time{}, tx.DB().Now()), Limit: limit})
	for i := range list {
		if err := consents.Delete(tx, store.Platform, list[i].ID); err != nil {
			return i, err
		}
	}
	return len(list), err
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
