package budget

import (
	"cmp"
	"slices"
	"time"

	"svc/app/api"
	"svc/store"
)

// PlatformUse is what one organization, or one kind of provider, cost.
type PlatformUse struct {
	Key          string     `json:"key" doc:"A kind of provider, or the id of an organization."`
	Organization *api.Named `json:"organization"`
	Executions   int64      `json:"executions"`
	CostUSD      float64    `json:"cost_usd"`
}

// PlatformCosts are those of all organizations.
type PlatformCosts struct {
	Cost24h        float64       `json:"cost_24h_usd" doc:"To the hour."`
	Cost30d        float64       `json:"cost_30d_usd"`
	ByProvider     []PlatformUse `json:"by_provider" doc:"By kind, over 30 days, the dearest first."`
	ByOrganization []PlatformUse `json:"by_organization" doc:"The 20 dearest over 30 days."`
}

// topOrganizations bounds the organizations that are shown.
const topOrganizations = 20

// PlatformCostsOf adds up the last 30 days.
func PlatformCostsOf(tx *store.Tx, now time.Time) (out PlatformCosts, err error) {
	kinds, orgs := map[string]*Counters{}, map[string]*Counters{}
	var today, month Counters
	from, to := now.AddDate(0, 0, -costDays), now.Add(time.Hour) // the hour that began, too
	err = eachPlatform(tx, from, to, func(r *platformRow) {
		sum := within(r.Day, r.Hours, from, to)
		last := within(r.Day, r.Hours, now.Add(-day), to)
		today.Add(last)
		month.Add(sum)
		for key, in := range map[string]map[string]*Counters{r.Kind: kinds, "\x00" + r.Org: orgs} {
			if in[key] == nil {
				in[key] = &Counters{}
			}
			in[key].Add(sum)
		}
	})
	return PlatformCosts{Cost24h: today.Cost.USD(), Cost30d: month.Cost.USD(), ByProvider: dearest(kinds), ByOrganization: dearest(orgs)}, err
}

func eachPlatform(tx *store.Tx, from, to time.Time, visit func(*platformRow)) error {
	last := to.UTC().Format(time.DateOnly) + "~"
	for r, err := range platformCosts.Each(tx, store.Platform, from.UTC().Format(time.DateOnly)) {
		if err != nil || r.ID > last {
			return err
		}
		visit(r)
	}
	return nil
}

// dearest sorts sums by cost. Keys of organizations begin with a zero byte.
func dearest(of map[string]*Counters) []PlatformUse {
	out := []PlatformUse{}
	for key, c := range of {
		u := PlatformUse{Key: key, Executions: c.Executions, CostUSD: c.Cost.USD()}
		if len(key) > 0 && key[0] == 0 {
			u.Key = key[1:]
			u.Organization = api.Ref(store.Platform, u.Key)
		} else if key == "" {
			u.Key = everyone
		}
		out = append(out, u)
	}
	slices.SortFunc(out, func(a, b PlatformUse) int {
		return cmp.Or(cmp.Compare(b.CostUSD, a.CostUSD), cmp.Compare(a.Key, b.Key))
	})
	return out[:min(len(out), topOrganizations)]
}
