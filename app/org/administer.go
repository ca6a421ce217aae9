package org

import (
	"slices"
	"strings"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/audit"
	"svc/app/user"
	"svc/store"
)

// Filter narrows a list of organizations; a zero field does not filter.
type Filter struct {
	// Q is the beginning of a name, of a word in it, or of a slug.
	Q      string
	Status Status
	Plan   Plan
}

// List reads a page of organizations in the order in which they were made, or the
// newest first. The total is exact.
func List(tx *store.Tx, f Filter, newestFirst bool, in api.PageIn) (store.Page[Organization], error) {
	var where []store.Cond[Organization]
	if f.Status != "" {
		where = append(where, statusFacet.Any(string(f.Status)))
	}
	if f.Plan != "" {
		where = append(where, planFacet.Any(string(f.Plan)))
	}
	if q := searched(f.Q); q != "" {
		where = append(where, bySearch.Where(store.HasPrefix(q)))
	}
	return table.Page(tx, store.Platform, store.Query[Organization]{Where: where, Reverse: newestFirst, Offset: in.Offset, Limit: in.Limit, After: in.Behind()})
}

// Count is how many organizations there are.
func Count(tx *store.Tx) (int, error) { return table.Count(tx, store.Platform) }

// searched is a text as it is looked for.
func searched(s string) string { return strings.Join(strings.Fields(store.Fold(s)), " ") }

// maxSearchWords bounds by how many words of its name an organization is found.
const maxSearchWords = 10

// searchKeys are what an organization is found by, from its beginning on.
func searchKeys(o *Organization) (out []store.Key) {
	texts := []string{o.Slug}
	words := strings.Fields(store.Fold(o.Name))
	for i := range words[:min(len(words), maxSearchWords)] {
		texts = append(texts, strings.Join(words[i:], " "))
	}
	slices.Sort(texts)
	for _, t := range slices.Compact(texts) {
		out = append(out, store.Text(t))
	}
	return out
}

// OwnerOf is the address of an organization's first OWNER, with the person's id; of
// one that nobody owns yet, the address that is invited to, and no id. Both are ""
// when there is neither.
func OwnerOf(tx *store.Tx, orgID string) (email, userID string, err error) {
	owners, err := members.Page(tx, orgID, store.Query[Member]{Where: []store.Cond[Member]{memberRole.Any(string(perm.Owner))}, Limit: 1})
	if err != nil {
		return "", "", err
	}
	if len(owners.Data) > 0 {
		u, err := user.Get(tx, owners.Data[0].UserID)
		if store.IsNotFound(err) {
			err = nil
		}
		return u.Email, owners.Data[0].UserID, err
	}
	open, err := invitations.Page(tx, orgID, store.Query[Invitation]{Where: stillOpen(tx.DB().Now()), Limit: api.MaxLimit})
	for i := range open.Data {
		if open.Data[i].Role == perm.Owner {
			return open.Data[i].Email, "", err
		}
	}
	return "", "", err
}

// Administration is what a platform administrator may change of an organization
// (contract 20.17); nil keeps what is.
type Administration struct {
	Name                     *string
	Plan                     *Plan
	AIEnabled                *bool
	ConversationIntelligence *bool
}

// Administer changes an organization. A plan that allows less takes nothing away: it
// only keeps more from being added. It is written into the log of the organization.
func Administer(tx *store.Tx, c *api.Call, id string, in Administration) (Organization, []audit.Detail, error) {
	before, err := Get(tx, id)
	if err != nil {
		return before, nil, err
	}
	after := before
	if in.Name != nil {
		if after.Name, err = checkName(*in.Name); err != nil {
			return before, nil, err
		}
	}
	if in.Plan != nil {
		if !in.Plan.Valid() {
			return before, nil, api.Wrong("plan", "must be FREE, STARTER, PRO or ENTERPRISE")
		}
		after.Plan = *in.Plan
	}
	if in.AIEnabled != nil {
		after.AIEnabled = *in.AIEnabled
	}
	if in.ConversationIntelligence != nil {
		after.ConversationIntelligence = *in.ConversationIntelligence
	}
	if !changed(&before, &after) {
		return after, nil, nil
	}
	after.UpdatedAt = tx.DB().Now()
	if err := save(tx, &after); err != nil {
		return before, nil, err
	}
	details := []audit.Detail{
		audit.Changed("name", before.Name, after.Name), audit.Changed("plan", before.Plan, after.Plan),
		audit.Changed("ai_enabled", before.AIEnabled, after.AIEnabled),
		audit.Changed("conversation_intelligence_enabled", before.ConversationIntelligence, after.ConversationIntelligence),
	}
	return after, details, audit.WriteTo(tx, id, c, "organization.updated", audit.On("organization", after.ID, after.Name), details...)
}

// Metered is what an organization sent and spent from a time, inclusive, to another,
// exclusive.
func (s *Service) Metered(tx *store.Tx, orgID string, from, to time.Time) (sent UsedMessages, spent UsedAI, err error) {
	if s.meter.Messages != nil {
		if sent, err = s.meter.Messages(tx, orgID, from, to); err != nil {
			return sent, spent, err
		}
	}
	if s.meter.AI != nil {
		spent, err = s.meter.AI(tx, orgID, from, to)
	}
	return sent, spent, err
}

// Suspensions is how many organizations are suspended.
func Suspensions(tx *store.Tx) (int, error) {
	return statusFacet.Count(tx, store.Platform, string(Suspended))
}
