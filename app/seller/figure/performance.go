package figure

import (
	"cmp"
	"math"
	"slices"
	"time"

	"svc/app/api"
	"svc/store"
)

// Performance is the answer of GET /ai/performance.
type Performance struct {
	From      time.Time       `json:"from"`
	To        time.Time       `json:"to" doc:"Exclusive."`
	ByVersion []VersionFigure `json:"by_prompt_version" nullable:"false" doc:"The one with most turns first."`
	ByUser    []UserFigure    `json:"by_user" nullable:"false" doc:"Who replied most first."`
	Shadow    ShadowFigure    `json:"shadow" doc:"How turns agree with people when they are judged as the next autonomy level would have acted."`
}

// VersionFigure is how a version of the seller's prompt did.
type VersionFigure struct {
	PromptVersion *string  `json:"prompt_version" doc:"null for the default prompt."`
	Turns         int      `json:"turns"`
	Sent          int      `json:"sent" doc:"By itself."`
	Blocked       int      `json:"blocked"`
	Handoff       int      `json:"handoff"`
	ApprovalRate  *float64 `json:"approval_rate" doc:"Of the drafts on which a person decided; null without any."`
	AverageRating *float64 `json:"average_rating" doc:"1 to 5; null while nobody rated."`
	CostUSD       float64  `json:"cost_usd"`
}

// UserFigure is what a person did.
type UserFigure struct {
	User     *api.Named `json:"user"`
	Replies  int        `json:"replies" doc:"Drafts that they approved too."`
	Median   *float64   `json:"median_response_seconds"`
	Resolved int        `json:"handoffs_resolved"`
}

// ShadowFigure is how the next level would have done.
type ShadowFigure struct {
	Turns      int              `json:"turns"`
	Compared   int              `json:"compared" doc:"Turns on which a person decided too."`
	Agreement  *float64         `json:"agreement" doc:"Of the compared ones; null without any."`
	ByScenario []ScenarioFigure `json:"by_scenario" nullable:"false"`
}

// ScenarioFigure is the same of one scenario.
type ScenarioFigure struct {
	Scenario  string    `json:"scenario"`
	Turns     int       `json:"turns"`
	Compared  int       `json:"compared"`
	Agreement *float64  `json:"agreement"`
	Interval  []float64 `json:"interval_95" doc:"Where the agreement lies with 95 percent certainty (Wilson); null without any compared one."`
	Enough    bool      `json:"enough" doc:"30 were compared; fewer say too little."`
}

// enough is how many comparisons say something.
const enough = 30

func (s *Service) performance(c *api.Call, in SpanIn) (out Performance, err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		zone, err := zoneOf(tx, c.Org)
		if err != nil {
			return err
		}
		asked, err := in.span(c.Now, zone)
		if err != nil {
			return err
		}
		out = Performance{From: asked.from.UTC(), To: asked.to.UTC()}
		if out.ByVersion, err = byVersion(tx, c.Org, &asked); err != nil {
			return err
		}
		if out.ByUser, err = byUser(tx, c.Org, &asked); err != nil {
			return err
		}
		out.Shadow, err = shadow(tx, c.Org, &asked, in.BusinessID)
		return err
	})
	return out, err
}

func byVersion(tx *store.Tx, org string, s *span) ([]VersionFigure, error) {
	sums := map[string]*versionSums{}
	err := each(tx, org, versions, s, func(r *versionDay) string { return r.Day }, func(r *versionDay) {
		if sums[r.Version] == nil {
			sums[r.Version] = &versionSums{}
		}
		sums[r.Version].add(&r.versionSums)
	})
	out := []VersionFigure{}
	for _, v := range keys(sums) {
		x := sums[v]
		out = append(out, VersionFigure{
			PromptVersion: api.Optional(v), Turns: x.Turns, Sent: x.Sent, Blocked: x.Blocked, Handoff: x.Handoff,
			ApprovalRate: ratio(x.Approved, x.Approved+x.Refused), AverageRating: ratio(x.Stars, x.Ratings), CostUSD: x.Cost.USD(),
		})
	}
	slices.SortStableFunc(out, func(a, b VersionFigure) int { return cmp.Compare(b.Turns, a.Turns) })
	return out, err
}

func byUser(tx *store.Tx, org string, s *span) ([]UserFigure, error) {
	sums := map[string]*personSums{}
	err := each(tx, org, people, s, func(r *personDay) string { return r.Day }, func(r *personDay) {
		if sums[r.User] == nil {
			sums[r.User] = &personSums{}
		}
		sums[r.User].add(&r.personSums)
	})
	out := []UserFigure{}
	for _, u := range keys(sums) {
		out = append(out, UserFigure{User: api.Ref(org, u), Replies: sums[u].Replies, Median: sums[u].Waited.Quantile(0.5), Resolved: sums[u].Resolved})
	}
	slices.SortStableFunc(out, func(a, b UserFigure) int { return cmp.Compare(b.Replies, a.Replies) })
	return out, err
}

func shadow(tx *store.Tx, org string, s *span, business string) (out ShadowFigure, err error) {
	sums := map[string]*shadowSums{}
	var all shadowSums
	err = each(tx, org, shadows, s, func(r *shadowDay) string { return r.Day }, func(r *shadowDay) {
		if business != "" && r.Business != business {
			return
		}
		if sums[r.Scenario] == nil {
			sums[r.Scenario] = &shadowSums{}
		}
		for _, to := range []*shadowSums{sums[r.Scenario], &all} {
			to.Turns, to.Compared, to.Agreed = to.Turns+r.Turns, to.Compared+r.Compared, to.Agreed+r.Agreed
		}
	})
	out = ShadowFigure{Turns: all.Turns, Compared: all.Compared, Agreement: ratio(all.Agreed, all.Compared), ByScenario: []ScenarioFigure{}}
	for _, name := range keys(sums) {
		x := sums[name]
		out.ByScenario = append(out.ByScenario, ScenarioFigure{
			name, x.Turns, x.Compared, ratio(x.Agreed, x.Compared), Wilson(x.Agreed, x.Compared), x.Compared >= enough,
		})
	}
	return out, err
}

func ratio(part, of int) *float64 {
	if of == 0 {
		return nil
	}
	r := float64(part) / float64(of)
	return &r
}

// Wilson is the interval in which a share lies with 95 percent certainty, given how many of
// how many were counted; nil for none.
func Wilson(part, of int) []float64 {
	if of == 0 {
		return nil
	}
	const z = 1.96
	n, p := float64(of), float64(part)/float64(of)
	middle, spread := p+z*z/(2*n), z*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return []float64{max(0, (middle-spread)/(1+z*z/n)), min(1, (middle+spread)/(1+z*z/n))}
}
