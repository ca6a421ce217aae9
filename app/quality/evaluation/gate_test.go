package evaluation_test

import (
	"strings"
	"testing"

	"svc/app/api"
	"svc/app/engine/prompt"
)

// version writes a prompt of SELLER for a business, "" for all, and answers how its first
// version is activated.
func (w *world) version(name, business string) (activate string) {
	w.t.Helper()
	body := map[string]any{"agent": "SELLER", "name": name, "body": "Sotuvchisiz."}
	if business != "" {
		body["business_id"] = business
	}
	return "POST /ai/prompts/" + w.Do("POST /ai/prompts", body).Want(201).String("id") + "/versions/1/activate"
}

// TestGateOfBusiness: a version for a business must pass the gate by which its agent works for
// that business: its own where it has a configuration, else that of the organization. A version
// for all must pass that of the organization alone.
func TestGateOfBusiness(t *testing.T) {
	w := open(t, t.TempDir(), "")
	set := w.furnish(1)
	other := w.Do("POST /ai/businesses", map[string]any{"name": "Non"}).Want(201).String("id")
	gate := map[string]any{"quality_gate": map[string]any{"dataset_id": set, "min_pass_rate": 0.5}}

	w.Do("PATCH /ai/agents/SELLER/config?business_id="+w.business, gate).Want(200)
	w.Do(w.version("all", ""), nil).Want(200)
	w.Do(w.version("other", other), nil).Want(200)
	w.Do(w.version("gated", w.business), nil).Refused(prompt.ErrGate)
	w.Do("DELETE /ai/eval-datasets/"+set, nil).Refused(api.ErrConflict)

	w.Do("PATCH /ai/agents/SELLER/config", gate).Want(200)
	w.Do("PATCH /ai/agents/SELLER/config?business_id="+w.business, map[string]any{"quality_gate": nil}).Want(200)
	w.Do(w.version("all again", ""), nil).Refused(prompt.ErrGate)
	w.Do(w.version("other again", other), nil).Refused(prompt.ErrGate)
	w.Do(w.version("free", w.business), nil).Want(200)
}

// TestGateComparesWithBusiness: the version that a new one may not fall behind is the one that
// the business has, not that of the organization.
func TestGateComparesWithBusiness(t *testing.T) {
	w := open(t, t.TempDir(), "")
	set := w.furnish(2)
	w.Do(w.version("all", ""), nil).Want(200) // was never evaluated
	own := w.Do("POST /ai/prompts", map[string]any{"agent": "SELLER", "name": "own", "body": "Sotuvchisiz.", "business_id": w.business}).Want(201).String("id")
	w.Do("POST /ai/prompts/"+own+"/versions/1/activate", nil).Want(200)
	w.Do("POST /ai/prompts/"+own+"/versions", map[string]any{"body": "Sotuvchisiz. Qisqa yozing."}).Want(201)
	w.ends(w.evaluate(set, map[string]any{"prompt_version": own + "/1"}), "COMPLETED")
	second := w.evaluate(set, map[string]any{"prompt_version": own + "/2", "graders": []string{"EXACT"}}) // nothing is exact
	w.ends(second, "COMPLETED")

	w.Do("PATCH /ai/agents/SELLER/config", map[string]any{"quality_gate": map[string]any{"dataset_id": set, "min_pass_rate": 0, "max_regression": 0.05}}).Want(200)
	a := w.Do("POST /ai/prompts/"+own+"/versions/2/activate", nil)
	a.Refused(prompt.ErrGate)
	var body struct {
		Gate struct {
			Reasons []string
			Active  *float64 `json:"active_pass_rate"`
		}
	}
	a.Into(&body)
	if body.Gate.Active == nil || *body.Gate.Active != 1 || len(body.Gate.Reasons) != 1 || body.Gate.Reasons[0] != "BELOW_ACTIVE_VERSION" {
		t.Errorf("%s", a.Body)
	}
	// What ran without a version was the one that the business has.
	if a := w.ends(w.evaluate(set, map[string]any{}), "COMPLETED"); a.String("prompt_version") != own+"/1" {
		t.Errorf("%s was evaluated", a.String("prompt_version"))
	}
}

// TestDecisionEvaluated: a dataset of DECISION evaluates a version of its prompt, in the turn of
// the seller; one of SELLER is no version of that agent.
func TestDecisionEvaluated(t *testing.T) {
	w := open(t, t.TempDir(), "")
	w.furnish(0)
	set := w.Do("POST /ai/eval-datasets", map[string]any{"name": "Understood", "agent": "DECISION", "business_id": w.business}).Want(201).String("id")
	w.Do("POST /ai/eval-datasets/"+set+"/items", map[string]any{
		"input":    map[string]any{"messages": []any{map[string]any{"author": "CUSTOMER", "text": "101 ta atirgul narxi qancha?"}}},
		"expected": map[string]any{"intent": "PRICE"},
	}).Want(201)
	own := w.Do("POST /ai/prompts", map[string]any{"agent": "DECISION", "name": "own", "body": "Baholang."}).Want(201).String("id")
	w.Do("POST /ai/evaluations", map[string]any{"dataset_id": set, "prompt_version": strings.TrimSuffix(strings.TrimPrefix(w.version("seller", ""), "POST /ai/prompts/"), "/versions/1/activate") + "/1", "graders": []string{"ACTION"}}).Want(422)
	a := w.ends(w.evaluate(set, map[string]any{"prompt_version": own + "/1", "graders": []string{"ACTION"}}), "COMPLETED")
	if a.String("agent") != "DECISION" || a.String("prompt_version") != own+"/1" || a.At("pass_rate") != 1.0 {
		t.Errorf("%s", a.Body)
	}
}
