package business

import (
	"svc/app/business/stages"
	"svc/store"
)

// FunnelInUse is the funnel that the settings of a business name, else its default.
func FunnelInUse(tx *store.Tx, org, business string) (Funnel, error) {
	set, _, err := settingsOf(tx, org, business)
	if err != nil {
		return Funnel{}, err
	}
	id := ""
	if set.FunnelID != nil {
		id = *set.FunnelID
	}
	return FunnelOf(tx, org, business, id)
}

// FunnelsOf are the funnels of a business, of all businesses for "", in the order in which
// they were made.
func FunnelsOf(tx *store.Tx, org, business string) (out []Funnel, err error) {
	if business != "" {
		return funnelsOf(tx, org, business)
	}
	for f, err := range funnels.Each(tx, org, "") {
		if err != nil {
			return nil, err
		}
		out = append(out, *f)
	}
	return out, nil
}

// StageName is how a stage of the funnel that a business uses is called, "" when it is gone.
func StageName(tx *store.Tx, org, business, stage string) (string, error) {
	f, err := FunnelInUse(tx, org, business)
	_, s, _ := f.Stage(stage)
	return s.Name, store.IgnoreNotFound(err)
}

// defaultFunnel is what a new business begins with, in its default language.
func defaultFunnel(id string, b *Business) Funnel {
	f := Funnel{
		ID: id, BusinessID: b.ID, Name: stages.Funnel.In(b.DefaultLanguage), IsDefault: true, CreatedAt: b.CreatedAt, UpdatedAt: b.CreatedAt,
	}
	for i, s := range stages.Default {
		f.Stages = append(f.Stages, Stage{
			Key: s.Key, Name: s.Name.In(b.DefaultLanguage), Objective: s.Objective.In(b.DefaultLanguage), Allowed: actions(s.Allowed), Prohibited: []Action{},
			Questions: []string{}, Handoff: []string{}, Order: i,
		})
	}
	return f
}

// actions are actions by their names.
func actions(names []string) []Action {
	out := make([]Action, len(names))
	for i, n := range names {
		out[i] = Action(n)
	}
	return out
}
