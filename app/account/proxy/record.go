package proxy

import (
	"encoding/json"
	"net"
	"strconv"
	"time"

	"svc/app/account/line"
	"svc/app/api"
	"svc/app/audit"
	"svc/messenger"
	"svc/store"
)

// Proxy is a proxy as it is kept.
type Proxy struct {
	ID   string              `json:"id"`
	Name *string             `json:"name,omitempty"`
	Type messenger.RouteKind `json:"type"`
	Host string              `json:"host"`
	Port int                 `json:"port"`
	// Secret holds who signs in to it, and with what (secretData); UserHash, a keyed hash of
	// who, tells proxies of one address apart.
	Secret         store.Sealed `json:"secret,omitzero"`
	UserHash       string       `json:"user_hash,omitempty"`
	HasPassword    bool         `json:"has_password,omitempty"`
	HasSecret      bool         `json:"has_secret,omitempty"`
	Status         Status       `json:"status"`
	DisabledReason *string      `json:"disabled_reason,omitempty"`
	LastError      *string      `json:"last_error,omitempty"`
	LatencyMS      *int         `json:"latency_ms,omitempty"`
	LastCheckedAt  *time.Time   `json:"last_checked_at,omitempty"`
	CreatedBy      string       `json:"created_by"`
	CreatedAt      time.Time    `json:"created_at"`
	UpdatedAt      time.Time    `json:"updated_at"`
}

// secretData is what is sealed of a proxy.
type secretData struct {
	Username string `json:"username,omitempty"`
	Password string `json:"password,omitempty"`
	Secret   string `json:"secret,omitempty"`
}

var (
	proxies = store.NewTable("proxy", "prx", func(p *Proxy) string { return p.ID })
	secrets = proxies.Sealed("secret", func(p *Proxy) *store.Sealed { return &p.Secret })
	// byAddress finds the proxy that is added again.
	byAddress = proxies.Unique("address", func(p *Proxy) store.Key {
		return store.Tuple(store.Text(string(p.Type)), store.Text(p.Host), store.Int(int64(p.Port)), store.Text(p.UserHash))
	}).Version(2) // 1 had the user itself
	statusFacet = proxies.Facet("status", func(p *Proxy) []string { return []string{string(p.Status)} })
	across      = proxies.MultiAcross("across", func(p *Proxy) []store.Key {
		return []store.Key{
			store.Tuple(store.Text(""), store.Time(p.CreatedAt)),
			store.Tuple(store.Text(string(p.Status)), store.Time(p.CreatedAt)),
		}
	})
	statusAcross = proxies.TallyAcross("status_across", func(p *Proxy) []string { return []string{string(p.Status)} })
)

// findDuplicate finds the proxy of an organization that is the same one: store.ErrNotFound for
// none.
func findDuplicate(tx *store.Tx, org string, x line.Proxy) (Proxy, error) {
	p := Proxy{Type: x.Type, Host: x.Host, Port: x.Port}
	hash, err := userHash(tx, x.Username)
	if err != nil {
		return p, err
	}
	return byAddress.Find(tx, org, store.Tuple(store.Text(string(x.Type)), store.Text(x.Host), store.Int(int64(x.Port)), store.Text(hash)))
}

// userHash is "" for nobody.
func userHash(tx *store.Tx, username string) (string, error) {
	if username == "" {
		return "", nil
	}
	return tx.Hash("proxy user", username)
}

// Migration seals the users of proxies (contract 21.3, Keys).
var Migration = store.Migration{Name: "2026-11 proxies: users are sealed", Step: proxies.RewriteRecords(
	func(tx *store.Tx, org string, p *Proxy, old json.RawMessage) (bool, error) {
		var before struct {
			Username string `json:"username"`
		}
		if err := json.Unmarshal(old, &before); err != nil || before.Username == "" {
			return false, err
		}
		x, err := p.get(tx.DB(), org)
		if err != nil {
			return false, err
		}
		x.Username = before.Username
		return true, p.set(tx, org, x)
	})}

// name is what people call the proxy.
func (p *Proxy) name() string {
	if p.Name != nil {
		return *p.Name
	}
	return net.JoinHostPort(p.Host, strconv.Itoa(p.Port))
}

func (p *Proxy) resource() audit.Resource { return audit.On("proxy", p.ID, p.name()) }

// NamesOf are the names of proxies by id: what people called one, else its address.
func NamesOf(tx *store.Tx, org string, ids []string) (map[string]string, error) {
	return api.Names(tx, org, proxies, ids, (*Proxy).name)
}

// set takes over where the proxy is and what it wants.
func (p *Proxy) set(tx *store.Tx, org string, x line.Proxy) error {
	p.Type, p.Host, p.Port = x.Type, x.Host, x.Port
	p.HasPassword, p.HasSecret = x.Password != "", x.Secret != ""
	hash, err := userHash(tx, x.Username)
	if err != nil {
		return err
	}
	p.UserHash = hash
	data, err := json.Marshal(secretData{x.Username, x.Password, x.Secret})
	if err != nil {
		return err
	}
	if x.Username == "" && !p.HasPassword && !p.HasSecret {
		data = nil
	}
	return secrets.Set(tx, org, p, data)
}

// get is the proxy with its user and secrets.
func (p *Proxy) get(db *store.DB, org string) (x line.Proxy, err error) {
	data, err := secrets.Open(db, org, p)
	var s secretData
	if err == nil && data != nil {
		err = json.Unmarshal(data, &s)
	}
	return line.Proxy{Type: p.Type, Host: p.Host, Port: p.Port, Username: s.Username, Password: s.Password, Secret: s.Secret}, err
}
