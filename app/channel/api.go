package channel

import (
	"fmt"
	"slices"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/audit"
	"svc/app/org"
	"svc/app/session/consent"
	"svc/messenger/platform"
	"svc/store"
)

// Code is how an error of a network is told (contract 10.2): GRAPH_<code>, of the video network
// VIDEO_<reason>.
func Code(e *platform.Error) string {
	if e.Reason != "" {
		return "VIDEO_" + e.Reason
	}
	return fmt.Sprintf("GRAPH_%d", e.Code)
}

// Mapper knows for which business an account answers, and whether the AI does. The slice of
// the seller's configuration offers it.
type Mapper struct {
	Of  func(tx *store.Tx, org, account string) (business string, ai bool, err error)
	Set func(tx *store.Tx, c *api.Call, account, business string, ai bool) error
}

const connectTime = time.Minute

// Endpoints are the operations of the slice.
func (s *Service) Endpoints() []api.Endpoint {
	read, manage := perm.AccountsRead, perm.AccountsManage
	begins, shown := api.Errors(org.ErrPolicyNotAccepted, api.ErrState), api.OneTime("authorization_url")
	return append([]api.Endpoint{
		api.E("GET /channels/providers", "channels.providers", read, "List the networks and what this installation still needs for each.", s.providers),
		api.E("POST /channels/instagram/connect", "channels.connect_photo", manage, "Begin to connect an account of the photo network: answers its consent page.", s.connect(platform.Photo), begins, shown),
		api.E("GET /channels/instagram/callback", "channels.photo_callback", perm.Public, "Where the consent page of the photo network returns to.", s.callback(platform.Photo), api.Timeout(connectTime)),
		api.E("POST /channels/facebook/connect", "channels.connect_page", manage, "Begin to connect pages of the page network: answers its consent page.", s.connect(platform.Page), begins, shown),
		api.E("GET /channels/facebook/callback", "channels.page_callback", perm.Public, "Where the consent page of the page network returns to.", s.callback(platform.Page), api.Timeout(connectTime)),
		api.E("GET /channels/accounts", "channels.accounts", read, "List connected accounts, or those of a consent that wait to be activated.", api.Read(s.db, s.list)),
		api.E("GET /channels/accounts/{id}", "channels.account", read, "Read a connected account.", s.get),
		api.E("PATCH /channels/accounts/{id}", "channels.update_account", manage, "Activate an account, or change what it is used for.", s.update,
			api.Errors(api.ErrConflict, api.ErrPlanLimit, api.ErrState)),
		api.E("DELETE /channels/accounts/{id}", "channels.disconnect", manage, "Disconnect an account: its access is forgotten at once; conversations stay readable.", s.disconnect),
		api.E("POST /channels/accounts/{id}/check", "channels.check", manage, "Check token, permissions and webhooks of an account now.", s.checkNow,
			api.Timeout(checkTime), api.Errors(api.ErrState, errUnreachable)),
	}, slices.Concat(s.hookEndpoints(), s.topicEndpoints(), s.videoEndpoints())...)
}

// errUnreachable is the answer of a check that the network did not take.
var errUnreachable = &api.Error{Kind: api.Unavailable, Code: "account_unreachable", Message: "The network cannot be reached; try again.", RetryAfter: 10 * time.Second}

// Provider is a network in the API.
type Provider struct {
	Platform      string   `json:"platform" enum:"PHOTO_NETWORK,PAGE_NETWORK,VIDEO_NETWORK"`
	Kind          string   `json:"kind" enum:"MESSAGING,CONTENT"`
	Configured    bool     `json:"configured"`
	AppReview     string   `json:"app_review" enum:"PENDING,APPROVED" doc:"Until it is APPROVED only people with a role on the application connect, and only they are heard."`
	HumanAgent    bool     `json:"human_agent" doc:"A person may answer for seven days."`
	Missing       []string `json:"missing_settings" nullable:"false"`
	Simulated     bool     `json:"simulated" doc:"The network is a simulator, which reaches nobody."`
	WebhookURL    *string  `json:"webhook_url" doc:"To be entered at the network."`
	CallbackURL   *string  `json:"callback_url" doc:"To be entered at the network."`
	DeauthorizeAt *string  `json:"deauthorize_url"`
	DeletionAt    *string  `json:"data_deletion_url"`
	VerifyToken   *string  `json:"verify_token" doc:"To be entered at the network; null for those who may not manage accounts."`
}

func (s *Service) providers(c *api.Call, _ struct{}) (out api.List[Provider], err error) {
	token, err := s.verifyToken()
	if err != nil {
		return out, err
	}
	var rows []Provider
	for _, name := range []platform.Name{platform.Photo, platform.Page} {
		p := s.provider(c, name)
		if c.Can(perm.AccountsManage) {
			p.VerifyToken = &token
		}
		rows = append(rows, p)
	}
	rows = append(rows, s.videoProvider(c))
	return api.NewList(rows), nil
}

// provider is the photo or the page network, without its token.
func (s *Service) provider(c *api.Call, name platform.Name) Provider {
	p := Provider{
		Platform: string(name), Kind: "MESSAGING", Configured: s.Network(name) != nil, AppReview: "PENDING", HumanAgent: s.o.HumanAgent,
		Missing: append([]string{}, s.o.Missing[name]...), Simulated: s.o.Simulated,
	}
	if s.o.Reviewed || s.o.Simulated {
		p.AppReview = "APPROVED"
	}
	base := s.base(c) + "/api/v1/channels/meta/"
	p.WebhookURL, p.DeauthorizeAt, p.DeletionAt = api.Optional(base+"webhook"), api.Optional(base+"deauthorize"), api.Optional(base+"data-deletion")
	p.CallbackURL = api.Optional(s.callbackURL(c, name))
	return p
}

// Shown is an account in the API (contract 16.1).
type Shown struct {
	ID           string        `json:"id"`
	Platform     platform.Name `json:"platform" enum:"PHOTO_NETWORK,PAGE_NETWORK,VIDEO_NETWORK"`
	Name         string        `json:"name"`
	Username     *string       `json:"username"`
	AvatarURL    *string       `json:"avatar_url" doc:"null: pictures of the network expire and are not handed out."`
	ExternalID   string        `json:"external_id"`
	Status       Status        `json:"status" enum:"CONNECTED,PUBLIC,AUTH_REQUIRED,ERROR,DISCONNECTED"`
	StatusReason *string       `json:"status_reason"`
	LastError    *string       `json:"last_error" example:"GRAPH_190"`
	Expires      *time.Time    `json:"token_expires_at" doc:"null: it does not, or nothing is connected."`
	TokenAt      *time.Time    `json:"token_issued_at"`
	Scopes       []string      `json:"scopes" nullable:"false"`
	Missing      []string      `json:"missing_scopes" nullable:"false"`
	WebhooksOK   bool          `json:"webhooks_ok"`
	BusinessID   *string       `json:"business_id"`
	Business     *api.Named    `json:"business"`
	AIEnabled    bool          `json:"ai_enabled"`
	History      bool          `json:"history_import_enabled"`
	LastEventAt  *time.Time    `json:"last_event_at"`
	CheckedAt    *time.Time    `json:"last_checked_at"`
	Pending      bool          `json:"pending" doc:"It was allowed and waits to be activated."`
	Usage        *int          `json:"usage_percent" doc:"Of what the network allows, when it said so in the last ten minutes."`
	WaitUntil    *time.Time    `json:"waits_until" doc:"Nothing is asked of the network before."`
	HeldUntil    *time.Time    `json:"held_until" doc:"Nothing is sent before: the network holds the account back."`
	Simulated    bool          `json:"simulated"`
	ConnectedBy  *string       `json:"connected_by"`
	Connector    *api.Named    `json:"connector"`
	ConnectedAt  *time.Time    `json:"connected_at"`
	CreatedAt    time.Time     `json:"created_at"`
	UpdatedAt    time.Time     `json:"updated_at"`
}

func (s *Service) show(tx *store.Tx, org string, a *Account) (out Shown, err error) {
	now := tx.DB().Now()
	out = Shown{
		ID: a.ID, Platform: a.Platform, Name: a.DisplayName(), Username: api.Optional(a.Username), ExternalID: a.ExternalID, Status: a.Status,
		StatusReason: api.Optional(firstOf(a.StatusReason, a.Obstacle)), LastError: api.Optional(a.LastError), Expires: api.Optional(a.Expires),
		TokenAt: api.Optional(a.TokenAt), Scopes: append([]string{}, a.Scopes...), Missing: append([]string{}, missing(s.Network(a.Platform), a.Scopes)...),
		WebhooksOK: a.WebhooksOK, History: !a.HistoryOff, LastEventAt: api.Optional(a.LastEventAt), CheckedAt: api.Optional(a.CheckedAt),
		Pending: a.Pending != "", Simulated: s.o.Simulated, ConnectedBy: api.Optional(a.ConnectedBy), Connector: api.Ref(org, a.ConnectedBy),
		ConnectedAt: api.Optional(a.ConnectedAt), CreatedAt: a.CreatedAt, UpdatedAt: a.UpdatedAt,
	}
	if now.Sub(a.UsageAt) < usageLife {
		out.Usage = &a.Usage
	}
	if a.WaitUntil.After(now) {
		out.WaitUntil = &a.WaitUntil
	}
	if a.HeldUntil.After(now) {
		out.HeldUntil = &a.HeldUntil
	}
	if s.mapper.Of == nil {
		return out, nil
	}
	business, ai, err := s.mapper.Of(tx, org, a.ID)
	out.BusinessID, out.Business, out.AIEnabled = api.Optional(business), api.Ref(org, business), ai
	return out, err
}

type listIn struct {
	api.PageIn
	Platform platform.Name `query:"platform" enum:"PHOTO_NETWORK,PAGE_NETWORK,VIDEO_NETWORK"`
	Status   Status        `query:"status" enum:"CONNECTED,PUBLIC,AUTH_REQUIRED,ERROR,DISCONNECTED"`
	Pending  bool          `query:"pending" doc:"Those that wait to be activated; state says of which consent."`
	State    string        `query:"state" maxLength:"200"`
}

func (s *Service) list(c *api.Call, tx *store.Tx, in listIn) (out api.Page[Shown], err error) {
	q := store.Query[Account]{Reverse: !in.Pending, Offset: in.Offset, Limit: in.Limit, After: in.Behind()}
	if in.Pending {
		id, err := consent.Hash(tx, in.State)
		if err != nil {
			return out, err
		}
		q.Where = append(q.Where, waiting.Where(store.Is(store.Text(id))))
	} else {
		q.Where = append(q.Where, shownFacet.Any(shown))
	}
	if in.Platform != "" {
		q.Where = append(q.Where, platformFacet.Any(string(in.Platform)))
	}
	if in.Status != "" {
		q.Where = append(q.Where, statusFacet.Any(string(in.Status)))
	}
	page, err := accounts.Page(tx, c.Org, q)
	if err != nil {
		return out, err
	}
	return api.ShowPage(page, in.PageIn, func(a *Account) (Shown, error) { return s.show(tx, c.Org, a) })
}

// IDIn is the path of one account.
type IDIn struct {
	ID string `path:"id" maxLength:"64"`
}

func (s *Service) get(c *api.Call, in IDIn) (out Shown, err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		a, err := accounts.Get(tx, c.Org, in.ID)
		if err == nil {
			out, err = s.show(tx, c.Org, &a)
		}
		return err
	})
	return out, err
}

type updateIn struct {
	IDIn
	Body struct {
		Active   api.Patch[bool]       `json:"active" doc:"true activates an account that waits."`
		Business api.PatchNull[string] `json:"business_id"`
		AI       api.Patch[bool]       `json:"ai_enabled"`
		History  api.Patch[bool]       `json:"history_import_enabled"`
	}
}

func (s *Service) update(c *api.Call, in updateIn) (out Shown, err error) {
	err = s.db.Update(c, func(tx *store.Tx) error {
		a, err := accounts.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		if err := s.change(tx, c, &a, &in); err != nil {
			return err
		}
		out, err = s.show(tx, c.Org, &a)
		return err
	})
	return out, err
}

func (s *Service) change(tx *store.Tx, c *api.Call, a *Account, in *updateIn) error {
	b := &in.Body
	if b.Active.Set && !b.Active.Value {
		return api.Wrong("active", "must be true; DELETE disconnects an account")
	}
	if b.Active.Set && a.Pending != "" {
		if err := s.activate(tx, c, c.Org, a); err != nil {
			return err
		}
	} else if b.Active.Set && a.Status != Connected {
		return api.ErrState.WithMessage("Nothing was allowed for this account lately; connect it again.")
	}
	if b.History.Set && a.HistoryOff == b.History.Value {
		a.HistoryOff, a.UpdatedAt = !b.History.Value, c.Now
		if err := accounts.Put(tx, c.Org, a); err != nil {
			return err
		}
		err := audit.Write(tx, c, "channel.updated", audit.On("channel_account", a.ID, a.DisplayName()), audit.Changed("history_import_enabled", !b.History.Value, b.History.Value))
		if err != nil {
			return err
		}
	}
	return s.mapTo(tx, c, a, in)
}

// mapTo says for which business an account answers.
func (s *Service) mapTo(tx *store.Tx, c *api.Call, a *Account, in *updateIn) error {
	if s.mapper.Set == nil || !in.Body.Business.Set && !in.Body.AI.Set {
		return nil
	}
	business, ai, err := s.mapper.Of(tx, c.Org, a.ID)
	if err != nil {
		return err
	}
	if in.Body.Business.Set {
		business = ""
		if in.Body.Business.Value != nil {
			business = *in.Body.Business.Value
		}
	}
	if in.Body.AI.Set {
		ai = in.Body.AI.Value
	}
	if ai && business == "" && in.Body.AI.Set {
		return api.Wrong("ai_enabled", "needs a business that the account answers for; give business_id")
	}
	return s.mapper.Set(tx, c, a.ID, business, ai)
}

func (s *Service) disconnect(c *api.Call, in IDIn) (out api.NoContent, err error) {
	return out, s.db.Update(c, func(tx *store.Tx) error {
		a, err := accounts.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		return s.leave(tx, c, c.Org, &a, "")
	})
}

func (s *Service) checkNow(c *api.Call, in IDIn) (out Shown, err error) {
	switch err := s.Check(c, c.Org, in.ID); {
	case err == ErrAuth, err == ErrNotReady: //nolint:errorlint // they are answered as they are
		return out, api.ErrState.WithMessage("The account is not connected; connect it again.")
	case platform.As(err) != nil:
		return out, errUnreachable.WithCause(err)
	case err != nil:
		return out, err
	}
	return s.get(c, in)
}
