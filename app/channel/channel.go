// Package channel connects accounts of outside networks to organizations: the consent of a
// person, tokens, health, and the webhooks that the networks send.
//
// It promises that a consent is used once, by whoever asked for it, and that an account is live
// in one organization at a time; that tokens are sealed, refreshed, forgotten when an account is
// disconnected, and shown to nobody; that a webhook is stored before it is answered, and taken in
// once whatever is repeated (contract 16.1 and 16.2). It refuses to read messages: whoever offers a
// [Receiver] does. It knows no shape of the wire: package messenger/platform does.
package channel

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"time"

	"svc/app/api"
	"svc/app/signal"
	"svc/messenger/platform"
	"svc/store"
)

// Status is how a connection is (contract 60.50).
type Status string

// The statuses.
const (
	Connected    Status = "CONNECTED"
	Public       Status = "PUBLIC" // of the video platform
	AuthRequired Status = "AUTH_REQUIRED"
	Faulty       Status = "ERROR"
	Disconnected Status = "DISCONNECTED"
)

// Statuses lists those that are kept.
func Statuses() []Status { return []Status{Connected, Public, AuthRequired, Faulty, Disconnected} }

// Account is an account of a network in an organization.
type Account struct {
	ID       string        `json:"id"`
	Platform platform.Name `json:"platform"`
	// ExternalID is what webhooks name it by, ScopedID what signed requests may.
	ExternalID string `json:"external_id"`
	ScopedID   string `json:"scoped_id,omitempty"`
	// Grantor is the person of the network who allowed it.
	Grantor  string `json:"grantor,omitempty"`
	Name     string `json:"name"`
	Username string `json:"username,omitempty"`

	Status       Status `json:"status"`
	StatusReason string `json:"status_reason,omitempty"`
	LastError    string `json:"last_error,omitempty"`

	Scopes      []string  `json:"scopes,omitempty"`
	WebhooksOK  bool      `json:"webhooks_ok,omitempty"`
	Expires     time.Time `json:"expires,omitzero"` // of the token
	TokenAt     time.Time `json:"token_at,omitzero"`
	RefreshAt   time.Time `json:"refresh_at,omitzero"`
	DataExpires time.Time `json:"data_expires,omitzero"`

	HistoryOff  bool      `json:"history_off,omitempty"`
	LastEventAt time.Time `json:"last_event_at,omitzero"`
	CheckAt     time.Time `json:"check_at,omitzero"` // the next check
	CheckedAt   time.Time `json:"checked_at,omitzero"`

	// Open: it is read without a sign-in, as everybody may.
	Open bool `json:"open,omitempty"`

	// Pending: it was allowed together with others, and waits until somebody activates it.
	Pending      string    `json:"pending,omitempty"` // the hash of the state of the consent
	PendingUntil time.Time `json:"pending_until,omitzero"`
	Obstacle     string    `json:"obstacle,omitempty"` // why it cannot be activated

	// Usage is how much of the allowance was used, in percent; nothing is asked for before
	// WaitUntil, and nothing is sent before HeldUntil.
	Usage     int       `json:"usage,omitempty"`
	UsageAt   time.Time `json:"usage_at,omitzero"`
	WaitUntil time.Time `json:"wait_until,omitzero"`
	WaitLevel int       `json:"wait_level,omitempty"`
	HeldUntil time.Time `json:"held_until,omitzero"`
	HeldLevel int       `json:"held_level,omitempty"`

	ConnectedBy string       `json:"connected_by,omitempty"`
	ConnectedAt time.Time    `json:"connected_at,omitzero"`
	CreatedAt   time.Time    `json:"created_at"`
	UpdatedAt   time.Time    `json:"updated_at"`
	Token       store.Sealed `json:"token,omitzero"`
}

// secrets are what is sealed of an account.
type secrets struct {
	Token string `json:"token"`
	User  string `json:"user,omitempty"` // of the person, for revoking
}

// Live says whether the account belongs to its organization now: nobody else connects it. What
// is public may be read by several.
func (a *Account) Live() bool {
	return !a.Open && (a.Status == Connected || a.Status == AuthRequired || a.Status == Faulty)
}

// Reads says whether what the account shows to the public may be read.
func (a *Account) Reads() bool { return a.Status == Connected || a.Status == Public }

// Sends says whether messages may go out.
func (a *Account) Sends() bool { return a.Status == Connected }

// DisplayName is what people call it.
func (a *Account) DisplayName() string {
	for _, name := range []string{a.Name, a.Username} {
		if name != "" {
			return name
		}
	}
	return a.ID // its owner is forgotten
}

var (
	accounts = store.NewTable("channel_account", "cha", func(a *Account) string { return a.ID })
	token    = accounts.Sealed("token", func(a *Account) *store.Sealed { return &a.Token })
	// external says in which organization an account is live.
	external = accounts.UniqueAcross("external", func(a *Account) store.Key {
		if !a.Live() {
			return nil
		}
		return externalKey(a.Platform, a.ExternalID)
	})
	// known finds the record of an account in an organization, whatever its status.
	known = accounts.Unique("known", func(a *Account) store.Key { return externalKey(a.Platform, a.ExternalID) })
	// anywhere are all records of an account, for events that come before it is live.
	anywhere = accounts.MultiAcross("anywhere", func(a *Account) []store.Key { return []store.Key{externalKey(a.Platform, a.ExternalID)} })
	byPeople = accounts.MultiAcross("grantor", func(a *Account) (out []store.Key) {
		for _, id := range []string{a.Grantor, a.ScopedID, a.ExternalID} {
			if id != "" {
				out = append(out, store.Text(id))
			}
		}
		return out
	})
	toCheck = accounts.MultiAcross("check", func(a *Account) []store.Key {
		if a.CheckAt.IsZero() {
			return nil
		}
		return []store.Key{store.Time(a.CheckAt)}
	})
	waiting     = accounts.Multi("pending", func(a *Account) []store.Key { return present(a.Pending) })
	statusFacet = accounts.Facet("status", func(a *Account) []string { return []string{string(a.Status)} })
	shownFacet  = accounts.Facet("shown", func(a *Account) []string {
		if a.ConnectedAt.IsZero() {
			return nil
		}
		return []string{shown}
	})
	platformFacet = accounts.Facet("platform", func(a *Account) []string { return []string{string(a.Platform)} })
)

// shown is the facet of accounts that were connected once: only these are in lists.
const shown = "shown"

func present(s string) []store.Key {
	if s == "" {
		return nil
	}
	return []store.Key{store.Text(s)}
}

func externalKey(p platform.Name, id string) store.Key {
	return store.Tuple(store.Text(string(p)), store.Text(id))
}

// Tables are what a store that holds channels is opened with.
func Tables() []store.AnyTable {
	return []store.AnyTable{accounts, deliveries, farewells, erasures, subscriptions, quotas}
}

// Get reads an account: store.ErrNotFound when the organization has none of that id.
func Get(tx *store.Tx, org, id string) (Account, error) { return accounts.Get(tx, org, id) }

// Named is Get for an id that a caller named in the field account_id: validation_failed when the
// organization has no such account.
func Named(tx *store.Tx, org, id string) (Account, error) {
	a, err := accounts.Get(tx, org, id)
	if store.IsNotFound(err) {
		err = api.Wrong("account_id", "names no channel account of the organization")
	}
	return a, err
}

// Count is how many accounts an organization has of its limit.
func Count(tx *store.Tx, org string) (n int, err error) {
	for _, s := range []Status{Connected, AuthRequired, Faulty, Public} {
		k, err := statusFacet.Count(tx, org, string(s))
		if err != nil {
			return 0, err
		}
		n += k
	}
	return n, nil
}

// Health is how many accounts are connected, and how many somebody must look at.
func Health(tx *store.Tx, org string) (connected, attention int, err error) {
	for s, n := range map[Status]*int{Connected: &connected, AuthRequired: &attention, Faulty: &attention} {
		k, err := statusFacet.Count(tx, org, string(s))
		if err != nil {
			return 0, 0, err
		}
		*n += k
	}
	return connected, attention, nil
}

// Options of New: what this installation can reach.
type Options struct {
	Networks []platform.Network
	// Secrets are those of the applications, which sign webhooks.
	Secrets []string
	// VerifyToken is what the networks say when they look whether webhooks arrive; "": one that
	// is made from the key of everything sealed.
	VerifyToken string
	// Missing are the settings that each network still needs.
	Missing map[platform.Name][]string
	// MissingSignIn are those that the sign-in of the video network still needs.
	MissingSignIn []string
	// HumanAgent: a person may answer for seven days. Reviewed: the public may connect.
	HumanAgent, Reviewed bool
	// Simulated: the networks are a simulator.
	Simulated bool
	// PublicURL is where networks reach the service, "" when requests tell it.
	PublicURL string
	// FileBase is the address below which networks fetch files of messages; nil: PublicURL where
	// it is https, else nowhere.
	FileBase func() string
	// People are those of the simulator, nil for none.
	People People
	// Probe sends a body with a signature to an address and answers the status; nil: nobody can.
	Probe func(ctx context.Context, address string, body []byte, signature string) (status int, err error)
	Bus   *signal.Bus
	Log   *slog.Logger
}

// People are made-up customers of simulated networks.
type People interface {
	// Say lets somebody write to an account and answers the id of the message; ok is false for
	// an account that the network does not have.
	Say(network platform.Name, account, username, name, text string) (mid string, ok bool)
}

// Outside is what this installation can reach, as the program that starts it knows.
type Outside Options

// Service connects accounts.
type Service struct {
	db  *store.DB
	o   Options
	log *slog.Logger
	// receivers take what webhooks bring.
	receivers    []Receiver
	mapper       Mapper
	conversation ConversationOf
}

// New makes the service. It starts nothing.
func New(db *store.DB, o Options) *Service {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Service{db: db, o: o, log: o.Log}
}

// Network finds a network that is configured; nil: it is not.
func (s *Service) Network(name platform.Name) platform.Network {
	for _, n := range s.o.Networks {
		if n.Name() == name && len(s.o.Missing[name]) == 0 {
			return n
		}
	}
	return nil
}

// HumanAgent says whether a person may answer for seven days.
func (s *Service) HumanAgent() bool { return s.o.HumanAgent }

// Simulated says whether the networks are a simulator.
func (s *Service) Simulated() bool { return s.o.Simulated }

// People are those of the simulator, nil for none.
func (s *Service) People() People { return s.o.People }

// FileBase is the address below which networks fetch files, "" when they cannot.
func (s *Service) FileBase() string {
	switch {
	case s.o.FileBase != nil:
		return s.o.FileBase()
	case strings.HasPrefix(s.o.PublicURL, "https://"):
		return s.o.PublicURL
	}
	return ""
}

// secretsOf opens the tokens of an account.
func secretsOf(tx *store.Tx, org string, a *Account) (out secrets, err error) {
	b, err := token.Open(tx.DB(), org, a)
	if err != nil || len(b) == 0 {
		return out, err
	}
	return out, json.Unmarshal(b, &out)
}

// missing are the scopes that were not granted.
func missing(n platform.Network, granted []string) (out []string) {
	if n == nil || granted == nil {
		return nil
	}
	for _, x := range n.Scopes() {
		if !slices.Contains(granted, x) {
			out = append(out, x)
		}
	}
	return out
}
