package budget

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strings"
	"time"

	"svc/ai/catalog"
	"svc/app/api"
	"svc/app/engine/agent"
	"svc/app/org"
	"svc/store"
)

// Counters are what executions used.
type Counters struct {
	Executions int64        `json:"n,omitempty"`
	TokensIn   int64        `json:"in,omitempty"`
	TokensOut  int64        `json:"out,omitempty"`
	Cost       catalog.Nano `json:"cost,omitempty"`
	// Sent are those of Executions whose answer went to a customer by itself.
	Sent int64 `json:"sent,omitempty"`
}

// Add adds others to them.
func (c *Counters) Add(o Counters) {
	c.Executions += o.Executions
	c.TokensIn += o.TokensIn
	c.TokensOut += o.TokensOut
	c.Cost += o.Cost
	c.Sent += o.Sent
}

// costRow is what executions of one kind used on a UTC day, by the hour in which they
// began. Rows are kept for ever.
type costRow struct {
	ID       string            `json:"id"` // day/hash of the rest
	Day      string            `json:"day"`
	Agent    agent.Agent       `json:"agent"`
	Provider string            `json:"provider,omitempty"`
	Model    string            `json:"model,omitempty"`
	Business string            `json:"business,omitempty"`
	Mode     agent.Mode        `json:"mode"`
	Hours    map[int]*Counters `json:"hours"`
}

// platformRow is what one organization used at one kind of provider on a day.
type platformRow struct {
	ID    string            `json:"id"` // day/organization/kind
	Day   string            `json:"day"`
	Org   string            `json:"org"`
	Kind  string            `json:"kind"`
	Hours map[int]*Counters `json:"hours"`
}

var (
	costTable     = store.NewTable("ai_cost", "", func(r *costRow) string { return r.ID })
	platformCosts = store.NewTable("ai_cost_platform", "", func(r *platformRow) string { return r.ID }).Global()
)

func (r *costRow) key() string {
	sum := sha256.Sum256([]byte(strings.Join([]string{string(r.Agent), r.Provider, r.Model, r.Business, string(r.Mode)}, "\x00")))
	return r.Day + "/" + hex.EncodeToString(sum[:12])
}

func addHour(hours *map[int]*Counters, at time.Time, c Counters) {
	if *hours == nil {
		*hours = map[int]*Counters{}
	}
	h := (*hours)[at.UTC().Hour()]
	if h == nil {
		h = &Counters{}
		(*hours)[at.UTC().Hour()] = h
	}
	h.Add(c)
}

// Place is what costs are grouped by, beside the time. Kind is that of the provider.
type Place struct {
	Agent                 agent.Agent
	Provider, Kind, Model string
	Business              string
	Mode                  agent.Mode
}

// Count adds what an execution that began at a time used in a place to the sums.
func Count(tx *store.Tx, orgID string, at time.Time, p Place, c Counters) error {
	r := costRow{Day: at.UTC().Format(time.DateOnly), Agent: p.Agent, Provider: p.Provider, Model: p.Model, Business: p.Business, Mode: p.Mode}
	r.ID = r.key()
	if known, err := costTable.Get(tx, orgID, r.ID); err == nil {
		r = known
	} else if !store.IsNotFound(err) {
		return err
	}
	addHour(&r.Hours, at, c)
	if err := costTable.Put(tx, orgID, &r); err != nil {
		return err
	}
	return countPlatform(tx, orgID, p.Kind, at, c)
}

func countPlatform(tx *store.Tx, orgID, kind string, at time.Time, c Counters) error {
	r := platformRow{Day: at.UTC().Format(time.DateOnly), Org: orgID, Kind: kind}
	r.ID = r.Day + "/" + orgID + "/" + kind
	if known, err := platformCosts.Get(tx, store.Platform, r.ID); err == nil {
		r = known
	} else if !store.IsNotFound(err) {
		return err
	}
	addHour(&r.Hours, at, c)
	return platformCosts.Put(tx, store.Platform, &r)
}

// eachCost visits the rows of the days that a span of time touches, with what falls into
// it.
func eachCost(tx *store.Tx, orgID string, from, to time.Time, visit func(*costRow, Counters)) error {
	last := to.UTC().Format(time.DateOnly) + "~"
	for r, err := range costTable.Each(tx, orgID, from.UTC().Format(time.DateOnly)) {
		if err != nil || r.ID > last {
			return err
		}
		if sum := within(r.Day, r.Hours, from, to); sum != (Counters{}) {
			visit(r, sum)
		}
	}
	return nil
}

// within adds up the hours of a day that begin in a span of time.
func within(day string, hours map[int]*Counters, from, to time.Time) (sum Counters) {
	begin, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return sum
	}
	for h, c := range hours {
		if at := begin.Add(time.Duration(h) * time.Hour); !at.Before(from.Truncate(time.Hour)) && at.Before(to) {
			sum.Add(*c)
		}
	}
	return sum
}

// CostsIn are the parameters of a sum of costs.
type CostsIn struct {
	From    time.Time `query:"from" doc:"Its UTC day counts whole; 30 days ago when left out."`
	To      time.Time `query:"to" doc:"Exclusive; its UTC day counts whole when it is not midnight. Now when left out."`
	GroupBy string    `query:"group_by" enum:"day,agent,model,provider,business,mode" default:"day"`
}

const (
	costDays    = 30
	maxCostDays = 366
	day         = 24 * time.Hour
)

// span is the time that was asked for, in whole UTC days.
func (in CostsIn) span(now time.Time) (from, to time.Time, err error) {
	from, to = in.From.UTC().Truncate(day), in.To.UTC()
	if in.To.IsZero() {
		to = now.UTC().Add(1) // at midnight, too, the day of now counts
	}
	if end := to.Truncate(day); !end.Equal(to) {
		to = end.Add(day)
	}
	if in.From.IsZero() {
		from = to.AddDate(0, 0, -costDays)
	}
	switch {
	case !from.Before(to):
		return from, to, api.Wrong("to", "must be later than from")
	case to.Sub(from) > maxCostDays*day:
		return from, to, api.Wrong("from", "must be at most %d days before to", maxCostDays)
	}
	return from, to, nil
}

// CostGroup is one row of a sum of costs.
type CostGroup struct {
	Key        string  `json:"key" doc:"A day, agent, model, id of a provider or business, or mode; - for none." example:"2026-11-20"`
	Label      *string `json:"label" doc:"The name of a provider."`
	Executions int64   `json:"executions"`
	TokensIn   int64   `json:"tokens_in"`
	TokensOut  int64   `json:"tokens_out"`
	CostUSD    float64 `json:"cost_usd"`
}

// Costs are the sums of a span of time.
type Costs struct {
	From       time.Time   `json:"from"`
	To         time.Time   `json:"to" doc:"Exclusive."`
	GroupBy    string      `json:"group_by" enum:"day,agent,model,provider,business,mode"`
	TotalUSD   float64     `json:"total_usd"`
	Executions int64       `json:"executions"`
	TokensIn   int64       `json:"tokens_in"`
	TokensOut  int64       `json:"tokens_out"`
	Data       []CostGroup `json:"data"`
}

func (r *costRow) group(by string) string {
	key := map[string]string{
		"day": r.Day, "agent": string(r.Agent), "model": r.Model, "provider": r.Provider, "business": r.Business, "mode": string(r.Mode),
	}[by]
	if key == "" {
		return everyone
	}
	return key
}

func (s *Service) costs(c *api.Call, in CostsIn) (Costs, error) { return s.CostsOf(c, c.Org, in) }

// CostsOf adds up the costs of an organization.
func (s *Service) CostsOf(c *api.Call, orgID string, in CostsIn) (out Costs, err error) {
	from, to, err := in.span(c.Now)
	if err != nil {
		return out, err
	}
	err = s.db.View(c, func(tx *store.Tx) error {
		sums, total := map[string]*Counters{}, Counters{}
		err := eachCost(tx, orgID, from, to, func(r *costRow, c Counters) {
			key := r.group(in.GroupBy)
			if sums[key] == nil {
				sums[key] = &Counters{}
			}
			sums[key].Add(c)
			total.Add(c)
		})
		if err != nil {
			return err
		}
		out = Costs{
			From: from, To: to, GroupBy: in.GroupBy, TotalUSD: total.Cost.USD(), Executions: total.Executions, TokensIn: total.TokensIn, TokensOut: total.TokensOut,
			Data: []CostGroup{},
		}
		var names map[string]string
		if in.GroupBy == "provider" {
			if names, err = s.names(tx, orgID, slices.Collect(maps.Keys(sums))); err != nil {
				return err
			}
		}
		for key, c := range sums {
			out.Data = append(out.Data, CostGroup{key, api.Optional(names[key]), c.Executions, c.TokensIn, c.TokensOut, c.Cost.USD()})
		}
		slices.SortFunc(out.Data, func(a, b CostGroup) int { return cmp.Compare(a.Key, b.Key) })
		return nil
	})
	return out, err
}

// Used is what the AI of an organization cost from a time, inclusive, to another,
// exclusive, in whole hours, with its monthly budget, for its usage (org.Meter).
func Used(tx *store.Tx, orgID string, from, to time.Time) (out org.UsedAI, err error) {
	var sum Counters
	if err = eachCost(tx, orgID, from, to, func(_ *costRow, c Counters) { sum.Add(c) }); err != nil {
		return out, err
	}
	out = org.UsedAI{CostUSD: sum.Cost.USD(), TokensIn: sum.TokensIn, TokensOut: sum.TokensOut}
	list, err := budgetsOf(tx, orgID)
	if b := lowest(list, Monthly); b != nil && err == nil {
		m, err := MeterOf(tx, orgID, Monthly, from, "")
		if err != nil {
			return out, err
		}
		limit, used := b.Limit.USD(), percent(m.Spent, b.Limit)
		out.BudgetUSD, out.BudgetUsedPercent = &limit, &used
	}
	return out, err
}

// Today is what a dashboard shows of the AI.
type Today struct {
	Turns   int
	Sent    int // of Turns: answers that went out by themselves
	CostUSD float64
	// BudgetUsedPercent is that of the budget which is used up most; nil without one.
	BudgetUsedPercent *float64
}

// TodayOf is today, in UTC, as costs and budgets count (contract 21.2, Days).
func TodayOf(tx *store.Tx, orgID string) (out Today, err error) {
	now := tx.DB().Now()
	from := now.UTC().Truncate(day)
	var cost catalog.Nano
	err = eachCost(tx, orgID, from, from.Add(day), func(r *costRow, c Counters) {
		cost += c.Cost
		if r.Agent == agent.Seller && r.Mode == agent.Live {
			out.Turns += int(c.Executions)
			out.Sent += int(c.Sent)
		}
	})
	if err != nil {
		return out, err
	}
	out.CostUSD = cost.USD()
	list, err := budgetsOf(tx, orgID)
	for i := range list {
		if err != nil {
			break
		}
		var m Meter
		m, err = MeterOf(tx, orgID, list[i].Period, now, list[i].Agent)
		if used := percent(m.Spent, list[i].Limit); out.BudgetUsedPercent == nil || used > *out.BudgetUsedPercent {
			out.BudgetUsedPercent = &used
		}
	}
	return out, err
}
