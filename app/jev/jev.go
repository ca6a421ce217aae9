// Package jev connects an organization to an outside decision service: where it is, whether
// conversations may be shared with it, how sure it must be, and how healthy it is.
//
// It promises that nothing is sent there without the organization's consent and the
// platform's leave, that what is sent is masked by its caller, that the key is sealed and
// shown to nobody, and that a service which fails is left alone for a while (contract 13.16).
// It refuses to decide: package ai/decide reads answers, and app/seller acts.
package jev

import (
	"context"
	"errors"
	"slices"
	"time"

	"svc/ai/decide"
	"svc/ai/providers"
	"svc/app/setting"
	"svc/store"
)

// Status is how the service is.
type Status string

// The statuses.
const (
	OK      Status = "OK"
	Failing Status = "FAILING"
	Off     Status = "OFF"
)

// Fallback says what decides when the service does not.
type Fallback string

// The fallbacks.
const (
	ByModel Fallback = "LLM"
	ByNone  Fallback = "NONE" // rules alone
)

// Config is how an organization uses the service.
type Config struct {
	ID         string                   `json:"id"`
	Enabled    bool                     `json:"enabled,omitempty"`
	Consent    bool                     `json:"sharing_consent,omitempty"`
	BaseURL    string                   `json:"base_url,omitempty"`
	Key        store.Sealed             `json:"key,omitzero"`
	TimeoutMS  int                      `json:"timeout_ms"`
	Thresholds map[decide.Field]float64 `json:"thresholds,omitempty"`
	Fallback   Fallback                 `json:"fallback"`
	LastTest   *Test                    `json:"last_test,omitempty"`
	Health     health                   `json:"health,omitzero"`
	UpdatedAt  time.Time                `json:"updated_at"`
}

// Test is what a test found.
type Test struct {
	At           time.Time `json:"at"`
	OK           bool      `json:"ok"`
	LatencyMS    int64     `json:"latency_ms"`
	ModelVersion *string   `json:"model_version"`
	Message      *string   `json:"message"`
}

// health is what failures did, the same as for providers (contract 12.2).
type health struct {
	Failures []time.Time `json:"failures,omitempty"` // the last ones, within a minute
	Until    time.Time   `json:"until,omitzero"`
	Level    int         `json:"level,omitempty"` // how often in a row it was left alone
	// Trial is until when the one request after a rest may last; zero: nobody makes it.
	Trial time.Time `json:"trial,omitzero"`
}

// The cool-off of contract 12.2.
const (
	mostFailures = 3
	within       = time.Minute
	firstRest    = 30 * time.Second
	longestRest  = 10 * time.Minute
	// trialSlack is how much longer than its own time a trial may last until another is made.
	trialSlack = 5 * time.Second
)

// failed notes a failure.
func (h *health) failed(now time.Time) {
	h.Failures = slices.DeleteFunc(h.Failures, func(at time.Time) bool { return now.Sub(at) >= within })
	h.Failures, h.Trial = append(h.Failures, now), time.Time{}
	if len(h.Failures) >= mostFailures || h.Level > 0 {
		h.Until = now.Add(min(firstRest<<h.Level, longestRest))
		h.Level, h.Failures = min(h.Level+1, 10), nil
	}
}

const (
	theOne         = "jev" // the key of the one record of an organization
	defaultTimeout = 2000
)

var (
	configs = store.NewTable("jev", "", func(c *Config) string { return c.ID })
	key     = configs.Sealed("key", func(c *Config) *store.Sealed { return &c.Key })
)

// Tables are what a store that holds it is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{configs} }

// of is the configuration of an organization, the default where nobody set one.
func of(tx *store.Tx, org string) (Config, error) {
	c, err := configs.Get(tx, org, theOne)
	if store.IsNotFound(err) {
		return Config{ID: theOne, TimeoutMS: defaultTimeout, Fallback: ByModel}, nil
	}
	return c, err
}

// Fields are what a slice asks the service for beside the fields of a decision. Slices offer
// them; organizations set thresholds for them too.
type Fields []decide.Field

// Service asks the decision services of organizations.
type Service struct {
	db   *store.DB
	open *providers.Opener
	more []decide.Field // of Fields
}

// New makes the service; opener reaches what it asks.
func New(db *store.DB, opener *providers.Opener) *Service { return &Service{db: db, open: opener} }

// knows says whether the service is asked for a field.
func (s *Service) knows(f decide.Field) bool {
	return decide.Choice(f, []string{"any"}) != nil || slices.Contains(s.more, f)
}

// ErrOff says that the service is not asked now: it is switched off, or rests after failures.
var ErrOff = errors.New("jev: not asked")

// Answer is what the service says, with what it is held to.
type Answer struct {
	decide.JEVAnswer
	Thresholds map[decide.Field]float64
	Latency    time.Duration
}

// Ask asks for a decision. ErrOff: nobody was asked. fallback says what decides instead of
// what is missing; it is ByModel where the service is off.
func (s *Service) Ask(ctx context.Context, org string, q *decide.JEVRequest) (out Answer, fallback Fallback, err error) {
	var c Config
	var secret []byte
	on := false
	err = s.db.View(ctx, func(tx *store.Tx) error {
		if c, err = of(tx, org); err != nil {
			return err
		}
		if on, err = allowed(tx, &c); err != nil || !on {
			return err
		}
		secret, err = key.Open(tx.DB(), org, &c)
		return err
	})
	if err != nil || !on {
		return out, ByModel, errors.Join(err, ErrOff)
	}
	if s.db.Now().Before(c.Health.Until) {
		return out, c.Fallback, ErrOff
	}
	if mine, err := s.tries(ctx, org, &c); err != nil || !mine {
		return out, c.Fallback, errors.Join(err, ErrOff)
	}
	begun := time.Now()
	out.JEVAnswer, err = s.ask(ctx, &c, secret, q)
	out.Latency, out.Thresholds = time.Since(begun), c.Thresholds
	if noted := s.note(context.WithoutCancel(ctx), org, &c, err); noted != nil {
		return out, c.Fallback, noted
	}
	return out, c.Fallback, err
}

// tries says whether the caller may ask: after a rest one does, and until that ends nobody else
// on any node.
func (s *Service) tries(ctx context.Context, org string, seen *Config) (mine bool, err error) {
	if seen.Health.Level == 0 {
		return true, nil
	}
	err = s.db.Update(ctx, func(tx *store.Tx) error {
		c, err := of(tx, org)
		if err != nil {
			return err
		}
		now := tx.DB().Now()
		if mine = c.Health.Level == 0; mine {
			return nil
		}
		if mine = !now.Before(c.Health.Until) && !now.Before(c.Health.Trial); !mine {
			return nil
		}
		c.Health.Trial = now.Add(time.Duration(c.TimeoutMS)*time.Millisecond + trialSlack)
		return configs.Put(tx, org, &c)
	})
	return mine, err
}

func (s *Service) ask(ctx context.Context, c *Config, secret []byte, q *decide.JEVRequest) (decide.JEVAnswer, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(c.TimeoutMS)*time.Millisecond)
	defer cancel()
	return s.open.JEV(c.BaseURL, string(secret)).Ask(ctx, q)
}

// note keeps how the service is, where that changed.
func (s *Service) note(ctx context.Context, org string, seen *Config, failed error) error {
	if failed == nil && seen.Health.Level == 0 && len(seen.Health.Failures) == 0 || errors.Is(failed, context.Canceled) {
		return nil
	}
	return s.db.Update(ctx, func(tx *store.Tx) error {
		c, err := of(tx, org)
		if err != nil || c.BaseURL != seen.BaseURL {
			return err
		}
		switch now := tx.DB().Now(); {
		case now.Before(c.Health.Until):
			return nil // it rests already: this request began before
		case failed == nil:
			c.Health = health{}
		default:
			c.Health.failed(now)
		}
		return configs.Put(tx, org, &c)
	})
}

// allowed says whether the service may be asked: by the organization and the platform.
func allowed(tx *store.Tx, c *Config) (bool, error) {
	if !c.Enabled || !c.Consent || c.BaseURL == "" {
		return false, nil
	}
	p, err := setting.Get(tx)
	return p.JEVAvailable, err
}
