package campaign

import (
	"context"
	"unicode/utf8"

	"svc/app/account"
	"svc/app/api"
	"svc/app/recipient"
	"svc/app/send"
	"svc/store"
)

// only says whom a copy of a campaign is for.
type only string

const (
	everybody only = "ALL"
	unsent    only = "UNSENT"
	failed    only = "FAILED"
)

type duplicateIn struct {
	IDIn
	Body *duplicateBody // may be absent
}

type duplicateBody struct {
	Name string `json:"name" maxLength:"120" doc:"The name of the copy."`
	Only only   `json:"only" enum:"ALL,UNSENT,FAILED" default:"ALL" doc:"UNSENT: who has no outcome; FAILED: who failed or could not be reached. The copy is for exactly those."`
}

// duplicate makes a draft of the same campaign, for the same audience or for those of
// its people with some outcome.
func (s *Service) duplicate(c *api.Call, in duplicateIn) (Shown, error) {
	b := duplicateBody{Only: everybody}
	if in.Body != nil {
		b = *in.Body
	}
	var kept store.Selection
	if b.Only != everybody && b.Only != "" {
		var err error
		if kept, err = s.peopleWith(c, c.Org, in.ID, b.Only); err != nil {
			return Shown{}, err
		}
	}
	return update(c, s.db, func(tx *store.Tx) (out Shown, err error) {
		from, err := campaigns.Get(tx, c.Org, in.ID)
		if err != nil {
			return out, err
		}
		k, err := s.copyOf(tx, c.Org, &from)
		if err != nil {
			return out, err
		}
		k.Name, k.CreatedBy = firstOf(b.Name, copyName(from.Name)), c.Caller.ID
		if b.Only != everybody && b.Only != "" {
			if err := k.keepOnly(tx, c.Org, kept); err != nil {
				return out, err
			}
		}
		if err := k.check(tx, c.Org); err != nil {
			return out, err
		}
		if err := s.saveNew(tx, c, k); err != nil {
			return out, err
		}
		return s.show(tx, c.Org, k, recipient.MaxPicked)
	})
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
func (s *Service) copyOf(tx *store.Tx, orgID string, from *Campaign) (*Campaign, error) {
	now := tx.DB().Now()
	k := &Campaign{
		ID: tx.DB().NewID("cmp"), Name: from.Name, Description: from.Description, Status: Draft, StatusChangedAt: now,
		ListIDs: from.ListIDs, Tags: from.Tags, Timezone: from.Timezone, Window: from.Window, MinDays: from.MinDays, CreatedAt: now, UpdatedAt: now,
	}
	for _, id := range from.AccountIDs {
		if _, err := account.Get(tx, orgID, id); err == nil {
			k.AccountIDs = append(k.AccountIDs, id)
		} else if !store.IsNotFound(err) {
			return nil, err
		}
	}
	if from.Picked > 0 {
		p, err := pickTable.Get(tx, orgID, from.ID)
		if err != nil {
			return nil, err
		}
		p.ID = k.ID
		if err := k.pick(tx, orgID, p, from.Picked); err != nil {
			return nil, err
		}
	}
	m, err := from.message(tx.DB(), orgID)
	if err != nil {
		return nil, err
	}
	return k, k.copyMessage(tx, orgID, m)
}

// keepOnly makes the audience exactly those people.
func (k *Campaign) keepOnly(tx *store.Tx, orgID string, kept store.Selection) error {
	n, err := kept.Count()
	if err != nil {
		return err
	}
	k.ListIDs, k.Tags = nil, nil
	if n > recipient.MaxPicked {
		return k.pick(tx, orgID, picks{ID: k.ID, Kept: kept}, n)
	}
	people, _, err := recipient.PageOf(tx, orgID, kept, nil, recipient.MaxPicked)
	if err != nil {
		return err
	}
	p := picks{ID: k.ID, IDs: make([]string, len(people))}
	for i := range people {
		p.IDs[i] = people[i].ID
	}
	return k.pick(tx, orgID, p, len(p.IDs))
}

// peopleWith collects the people of a campaign with one of some outcomes, who are still
// there. Of a campaign that is under way it is who they are while this reads.
func (s *Service) peopleWith(ctx context.Context, orgID, id string, by only) (kept store.Selection, err error) {
	who, err := view(ctx, s.db, func(tx *store.Tx) (recipient.Frozen, error) { return s.meantBy(tx, orgID, id) })
	if err != nil {
		return nil, err
	}
	for after := (store.Cursor)(nil); ; {
		type page struct {
			kept store.Selection
			next store.Cursor
		}
		p, err := view(ctx, s.db, func(tx *store.Tx) (p page, err error) {
			people, next, err := recipient.PageOf(tx, orgID, who, after, scannedAtATime)
			if err != nil {
				return p, err
			}
			ids, err := by.among(tx, orgID, id, people)
			if err != nil {
				return p, err
			}
			p.next = next
			p.kept, _, err = recipient.Audience{Picked: ids, Kept: kept}.Freeze(tx, orgID)
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

// meantBy is the audience of the campaign of an id.
func (s *Service) meantBy(tx *store.Tx, orgID, id string) (recipient.Frozen, error) {
	k, err := campaigns.Get(tx, orgID, id)
	if err != nil {
		return nil, err
	}
	who, _, err := s.meant(tx, orgID, &k)
	return who, err
}

// among are the ids of the people with such an outcome. Who has no row has none yet.
func (o only) among(tx *store.Tx, orgID, id string, people []recipient.Recipient) (ids []string, err error) {
	for i := range people {
		j, err := send.Of(tx, orgID, id, people[i].ID)
		if store.IgnoreNotFound(err) != nil {
			return nil, err
		}
		if o.means(j.Status) {
			ids = append(ids, people[i].ID)
		}
	}
	return ids, nil
}

// means says whether an outcome, "" for none, is one of those.
func (o only) means(s send.Status) bool {
	if o == failed {
		return s == send.Failed || s == send.Unreachable
	}
	return s == "" || s == send.Waiting || s == send.Cancelled
}
