// Package provider keeps access to language models: the providers of an organization with
// their keys, how healthy each is, what a test finds that its models can do, and what it
// lists.
//
// It promises that the key of a provider is sealed and shown to nobody, and that the
// processes which share a store share what they learn of cool-offs. It refuses to choose
// whom an agent asks (package chain).
package provider

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"svc/ai"
	"svc/ai/providers"
	"svc/ai/router"
	"svc/app/api"
	"svc/app/audit"
	"svc/app/engine/model"
	"svc/app/hook"
	"svc/app/notify"
	"svc/store"
)

// ErrUnavailable says that no provider answered (contract 46.6).
var ErrUnavailable = &api.Error{
	Kind: api.Unavailable, Code: "ai_unavailable", Message: "No AI provider answered; look at the providers and try again.", RetryAfter: 30 * time.Second,
}

// Options of New.
type Options struct {
	// Opener reaches providers; nil: those at public addresses.
	Opener *providers.Opener
	// Demo: the messenger is a simulator, so there is a model for demonstrations.
	Demo   bool
	Models *model.Service
	// Calls is how many one provider has at a time on this node; 0: [router.DefaultSlots].
	Calls int
	// Log hears of what fails on our side; nil: nobody does.
	Log *slog.Logger
}

// Service does the operations about providers, and asks them.
type Service struct {
	db       *store.DB
	o        Options
	log      *slog.Logger
	router   *router.Router
	coolOffs atomic.Int64

	mu     sync.Mutex
	opened map[string]opened // by id
}

// opened is a provider that is ready to be asked; made for one state of its record.
type opened struct {
	at     time.Time // UpdatedAt of the record
	handle ai.Provider
	org    string
}

// New makes the service.
func New(db *store.DB, o Options) *Service {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Opener == nil {
		o.Opener = providers.New(false)
	}
	s := &Service{db: db, o: o, log: o.Log, opened: map[string]opened{}}
	s.router = router.New(router.Options{Now: db.Now, Slots: o.Calls, OnChange: s.healthChanged})
	return s
}

// Router asks the models of a chain.
func (s *Service) Router() *router.Router { return s.router }

// CoolOffs is how many began in this process.
func (s *Service) CoolOffs() int64 { return s.coolOffs.Load() }

// HasDemo says whether there is a model for demonstrations.
func (s *Service) HasDemo() bool { return s.o.Demo }

// Tables are what a store that holds providers is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{providerTable, listTable, healthTable} }

// Asked are the kinds of the providers that are not disabled.
func Asked(demo bool) func(tx *store.Tx, org string) (map[ai.Kind]bool, error) {
	return func(tx *store.Tx, org string) (map[ai.Kind]bool, error) {
		list, err := all(tx, org, demo)
		kinds := map[ai.Kind]bool{}
		for i := range list {
			kinds[list[i].Kind] = kinds[list[i].Kind] || list[i].Status != Disabled
		}
		return kinds, err
	}
}

// Status of a provider.
type Status string

// The statuses.
const (
	Active   Status = "ACTIVE"
	Failing  Status = "FAILING"
	Disabled Status = "DISABLED"
)

// transition is what happens to a provider.
type transition string

const (
	rejected transition = "its key was rejected"
	answered transition = "it answered"
	changed  transition = "its key or address was changed"
	enabled  transition = "it was enabled"
	disabled transition = "it was disabled"
)

// providerLife is the life of a provider (contract 12.1).
var providerLife = api.Table[Status, transition]{
	{From: []Status{Active, Failing}, On: rejected, To: Failing},
	{From: []Status{Active, Failing}, On: answered, To: Active},
	{From: []Status{Active, Failing}, On: changed, To: Active},
	{From: []Status{Disabled}, On: changed, To: Disabled},
	{From: []Status{Active, Failing}, On: disabled, To: Disabled},
	{From: []Status{Disabled}, On: enabled, To: Active},
}

// Provider is access to models with one key, as it is kept.
type Provider struct {
	ID      string       `json:"id"`
	Kind    ai.Kind      `json:"kind"`
	Name    string       `json:"name"`
	BaseURL string       `json:"base_url,omitempty"`
	Ref     string       `json:"organization_ref,omitempty"`
	Key     store.Sealed `json:"key"`
	KeyHint string       `json:"key_hint"`
	Status  Status       `json:"status"`
	// LastFault is why it did not answer last; "" when it did.
	LastFault      ai.Fault   `json:"last_fault,omitempty"`
	LastTestedAt   *time.Time `json:"last_tested_at,omitempty"`
	IsDefault      bool       `json:"is_default,omitempty"`
	TimeoutSeconds int        `json:"timeout_seconds"`
	// Found is what tests found out, by model.
	Found     map[string]Capabilities `json:"found,omitempty"`
	CreatedBy string                  `json:"created_by"`
	CreatedAt time.Time               `json:"created_at"`
	UpdatedAt time.Time               `json:"updated_at"`
}

// Capabilities are what a test found that a model of a provider can do.
type Capabilities struct {
	Text       bool      `json:"text"`
	JSONSchema bool      `json:"json_schema" doc:"It answers in the form of a schema."`
	JSONObject bool      `json:"json_object" doc:"It answers JSON when told to."`
	Tools      bool      `json:"tools"`
	Embedding  bool      `json:"embedding"`
	Dims       int       `json:"dims,omitempty" doc:"Length of its vectors."`
	TestedAt   time.Time `json:"tested_at"`
}

// Format is the best rung that works (contract 12.6).
func (c Capabilities) Format() ai.Format {
	switch {
	case c.JSONSchema:
		return ai.FormatSchema
	case c.JSONObject:
		return ai.FormatObject
	}
	return ai.FormatText
}

// listedModels are the models that a provider named, kept for an hour.
type listedModels struct {
	ID        string      `json:"id"` // of the provider
	Models    []ai.Listed `json:"models"`
	FetchedAt time.Time   `json:"fetched_at"`
	Of        time.Time   `json:"of"` // UpdatedAt of the provider
}

// current says whether the list was asked for lately, and of the provider as it is now.
func (l *listedModels) current(p *Provider, now time.Time) bool {
	return l.ID != "" && l.Of.Equal(p.UpdatedAt) && now.Sub(l.FetchedAt) < keepListed
}

var (
	providerTable = store.NewTable("ai_provider", "aip", func(p *Provider) string { return p.ID })
	_             = providerTable.Unique("name", func(p *Provider) store.Key { return store.Text(store.Fold(p.Name)) })
	failingAcross = providerTable.MultiAcross("failing", func(p *Provider) []store.Key {
		if p.Status != Failing {
			return nil
		}
		return []store.Key{store.Text(p.ID)}
	})
	providerKey = providerTable.Sealed("key", func(p *Provider) *store.Sealed { return &p.Key })
	listTable   = store.NewTable("ai_provider_models", "aip", func(l *listedModels) string { return l.ID })
)

const (
	maxProviders = 20 // of an organization
	maxFound     = 20 // models whose capabilities are kept
	hintLength   = 4
	keepListed   = time.Hour

	// DemoModel is the name of the only model of the demo provider.
	DemoModel = "demo"
	// DemoID names the demo model; it is no record.
	DemoID = "aip_00000000000000000000000000"
)

// demoProvider is the model for demonstrations (contract 12.7).
func demoProvider() Provider {
	return Provider{ID: DemoID, Kind: ai.Demo, Name: "Demo model (no language model)", Status: Active, TimeoutSeconds: int(ai.DefaultTimeout.Seconds())}
}

// All are those of an organization, oldest first, and the demo model where there
// is one.
func (s *Service) All(tx *store.Tx, org string) ([]Provider, error) { return all(tx, org, s.o.Demo) }

func all(tx *store.Tx, org string, demo bool) ([]Provider, error) {
	list, _, err := providerTable.Walk(tx, org, nil, maxProviders)
	if err == nil && demo {
		list = append(list, demoProvider())
	}
	return list, err
}

// Get is one of them.
func (s *Service) Get(tx *store.Tx, org, id string) (Provider, error) {
	if id == DemoID && s.o.Demo {
		return demoProvider(), nil
	}
	return providerTable.Get(tx, org, id)
}

// stored is one that is a record: the demo model cannot be changed.
func (s *Service) stored(tx *store.Tx, org, id string) (Provider, error) {
	if id == DemoID && s.o.Demo {
		return Provider{}, api.ErrState.WithMessage("The demo model is part of the service and cannot be changed; add a provider of your own instead.")
	}
	return providerTable.Get(tx, org, id)
}

// Handle is a provider that can be asked.
func (s *Service) Handle(org string, p *Provider) (ai.Provider, error) {
	s.mu.Lock()
	known, ok := s.opened[p.ID]
	s.mu.Unlock()
	if ok && known.at.Equal(p.UpdatedAt) && known.org == org {
		return known.handle, nil
	}
	key, err := providerKey.Open(s.db, org, p)
	if err != nil {
		return nil, err
	}
	h := s.o.Opener.Open(ai.Config{Kind: p.Kind, BaseURL: p.BaseURL, Key: string(key), Organization: p.Ref})
	if h == nil {
		return nil, fmt.Errorf("engine: no provider of kind %q", p.Kind)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.opened) > maxOpened {
		clear(s.opened)
	}
	s.opened[p.ID] = opened{p.UpdatedAt, h, org}
	return h, nil
}

// maxOpened bounds the providers that are kept ready.
const maxOpened = 10_000

// forget drops what is known of a provider in this process.
func (s *Service) forget(id string) {
	s.mu.Lock()
	delete(s.opened, id)
	s.mu.Unlock()
	s.router.Forget(id)
}

// apply changes the status of a provider that its caller saves.
func (p *Provider) apply(on transition) error {
	to, ok := providerLife.Next(p.Status, on)
	if !ok {
		return api.ErrState
	}
	p.Status = to
	return nil
}

// Judged notes how a provider answered, in a transaction of its own when that changes its
// record: a rejected key and a used up quota are for people (contract 12.4).
func (s *Service) Judged(tx *store.Tx, org, id string, fault ai.Fault) error {
	if id == DemoID {
		return nil
	}
	p, err := providerTable.Get(tx, org, id)
	if errors.Is(err, store.ErrNotFound) {
		return nil // deleted meanwhile
	}
	if err != nil {
		return err
	}
	before, known := p.Status, p.LastFault
	switch fault {
	case ai.BadKey:
		err = p.apply(rejected)
	case "":
		err = p.apply(answered)
	}
	if errors.Is(err, api.ErrState) {
		return nil // disabled meanwhile
	}
	p.LastFault = fault
	if err != nil || p.Status == before && known == fault {
		return err
	}
	if fault == "" {
		if err := notify.Settle(tx, org, p.ID); err != nil {
			return err
		}
	}
	if (fault == ai.BadKey || fault == ai.Quota) && known != fault {
		if err := notify.Send(tx, org, notify.Notice{
			Kind: "AI_PROVIDER_FAILING", Title: "An AI provider does not answer", Body: fmt.Sprintf("%s: %s", p.Name, fault.Sentence()),
			Resource: &notify.Resource{Type: "ai_provider", ID: p.ID}, Link: "/ai/providers",
		}); err != nil {
			return err
		}
	}
	return providerTable.Put(tx, org, &p)
}

func (p *Provider) resource() audit.Resource { return audit.On("ai_provider", p.ID, p.Name) }

// checkBase refuses an address that may not be called.
func (s *Service) checkBase(kind ai.Kind, base string) error {
	if base == "" {
		if kind == ai.Compatible {
			return api.Wrong("base_url", "is required for this kind: the address of the server up to /v1, such as https://models.example.com/v1")
		}
		return nil
	}
	private := s.o.Opener.AllowsPrivate()
	if strings.ContainsAny(base, "?") {
		return api.Wrong("base_url", "must have no question mark")
	}
	return hook.CheckURL("base_url", base, "https://models.example.com/v1", !private, private)
}

// hint is how people tell keys apart; short keys give nothing away.
func hint(key string) string {
	if len(key) < 4*hintLength {
		return ""
	}
	return key[len(key)-hintLength:]
}

// NamesOf are the names of providers by id.
func (s *Service) NamesOf(tx *store.Tx, org string, ids []string) (map[string]string, error) {
	out, err := api.Names(tx, org, providerTable, ids, func(p *Provider) string { return p.Name })
	if s.o.Demo && err == nil {
		out[DemoID] = demoProvider().Name
	}
	return out, err
}
