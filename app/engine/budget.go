package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"svc/ai/catalog"
	"svc/app/event"
	"svc/app/notify"
	"svc/store"
)

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
	Agent      Agent        `json:"agent,omitempty"` // "": all
	Limit      catalog.Nano `json:"limit"`
	Thresholds []int        `json:"thresholds"` // percent, rising
	OnLimit    OnLimit      `json:"on_limit"`
	Source     Source       `json:"source"`
	// Alerted are the thresholds that were told in the period AlertedIn; Refused: that it
	// refuses was told.
	Alerted   []int     `json:"alerted,omitempty"`
	AlertedIn string    `json:"alerted_in,omitempty"`
	Refused   bool      `json:"refused,omitempty"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}

// meter is what is spent and reserved in a period, over all agents or of one.
type meter struct {
	ID       string       `json:"id"` // period/begin/agent
	Spent    catalog.Nano `json:"spent,omitempty"`
	Reserved catalog.Nano `json:"reserved,omitempty"`
}

var (
	budgetTable = store.NewTable("ai_budget", "bgt", func(b *budget) string { return b.ID })
	meterTable  = store.NewTable("ai_meter", "", func(m *meter) string { return m.ID })
)

const (
	maxBudgets = 30 // of an organization, and as many of the platform for it
	everyone   = "-"
)

func meterID(p Period, at time.Time, agent Agent) string {
	name := string(agent)
	if name == "" {
		name = everyone
	}
	return string(p) + "/" + p.key(at) + "/" + name
}

func meterOf(tx *store.Tx, org string, p Period, at time.Time, agent Agent) (meter, error) {
	id := meterID(p, at, agent)
	m, err := meterTable.Get(tx, org, id)
	if store.IsNotFound(err) {
		return meter{ID: id}, nil
	}
	return m, err
}

// meterAdd changes the four meters that an execution of a time counts in.
func meterAdd(tx *store.Tx, org string, at time.Time, agent Agent, spent, reserved catalog.Nano) error {
	for _, p := range []Period{Daily, Monthly} {
		for _, a := range []Agent{"", agent} {
			m, err := meterOf(tx, org, p, at, a)
			if err != nil {
				return err
			}
			m.Spent += spent
			m.Reserved = max(m.Reserved+reserved, 0)
			if err := meterTable.Put(tx, org, &m); err != nil {
				return err
			}
		}
	}
	return nil
}

// budgetsOf are the budgets that hold for an agent; all with "".
func budgetsOf(tx *store.Tx, org string, agent Agent) ([]budget, error) {
	list, _, err := budgetTable.Walk(tx, org, nil, 2*maxBudgets)
	if agent == "" {
		return list, err
	}
	return slices.DeleteFunc(list, func(b budget) bool { return b.Agent != "" && b.Agent != agent }), err
}

// refusal is a budget that has no room for an amount.
type refusal struct {
	budget budget
	meter  meter
	amount catalog.Nano
}

func (r *refusal) error(now time.Time) error {
	b := &r.budget
	whose := "of the organization"
	if b.Source == FromPlatform {
		whose = "that the platform set"
	}
	return ErrBudget.WithMessage("The AI budget %s for the %s has no room for this: of %s USD %s are spent and %s reserved, and this may cost %s. It begins anew at %s.",
		whose, map[Period]string{Daily: "day", Monthly: "month"}[b.Period], usd(b.Limit), usd(r.meter.Spent), usd(r.meter.Reserved), usd(r.amount),
		b.Period.ends(now).Format("2006-01-02 15:04 UTC"))
}

// usd writes an amount for people, to the millionth of a dollar.
func usd(n catalog.Nano) string {
	s := strings.TrimRight(strconv.FormatFloat(n.USD(), 'f', 6, 64), "0")
	return strings.TrimSuffix(s, ".")
}

// fits says whether an amount may be reserved for an agent at a time, else which budget
// refuses.
func fits(tx *store.Tx, org string, agent Agent, at time.Time, amount catalog.Nano) (*refusal, error) {
	list, err := budgetsOf(tx, org, agent)
	if err != nil {
		return nil, err
	}
	for _, b := range list {
		if b.OnLimit == AlertOnly {
			continue
		}
		m, err := meterOf(tx, org, b.Period, at, b.Agent)
		if err != nil {
			return nil, err
		}
		if m.Spent+m.Reserved+amount > b.Limit {
			return &refusal{b, m, amount}, nil
		}
	}
	return nil, nil
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

// alert tells of thresholds that were crossed, each once a period (contract 12.3).
func alert(tx *store.Tx, org string, agent Agent, at time.Time) error {
	list, err := budgetsOf(tx, org, agent)
	if err != nil {
		return err
	}
	for i := range list {
		b := &list[i]
		m, err := meterOf(tx, org, b.Period, at, b.Agent)
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

// refused tells once a period that a budget refuses.
func refused(tx *store.Tx, org string, r *refusal, at time.Time) error {
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
