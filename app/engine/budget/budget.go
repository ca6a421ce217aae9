// Package budget holds what models may cost: limits by day and month, what is spent and
// reserved of each, the sums of costs, and alerts.
//
// It promises that spent and reserved together never pass a limit that stops (contract
// 12.3), and that the sums of costs are those of the executions which were counted. It
// refuses to know executions: whoever runs one reserves, settles and counts it here, in
// one transaction.
package budget

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"svc/ai/catalog"
	"svc/app/api"
	"svc/app/engine/agent"
	"svc/app/event"
	"svc/app/notify"
	"svc/store"
)

// Err says that a budget has no room (contract 46.6).
var Err = &api.Error{Kind: api.Conflict, Code: "budget_exceeded", Message: "The AI budget is used up; raise it, or wait until it begins anew."}

// Period of a budget, in UTC.
type Period string

// The periods.
const (
	Daily   Period = "DAY"
	Monthly Period = "MONTH"
)

// begins is when the period of a time began; key names it.
func (p Period) begins(at time.Time) time.Time {
	at = at.UTC()
	if p == Daily {
		return time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, time.UTC)
	}
	return time.Date(at.Year(), at.Month(), 1, 0, 0, 0, 0, time.UTC)
}

func (p Period) ends(at time.Time) time.Time {
	if p == Daily {
		return p.begins(at).AddDate(0, 0, 1)
	}
	return p.begins(at).AddDate(0, 1, 0)
}

func (p Period) key(at time.Time) string { return p.begins(at).Format(time.DateOnly) }

// OnLimit says what happens at a budget's limit.
type OnLimit string

// What happens.
const (
	StopThere OnLimit = "STOP"
	AlertOnly OnLimit = "ALERT_ONLY"
)

// budget is a limit of costs.
type budget struct {
	ID         string       `json:"id"`
	Period     Period       `json:"period"`
	Agent      agent.Agent  `json:"agent,omitempty"` // "": all
	Limit      catalog.Nano `json:"limit"`
	Thresholds []int        `json:"thresholds"` // percent, rising
	OnLimit    OnLimit      `json:"on_limit"`
	Source     agent.Source `json:"source"`
	// Alerted are the thresholds that were told in the period AlertedIn; Refused: that it
	// refuses was told.
	Alerted   []int     `json:"alerted,omitempty"`
	AlertedIn string    `json:"alerted_in,omitempty"`
	Refused   bool      `json:"refused,omitempty"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}

// Meter is what is spent and reserved in a period, over all agents or of one.
type Meter struct {
	ID       string       `json:"id"` // period/begin/agent
	Spent    catalog.Nano `json:"spent,omitempty"`
	Reserved catalog.Nano `json:"reserved,omitempty"`
}

var (
	budgetTable = store.NewTable("ai_budget", "bgt", func(b *budget) string { return b.ID })
	meterTable  = store.NewTable("ai_meter", "", func(m *Meter) string { return m.ID })
)

const (
	maxBudgets = 30 // of an organization, and as many of the platform for it
	everyone   = "-"
)

func meterID(p Period, at time.Time, who agent.Agent) string {
	name := string(who)
	if name == "" {
		name = everyone
	}
	return string(p) + "/" + p.key(at) + "/" + name
}

// MeterOf is what is spent and reserved in the period of a time, of one agent or of all, "".
func MeterOf(tx *store.Tx, org string, p Period, at time.Time, who agent.Agent) (Meter, error) {
	id := meterID(p, at, who)
	m, err := meterTable.Get(tx, org, id)
	if store.IsNotFound(err) {
		return Meter{ID: id}, nil
	}
	return m, err
}

// Amounts are what agents spend or may spend.
type Amounts map[agent.Agent]catalog.Nano

// Total is that of all agents.
func (a Amounts) Total() (sum catalog.Nano) {
	for _, n := range a {
		sum += n
	}
	return sum
}

// of is what a budget of an agent counts; "" counts all.
func (a Amounts) of(who agent.Agent) catalog.Nano {
	if who == "" {
		return a.Total()
	}
	return a[who]
}

// agents are those of amounts, in order.
func agentsOf(lists ...Amounts) (out []agent.Agent) {
	for _, l := range lists {
		out = slices.AppendSeq(out, maps.Keys(l))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Add changes the meters in which an execution that began at a time counts: spent grows, and
// reserved grows or, with negative amounts, shrinks.
func Add(tx *store.Tx, org string, at time.Time, spent, reserved Amounts) error {
	for _, p := range []Period{Daily, Monthly} {
		for _, a := range append(agentsOf(spent, reserved), "") {
			m, err := MeterOf(tx, org, p, at, a)
			if err != nil {
				return err
			}
			m.Spent += spent.of(a)
			m.Reserved = max(m.Reserved+reserved.of(a), 0)
			if err := meterTable.Put(tx, org, &m); err != nil {
				return err
			}
		}
	}
	return nil
}

// budgetsOf are all budgets of an organization.
func budgetsOf(tx *store.Tx, org string) ([]budget, error) {
	list, _, err := budgetTable.Walk(tx, org, nil, 2*maxBudgets)
	return list, err
}

// Refusal is a budget that has no room for an amount.
type Refusal struct {
	budget budget
	meter  Meter
	amount catalog.Nano
}

// Err words it.
func (r *Refusal) Err(now time.Time) error {
	b := &r.budget
	owner := "of the organization"
	if b.Source == agent.FromPlatform {
		owner = "that the platform set"
	}
	return Err.WithMessage("The AI budget %s for the %s has no room for this: of %s USD %s are spent and %s reserved, and this may cost %s. It begins anew at %s.",
		owner, map[Period]string{Daily: "day", Monthly: "month"}[b.Period], usd(b.Limit), usd(r.meter.Spent), usd(r.meter.Reserved), usd(r.amount),
		b.Period.ends(now).Format("2006-01-02 15:04 UTC"))
}

// usd writes an amount for people, to the millionth of a dollar.
func usd(n catalog.Nano) string {
	s := strings.TrimRight(strconv.FormatFloat(n.USD(), 'f', 6, 64), "0")
	return strings.TrimSuffix(s, ".")
}

// Reserve sets amounts apart for an execution that began at a time, or says which budget has
// no room; then nothing is reserved.
func Reserve(tx *store.Tx, org string, at time.Time, amounts Amounts) (*Refusal, error) {
	list, err := budgetsOf(tx, org)
	if err != nil {
		return nil, err
	}
	for _, b := range list {
		amount := amounts.of(b.Agent)
		if _, concerned := amounts[b.Agent]; b.OnLimit == AlertOnly || b.Agent != "" && !concerned {
			continue
		}
		m, err := MeterOf(tx, org, b.Period, at, b.Agent)
		if err != nil {
			return nil, err
		}
		if m.Spent+m.Reserved+amount > b.Limit {
			return &Refusal{b, m, amount}, nil
		}
	}
	return nil, Add(tx, org, at, nil, amounts)
}

// percent is how much of a limit is spent.
func percent(spent, limit catalog.Nano) float64 {
	switch {
	case limit > 0:
		return float64(spent) / float64(limit) * 100
	case spent > 0:
		return 100
	}
	return 0
}

// Alert tells of thresholds that spending crossed, each once a period (contract 12.3).
func Alert(tx *store.Tx, org string, at time.Time, spent Amounts) error {
	list, err := budgetsOf(tx, org)
	if err != nil {
		return err
	}
	for i := range list {
		b := &list[i]
		if _, concerned := spent[b.Agent]; b.Agent != "" && !concerned {
			continue
		}
		m, err := MeterOf(tx, org, b.Period, at, b.Agent)
		if err != nil {
			return err
		}
		fresh := b.cross(at, percent(m.Spent, b.Limit))
		if len(fresh) == 0 {
			continue
		}
		for _, t := range fresh {
			if err := event.Emit(tx, org, event.BudgetAlert, map[string]any{
				"budget_id": b.ID, "period": b.Period, "threshold_percent": t, "spent_usd": m.Spent.USD(), "limit_usd": b.Limit.USD(),
			}); err != nil {
				return err
			}
		}
		if err := b.notify(tx, org, fmt.Sprintf("%d percent of the AI budget for the %s are spent: %s of %s USD.", fresh[len(fresh)-1],
			map[Period]string{Daily: "day", Monthly: "month"}[b.Period], usd(m.Spent), usd(b.Limit))); err != nil {
			return err
		}
		if err := budgetTable.Put(tx, org, b); err != nil {
			return err
		}
	}
	return nil
}

// enter forgets what was told in an earlier period than that of a time.
func (b *budget) enter(at time.Time) {
	if key := b.Period.key(at); b.AlertedIn != key {
		b.Alerted, b.AlertedIn, b.Refused = nil, key, false
	}
}

// cross notes the thresholds that are reached and were not told in this period.
func (b *budget) cross(at time.Time, percent float64) (fresh []int) {
	b.enter(at)
	for _, t := range b.Thresholds {
		if percent >= float64(t) && !slices.Contains(b.Alerted, t) {
			fresh = append(fresh, t)
		}
	}
	b.Alerted = append(b.Alerted, fresh...)
	return fresh
}

// NotifyOnce tells once a period that a budget refuses.
func (r *Refusal) NotifyOnce(tx *store.Tx, org string, at time.Time) error {
	b, err := budgetTable.Get(tx, org, r.budget.ID)
	if err != nil {
		return store.IgnoreNotFound(err)
	}
	if b.enter(at); b.Refused {
		return nil
	}
	b.Refused = true
	if err := b.notify(tx, org, "The AI budget has no room for another call, so agents stop until it begins anew or is raised."); err != nil {
		return err
	}
	return budgetTable.Put(tx, org, &b)
}

func (b *budget) notify(tx *store.Tx, org, body string) error {
	return notify.Send(tx, org, notify.Notice{
		Kind: "AI_BUDGET_ALERT", Title: "AI budget", Body: body, Resource: &notify.Resource{Type: "ai_budget", ID: b.ID}, Link: "/ai/budgets",
	})
}

// lowest is the tightest budget of a period over all agents, nil for none.
func lowest(list []budget, p Period) *budget {
	var out *budget
	for i := range list {
		if b := &list[i]; b.Period == p && b.Agent == "" && (out == nil || b.Limit < out.Limit) {
			out = b
		}
	}
	return out
}

// checkThresholds sorts thresholds and takes each once.
func checkThresholds(list []int) []int {
	if len(list) == 0 {
		return []int{50, 80, 100}
	}
	return slices.Compact(slices.SortedFunc(slices.Values(list), cmp.Compare))
}
