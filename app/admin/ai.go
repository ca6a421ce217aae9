package admin

import (
	"svc/app/api"
	"svc/app/audit"
	"svc/app/engine"
	"svc/app/engine/budget"
	"svc/app/engine/model"
	"svc/app/org"
	"svc/store"
)

func (s *Service) aiEndpoints() []api.Endpoint {
	return []api.Endpoint{
		e("GET /admin/organizations/{id}/ai/budgets", "list_ai_budgets", "List the AI budgets that the platform set for an organization.", s.aiBudgets),
		e("PUT /admin/organizations/{id}/ai/budgets", "put_ai_budgets", "Replace the AI budgets that the platform set for an organization; the tighter of these and its own holds.", s.putAIBudgets),
		e("GET /admin/organizations/{id}/ai/costs", "ai_costs", "Read what the AI of an organization cost.", s.aiCosts),
		e("GET /admin/ai/overview", "ai_overview", "Read what the AI of all organizations cost, and which providers fail.", s.aiOverview),
		e("GET /admin/ai/models", "list_ai_models", "List the models of the catalogue.", s.aiModels),
		e("POST /admin/ai/models", "put_ai_model", "Describe a model for all organizations, or describe it anew.", s.putAIModel),
		e("PATCH /admin/ai/models/{id}", "update_ai_model", "Change a model for all organizations: its price, or whether chains may take it.", s.patchAIModel),
	}
}

// known refuses an organization that is not there.
func (s *Service) known(c *api.Call, id string) error {
	return s.db.View(c, func(tx *store.Tx) error {
		_, err := org.Get(tx, id)
		return err
	})
}

func (s *Service) aiBudgets(c *api.Call, in idIn) (out api.List[budget.ShownBudget], err error) {
	if err := s.known(c, in.ID); err != nil {
		return out, err
	}
	return s.o.AI.Budgets.Platform(c, in.ID)
}

type putAIBudgetsIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body budget.PutBudgets
}

func (s *Service) putAIBudgets(c *api.Call, body putAIBudgetsIn) (out api.List[budget.ShownBudget], err error) {
	if err := s.known(c, body.ID); err != nil {
		return out, err
	}
	return s.o.AI.Budgets.SetPlatform(c, body.ID, body.Body.Budgets, func(tx *store.Tx, before, after []budget.ShownBudget) error {
		return note(tx, c, "organization.ai_budgets_changed", audit.On("organization", body.ID, ""), body.ID, audit.Changed("budgets", len(before), len(after)))
	})
}

type aiCostsIn struct {
	ID string `path:"id" maxLength:"64"`
	budget.CostsIn
}

func (s *Service) aiCosts(c *api.Call, in aiCostsIn) (out budget.Costs, err error) {
	if err := s.known(c, in.ID); err != nil {
		return out, err
	}
	return s.o.AI.Budgets.CostsOf(c, in.ID, in.CostsIn)
}

func (s *Service) aiOverview(c *api.Call, _ struct{}) (engine.PlatformOverview, error) {
	return s.o.AI.PlatformOverview(c)
}

func (s *Service) aiModels(c *api.Call, in api.PageIn) (api.Page[model.ShownModel], error) {
	return s.o.AI.Models.Platform(c, in)
}

type putAIModelIn struct{ Body model.ModelFields }

func (s *Service) putAIModel(c *api.Call, in putAIModelIn) (api.MaybeCreated[model.ShownModel], error) {
	return s.o.AI.Models.PutPlatform(c, &in.Body)
}

type patchAIModelIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body model.ModelPatch
}

func (s *Service) patchAIModel(c *api.Call, in patchAIModelIn) (model.ShownModel, error) {
	return s.o.AI.Models.PatchPlatform(c, in.ID, &in.Body)
}
