package campaign

import (
	"cmp"
	"context"
	"unicode/utf8"

	"svc/app/account"
	"svc/app/api"
	"svc/app/campaign/record"
	"svc/app/campaign/targeting"
	"svc/app/recipient"
	"svc/app/recipient/audience"
	"svc/app/send"
	"svc/store"
)

type duplicateIn struct {
	record.IDIn
	Body *duplicateBody // may be absent
}

type duplicateBody struct {
	Name     string      `json:"name" maxLength:"120" doc:"The name of the copy."`
	Only     record.Only `json:"only" enum:"ALL,UNSENT,FAILED" default:"ALL" doc:"UNSENT: who has no outcome; FAILED: who failed or could not be reached. The copy is for exactly those."`
	Audience record.Only `json:"audience" enum:"UNREACHED,NOT_READ,NOT_REPLIED,REPLIED" doc:"For a follow-up, in the place of only. UNREACHED: whose turn is over without the message having arrived (failed, unreachable, skipped, cancelled); NOT_READ, NOT_REPLIED, REPLIED: of those who got it. The copy is for exactly the people of whom this holds now, however many."`
}

// chosen is which of the people of the original a copy is for.
func (b *duplicateBody) chosen() (record.Only, error) {
	all := b.Only == record.OnlyAll || b.Only == ""
	switch {
	case b.Audience == "" && all:
		return record.OnlyAll, nil
	case b.Audience == "":
		return b.Only, nil
	case !all:
		return "", api.Wrong("audience", "cannot stand beside only; leave one of them out")
	}
	return b.Audience, nil
}

// duplicate makes a draft of the same campaign, for the same audience or for those of
// its people with some outcome.
func (s *Service) duplicate(c *api.Call, in duplicateIn) (Shown, error) {
	b := duplicateBody{Only: record.OnlyAll}
	if in.Body != nil {
		b = *in.Body
	}
	of, err := b.chosen()
	if err != nil {
		return Shown{}, err
	}
	var kept store.Selection
	if of != record.OnlyAll {
		if kept, err = s.peopleWith(c, c.Org, in.ID, of); err != nil {
			return Shown{}, err
		}
	}
	return record.Update(c, s.db, func(tx *store.Tx) (out Shown, err error) {
		k, err := s.followUp(tx, c, in.ID, b.Name, of, kept)
		if err != nil {
			return out, err
		}
		return s.insertNew(tx, c, k)
	})
}

// followUp is a copy of a campaign for all of its people, or for those who were kept.
func (s *Service) followUp(tx *store.Tx, c *api.Call, id, name string, of record.Only, kept store.Selection) (*record.Campaign, error) {
	from, err := record.Get(tx, c.Org, id)
	if err != nil {
		return nil, err
	}
	k, err := s.copyOf(tx, c.Org, &from)
	if err != nil {
		return nil, err
	}
	k.Name, k.CreatedBy = cmp.Or(name, copyName(from.Name)), c.Caller.ID
	if of != record.OnlyAll {
		if err := keepOnly(tx, c.Org, k, kept); err != nil {
			return nil, err
		}
		k.Follows = &record.FollowUp{CampaignID: from.ID, Audience: of}
	}
	return k, checkFields(tx, c.Org, k)
}

// copyName is the name of a copy within the bound of names.
func copyName(name string) string {
	const suffix, most = " (copy)", 120
	for utf8.RuneCountInString(name)+len(suffix) > most {
		_, n := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-n]
	}
	return name + suffix
}

// copyOf is a new draft with the content, the audience and the settings of a campaign.
// Its times are its own; the caller saves it.
func (s *Service) copyOf(tx *store.Tx, orgID string, from *record.Campaign) (*record.Campaign, error) {
	now := tx.DB().Now()
	k := &record.Campaign{
		ID: tx.DB().NewID("cmp"), Name: from.Name, Description: from.Description, Status: record.Draft, StatusChangedAt: now,
		Everyone: from.Everyone, ListIDs: from.ListIDs, Tags: from.Tags, Where: from.Where, Match: from.Match, Exclude: from.Exclude, Follows: from.Follows, Timezone: from.Timezone, Window: from.Window, MinDays: from.MinDays, CreatedAt: now, UpdatedAt: now,
	}
	for _, id := range from.AccountIDs {
		if _, err := account.Get(tx, orgID, id); err == nil {
			k.AccountIDs = append(k.AccountIDs, id)
		} else if !store.IsNotFound(err) {
			return nil, err
		}
	}
	if from.Picked > 0 {
		p, err := record.GetPicks(tx, orgID, from.ID)
		if err != nil {
			return nil, err
		}
		p.ID = k.ID
		if err := k.Pick(tx, orgID, p, from.Picked); err != nil {
			return nil, err
		}
	}
	m, err := from.OpenMessage(tx.DB(), orgID)
	if err != nil {
		return nil, err
	}
	return k, k.CopyMessage(tx, orgID, m)
}

// keepOnly makes the audience exactly those people.
func keepOnly(tx *store.Tx, orgID string, k *record.Campaign, kept store.Selection) error {
	n, err := kept.Count()
	if err != nil {
		return err
	}
	targeting.Set(k, &targeting.AudienceIn{})
	if n > audience.MaxPicked {
		return k.Pick(tx, orgID, record.Picks{ID: k.ID, Kept: kept}, n)
	}
	people, _, err := recipient.PageOf(tx, orgID, kept, nil, audience.MaxPicked)
	if err != nil {
		return err
	}
	p := record.Picks{ID: k.ID, IDs: make([]string, len(people))}
	for i := range people {
		p.IDs[i] = people[i].ID
	}
	return k.Pick(tx, orgID, p, len(p.IDs))
}

// peopleWith collects the people of a campaign with one of some outcomes, who are still
// there. Of a campaign that is under way it is who they are while this reads.
func (s *Service) peopleWith(ctx context.Context, orgID, id string, by record.Only) (kept store.Selection, err error) {
	var who audience.Frozen
	ended := false
	people, err := s.people.Resolve(ctx, orgID, id)
	if err != nil {
		return nil, err
	}
	err = s.db.View(ctx, func(tx *store.Tx) error {
		k, err := record.Get(tx, orgID, id)
		if err != nil {
			return err
		}
		ended = k.Status.Ended()
		who, _, err = targeting.Meant(tx, orgID, &k, people)
		return err
	})
	if err != nil {
		return nil, err
	}
	for after := (store.Cursor)(nil); ; {
		type page struct {
			kept store.Selection
			next store.Cursor
		}
		p, err := record.View(ctx, s.db, func(tx *store.Tx) (p page, err error) {
			people, next, err := recipient.PageOf(tx, orgID, who, after, targeting.PageSize)
			if err != nil {
				return p, err
			}
			ids, err := among(by, tx, orgID, id, ended, people)
			if err != nil {
				return p, err
			}
			p.next = next
			p.kept, _, err = audience.Audience{Picked: ids, Kept: kept}.Freeze(tx, orgID, nil)
			return p, err
		})
		if err != nil {
			return nil, err
		}
		kept = p.kept
		if after = p.next; after == nil {
			return kept, nil
		}
	}
}

// among are the ids of the people with such an outcome. Who has no row, or waits, has none
// yet; of a campaign that has ended such a person is cancelled.
func among(o record.Only, tx *store.Tx, orgID, id string, ended bool, people []recipient.Recipient) (ids []string, err error) {
	for i := range people {
		j, err := send.Of(tx, orgID, id, people[i].ID)
		if store.IgnoreNotFound(err) != nil {
			return nil, err
		}
		if !j.Status.Ended() || j.Status == "" {
			j.Status = ""
			if ended {
				j.Status = send.Cancelled
			}
		}
		if means(o, &j) {
			ids = append(ids, people[i].ID)
		}
	}
	return ids, nil
}

// means says whether what became of a person, a zero job for nothing yet, is one of those.
func means(o record.Only, j *send.Job) bool {
	got := j.Status == send.Delivered
	switch o {
	case record.OnlyFailed:
		return j.Status == send.Failed || j.Status == send.Unreachable
	case record.OnlyUnreached:
		return !got && j.Status != ""
	case record.OnlyNotRead:
		return got && j.ReadAt.IsZero()
	case record.OnlyNotReplied:
		return got && j.RepliedAt.IsZero()
	case record.OnlyReplied:
		return got && !j.RepliedAt.IsZero()
	}
	return j.Status == "" || j.Status == send.Cancelled
}
