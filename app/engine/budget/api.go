package budget

import (
	"fmt"
	"slices"
	"time"

	"svc/ai/catalog"
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/audit"
	"svc/app/engine/agent"
	"svc/app/notify"
	"svc/store"
)

// Service does the operations about budgets and costs.
type Service struct {
	db *store.DB
	// names are those of providers.
	names func(tx *store.Tx, org string, ids []string) (map[string]string, error)
}

// New makes the service; names finds those of providers.
func New(db *store.DB, names func(tx *store.Tx, org string, ids []string) (map[string]string, error)) *Service {
	return &Service{db, names}
}

// Tables are what a store that holds budgets and costs is opened with.
func Tables() []store.AnyTable {
	return []store.AnyTable{budgetTable, meterTable, costTable, platformCosts}
}

// Endpoints are the operations of this package.
func (s *Service) Endpoints() []api.Endpoint {
	return []api.Endpoint{
		api.E("GET /ai/costs", "ai.costs", perm.AIRead, "Read what the AI cost, by UTC day, agent, model, provider, business or mode.", s.costs),
		api.E("GET /ai/budgets", "ai.list_budgets", perm.AIRead, "List the AI budgets, those of the platform too.", s.listBudgets),
		api.E("PUT /ai/budgets", "ai.put_budgets", perm.AIManage, "Replace the AI budgets of the organization.", s.putBudgets),
	}
}

// ShownBudget is a budget in the API.
type ShownBudget struct {
	ID          string       `json:"id"`
	Period      Period       `json:"period" enum:"DAY,MONTH" doc:"In UTC."`
	Agent       *agent.Agent `json:"agent" enum:"SELLER,DECISION,SUMMARY,MEMORY,CASES,ANALYSIS,NARRATIVE,CALENDAR,RESEARCH,COMPOSER,SOCIAL,JUDGE" doc:"null: all agents."`
	LimitUSD    float64      `json:"limit_usd"`
	Thresholds  []int        `json:"alert_thresholds" doc:"Percent."`
	OnLimit     OnLimit      `json:"on_limit" enum:"STOP,ALERT_ONLY"`
	Source      agent.Source `json:"source" enum:"PLATFORM,ORGANIZATION"`
	SpentUSD    float64      `json:"spent_usd"`
	ReservedUSD float64      `json:"reserved_usd" doc:"For executions that run."`
	ResetsAt    time.Time    `json:"resets_at"`
}

func (b *budget) shown(m Meter, now time.Time) ShownBudget {
	return ShownBudget{
		ID: b.ID, Period: b.Period, Agent: api.Optional(b.Agent), LimitUSD: b.Limit.USD(), Thresholds: b.Thresholds, OnLimit: b.OnLimit, Source: b.Source,
		SpentUSD: m.Spent.USD(), ReservedUSD: m.Reserved.USD(), ResetsAt: b.Period.ends(now),
	}
}

func shownBudgets(tx *store.Tx, org string, source agent.Source) ([]ShownBudget, error) {
	list, err := budgetsOf(tx, org)
	out, now := []ShownBudget{}, tx.DB().Now()
	for i := range list {
		if err != nil {
			break
		}
		if b := &list[i]; source == "" || b.Source == source {
			var m Meter
			m, err = MeterOf(tx, org, b.Period, now, b.Agent)
			out = append(out, b.shown(m, now))
		}
	}
	slices.Reverse(out) // the newest first, as every list
	return out, err
}

func (s *Service) listBudgets(c *api.Call, in api.PageIn) (out api.Page[ShownBudget], err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		rows, err := shownBudgets(tx, c.Org, "")
		out = api.Window(rows, in, func(b *ShownBudget) string { return b.ID })
		return err
	})
	return out, err
}

// BudgetFields are what a budget is made of.
type BudgetFields struct {
	Period     Period       `json:"period" required:"true" enum:"DAY,MONTH"`
	Agent      *agent.Agent `json:"agent" enum:"SELLER,DECISION,SUMMARY,MEMORY,CASES,ANALYSIS,NARRATIVE,CALENDAR,RESEARCH,COMPOSER,SOCIAL,JUDGE" doc:"null: all agents."`
	LimitUSD   float64      `json:"limit_usd" required:"true" minimum:"0" maximum:"1000000" example:"20"`
	Thresholds []int        `json:"alert_thresholds" maxItems:"10" doc:"Percent of the limit, 1 to 100; 50, 80 and 100 when left out."`
	OnLimit    OnLimit      `json:"on_limit" enum:"STOP,ALERT_ONLY" default:"STOP"`
}

// PutBudgets is the body that replaces budgets.
type PutBudgets struct {
	Budgets []BudgetFields `json:"budgets" required:"true" nullable:"false" maxItems:"30"`
}

type putBudgetsIn struct{ Body PutBudgets }

func (s *Service) putBudgets(c *api.Call, in putBudgetsIn) (out api.List[ShownBudget], err error) {
	return s.replaceBudgets(c, c.Org, agent.FromOrganization, in.Body.Budgets, nil)
}

// Platform lists the budgets that the platform set for an organization.
func (s *Service) Platform(c *api.Call, org string) (out api.List[ShownBudget], err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		rows, err := shownBudgets(tx, org, agent.FromPlatform)
		out = api.NewList(rows)
		return err
	})
	return out, err
}

// SetPlatform replaces them. note runs in the same transaction.
func (s *Service) SetPlatform(c *api.Call, org string, list []BudgetFields, note func(tx *store.Tx, before, after []ShownBudget) error) (api.List[ShownBudget], error) {
	return s.replaceBudgets(c, org, agent.FromPlatform, list, note)
}

// replaceBudgets puts budgets in the place of those of a source. One of the same period
// and agent keeps its id and what was told of it. also runs in the same transaction.
func (s *Service) replaceBudgets(c *api.Call, org string, source agent.Source, list []BudgetFields, also func(tx *store.Tx, before, after []ShownBudget) error) (out api.List[ShownBudget], err error) {
	if err := checkBudgets(list); err != nil {
		return out, err
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		before, err := shownBudgets(tx, org, source)
		if err != nil {
			return err
		}
		old, err := budgetsOf(tx, org)
		if err != nil {
			return err
		}
		old = slices.DeleteFunc(old, func(b budget) bool { return b.Source != source })
		for i := range list {
			b := list[i].budget(tx, source, c.Now)
			if at := slices.IndexFunc(old, func(o budget) bool { return o.Period == b.Period && o.Agent == b.Agent }); at >= 0 {
				b.keep(&old[at])
				old = slices.Delete(old, at, at+1)
			}
			if err := budgetTable.Put(tx, org, &b); err != nil {
				return err
			}
		}
		for i := range old {
			if err := budgetTable.Delete(tx, org, old[i].ID); err != nil {
				return err
			}
			if err := notify.Settle(tx, org, old[i].ID); err != nil {
				return err
			}
		}
		after, err := shownBudgets(tx, org, source)
		if err != nil {
			return err
		}
		out = api.NewList(after)
		if also != nil {
			if err := also(tx, before, after); err != nil {
				return err
			}
		}
		return audit.WriteTo(tx, org, c, "ai_budgets.replaced", audit.On("ai_budgets", org, ""), audit.Changed("budgets", limitsOf(before), limitsOf(after)))
	})
	return out, err
}

// limitsOf are budgets as the log shows them.
func limitsOf(list []ShownBudget) map[string]float64 {
	out := map[string]float64{}
	for _, b := range list {
		name := string(b.Period)
		if b.Agent != nil {
			name += " " + string(*b.Agent)
		}
		out[name] = b.LimitUSD
	}
	return out
}

// keep takes over what does not change. A higher limit lets its thresholds be told again.
func (b *budget) keep(old *budget) {
	b.ID, b.CreatedAt = old.ID, old.CreatedAt
	if b.Limit <= old.Limit && slices.Equal(b.Thresholds, old.Thresholds) {
		b.Alerted, b.AlertedIn, b.Refused = old.Alerted, old.AlertedIn, old.Refused
	}
}

func (f *BudgetFields) budget(tx *store.Tx, source agent.Source, now time.Time) budget {
	b := budget{
		ID: tx.DB().NewID("bgt"), Period: f.Period, Limit: catalog.FromUSD(f.LimitUSD), Thresholds: checkThresholds(f.Thresholds), OnLimit: f.OnLimit,
		Source: source, CreatedAt: now, UpdatedAt: now,
	}
	if f.Agent != nil {
		b.Agent = *f.Agent
	}
	if b.OnLimit == "" {
		b.OnLimit = StopThere
	}
	return b
}

func checkBudgets(list []BudgetFields) error {
	seen := map[string]int{}
	for i, f := range list {
		key := string(f.Period)
		if f.Agent != nil {
			key += string(*f.Agent)
		}
		if j, duplicate := seen[key]; duplicate {
			return api.Wrong(fmt.Sprintf("budgets[%d]", i), "is for the same period and agent as budgets[%d]", j)
		}
		seen[key] = i
		for _, t := range f.Thresholds {
			if t < 1 || t > 100 {
				return api.Wrong(fmt.Sprintf("budgets[%d].alert_thresholds", i), "must be between 1 and 100")
			}
		}
	}
	return nil
}
