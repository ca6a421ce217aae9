package provider

import (
	"strings"
	"time"

	"svc/ai"
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/audit"
	"svc/app/engine/agent"
	"svc/app/hook"
	"svc/app/notify"
	"svc/store"
)

// Endpoints are the operations of this package.
func (s *Service) Endpoints() []api.Endpoint {
	return []api.Endpoint{
		api.E("GET /ai/providers", "ai.list_providers", perm.AIRead, "List the AI providers with their health.", s.listProviders),
		api.E("POST /ai/providers", "ai.create_provider", perm.AIManage, "Add an AI provider; its key is sealed and never shown.", s.createProvider,
			api.Errors(api.ErrConflict)),
		api.E("PATCH /ai/providers/{id}", "ai.update_provider", perm.AIManage, "Change an AI provider, disable it or enable it.", s.updateProvider,
			api.Errors(api.ErrConflict, api.ErrState)),
		api.E("DELETE /ai/providers/{id}", "ai.delete_provider", perm.AIManage, "Delete an AI provider that no chain names.", s.deleteProvider,
			api.Errors(api.ErrConflict, api.ErrState)),
		api.E("POST /ai/providers/{id}/test", "ai.test_provider", perm.AIManage, "Ask an AI provider a few short questions and note what it can do.", s.testProvider,
			api.Timeout(testTimeout), api.Errors(api.ErrState)),
		api.E("GET /ai/providers/{id}/models", "ai.list_provider_models", perm.AIRead, "List the models that an AI provider offers, asked at most once an hour.",
			s.listProviderModels, api.Timeout(time.Minute), api.Errors(ErrUnavailable, api.ErrState)),
	}
}

// ShownProvider is a provider in the API.
type ShownProvider struct {
	ID            string                  `json:"id"`
	Kind          ai.Kind                 `json:"kind" enum:"OPENAI,ANTHROPIC,GOOGLE,OPENAI_COMPATIBLE,DEMO" doc:"DEMO is there beside the simulator of the messenger and cannot be created."`
	Name          string                  `json:"name"`
	BaseURL       *string                 `json:"base_url" doc:"null: the vendor's own address."`
	KeyHint       *string                 `json:"key_hint" doc:"The last 4 characters of the key." example:"x9Qa"`
	Organization  *string                 `json:"organization_ref" doc:"Sent as OpenAI-Organization."`
	Status        Status                  `json:"status" enum:"ACTIVE,FAILING,DISABLED" doc:"FAILING: it does not accept the key."`
	CooldownUntil *time.Time              `json:"cooldown_until" doc:"Until then it, or one of its models, is passed over."`
	LastError     *string                 `json:"last_error" doc:"A sentence about why it did not answer last."`
	LastErrorCode *ai.Fault               `json:"last_error_code" enum:"quota,rate_limited,overloaded,unavailable,timeout,bad_key,forbidden,not_found,too_long,refused,bad_request,bad_output"`
	LastTestedAt  *time.Time              `json:"last_tested_at"`
	IsDefault     bool                    `json:"is_default" doc:"Default chains begin with it."`
	Timeout       int                     `json:"timeout_seconds"`
	Supports      map[string]Capabilities `json:"supports" doc:"What tests found, by model."`
	Demo          bool                    `json:"demo" doc:"Its words come from no language model and are labelled."`
	CreatedAt     *time.Time              `json:"created_at"`
	UpdatedAt     *time.Time              `json:"updated_at"`
}

func (s *Service) shown(tx *store.Tx, org string, p *Provider) (ShownProvider, error) {
	until, err := cooldownUntil(tx, org, p.ID)
	out := ShownProvider{
		ID: p.ID, Kind: p.Kind, Name: p.Name, BaseURL: api.Optional(p.BaseURL), KeyHint: api.Optional(p.KeyHint), Organization: api.Optional(p.Ref),
		Status: p.Status, CooldownUntil: api.Optional(until), LastErrorCode: api.Optional(p.LastFault), LastError: api.Optional(p.LastFault.Sentence()),
		LastTestedAt: p.LastTestedAt, IsDefault: p.IsDefault, Timeout: p.TimeoutSeconds, Supports: p.Found, Demo: p.Kind == ai.Demo,
		CreatedAt: api.Optional(p.CreatedAt), UpdatedAt: api.Optional(p.UpdatedAt),
	}
	if out.Supports == nil {
		out.Supports = map[string]Capabilities{}
	}
	return out, err
}

func (s *Service) listProviders(c *api.Call, in api.PageIn) (out api.Page[ShownProvider], err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		list, err := s.All(tx, c.Org)
		if err != nil {
			return err
		}
		rows := make([]ShownProvider, len(list))
		for i := range list { // newest first, the demo model last
			at := len(list) - 1 - i
			if s.o.Demo {
				at = (at + len(list) - 1) % len(list)
			}
			if rows[i], err = s.shown(tx, c.Org, &list[at]); err != nil {
				return err
			}
		}
		out = api.Window(rows, in, func(p *ShownProvider) string { return p.ID })
		return nil
	})
	return out, err
}

type idIn struct {
	ID string `path:"id" maxLength:"64"`
}

type createProviderIn struct {
	Body struct {
		Kind           ai.Kind `json:"kind" required:"true" enum:"OPENAI,ANTHROPIC,GOOGLE,OPENAI_COMPATIBLE"`
		Name           string  `json:"name" required:"true" minLength:"1" maxLength:"100" example:"OpenAI"`
		APIKey         string  `json:"api_key" maxLength:"500" doc:"Sealed and never shown. Servers of your own may need none." example:"sk-..."`
		BaseURL        *string `json:"base_url" maxLength:"500" doc:"Up to /v1 for OPENAI and OPENAI_COMPATIBLE, the host alone for the others; null: the vendor's." example:"https://models.example.com/v1"`
		Organization   *string `json:"organization_ref" maxLength:"100" pattern:"^[A-Za-z0-9_-]*$"`
		IsDefault      bool    `json:"is_default"`
		TimeoutSeconds int     `json:"timeout_seconds" minimum:"1" maximum:"300" default:"30"`
	}
}

// newProvider is what the body describes, with its key, when that is right in itself.
func (s *Service) newProvider(c *api.Call, in *createProviderIn) (p Provider, key string, err error) {
	b := &in.Body
	key, base := strings.TrimSpace(b.APIKey), trimmed(b.BaseURL)
	var noKey error
	if key == "" && b.Kind != ai.Compatible {
		noKey = api.Wrong("api_key", "is required for this kind")
	}
	p = Provider{
		ID: s.db.NewID("aip"), Kind: b.Kind, Name: strings.TrimSpace(b.Name), BaseURL: base, Ref: trimmed(b.Organization), KeyHint: hint(key), Status: Active,
		IsDefault: b.IsDefault, TimeoutSeconds: b.TimeoutSeconds, CreatedBy: c.Caller.ID, CreatedAt: c.Now, UpdatedAt: c.Now,
	}
	return p, key, api.AllWrong(noKey, plainKey(key), s.checkBase(b.Kind, base))
}

// insert stores a new provider with its key. The first of an organization is its default anyway.
func (p *Provider) insert(tx *store.Tx, org, key string) error {
	n, err := providerTable.Count(tx, org)
	switch {
	case err != nil:
		return err
	case n >= maxProviders:
		return api.ErrConflict.WithMessage("An organization has at most %d AI providers; delete one that is not used.", maxProviders)
	}
	if p.IsDefault = p.IsDefault || n == 0; p.IsDefault {
		if err := noDefault(tx, org); err != nil {
			return err
		}
	}
	if err := providerKey.Set(tx, org, p, []byte(key)); err != nil {
		return err
	}
	return taken(providerTable.Insert(tx, org, p))
}

func (s *Service) createProvider(c *api.Call, in createProviderIn) (out api.Created[ShownProvider], err error) {
	made, key, err := s.newProvider(c, &in)
	if err != nil {
		return out, err
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		p := made
		if err := p.insert(tx, c.Org, key); err != nil {
			return err
		}
		shown, err := s.shown(tx, c.Org, &p)
		if err != nil {
			return err
		}
		out = api.New(shown)
		return audit.Write(tx, c, "ai_provider.created", p.resource(), audit.Changed("kind", nil, p.Kind), audit.Hidden("api_key"))
	})
	return out, err
}

// taken words the conflict of a name.
func taken(err error) error {
	if store.Duplicate(err) {
		return api.ErrConflict.WithMessage("Another AI provider has this name.")
	}
	return err
}

// plainKey refuses a key that cannot stand in a header.
func plainKey(key string) error {
	for i := range len(key) {
		if key[i] <= ' ' || key[i] > '~' {
			return api.Wrong("api_key", "holds a character that no key has; copy it again")
		}
	}
	return nil
}

func trimmed(s *string) string {
	if s == nil {
		return ""
	}
	return strings.TrimRight(strings.TrimSpace(*s), "/")
}

// noDefault takes the default away from whoever has it.
func noDefault(tx *store.Tx, org string) error {
	list, _, err := providerTable.Walk(tx, org, nil, maxProviders)
	for i := range list {
		if p := &list[i]; err == nil && p.IsDefault {
			p.IsDefault = false
			err = providerTable.Put(tx, org, p)
		}
	}
	return err
}

type updateProviderIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		Name           api.Patch[string]     `json:"name" minLength:"1" maxLength:"100"`
		APIKey         api.Patch[string]     `json:"api_key" maxLength:"500" doc:"A new key; what was found out about the old one is forgotten. Needed where base_url names another server."`
		BaseURL        api.PatchNull[string] `json:"base_url" maxLength:"500"`
		Organization   api.PatchNull[string] `json:"organization_ref" maxLength:"100"`
		IsDefault      api.Patch[bool]       `json:"is_default" doc:"true takes it from the one that has it; false is refused: make another the default instead."`
		TimeoutSeconds api.Patch[int]        `json:"timeout_seconds" minimum:"1" maximum:"300"`
		Status         api.Patch[Status]     `json:"status" enum:"ACTIVE,DISABLED"`
	}
}

// saveProvider changes a provider, and says whether what is remembered of it has to be forgotten.
func (s *Service) saveProvider(tx *store.Tx, c *api.Call, p *Provider, key string, in updateProviderIn) (reset bool, err error) {
	details, reset, err := s.editProvider(tx, c, p, in.Body.APIKey.Set, key, in)
	if err != nil {
		return false, err
	}
	if reset {
		if err := s.reset(tx, c.Org, p); err != nil {
			return false, err
		}
	}
	p.UpdatedAt = c.Now
	if err := providerTable.Put(tx, c.Org, p); err != nil {
		return false, taken(err)
	}
	return reset, audit.Write(tx, c, "ai_provider.updated", p.resource(), details...)
}

func (s *Service) updateProvider(c *api.Call, in updateProviderIn) (out ShownProvider, err error) {
	key := strings.TrimSpace(in.Body.APIKey.Value)
	if err := plainKey(key); err != nil {
		return out, err
	}
	forget := false
	err = s.db.Update(c, func(tx *store.Tx) error {
		p, err := s.stored(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		if forget, err = s.saveProvider(tx, c, &p, key, in); err != nil {
			return err
		}
		out, err = s.shown(tx, c.Org, &p)
		return err
	})
	if err == nil && forget {
		s.forget(in.ID)
	}
	return out, err
}

// editProvider applies a change to a provider that its caller saves. reset: it is another
// provider now, of which nothing is known.
func (s *Service) editProvider(tx *store.Tx, c *api.Call, p *Provider, newKey bool, key string, in updateProviderIn) (details []audit.Detail, reset bool, err error) {
	b, before := &in.Body, *p
	b.Name.Apply(&p.Name)
	b.TimeoutSeconds.Apply(&p.TimeoutSeconds)
	p.Name = strings.TrimSpace(p.Name)
	if b.BaseURL.Set {
		p.BaseURL = trimmed(b.BaseURL.Value)
	}
	if b.Organization.Set {
		p.Ref = trimmed(b.Organization.Value)
	}
	if err := s.checkBase(p.Kind, p.BaseURL); err != nil {
		return nil, false, err
	}
	if !newKey && !p.Key.IsZero() && !hook.SameServer(before.BaseURL, p.BaseURL) {
		return nil, false, api.Wrong("api_key", "must be given again: the kept key is sent to no other server than the one it was given for")
	}
	details = []audit.Detail{
		audit.Changed("name", before.Name, p.Name), audit.Changed("timeout_seconds", before.TimeoutSeconds, p.TimeoutSeconds),
		audit.Changed("base_url", before.BaseURL, p.BaseURL), audit.Changed("organization_ref", before.Ref, p.Ref),
	}
	if newKey {
		if key == "" && p.Kind != ai.Compatible {
			return nil, false, api.Wrong("api_key", "must not be empty")
		}
		if err := providerKey.Set(tx, c.Org, p, []byte(key)); err != nil {
			return nil, false, err
		}
		p.KeyHint = hint(key)
		details = append(details, audit.Hidden("api_key"))
	}
	reset = newKey || p.BaseURL != before.BaseURL || p.Ref != before.Ref
	if b.IsDefault.Set && b.IsDefault.Value != p.IsDefault {
		if !b.IsDefault.Value {
			return nil, false, api.Wrong("is_default", "cannot be taken away; make another provider the default")
		}
		if err := noDefault(tx, c.Org); err != nil {
			return nil, false, err
		}
		p.IsDefault = true
		details = append(details, audit.Changed("is_default", false, true))
	}
	if b.Status.Set && (b.Status.Value == Disabled) != (p.Status == Disabled) {
		on := enabled
		if b.Status.Value == Disabled {
			on = disabled
		}
		if err := p.apply(on); err != nil {
			return nil, false, err
		}
		details = append(details, audit.Changed("status", before.Status, p.Status))
	}
	return details, reset, nil
}

// reset forgets what was found out about a provider, whose key or address is another now.
func (s *Service) reset(tx *store.Tx, org string, p *Provider) error {
	if err := p.apply(changed); err != nil {
		return err
	}
	p.LastFault, p.LastTestedAt, p.Found = "", nil, nil
	if err := clearHealth(tx, org, p.ID); err != nil {
		return err
	}
	return notify.Settle(tx, org, p.ID)
}

// checkUnused refuses a provider that a chain names.
func checkUnused(tx *store.Tx, org, id string) error {
	used, err := agent.With(tx, org, id)
	if err == nil && len(used) > 0 {
		return api.ErrConflict.WithMessage("The chain of %s names this provider; take it out first.", strings.Join(used, ", "))
	}
	return err
}

// deleteAll removes a provider with what is known of it.
func deleteAll(tx *store.Tx, org, id string) error {
	if err := providerTable.Delete(tx, org, id); err != nil {
		return err
	}
	if err := store.IgnoreNotFound(listTable.Delete(tx, org, id)); err != nil {
		return err
	}
	if err := clearHealth(tx, org, id); err != nil {
		return err
	}
	return notify.Settle(tx, org, id)
}

func (s *Service) deleteProvider(c *api.Call, in idIn) (out api.NoContent, err error) {
	err = s.db.Update(c, func(tx *store.Tx) error {
		p, err := s.stored(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		if err := checkUnused(tx, c.Org, p.ID); err != nil {
			return err
		}
		if err := deleteAll(tx, c.Org, p.ID); err != nil {
			return err
		}
		return audit.Write(tx, c, "ai_provider.deleted", p.resource())
	})
	if err == nil {
		s.forget(in.ID)
	}
	return out, err
}
