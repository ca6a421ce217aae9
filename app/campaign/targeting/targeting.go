// Package targeting says whom a campaign is for and what each of them would get: who is meant, who of
// them may be written to and has a value for every variable of the text, and from which account.
//
// The preview, the checks, the planning, the rehearsal and the message that goes out ask the same
// functions, so that they do not differ. It reads and decides, and changes nothing but the audience
// of a draft, which the caller saves.
package targeting

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"svc/app/api"
	"svc/app/campaign/record"
	"svc/app/recipient"
	"svc/app/recipient/audience"
	"svc/store"
)

// AudienceIn says who gets a campaign (contract 34; 21.2, Audience).
type AudienceIn struct {
	_            struct{}             `additionalProperties:"false"`
	Everyone     bool                 `json:"everyone" doc:"Everybody; else everybody in one of the lists, with one of the tags, or named."`
	ListIDs      []string             `json:"list_ids" maxItems:"100"`
	Tags         []string             `json:"tags" maxItems:"100"`
	RecipientIDs []string             `json:"recipient_ids" maxItems:"5000"`
	Where        []audience.Condition `json:"where" maxItems:"20" doc:"Of those, only the people for whom these conditions hold. Texts are compared without regard to capitals; numbers also with texts that read as one; gt and lt also compare dates. ne holds for people without a value too."`
	Match        audience.Match       `json:"match" enum:"ALL,ANY" doc:"How the conditions are joined; ALL when left out."`
	Exclude      *record.Exclude      `json:"exclude" doc:"Who is in one of these is left out, whatever else holds."`
}

// ShownAudience is an audience as the API answers it.
type ShownAudience struct {
	Everyone     bool                 `json:"everyone"`
	ListIDs      []string             `json:"list_ids"`
	Tags         []string             `json:"tags"`
	RecipientIDs []string             `json:"recipient_ids" doc:"The first 5000; in a list of campaigns the first 100."`
	Picked       int                  `json:"recipient_count" doc:"How many people are named."`
	Where        []audience.Condition `json:"where"`
	Match        audience.Match       `json:"match" enum:"ALL,ANY"`
	Exclude      record.Exclude       `json:"exclude"`
	// FollowUp is of a copy for some of the people of its original.
	FollowUp *record.FollowUp `json:"follow_up" doc:"Of which campaign and which of its people a copy was made for; null for any other."`
}

// Clean takes out what is said twice.
func (a *AudienceIn) Clean() {
	lists := []*[]string{&a.ListIDs, &a.Tags, &a.RecipientIDs}
	if a.Exclude != nil {
		own := *a.Exclude // the request's
		a.Exclude = &own
		lists = append(lists, &own.ListIDs, &own.Tags, &own.CampaignIDs)
	}
	for _, list := range lists {
		var out []string
		seen := map[string]struct{}{}
		for _, s := range *list {
			s = strings.TrimSpace(s)
			if _, duplicate := seen[s]; s != "" && !duplicate {
				seen[s] = struct{}{}
				out = append(out, s)
			}
		}
		*list = out
	}
	if a.Exclude.Empty() {
		a.Exclude = nil
	}
	if a.Match == audience.MatchAll || len(a.Where) == 0 {
		a.Match = "" // as old records have it
	}
	if len(a.Where) == 0 {
		a.Where = nil
	}
}

// Aim says who a campaign is for.
func Aim(tx *store.Tx, orgID string, k *record.Campaign, a AudienceIn) error {
	if err := Check(tx, orgID, k, &a, a.RecipientIDs); err != nil {
		return err
	}
	Set(k, &a)
	return k.Pick(tx, orgID, record.Picks{ID: k.ID, IDs: a.RecipientIDs}, len(a.RecipientIDs))
}

// Set takes over all but the people who are named.
func Set(k *record.Campaign, a *AudienceIn) {
	k.Everyone, k.ListIDs, k.Tags, k.Where, k.Match, k.Exclude = a.Everyone, a.ListIDs, a.Tags, a.Where, a.Match, a.Exclude
}

// Check refuses what an audience names and is not there, and conditions that
// cannot be asked.
func Check(tx *store.Tx, orgID string, k *record.Campaign, a *AudienceIn, picked []string) error {
	if err := audience.CheckConditions("audience.where", a.Where); err != nil {
		return err
	}
	exclude := record.Exclude{}
	if a.Exclude != nil {
		exclude = *a.Exclude
	}
	noLists, noPeople, err := audience.CheckAudience(tx, orgID, audience.Audience{Lists: a.ListIDs, NotLists: exclude.ListIDs, Picked: picked})
	switch {
	case err != nil:
		return err
	case len(noLists) > 0 && slices.Contains(a.ListIDs, noLists[0]):
		return api.Wrong("audience.list_ids", "there is no list %.64s", noLists[0])
	case len(noLists) > 0:
		return api.Wrong("audience.exclude.list_ids", "there is no list %.64s", noLists[0])
	case len(noPeople) > 0:
		return api.Wrong("audience.recipient_ids", "there is no recipient %.64s", noPeople[0])
	}
	for _, id := range exclude.CampaignIDs {
		switch there, err := record.Has(tx, orgID, id); {
		case err != nil:
			return err
		case !there:
			return api.Wrong("audience.exclude.campaign_ids", "there is no campaign %.64s", id)
		case id == k.ID:
			return api.Wrong("audience.exclude.campaign_ids", "a campaign cannot leave out its own people")
		}
	}
	return nil
}

// Resolve reads whom a campaign is for, where that needs people to be read
// (audience.Resolve); nil where it does not, or everybody was frozen before. It comes
// before the transaction that asks Meant.
func (s *Reader) Resolve(ctx context.Context, orgID, id string) (*audience.Frozen, error) {
	return audience.Resolve(ctx, s.db, orgID, func(tx *store.Tx) (audience.Audience, error) {
		k, err := record.Get(tx, orgID, id)
		if err != nil || k.SnapshotAt != nil {
			return audience.Audience{}, err
		}
		return k.AudienceTerms(tx, orgID)
	})
}

// Meant is everybody whom a campaign is for, and how many: as they were frozen, once they
// were. Counting before a launch, and the launch, both ask it. found is what Resolve
// answered.
func Meant(tx *store.Tx, orgID string, k *record.Campaign, found *audience.Frozen) (audience.Frozen, int, error) {
	if k.SnapshotAt != nil {
		p, err := record.GetPlan(tx, orgID, k.ID)
		return p.Frozen, k.Audience, err
	}
	a, err := k.AudienceTerms(tx, orgID)
	if err != nil {
		return nil, 0, err
	}
	frozen, n, err := a.Freeze(tx, orgID, found)
	if err != nil {
		return nil, 0, err
	}
	return onlyNew(tx, orgID, k, frozen, n)
}

// Show is the audience of a campaign as the API answers it, with the first of the people that it names,
// most of them.
func Show(tx *store.Tx, orgID string, k *record.Campaign, most int) (ShownAudience, error) {
	out := ShownAudience{
		Everyone: k.Everyone, ListIDs: append([]string{}, k.ListIDs...), Tags: append([]string{}, k.Tags...), RecipientIDs: []string{}, Picked: k.Picked,
		Where: append([]audience.Condition{}, k.Where...), Match: audience.Match(cmp.Or(string(k.Match), string(audience.MatchAll))), FollowUp: k.Follows,
	}
	if k.Exclude != nil {
		out.Exclude = *k.Exclude
	}
	for _, list := range []*[]string{&out.Exclude.ListIDs, &out.Exclude.Tags, &out.Exclude.CampaignIDs} {
		*list = append([]string{}, *list...)
	}
	if k.Picked == 0 {
		return out, nil
	}
	p, err := record.GetPicks(tx, orgID, k.ID)
	if err != nil {
		return out, err
	}
	out.RecipientIDs = append(out.RecipientIDs, p.IDs[:min(len(p.IDs), most)]...)
	if len(p.Kept) == 0 {
		return out, nil
	}
	list, _, err := recipient.PageOf(tx, orgID, p.Kept, nil, most)
	for i := range list {
		out.RecipientIDs = append(out.RecipientIDs, list[i].ID)
	}
	return out, err
}

// onlyNew leaves those out of the audience of a run whom an earlier run was planned
// for. When the campaign begins, they are noted (begin).
func onlyNew(tx *store.Tx, orgID string, k *record.Campaign, who audience.Frozen, n int) (audience.Frozen, int, error) {
	r, ok, err := k.NewOnlySeries(tx, orgID)
	if err != nil || !ok {
		return who, n, err
	}
	return audience.Without(tx, orgID, who, r.Met)
}
