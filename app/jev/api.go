package jev

import (
	"errors"
	"maps"
	"strings"
	"time"

	"svc/ai/decide"
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/audit"
	"svc/app/hook"
	"svc/app/setting"
	"svc/store"
)

// Endpoints are the operations of the slice.
func (s *Service) Endpoints() []api.Endpoint {
	return []api.Endpoint{
		api.E("GET /ai/jev", "jev.get", perm.AIRead, "Read how the outside decision service is used.", api.Read(s.db, s.get)),
		api.E("PUT /ai/jev", "jev.put", perm.AIManage, "Say how the outside decision service is used; what is left out gets its default.", api.Write(s.db, s.put)),
		api.E("POST /ai/jev/test", "jev.test", perm.AIManage, "Ask the decision service about a made-up message.", s.test, api.Timeout(time.Minute), api.Errors(api.ErrState)),
	}
}

// Shown is the configuration as the API answers it.
type Shown struct {
	Enabled    bool                     `json:"enabled"`
	Consent    bool                     `json:"sharing_consent" doc:"Masked conversations may be shared with the service."`
	BaseURL    *string                  `json:"base_url"`
	KeySet     bool                     `json:"api_key_set"`
	TimeoutMS  int                      `json:"timeout_ms"`
	Thresholds map[decide.Field]float64 `json:"thresholds" doc:"By field of a decision or an analysis: a dimension, a mark, a flag. Others have confidence_threshold of the seller settings, or 0.5."`
	Fallback   Fallback                 `json:"fallback" enum:"LLM,NONE" doc:"What decides the fields that the service does not."`
	Status     Status                   `json:"status" enum:"OK,FAILING,OFF"`
	RestsUntil *time.Time               `json:"cooldown_until" doc:"It failed and is not asked before."`
	LastTest   *Test                    `json:"last_test"`
}

func show(tx *store.Tx, c *Config) (out Shown, err error) {
	on, err := allowed(tx, c)
	if err != nil {
		return out, err
	}
	out = Shown{
		Enabled: c.Enabled, Consent: c.Consent, BaseURL: api.Optional(c.BaseURL), KeySet: !c.Key.IsZero(), TimeoutMS: c.TimeoutMS,
		Thresholds: map[decide.Field]float64{}, Fallback: c.Fallback, Status: OK, LastTest: c.LastTest,
	}
	maps.Copy(out.Thresholds, c.Thresholds)
	switch {
	case !on:
		out.Status = Off
	case tx.DB().Now().Before(c.Health.Until):
		out.Status, out.RestsUntil = Failing, &c.Health.Until
	}
	return out, nil
}

func (s *Service) get(c *api.Call, tx *store.Tx, _ struct{}) (out Shown, err error) {
	now, err := of(tx, c.Org)
	if err == nil {
		out, err = show(tx, &now)
	}
	return out, err
}

type putIn struct {
	Body struct {
		Enabled    bool                     `json:"enabled"`
		Consent    bool                     `json:"sharing_consent" doc:"Needed to switch it on."`
		BaseURL    *string                  `json:"base_url" maxLength:"500" example:"https://jev.example.com"`
		APIKey     *string                  `json:"api_key" maxLength:"500" doc:"Sealed and never shown; left out, it stays; empty, it goes. Needed where base_url names another server."`
		TimeoutMS  *int                     `json:"timeout_ms" minimum:"100" maximum:"20000" doc:"2000 when left out."`
		Thresholds map[decide.Field]float64 `json:"thresholds,omitempty" doc:"0 to 1, by field."`
		Fallback   Fallback                 `json:"fallback,omitempty" enum:"LLM,NONE" doc:"LLM when left out."`
	}
}

func (s *Service) put(c *api.Call, tx *store.Tx, in putIn) (out Shown, err error) {
	before, err := of(tx, c.Org)
	if err != nil {
		return out, err
	}
	after, err := s.changed(tx, before, &in)
	if err != nil {
		return out, err
	}
	if k := in.Body.APIKey; k != nil {
		if err := key.Set(tx, c.Org, &after, []byte(strings.TrimSpace(*k))); err != nil {
			return out, err
		}
	}
	if err := configs.Put(tx, c.Org, &after); err != nil {
		return out, err
	}
	err = audit.Write(tx, c, "jev.updated", audit.On("jev", theOne, ""), audit.Changed("enabled", before.Enabled, after.Enabled),
		audit.Changed("sharing_consent", before.Consent, after.Consent), audit.Changed("base_url", api.Optional(before.BaseURL), api.Optional(after.BaseURL)))
	if err != nil {
		return out, err
	}
	return show(tx, &after)
}

// changed is the configuration that was asked for, or what is wrong with it.
func (s *Service) changed(tx *store.Tx, before Config, in *putIn) (Config, error) {
	b := &in.Body
	after := Config{
		ID: theOne, Enabled: b.Enabled, Consent: b.Consent, Key: before.Key, TimeoutMS: defaultTimeout, Thresholds: b.Thresholds, Fallback: ByModel,
		LastTest: before.LastTest, UpdatedAt: tx.DB().Now(),
	}
	var wrong []error
	if b.BaseURL != nil && strings.TrimSpace(*b.BaseURL) != "" {
		after.BaseURL = strings.TrimRight(strings.TrimSpace(*b.BaseURL), "/")
		wrong = append(wrong, hook.CheckURL("base_url", after.BaseURL, "https://jev.example.com", !s.open.AllowsPrivate(), s.open.AllowsPrivate()))
	}
	if after.BaseURL != "" && b.APIKey == nil && !before.Key.IsZero() && !hook.SameServer(before.BaseURL, after.BaseURL) {
		wrong = append(wrong, api.Wrong("api_key", "must be given again: the kept key is sent to no other server than the one it was given for"))
	}
	if b.TimeoutMS != nil {
		after.TimeoutMS = *b.TimeoutMS
	}
	if b.Fallback != "" {
		after.Fallback = b.Fallback
	}
	if after.BaseURL == before.BaseURL {
		after.Health = before.Health
	}
	for f, v := range b.Thresholds {
		if !s.knows(f) || v < 0 || v > 1 {
			wrong = append(wrong, api.Wrong("thresholds", "must name fields of a decision or an analysis, each from 0 to 1"))
			break
		}
	}
	if b.Enabled && !b.Consent {
		wrong = append(wrong, api.Wrong("sharing_consent", "is needed: without it nothing is sent to the service"))
	}
	if b.Enabled && after.BaseURL == "" {
		wrong = append(wrong, api.Wrong("base_url", "is needed to switch it on"))
	}
	if err := api.AllWrong(wrong...); err != nil {
		return after, err
	}
	if p, err := setting.Get(tx); err != nil {
		return after, err
	} else if b.Enabled && !p.JEVAvailable {
		return after, api.ErrForbidden.WithMessage("The platform does not offer an outside decision service.")
	}
	return after, nil
}

// test asks the service about a message that nobody wrote, whether or not it is switched on.
func (s *Service) test(c *api.Call, _ struct{}) (out Test, err error) {
	var now Config
	var secret []byte
	err = s.db.View(c, func(tx *store.Tx) error {
		if now, err = of(tx, c.Org); err != nil {
			return err
		}
		if now.BaseURL == "" {
			return api.ErrState.WithMessage("There is no address of the service; set base_url first.")
		}
		secret, err = key.Open(tx.DB(), c.Org, &now)
		return err
	})
	if err != nil {
		return out, err
	}
	begun := time.Now()
	answer, failed := s.ask(c, &now, secret, s.example(c.Now))
	out = Test{At: c.Now, OK: failed == nil, LatencyMS: time.Since(begun).Milliseconds(), ModelVersion: api.Optional(answer.ModelVersion)}
	if failed != nil {
		out.Message = api.Optional(sentence(failed))
	}
	return out, s.noteTest(c, now.BaseURL, &out)
}

// example is the question of a test, about a message that nobody wrote.
func (s *Service) example(now time.Time) *decide.JEVRequest {
	return &decide.JEVRequest{
		RequestID: s.db.NewID("req"), Language: "uz", Stage: "NEW", Stages: []string{"NEW"}, Offers: []decide.JEVOffer{},
		Messages:  []decide.JEVMessage{{Author: "CUSTOMER", Text: "Assalomu alaykum, narxi qancha?", At: now}},
		Scenarios: decide.Choice(decide.Scenario, nil),
	}
}

// noteTest stores the result of a test, unless the service has another address since.
func (s *Service) noteTest(c *api.Call, asked string, got *Test) error {
	return s.db.Update(c, func(tx *store.Tx) error {
		kept, err := of(tx, c.Org)
		if err != nil || kept.BaseURL != asked {
			return err
		}
		kept.LastTest = got
		if got.OK {
			kept.Health = health{}
		}
		return configs.Put(tx, c.Org, &kept)
	})
}

// sentence says what was wrong, without anything that the service wrote.
func sentence(err error) string {
	if errors.Is(err, decide.ErrJEV) {
		text := strings.TrimPrefix(err.Error(), decide.ErrJEV.Error())
		return "The service did not answer as agreed" + text + "."
	}
	return "The service did not answer in time."
}
