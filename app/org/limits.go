package org

import (
	"slices"

	"svc/app/api"
	"svc/store"
)

// LimitKey names one limit of a plan.
type LimitKey string

// The limits (contract 3).
const (
	LimitAccounts           LimitKey = "accounts"
	LimitChannelAccounts    LimitKey = "channel_accounts"
	LimitActiveCampaigns    LimitKey = "active_campaigns"
	LimitMembers            LimitKey = "members"
	LimitWebhooks           LimitKey = "webhooks"
	LimitRecipients         LimitKey = "recipients"
	LimitAPIAccess          LimitKey = "api_access" // 1 is yes, 0 is no
	LimitStorageMB          LimitKey = "storage_mb"
	LimitAIBusinesses       LimitKey = "ai_businesses"
	LimitKnowledgeSources   LimitKey = "knowledge_sources"
	LimitEventRetentionDays LimitKey = "event_retention_days"
)

var limitKeys = []LimitKey{
	LimitAccounts, LimitChannelAccounts, LimitActiveCampaigns, LimitMembers, LimitWebhooks, LimitRecipients,
	LimitAPIAccess, LimitStorageMB, LimitAIBusinesses, LimitKnowledgeSources, LimitEventRetentionDays,
}

// LimitKeys lists all limits in the order of the table.
func LimitKeys() []LimitKey { return slices.Clone(limitKeys) }

// unlimited stands for null in the table.
const unlimited = -1

// plans is the table of contract 3: the limits in the order of
// limitKeys.
var plans = map[Plan][]int{
	Free:       {1, 1, 1, 2, 1, 500, 0, 500, 1, 10, 7},
	Starter:    {3, 3, 5, 5, 3, 10_000, 1, 5_000, 2, 100, 30},
	Pro:        {20, 20, 25, 25, 20, 250_000, 1, 50_000, 10, 1_000, 90},
	Enterprise: {unlimited, unlimited, unlimited, unlimited, unlimited, unlimited, 1, unlimited, unlimited, unlimited, 365},
}

// Valid says whether there is such a plan.
func (p Plan) Valid() bool { return plans[p] != nil }

// limit is a limit of the plan; a plan that is not in the table allows nothing.
func (p Plan) limit(key LimitKey) (n int, none bool) {
	i, row := slices.Index(limitKeys, key), plans[p]
	if i < 0 || row == nil {
		return 0, false
	}
	return max(row[i], 0), row[i] == unlimited
}

// Limit is what holds for the organization: an override, else the plan's. For
// LimitAPIAccess n is 1 or 0. Unlimited leaves n 0.
func (o *Organization) Limit(key LimitKey) (n int, noLimit bool) {
	if v, ok := o.Overrides[key]; ok {
		if v == nil {
			return 0, true
		}
		return *v, false
	}
	return o.Plan.limit(key)
}

// Allows says whether the organization may use the API, the one limit that is a
// yes or a no.
func (o *Organization) Allows(key LimitKey) bool {
	n, noLimit := o.Limit(key)
	return noLimit || n > 0
}

// value is a limit in the API: a number, null for unlimited, or, for api_access,
// yes or no.
func (key LimitKey) value(n int, noLimit bool) any {
	switch {
	case key == LimitAPIAccess:
		return noLimit || n > 0
	case noLimit:
		return nil
	}
	return n
}

// Limits are those of the plan, as the API shows them.
func (p Plan) Limits() map[LimitKey]any {
	out := map[LimitKey]any{}
	for _, key := range limitKeys {
		out[key] = key.value(p.limit(key))
	}
	return out
}

// Effective are the limits that hold for the organization, as the API shows them.
func (o *Organization) Effective() map[LimitKey]any {
	out := map[LimitKey]any{}
	for _, key := range limitKeys {
		out[key] = key.value(o.Limit(key))
	}
	return out
}

// Overridden are the limits that replace the plan's, as the API shows them.
func (o *Organization) Overridden() map[LimitKey]any {
	out := map[LimitKey]any{}
	for key := range o.Overrides {
		out[key] = key.value(o.Limit(key))
	}
	return out
}

// Limit is the limit of an organization.
func Limit(tx *store.Tx, orgID string, key LimitKey) (n int, noLimit bool, err error) {
	o, err := Get(tx, orgID)
	if err != nil {
		return 0, false, err
	}
	n, noLimit = o.Limit(key)
	return n, noLimit, nil
}

// ReadLimits is what Limit and CheckLimit read (store.Tx.Ahead).
func ReadLimits(orgID string) store.Read { return table.Read(store.Platform, orgID) }

// CheckLimit refuses with plan_limit_reached when adding that many would pass the
// organization's limit, naming the key, the limit and the use. Ask it in the
// transaction that adds, before anything is written. Lowering a limit below the use
// takes nothing away: it only keeps more from being added.
func CheckLimit(tx *store.Tx, orgID string, key LimitKey, used, adding int) error {
	n, noLimit, err := Limit(tx, orgID, key)
	switch {
	case err != nil:
		return err
	case noLimit || adding <= 0 || used+adding <= n:
		return nil
	case key == LimitAPIAccess:
		return api.ErrPlanLimit.WithMessage("The plan of this organization does not include the API (%s).", key)
	}
	return api.ErrPlanLimit.WithMessage("The plan allows %d (%s); %d are in use and %d more would pass it.", n, key, used, adding)
}
