// Package managed keeps the map keys that platform administrators make, in the store
// of the messaging service, and shows them beside those of the key file.
//
// It promises that a key is shown once and never stored, only its SHA-256; that what is
// changed here holds at the gate of this process at once and of every other within the
// reload interval; that the use of keys is counted in the store where there is no usage
// file, by all processes together; and that check and metering are the same for both kinds
// (package mapkey). It refuses to touch the key file: its keys are read-only here, and
// a map without a messaging service needs nothing of this.
package managed

import (
	"context"
	"log/slog"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/audit"
	"svc/app/mapkey"
	"svc/app/module"
	"svc/store"
)

// Gate is where the keys are in force. Either part may be nil: a command, or a server
// that counts nothing.
type Gate struct {
	Keys  *mapkey.Keys
	Meter *mapkey.Meter
}

// record is a key as it is stored. Of the key itself only hash and beginning are kept.
type record struct {
	ID           string     `json:"id"`
	Name         string     `json:"name"`
	Hash         string     `json:"hash"`  // SHA-256, hexadecimal
	Start        string     `json:"start"` // what people may see of it
	Origins      []string   `json:"origins"`
	RateLimit    int64      `json:"rate_limit"`
	MonthlyQuota int64      `json:"monthly_quota"`
	Note         string     `json:"note"`
	CreatedAt    time.Time  `json:"created_at"`
	UpdatedAt    time.Time  `json:"updated_at"`
	CreatedBy    string     `json:"created_by"` // how the person was called then
	RevokedAt    *time.Time `json:"revoked_at"`
}

// prefix is that of the IDs of stored keys.
const prefix = "mky"

// most bounds the stored keys, revoked ones included: all are held in memory.
const most = 5000

// The largest rate and quota of a stored key. What arrives by the API is refused by the
// same numbers in the tags of the input.
const (
	maxRate  = 1_000_000
	maxQuota = 1_000_000_000_000
)

var records = store.NewTable("map_key", prefix, func(r *record) string { return r.ID }).Global()

// Tables are what a store with map keys is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{records, days, months} }

// Slice registers the keys. They hold at the [Gate] that is provided.
func Slice() module.Slice {
	return module.Slice{Name: "mapkey", Tables: Tables, New: func(e *module.Env) module.Module {
		gate, _ := module.Find[Gate](e)
		s := New(e.DB, gate, e.Log)
		module.Provide(e, s)
		return module.Module{Endpoints: s.Endpoints(), Ready: s.countInStore, Open: s.load, Run: s.Run, Cleanup: []module.Cleanup{{Platform: purge}}}
	}}
}

// Service administers the keys.
type Service struct {
	db   *store.DB
	gate Gate
	log  *slog.Logger
}

// New makes the service. It starts nothing: see Run.
func New(db *store.DB, gate Gate, log *slog.Logger) *Service {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Service{db: db, gate: gate, log: log}
}

// countInStore lets the meter of the gate count in the store, unless it has a file. It
// comes before the first request, which the quotas of the store then bound.
func (s *Service) countInStore() {
	m := s.gate.Meter
	if m == nil || !m.NeedsLedger() {
		return
	}
	if err := m.UseLedger(context.Background(), ledger{s.db}); err != nil {
		s.log.Error("the use of the map's keys is not counted", "error", err.Error())
	}
}

// Run takes changes of other processes over until the context ends.
func (s *Service) Run(ctx context.Context) error {
	if s.gate.Keys == nil {
		return nil
	}
	tick := time.NewTicker(mapkey.DefaultReload)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			if err := s.db.View(ctx, s.load); err != nil && ctx.Err() == nil {
				s.log.Error("the stored map keys could not be read; those in memory stay in force", "error", err.Error())
			}
		}
	}
}

// load brings the stored keys into force.
func (s *Service) load(tx *store.Tx) error {
	if s.gate.Keys == nil {
		return nil
	}
	list, err := all(tx)
	if err != nil {
		return err
	}
	stored := make([]mapkey.Stored, 0, len(list))
	for i := range list {
		stored = append(stored, list[i].stored())
	}
	s.gate.Keys.UseStored(stored)
	return nil
}

func all(tx *store.Tx) ([]record, error) {
	list, _, err := records.Walk(tx, store.Platform, nil, most)
	return list, err
}

func (r *record) hash() mapkey.ID { return idOf(r.Hash) }

func (r *record) stored() mapkey.Stored {
	return mapkey.Stored{
		ID: r.hash(), Name: r.Name, Origins: r.Origins, RateLimit: r.RateLimit, MonthlyQuota: r.MonthlyQuota, Disabled: r.RevokedAt != nil,
	}
}

func (r *record) resource() audit.Resource { return audit.On("map_key", r.ID, r.Name) }

// Endpoints are the operations of the slice.
func (s *Service) Endpoints() []api.Endpoint {
	return []api.Endpoint{
		api.E("GET /admin/map-keys", "admin.list_map_keys", perm.Administrator, "List the keys of the map: stored ones, newest first, then those of the key file, which are read-only.", api.Read(s.db, s.list)),
		api.E("POST /admin/map-keys", "admin.create_map_key", perm.Administrator, "Make a key of the map; the key is in this answer only.", s.create, api.OneTime("key")),
		api.E("GET /admin/map-keys/{id}", "admin.get_map_key", perm.Administrator, "Get a key of the map, without the key itself.", api.Read(s.db, s.get)),
		api.E("PATCH /admin/map-keys/{id}", "admin.update_map_key", perm.Administrator, "Change name, origins, rate, quota or note of a stored key.", s.update, api.Errors(ErrInFile)),
		api.E("POST /admin/map-keys/{id}/revoke", "admin.revoke_map_key", perm.Administrator, "Revoke a stored key: it is refused from now on.", s.revoke, api.Errors(ErrInFile)),
		api.E("GET /admin/map-keys/{id}/usage", "admin.map_key_usage", perm.Administrator, "Read what a key of the map was used for, by day and product.", s.usage, api.Errors(ErrNotMetered)),
	}
}

// Errors of the slice.
var (
	ErrInFile     = &api.Error{Kind: api.Conflict, Code: "map_key_in_file", Message: "This key is in the key file of the server; change it there, with svc keys."}
	ErrNotMetered = &api.Error{Kind: api.Conflict, Code: "map_not_metered", Message: "This server does not count the use of the map; start it with --usage FILE."}
)
