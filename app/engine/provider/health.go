package provider

import (
	"context"
	"time"

	"svc/ai/router"
	"svc/store"
)

// healthRecord is the cool-off of a provider or of one of its models, as the processes
// that share a store tell each other. It is written when a cool-off begins and removed
// when it ends.
type healthRecord struct {
	ID       string `json:"id"` // provider/model; a model of "" is the provider's own
	Provider string `json:"provider"`
	Model    string `json:"model,omitempty"`
	router.State
}

func healthID(k router.Key) string { return k.Provider + "/" + k.Model }

var (
	healthTable = store.NewTable("ai_health", "", func(h *healthRecord) string { return h.ID })
	healthOf    = healthTable.Multi("provider", func(h *healthRecord) []store.Key { return []store.Key{store.Text(h.Provider)} })
)

// maxHealth bounds the records of one provider that are looked at.
const maxHealth = 200

// cooldownUntil is when a provider may be asked again: its own time, else the latest of
// its models; zero when nothing of it is off (contract 12.2).
func cooldownUntil(tx *store.Tx, org, provider string) (latest time.Time, err error) {
	list, _, err := healthOf.Walk(tx, org, store.Range{Span: store.Is(store.Text(provider)), Limit: maxHealth})
	now := tx.DB().Now()
	for i := range list {
		h := &list[i]
		switch {
		case !h.Off(now):
		case h.Model == "":
			return h.Until, err
		case h.Until.After(latest):
			latest = h.Until
		}
	}
	return latest, err
}

// clearHealth ends every cool-off of a provider.
func clearHealth(tx *store.Tx, org, provider string) error {
	list, _, err := healthOf.Walk(tx, org, store.Range{Span: store.Is(store.Text(provider)), Limit: maxHealth})
	for i := range list {
		if err == nil {
			err = healthTable.Delete(tx, org, list[i].ID)
		}
	}
	return err
}

// Learn takes over what other processes found out about the entries of a chain.
func (s *Service) Learn(tx *store.Tx, org string, chain []router.Key) error {
	ids := make([]string, 0, 2*len(chain))
	for _, k := range chain {
		ids = append(ids, healthID(router.Key{Provider: k.Provider}), healthID(k))
	}
	found, err := healthTable.GetMany(tx, org, ids)
	for _, h := range found {
		if h != nil {
			s.router.Set(router.Key{Provider: h.Provider, Model: h.Model}, h.State)
		}
	}
	return err
}

// storeWithin bounds how long a change of health is being stored.
const storeWithin = 10 * time.Second

// healthChanged stores a cool-off that began or ended. It is called between an attempt and
// the next, so it is bounded.
func (s *Service) healthChanged(k router.Key, state router.State) {
	if state.Level > 0 {
		s.coolOffs.Add(1)
	}
	s.mu.Lock()
	org := s.opened[k.Provider].org
	s.mu.Unlock()
	if org == "" || k.Provider == DemoID {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), storeWithin)
	defer cancel()
	err := s.db.Update(ctx, func(tx *store.Tx) error {
		id := healthID(k)
		if state.Level == 0 {
			return store.IgnoreNotFound(healthTable.Delete(tx, org, id))
		}
		if there, err := providerTable.Has(tx, org, k.Provider); err != nil || !there {
			return err // deleted meanwhile
		}
		return healthTable.Put(tx, org, &healthRecord{ID: id, Provider: k.Provider, Model: k.Model, State: state})
	})
	if err != nil {
		s.log.Warn("the health of an AI provider cannot be stored", "provider", k.Provider, "error", err)
	}
}
