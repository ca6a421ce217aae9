package business

import "svc/store"

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
	for after := store.Cursor(nil); ; {
		list, next, err := funnels.Walk(tx, org, after, maxFunnels)
		out = append(out, list...)
		if after = next; err != nil || next == nil || len(out) >= maxBusinesses {
			return out, err
		}
	}
}

// StageName is how a stage of the funnel that a business uses is called, "" when it is gone.
func StageName(tx *store.Tx, org, business, stage string) (string, error) {
	f, err := FunnelInUse(tx, org, business)
	_, s, _ := f.Stage(stage)
	return s.Name, store.IgnoreNotFound(err)
}
