package org

import (
	"maps"
	"math"
	"slices"

	"svc/app/api"
	"svc/app/audit"
	"svc/store"
)

// backToPlan removes an override (contract 3).
const backToPlan = "default"

// maxLimit bounds an override.
const maxLimit = 1_000_000_000

// SetOverrides replaces limits of the plan for one organization: values as JSON
// gives them, by key. null is unlimited, "default" the plan's again; api_access is
// true or false. Keys that are not named keep theirs. It is written into the log of
// the organization.
func SetOverrides(tx *store.Tx, c *api.Call, id string, change map[string]any) (Organization, error) {
	o, err := Get(tx, id)
	if err != nil {
		return o, err
	}
	before := o.Overridden()
	next := maps.Clone(o.Overrides)
	if next == nil {
		next = map[LimitKey]*int{}
	}
	wrong := map[string]string{}
	for name, v := range change {
		if sentence := override(next, LimitKey(name), v); sentence != "" {
			wrong["overrides."+name] = sentence
		}
	}
	if len(wrong) > 0 {
		return o, api.WrongFields(wrong)
	}
	o.Overrides, o.UpdatedAt = next, tx.DB().Now()
	if err := save(tx, &o); err != nil {
		return o, err
	}
	return o, audit.WriteTo(tx, id, c, "organization.limits_changed", audit.On("organization", o.ID, o.Name), audit.Changed("overrides", before, o.Overridden()))
}

// override writes one value, or says what is wrong with it.
func override(to map[LimitKey]*int, key LimitKey, v any) string {
	if !slices.Contains(limitKeys, key) {
		return "is no limit of a plan"
	}
	if v == any(backToPlan) {
		delete(to, key)
		return ""
	}
	yes, isBool := v.(bool)
	if isBool != (key == LimitAPIAccess) {
		if isBool {
			return `must be a number, null for unlimited, or "default"`
		}
		return `must be true, false or "default"`
	}
	switch v := v.(type) {
	case bool:
		to[key] = new(map[bool]int{true: 1}[yes])
	case nil:
		to[key] = nil
	case float64:
		if v != math.Trunc(v) || v < 0 || v > maxLimit {
			return "must be a whole number from 0 to 1,000,000,000"
		}
		to[key] = new(int(v))
	default:
		return `must be a number, null for unlimited, or "default"`
	}
	return ""
}
