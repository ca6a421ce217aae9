package account

import (
	"time"

	"svc/app/account/connection"
	"svc/app/account/login"
	"svc/app/account/proxy"
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/audit"
	"svc/app/notify"
	"svc/app/org"
	"svc/app/policy"
	"svc/app/setting"
	"svc/app/signal"
	"svc/store"
)

// loginWithin is how long a step of a sign-in may take: it asks the platform.
const loginWithin = 60 * time.Second

// What a sign-in may be refused with: where it begins, and at every step behind that.
var (
	begins = api.Errors(login.ErrNumber, login.ErrUnoccupied, login.ErrBanned, login.ErrFlood, login.ErrEmailSetup, login.ErrPaymentSetup, login.ErrApp, login.ErrFlowFailed, login.ErrProxy, login.ErrGateway,
		org.ErrPolicyNotAccepted, api.ErrConflict, proxy.ErrInUse, proxy.ErrDisabled)
	steps = api.Errors(login.ErrBanned, login.ErrFlood, login.ErrFlowFailed, login.ErrProxy, login.ErrGateway, org.ErrPolicyNotAccepted, api.ErrPlanLimit, api.ErrConflict, proxy.ErrInUse,
		login.ErrAttempts, login.ErrFlowExpired, login.ErrFlowNotFound, api.ErrState)
)

// Endpoints are the operations of the slice.
func (s *Service) Endpoints() []api.Endpoint {
	persons, wait := api.ForPersons(api.ErrPersonRequired), api.Timeout(loginWithin)
	return append([]api.Endpoint{
		api.E("GET /accounts", "accounts.list", perm.AccountsRead, "List messenger accounts, newest first.", api.Read(s.db, s.list)),
		api.E("POST /accounts", "accounts.create", perm.AccountsManage, "Begin to sign in to a messenger account: the messenger sends a code.", s.start,
			api.Status(201), persons, wait, begins, api.Errors(api.ErrPlanLimit)),
		api.E("POST /accounts/login/{flow_id}/code", "accounts.login_code", perm.AccountsManage, "Give the code that the messenger sent.", s.code,
			persons, wait, steps, api.Errors(login.ErrCode, login.ErrCodeExpired, login.ErrNumber, login.ErrUnoccupied, login.ErrApp)),
		api.E("POST /accounts/login/{flow_id}/password", "accounts.login_password", perm.AccountsManage, "Give the two-step password.", s.password,
			persons, wait, steps, api.Errors(login.ErrPassword)),
		api.E("GET /accounts/{id}", "accounts.get", perm.AccountsRead, "Read a messenger account.", api.Read(s.db, s.get)),
		api.E("PATCH /accounts/{id}", "accounts.update", perm.AccountsManage, "Change the name, pacing, inbound messages or proxy of an account.", s.update,
			api.Errors(proxy.ErrInUse, proxy.ErrDisabled)),
		api.E("DELETE /accounts/{id}", "accounts.delete", perm.AccountsManage, "Log an account out and delete it; what it delivered stays in the history.", s.remove,
			api.Errors(ErrInUse, ErrDisabled)),
		api.E("POST /accounts/{id}/pause", "accounts.pause", perm.AccountsManage, "Pause an active account.", s.pause, api.Errors(api.ErrState)),
		api.E("POST /accounts/{id}/resume", "accounts.resume", perm.AccountsManage, "Let a paused account, or one whose restriction is over, send again.", s.resume,
			api.Errors(api.ErrState, ErrRestriction, api.ErrPersonRequired, ErrReauth, ErrDisabled)),
		api.E("POST /accounts/{id}/check", "accounts.check", perm.AccountsManage, "Check now whether the messenger answers.", s.checkNow, wait, api.Errors(login.ErrGateway)),
		api.E("POST /accounts/{id}/reauth", "accounts.reauth", perm.AccountsManage, "Begin to sign in again to an account whose session ended.", s.reauth,
			api.Status(201), persons, wait, begins, api.Errors(api.ErrState, ErrDisabled)),
		api.E("GET /accounts/{id}/activity", "accounts.activity", perm.AccountsRead, "List what happened to an account, newest first; kept for 90 days.", api.Read(s.db, s.activity)),
	}, s.proxies.Endpoints()...)
}

// Shown is an account in the API (contract 7.1).
type Shown struct {
	ID               string           `json:"id"`
	Label            *string          `json:"label"`
	PhoneMasked      string           `json:"phone_masked" example:"+998 90 ••• •• 67"`
	MessengerID      int64            `json:"messenger_id"`
	Username         *string          `json:"username" doc:"Without @."`
	FirstName        string           `json:"first_name"`
	LastName         *string          `json:"last_name"`
	AvatarURL        *string          `json:"avatar_url" doc:"null: pictures of accounts are not kept."`
	Premium          bool             `json:"premium"`
	Status           Status           `json:"status" enum:"ACTIVE,PAUSED,AUTH_REQUIRED,RESTRICTED,DISCONNECTED,ERROR"`
	StatusReason     *string          `json:"status_reason"`
	LastError        *string          `json:"last_error" example:"PEER_FLOOD"`
	StatusChangedAt  time.Time        `json:"status_changed_at"`
	DisabledByAdmin  bool             `json:"disabled_by_admin"`
	DisabledReason   *string          `json:"disabled_reason" doc:"What the administrator gave as the reason."`
	CooldownUntil    *time.Time       `json:"cooldown_until" doc:"Nothing is sent before; null when it is over."`
	DailyLimit       int              `json:"daily_limit" doc:"Campaign and test messages a UTC day."`
	SentToday        int              `json:"sent_today"`
	RemainingToday   int              `json:"remaining_today"`
	LimitResetsAt    time.Time        `json:"daily_limit_resets_at" doc:"When the next UTC day begins, with nothing sent. The limit counts UTC days in every time zone."`
	MinInterval      int              `json:"min_interval_seconds"`
	ProxyID          *string          `json:"proxy_id"`
	Proxy            *api.Named       `json:"proxy"`
	InboundEnabled   bool             `json:"inbound_enabled"`
	Connection       connection.State `json:"connection" enum:"ONLINE,CONNECTING,OFFLINE"`
	LastSeenAt       *time.Time       `json:"last_seen_at" doc:"When the messenger was last heard from."`
	LastSentAt       *time.Time       `json:"last_sent_at"`
	LastCheckedAt    *time.Time       `json:"last_checked_at"`
	BusinessID       *string          `json:"business_id" doc:"The business that the account speaks for."`
	RunningCampaigns int              `json:"running_campaigns"`
	CreatedBy        string           `json:"created_by"`
	Creator          *api.Named       `json:"creator"`
	CreatedAt        time.Time        `json:"created_at"`
	UpdatedAt        time.Time        `json:"updated_at"`
}

// show makes an account as the API shows it.
func (s *Service) show(tx *store.Tx, org string, a *Account) (Shown, error) {
	set, err := setting.Get(tx)
	if err != nil {
		return Shown{}, err
	}
	return s.showWithin(tx, org, &set, a)
}

// showWithin is show for who has read the settings.
func (s *Service) showWithin(tx *store.Tx, org string, set *setting.Settings, a *Account) (Shown, error) {
	p, err := paces.Get(tx, org, a.ID)
	if err != nil {
		return Shown{}, err
	}
	running, err := s.inUse(tx, org, a.ID)
	if err != nil {
		return Shown{}, err
	}
	business := ""
	if s.o.Business != nil {
		if business, err = s.o.Business(tx, org, a.ID); err != nil {
			return Shown{}, err
		}
	}
	connected, err := s.pool.State(tx, org, a.ID)
	now := tx.DB().Now()
	sent := p.SentOn(now)
	daily, interval := a.Pacing(set)
	out := Shown{
		ID: a.ID, Label: a.Label, PhoneMasked: a.PhoneMasked, MessengerID: a.MessengerID, Username: api.Optional(a.Username), FirstName: a.FirstName,
		LastName: api.Optional(a.LastName), Premium: a.Premium, Status: a.Status, StatusReason: a.StatusReason, LastError: a.LastError,
		StatusChangedAt: a.StatusChangedAt, DisabledByAdmin: a.DisabledByAdmin, DisabledReason: a.DisabledReason,
		DailyLimit: daily, SentToday: sent, RemainingToday: max(0, daily-sent), LimitResetsAt: policy.NextDay(now), MinInterval: interval,
		ProxyID: api.Optional(a.ProxyID), InboundEnabled: a.InboundEnabled, Connection: connected,
		LastSeenAt: moment(p.heardAt()), LastSentAt: moment(p.LastSentAt), LastCheckedAt: moment(p.CheckedAt),
		Proxy: api.Ref(org, a.ProxyID), Creator: api.Ref(org, a.CreatedBy),
		BusinessID: api.Optional(business), RunningCampaigns: running, CreatedBy: a.CreatedBy, CreatedAt: a.CreatedAt, UpdatedAt: a.UpdatedAt,
	}
	if p.CooldownUntil.After(now) {
		out.CooldownUntil = &p.CooldownUntil
	}
	return out, err
}

func moment(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

type idIn struct {
	ID string `path:"id" maxLength:"64"`
}

type listIn struct {
	api.PageIn
	Status Status `query:"status" enum:"ACTIVE,PAUSED,AUTH_REQUIRED,RESTRICTED,DISCONNECTED,ERROR"`
}

func (s *Service) list(c *api.Call, tx *store.Tx, in listIn) (out api.Page[Shown], err error) {
	q := store.Query[Account]{Reverse: true, Offset: in.Offset, Limit: in.Limit, After: in.Behind()}
	if in.Status != "" {
		q.Where = []store.Cond[Account]{statusFacet.Any(string(in.Status))}
	}
	page, err := accounts.Page(tx, c.Org, q)
	if err != nil {
		return out, err
	}
	set, err := setting.Get(tx)
	if err != nil {
		return out, err
	}
	return api.ShowPage(page, in.PageIn, func(x *Account) (Shown, error) { return s.showWithin(tx, c.Org, &set, x) })
}

func (s *Service) get(c *api.Call, tx *store.Tx, in idIn) (out Shown, err error) {
	a, err := accounts.Get(tx, c.Org, in.ID)
	if err != nil {
		return out, err
	}
	return s.show(tx, c.Org, &a)
}

// edit changes an account in a transaction of its own and shows it.
func (s *Service) edit(c *api.Call, id string, change func(*store.Tx, *Account) error) (out Shown, err error) {
	err = s.db.Update(c, func(tx *store.Tx) error {
		a, err := accounts.Get(tx, c.Org, id)
		if err != nil {
			return err
		}
		if err := change(tx, &a); err != nil {
			return err
		}
		out, err = s.show(tx, c.Org, &a)
		return err
	})
	return out, err
}

type updateIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		Label          api.PatchNull[string] `json:"label" minLength:"1" maxLength:"120"`
		DailyLimit     api.Patch[int]        `json:"daily_limit" example:"150"`
		MinInterval    api.Patch[int]        `json:"min_interval_seconds" example:"8"`
		InboundEnabled api.Patch[bool]       `json:"inbound_enabled"`
		ProxyID        api.PatchNull[string] `json:"proxy_id" maxLength:"64"`
	}
}

func (s *Service) update(c *api.Call, in updateIn) (Shown, error) {
	return s.edit(c, in.ID, func(tx *store.Tx, a *Account) error {
		before, b := *a, &in.Body
		changed := b.Label.Apply(&a.Label)
		changed = b.InboundEnabled.Apply(&a.InboundEnabled) || changed
		paced, err := in.repace(tx, c.Org, a)
		if err != nil {
			return err
		}
		moved, err := s.moveBehind(tx, c, a, b.ProxyID)
		if err != nil || !changed && !paced && !moved {
			return err
		}
		a.UpdatedAt = c.Now
		if err := s.saveChanged(tx, c, a, paced); err != nil {
			return err
		}
		return audit.Write(tx, c, "account.updated", a.resource(),
			audit.Changed("label", before.Label, a.Label), audit.Changed("inbound_enabled", before.InboundEnabled, a.InboundEnabled),
			audit.Changed("daily_limit", before.DailyLimit, a.DailyLimit), audit.Changed("min_interval_seconds", before.MinInterval, a.MinInterval),
			audit.Changed("proxy_id", api.Optional(before.ProxyID), api.Optional(a.ProxyID)))
	})
}

// moveBehind puts an account behind the proxy that was asked for, or none, and says whether it
// was behind another one.
func (s *Service) moveBehind(tx *store.Tx, c *api.Call, a *Account, asked api.PatchNull[string]) (moved bool, err error) {
	id := ""
	if asked.Value != nil {
		id = *asked.Value
	}
	if !asked.Set || id == a.ProxyID {
		return false, nil
	}
	return true, s.changeProxy(tx, c, a, id)
}

// saveChanged saves an account and has its connection and, when its pace changed, what waits
// for it follow.
func (s *Service) saveChanged(tx *store.Tx, c *api.Call, a *Account, paced bool) error {
	if err := accounts.Put(tx, c.Org, a); err != nil {
		return err
	}
	s.pool.AdjustAfter(tx, c.Org, a.ID)
	if err := s.failBehindProxy(tx, c, c.Org, a); err != nil || !paced {
		return err
	}
	return signal.Publish(s.o.Bus, tx, c, Repaced{c.Org, a.ID})
}

// Repaced is published when the daily limit or the interval of an account changed:
// what waited for them may go on.
type Repaced struct{ Org, ID string }

// repace gives an account the pace that was asked for, notes it, and says whether that
// changes anything. A value that was not asked for may lie out of the platform's bounds.
func (in *updateIn) repace(tx *store.Tx, org string, a *Account) (paced bool, err error) {
	b := &in.Body
	if !b.DailyLimit.Set && !b.MinInterval.Set {
		return false, nil
	}
	set, err := setting.Get(tx)
	if err != nil {
		return false, err
	}
	paced = b.DailyLimit.Apply(&a.DailyLimit)
	paced = b.MinInterval.Apply(&a.MinInterval) || paced
	daily, interval := a.Pacing(&set)
	asked, apart := daily, interval
	b.DailyLimit.Apply(&asked)
	b.MinInterval.Apply(&apart)
	if err := checkPacing(set, asked, apart); err != nil || !paced {
		return false, err
	}
	return true, note(tx, org, a.ID, activity{Kind: LimitsChanged, Message: counted(daily, "message", "messages") + " a day, " +
		counted(interval, "second", "seconds") + " apart at least."})
}

func (s *Service) remove(c *api.Call, in idIn) (out api.NoContent, err error) {
	err = s.db.Update(c, func(tx *store.Tx) error {
		a, err := accounts.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		running, err := s.inUse(tx, c.Org, a.ID)
		if err != nil {
			return err
		}
		switch {
		case running > 0:
			return ErrInUse
		case a.DisabledByAdmin: // else a new sign-in would undo what the administrator did
			return ErrDisabled
		}
		return s.leave(tx, c, &a)
	})
	return out, err
}

// leave removes an account: its session is ended at the platform, what belonged to it is
// removed, both soon after.
func (s *Service) leave(tx *store.Tx, c *api.Call, a *Account) error {
	w, err := s.wanted(tx, c.Org, a)
	if err != nil { // without its proxy there is no way to log out
		w = connection.Wanted{}
	}
	if len(w.Session) > 0 {
		err = connection.LogOut(tx, c.Org, a.ID, w.Session, w.Via)
	} else {
		err = connection.Clear(tx, c.Org, a.ID)
	}
	if err != nil {
		return err
	}
	if err := accounts.Delete(tx, c.Org, a.ID); err != nil {
		return err
	}
	if err := notify.Settle(tx, c.Org, a.ID); err != nil {
		return err
	}
	if err := paces.Delete(tx, c.Org, a.ID); err != nil {
		return err
	}
	if err := connection.ForgetUpdates(tx, c.Org, a.ID); err != nil {
		return err
	}
	if err := audit.Write(tx, c, "account.deleted", a.resource()); err != nil {
		return err
	}
	s.pool.AdjustAfter(tx, c.Org, a.ID)
	return signal.Publish(s.o.Bus, tx, c, Deleted{c.Org, a.ID})
}

func (s *Service) pause(c *api.Call, in idIn) (Shown, error) {
	return s.edit(c, in.ID, func(tx *store.Tx, a *Account) error {
		return s.apply(tx, c, c.Org, a, transition{event: PausedByHand, reason: "Somebody paused the account."})
	})
}

type resumeIn struct {
	ID   string      `path:"id" maxLength:"64"`
	Body *resumeBody // may be absent
}

type resumeBody struct {
	Acknowledge bool `json:"acknowledge_restriction" doc:"The account was restricted, and a person says that it may be used again."`
}

func (s *Service) resume(c *api.Call, in resumeIn) (Shown, error) {
	return s.edit(c, in.ID, func(tx *store.Tx, a *Account) error {
		h, err := resumption(a, c.Caller.Kind == api.Person, in.Body != nil && in.Body.Acknowledge)
		if err != nil {
			return err
		}
		if err := s.apply(tx, c, c.Org, a, h); err != nil {
			return err
		}
		return s.failBehindProxy(tx, c, c.Org, a)
	})
}

// resumption is what resuming an account means, or why it cannot be (contract 36).
func resumption(a *Account, person, acknowledged bool) (transition, error) {
	switch {
	case a.DisabledByAdmin:
		return transition{}, ErrDisabled
	case a.Status == AuthRequired:
		return transition{}, ErrReauth
	case a.Status == Disconnected || a.Status == Failed:
		return transition{}, errRecovers
	case a.Status == Restricted && !person:
		return transition{}, errPerson
	case a.Status == Restricted && !acknowledged:
		return transition{}, ErrRestriction
	case a.Status == Restricted:
		return transition{event: Acknowledged, reason: "Somebody acknowledged the restriction."}, nil
	}
	return transition{event: Resumed, reason: "Somebody resumed the account."}, nil
}
