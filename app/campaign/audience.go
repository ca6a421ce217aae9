package campaign

import (
	"context"
	"slices"
	"strings"

	"svc/app/api"
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
	Exclude      *Exclude             `json:"exclude" doc:"Who is in one of these is left out, whatever else holds."`
}

// Exclude names who is left out of an audience.
type Exclude struct {
	_           struct{} `additionalProperties:"false"`
	ListIDs     []string `json:"list_ids" maxItems:"100"`
	Tags        []string `json:"tags" maxItems:"100"`
	CampaignIDs []string `json:"campaign_ids" maxItems:"20" doc:"Everybody in the frozen audience of one of these campaigns, whatever became of them; one that has not begun when this one does leaves nobody out."`
}

func (e *Exclude) empty() bool {
	return e == nil || len(e.ListIDs)+len(e.Tags)+len(e.CampaignIDs) == 0
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
	Exclude      Exclude              `json:"exclude"`
	// FollowUp is of a copy for some of the people of its original.
	FollowUp *FollowUp `json:"follow_up" doc:"Of which campaign and which of its people a copy was made for; null for any other."`
}

// clean takes out what is said twice.
func (a *AudienceIn) clean() {
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
			if _, twice := seen[s]; s != "" && !twice {
				seen[s] = struct{}{}
				out = append(out, s)
			}
		}
		*list = out
	}
	if a.Exclude.empty() {
		a.Exclude = nil
	}
	if a.Match == audience.MatchAll || len(a.Where) == 0 {
		a.Match = "" // as old records have it
	}
	if len(a.Where) == 0 {
		a.Where = nil
	}
}

// aim says who a campaign is for.
func (k *Campaign) aim(tx *store.Tx, orgID string, a AudienceIn) error {
	if err := k.checkAudience(tx, orgID, &a, a.RecipientIDs); err != nil {
		return err
	}
	k.setAudience(&a)
	return k.pick(tx, orgID, picks{ID: k.ID, IDs: a.RecipientIDs}, len(a.RecipientIDs))
}

// setAudience takes over all but the people who are named.
func (k *Campaign) setAudience(a *AudienceIn) {
	k.Everyone, k.ListIDs, k.Tags, k.Where, k.Match, k.Exclude = a.Everyone, a.ListIDs, a.Tags, a.Where, a.Match, a.Exclude
}

// checkAudience refuses what an audience names and is not there, and conditions that
// cannot be asked.
func (k *Campaign) checkAudience(tx *store.Tx, orgID string, a *AudienceIn, picked []string) error {
	if err := audience.CheckConditions("audience.where", a.Where); err != nil {
		return err
	}
	exclude := Exclude{}
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
		switch there, err := campaigns.Has(tx, orgID, id); {
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

// audience is what is said of who the campaign is for.
func (k *Campaign) audience(tx *store.Tx, orgID string) (a audience.Audience, err error) {
	a = audience.Audience{Everyone: k.Everyone, Lists: k.ListIDs, Tags: k.Tags, Where: k.Where, Match: k.Match}
	if k.Exclude != nil {
		a.NotLists, a.NotTags = k.Exclude.ListIDs, k.Exclude.Tags
		for _, id := range k.Exclude.CampaignIDs {
			p, err := plans.Get(tx, orgID, id)
			if store.IgnoreNotFound(err) != nil {
				return a, err
			}
			if err == nil {
				a.NotIn = append(a.NotIn, p.Frozen)
			}
		}
	}
	if k.Picked == 0 {
		return a, nil
	}
	p, err := pickTable.Get(tx, orgID, k.ID)
	a.Picked, a.Kept = p.IDs, p.Kept
	return a, err
}

// readAudience reads whom a campaign is for, where that needs people to be read
// (audience.Resolve); nil where it does not, or everybody was frozen before. It comes
// before the transaction that asks meant.
func (s *Service) readAudience(ctx context.Context, orgID, id string) (*audience.Frozen, error) {
	return audience.Resolve(ctx, s.db, orgID, func(tx *store.Tx) (audience.Audience, error) {
		k, err := campaigns.Get(tx, orgID, id)
		if err != nil || k.SnapshotAt != nil {
			return audience.Audience{}, err
		}
		return k.audience(tx, orgID)
	})
}

// meant is everybody whom a campaign is for, and how many: as they were frozen, once they
// were. Counting before a launch, and the launch, both ask it. found is what readAudience
// answered.
func (s *Service) meant(tx *store.Tx, orgID string, k *Campaign, found *audience.Frozen) (audience.Frozen, int, error) {
	if k.SnapshotAt != nil {
		p, err := plans.Get(tx, orgID, k.ID)
		return p.Frozen, k.Audience, err
	}
	a, err := k.audience(tx, orgID)
	if err != nil {
		return nil, 0, err
	}
	frozen, n, err := a.Freeze(tx, orgID, found)
	if err != nil {
		return nil, 0, err
	}
	return s.onlyNew(tx, orgID, k, frozen, n)
}

func (k *Campaign) shownAudience(tx *store.Tx, orgID string, most int) (ShownAudience, error) {
	out := ShownAudience{
		Everyone: k.Everyone, ListIDs: notNil(k.ListIDs), Tags: notNil(k.Tags), RecipientIDs: []string{}, Picked: k.Picked,
		Where: append([]audience.Condition{}, k.Where...), Match: audience.Match(firstOf(string(k.Match), string(audience.MatchAll))), FollowUp: k.Follows,
	}
	if k.Exclude != nil {
		out.Exclude = *k.Exclude
	}
	for _, list := range []*[]string{&out.Exclude.ListIDs, &out.Exclude.Tags, &out.Exclude.CampaignIDs} {
		*list = notNil(*list)
	}
	if k.Picked == 0 {
		return out, nil
	}
	p, err := pickTable.Get(tx, orgID, k.ID)
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
