package provider

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"svc/ai"
	"svc/ai/catalog"
	"svc/app/api"
	"svc/app/audit"
	"svc/app/engine/model"
	"svc/store"
)

// testTimeout bounds a whole test of a provider: some short calls.
const testTimeout = 3 * time.Minute

type testProviderIn struct {
	ID   string    `path:"id" maxLength:"64"`
	Body *testBody // may be absent
}

type testBody struct {
	Model *string `json:"model" maxLength:"200" doc:"null: the model that default chains take, else the first that the provider lists." example:"gpt-6-luna"`
}

// Tested is the answer of a test.
type Tested struct {
	OK        bool          `json:"ok"`
	LatencyMS int64         `json:"latency_ms" doc:"Of a one-word answer."`
	Model     *string       `json:"model"`
	Message   *string       `json:"message" doc:"What was wrong and what to do."`
	ErrorCode *ai.Fault     `json:"error_code" enum:"quota,rate_limited,overloaded,unavailable,timeout,bad_key,forbidden,not_found,too_long,refused,bad_request,bad_output"`
	Supports  *Capabilities `json:"supports" doc:"null when it did not answer."`
}

// prober asks one model of one provider.
type prober struct {
	ctx     context.Context
	h       ai.Provider
	kind    ai.Kind
	model   string
	timeout time.Duration
	nonce   string
}

// text is an optional text without the blanks around it.
func text(s *string) string {
	if s == nil {
		return ""
	}
	return strings.TrimSpace(*s)
}

// enabled is a provider that may be asked.
func (s *Service) enabled(tx *store.Tx, org, id string) (Provider, error) {
	p, err := s.Get(tx, org, id)
	if err == nil && p.Status == Disabled {
		err = api.ErrState.WithMessage("The provider is disabled; enable it first.")
	}
	return p, err
}

// explain says why the provider cannot be used; nil: it can.
func (t *Tested) explain(fault *ai.Error) {
	if fault == nil {
		return
	}
	t.ErrorCode, t.Message = &fault.Fault, api.Optional(fault.Fault.Sentence())
	if fault.Detail != "" && fault.Fault == ai.Unavailable {
		t.Message = api.Optional(fault.Fault.Sentence() + " (" + fault.Detail + ")")
	}
}

func (s *Service) testProvider(c *api.Call, in testProviderIn) (out Tested, err error) {
	var p Provider
	var name string
	err = s.db.View(c, func(tx *store.Tx) error {
		if p, err = s.enabled(tx, c.Org, in.ID); err != nil {
			return err
		}
		name, err = s.o.Models.Default(tx, c.Org, p.Kind, catalog.Small)
		return err
	})
	if err != nil {
		return out, err
	}
	if in.Body != nil && text(in.Body.Model) != "" {
		name = text(in.Body.Model)
	}
	return s.probe(c, &p, name)
}

// probe asks a provider what it can do with a model, and notes it.
func (s *Service) probe(c *api.Call, p *Provider, model string) (out Tested, err error) {
	h, err := s.Handle(c.Org, p)
	if err != nil {
		return out, err
	}
	nonce := s.db.NewID("n")
	pr := &prober{c, h, p.Kind, model, time.Duration(p.TimeoutSeconds) * time.Second, nonce[len(nonce)-12:]}
	fault := pr.run(&out)
	if fault != nil && fault.Fault == ai.Cancelled {
		return out, fault
	}
	out.Model = api.Optional(pr.model)
	out.explain(fault)
	return out, s.noteTest(c, p, pr.model, &out)
}

// noteTest stores what a test found. Success ends cool-offs.
func (s *Service) noteTest(c *api.Call, p *Provider, name string, t *Tested) error {
	if p.ID == DemoID {
		return nil
	}
	err := s.db.Update(c, func(tx *store.Tx) error {
		fault := ai.Fault("")
		if t.ErrorCode != nil {
			fault = *t.ErrorCode
		}
		if err := s.Judged(tx, c.Org, p.ID, fault); err != nil {
			return err
		}
		now, err := providerTable.Get(tx, c.Org, p.ID)
		if err != nil {
			return err
		}
		now.LastTestedAt = &c.Now
		if t.OK {
			if now.Found == nil {
				now.Found = map[string]Capabilities{}
			}
			for old := range now.Found {
				if len(now.Found) >= maxFound && old != name {
					delete(now.Found, old)
				}
			}
			now.Found[name] = *t.Supports
			if err := clearHealth(tx, c.Org, p.ID); err != nil {
				return err
			}
		}
		if err := providerTable.Put(tx, c.Org, &now); err != nil {
			return err
		}
		return audit.Write(tx, c, "ai_provider.tested", p.resource(), audit.Changed("ok", nil, t.OK), audit.Changed("model", nil, name))
	})
	if err == nil && t.OK {
		s.router.Forget(p.ID)
	}
	return err
}

// run asks, the cheapest question first (contract 12.6).
func (p *prober) run(out *Tested) *ai.Error {
	if p.model == "" {
		if fault := p.firstListed(); fault != nil {
			return fault
		}
	}
	begun := time.Now()
	if _, fault := p.ask(ai.Request{Messages: question(`Answer with the word OK. {"probe":"word"}`), MaxTokens: 64}); fault != nil && fault.Fault != ai.BadOutput {
		return fault
	}
	out.OK, out.LatencyMS = true, time.Since(begun).Milliseconds()
	found := Capabilities{Text: true, TestedAt: time.Now().UTC().Truncate(time.Millisecond)}
	found.JSONSchema = p.returns(ai.FormatSchema)
	found.JSONObject = found.JSONSchema || p.returns(ai.FormatObject)
	found.Tools = p.tool()
	found.Embedding, found.Dims = p.embeds()
	out.Supports = &found
	return nil
}

func question(text string) []ai.Message { return []ai.Message{{Role: ai.User, Text: text}} }

// firstListed takes the first model that the provider lists.
func (p *prober) firstListed() *ai.Error {
	ctx, cancel := context.WithTimeout(p.ctx, p.timeout)
	defer cancel()
	list, err := p.h.Models(ctx)
	if err != nil {
		return faultOf(ctx, err)
	}
	if len(list) == 0 {
		return &ai.Error{Fault: ai.NotFound, Reached: true}
	}
	p.model = list[0].ID
	return nil
}

func faultOf(ctx context.Context, err error) *ai.Error {
	var fault *ai.Error
	if errors.As(err, &fault) {
		return fault
	}
	return ai.Interrupted(ctx, err, false)
}

func (p *prober) ask(r ai.Request) (ai.Response, *ai.Error) {
	ctx, cancel := context.WithTimeout(p.ctx, p.timeout)
	defer cancel()
	r.Model = p.model
	if known, ok := catalog.Find(p.kind, p.model, time.Now()); ok && known.Thinks {
		r.MaxTokens = max(r.MaxTokens, catalog.ThinkingRoom)
	}
	res, err := p.h.Generate(ctx, r)
	if err != nil {
		return res, faultOf(ctx, err)
	}
	return res, nil
}

const probeTokens = 1024 // room for models that think

// returns says whether a form of answer works: a word must come back in it.
func (p *prober) returns(f ai.Format) bool {
	res, fault := p.ask(ai.Request{
		Schema: &ai.Schema{Name: "probe", Root: ai.Obj(ai.F("nonce", ai.String, "the value of nonce in the question"))}, Format: f, MaxTokens: probeTokens,
		Messages: question(`Return the nonce of this JSON: {"probe":"nonce","nonce":"` + p.nonce + `"}`),
	})
	return fault == nil && p.holdsNonce(res.JSON)
}

func (p *prober) holdsNonce(raw json.RawMessage) bool {
	var got struct {
		Nonce string `json:"nonce"`
	}
	return json.Unmarshal(raw, &got) == nil && got.Nonce == p.nonce
}

// tool says whether the model uses one.
func (p *prober) tool() bool {
	res, fault := p.ask(ai.Request{
		Tools:     []ai.Tool{{Name: "lookup", Description: "Looks a nonce up. Always use it.", Parameters: ai.Obj(ai.F("nonce", ai.String, "the nonce"))}},
		MaxTokens: probeTokens, Messages: question(`Look up the nonce of this JSON with the tool: {"probe":"tool","nonce":"` + p.nonce + `"}`),
	})
	return fault == nil && len(res.Calls) == 1 && p.holdsNonce(res.Calls[0].Arguments)
}

// embedders are the models of kinds that have vectors in models of their own.
var embedders = map[ai.Kind]string{ai.OpenAI: "text-embedding-3-small", ai.Google: "gemini-embedding-001"}

// embeds says whether the provider makes vectors, and how long they are.
func (p *prober) embeds() (bool, int) {
	name := embedders[p.kind]
	if name == "" {
		name = p.model
	}
	ctx, cancel := context.WithTimeout(p.ctx, p.timeout)
	defer cancel()
	v, err := p.h.Embed(ctx, name, 0, []string{"narx", "price"}, false)
	if err != nil {
		return false, 0
	}
	return true, len(v.Values[0])
}

// OfferedModel is one that a provider lists.
type OfferedModel struct {
	ID            string  `json:"id" example:"gpt-6-luna"`
	Label         *string `json:"label"`
	ContextTokens *int64  `json:"context_tokens"`
	InCatalog     bool    `json:"in_catalog" doc:"Its price is known."`
}

// OfferedModels are what a provider lists.
type OfferedModels struct {
	Data      []OfferedModel `json:"data"`
	FetchedAt time.Time      `json:"fetched_at"`
}

func (s *Service) listProviderModels(c *api.Call, in idIn) (out OfferedModels, err error) {
	var p Provider
	var kept listedModels
	err = s.db.View(c, func(tx *store.Tx) error {
		if p, err = s.enabled(tx, c.Org, in.ID); err != nil {
			return err
		}
		kept, err = listTable.Get(tx, c.Org, p.ID)
		return store.IgnoreNotFound(err)
	})
	if err != nil {
		return out, err
	}
	if !kept.current(&p, c.Now) {
		if kept, err = s.fetchModels(c, &p); err != nil {
			return out, err
		}
	}
	err = s.db.View(c, func(tx *store.Tx) error {
		out, err = offeredModels(tx, c.Org, p.Kind, &kept)
		return err
	})
	return out, err
}

// offeredModels shows a list, each model with whether its price is known.
func offeredModels(tx *store.Tx, org string, kind ai.Kind, list *listedModels) (OfferedModels, error) {
	out := OfferedModels{Data: []OfferedModel{}, FetchedAt: list.FetchedAt}
	for _, l := range list.Models {
		m, known, err := model.Find(tx, org, kind, l.ID)
		if err != nil {
			return out, err
		}
		out.Data = append(out.Data, OfferedModel{l.ID, api.Optional(l.Label), api.Optional(l.ContextTokens), known && m.Price != nil})
	}
	return out, nil
}

// fetchModels asks a provider for its models and keeps them.
func (s *Service) fetchModels(c *api.Call, p *Provider) (kept listedModels, err error) {
	h, err := s.Handle(c.Org, p)
	if err != nil {
		return kept, err
	}
	ctx, cancel := context.WithTimeout(c, time.Duration(p.TimeoutSeconds)*time.Second)
	defer cancel()
	list, err := h.Models(ctx)
	if err != nil {
		fault := faultOf(ctx, err)
		return kept, ErrUnavailable.WithMessage("%s", fault.Fault.Sentence()).WithCause(err)
	}
	kept = listedModels{ID: p.ID, Models: list, FetchedAt: c.Now, Of: p.UpdatedAt}
	if p.ID == DemoID {
		return kept, nil
	}
	return kept, s.db.Update(c, func(tx *store.Tx) error {
		if there, err := providerTable.Has(tx, c.Org, p.ID); err != nil || !there {
			return err
		}
		return listTable.Put(tx, c.Org, &kept)
	})
}
