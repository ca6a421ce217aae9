package org

import (
	"time"

	"svc/app/api"
	"svc/store"
)

// UsedMessages are what was sent in a period.
type UsedMessages struct {
	Sent   int `json:"sent"`
	Failed int `json:"failed"`
}

// UsedAI is what the AI cost in a period.
type UsedAI struct {
	CostUSD           float64  `json:"cost_usd"`
	TokensIn          int64    `json:"tokens_in"`
	TokensOut         int64    `json:"tokens_out"`
	BudgetUSD         *float64 `json:"budget_usd"`
	BudgetUsedPercent *float64 `json:"budget_used_percent"`
}

// Meter reads what an organization sent and spent from a time, inclusive, to
// another, exclusive. The slices that know are below this one.
type Meter struct {
	Messages func(tx *store.Tx, orgID string, from, to time.Time) (UsedMessages, error)
	AI       func(tx *store.Tx, orgID string, from, to time.Time) (UsedAI, error)
}

// Usage is the answer of GET /organization/usage (contract 3).
type Usage struct {
	Plan   Plan `json:"plan"`
	Period struct {
		From time.Time `json:"from"`
		To   time.Time `json:"to" doc:"Exclusive."`
	} `json:"period" doc:"The calendar month in UTC."`
	Limits   map[LimitKey]any `json:"limits" doc:"What the plan and its overrides allow; null is unlimited."`
	Used     map[LimitKey]int `json:"used"`
	Messages UsedMessages     `json:"messages"`
	AI       UsedAI           `json:"ai"`
}

// counted are the limits that something is counted against.
var counted = []LimitKey{
	LimitAccounts, LimitChannelAccounts, LimitActiveCampaigns, LimitMembers, LimitWebhooks, LimitRecipients,
	LimitStorageMB, LimitAIBusinesses, LimitKnowledgeSources,
}

// Used is how much of a limit the organization uses.
func (s *Service) Used(tx *store.Tx, orgID string, key LimitKey) (int, error) {
	if count := s.counters[key]; count != nil {
		return count(tx, orgID)
	}
	return 0, nil
}

func (s *Service) usage(c *api.Call, tx *store.Tx, _ struct{}) (out Usage, err error) {
	return s.UsageOf(tx, c.Org, c.Now)
}

// UsageOf reads the usage of an organization in the month of a time.
func (s *Service) UsageOf(tx *store.Tx, orgID string, now time.Time) (out Usage, err error) {
	o, err := Get(tx, orgID)
	if err != nil {
		return out, err
	}
	now = now.UTC()
	from := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
	out = Usage{Plan: o.Plan, Limits: o.Effective(), Used: map[LimitKey]int{}}
	out.Period.From, out.Period.To = from, from.AddDate(0, 1, 0)
	for _, key := range counted {
		if out.Used[key], err = s.Used(tx, orgID, key); err != nil {
			return out, err
		}
	}
	out.Messages, out.AI, err = s.Metered(tx, orgID, from, out.Period.To)
	return out, err
}
