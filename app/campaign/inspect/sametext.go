package inspect

import (
	"context"
	"time"

	"svc/app/campaign/record"
	"svc/app/campaign/targeting"
	"svc/app/recipient"
	"svc/app/recipient/audience"
	"svc/app/send"
	"svc/store"
)

// sameText is how far back the same text counts as sent before (contract 5: duplicate_send).
const sameText = 7 * 24 * time.Hour

// sentBefore is a campaign that may have sent a text lately, and when.
type sentBefore struct {
	campaign string
	parts    []record.TextVersion
}

// possibleDuplicates are the people of an audience who may have got a text of a campaign lately, and
// the campaigns that they would have it from.
type possibleDuplicates struct {
	who  audience.Frozen
	from []sentBefore
}

// gatherSameText finds the campaigns that had the text of a campaign in the last days.
// Whom they sent it to, somebody has to look up (repeated).
func (f *inspection) gatherSameText(tx *store.Tx, orgID string, k *record.Campaign, who audience.Frozen) error {
	const most = 20
	if k.TextHash == "" {
		return nil
	}
	since := f.Now.Add(-sameText)
	list, err := record.WithText(tx, orgID, k.TextHash, since, most)
	if err != nil {
		return err
	}
	var before []audience.Frozen
	f.same = possibleDuplicates{}
	for i := range list {
		other := &list[i]
		p, err := record.GetPlan(tx, orgID, other.ID)
		if store.IgnoreNotFound(err) != nil {
			return err
		}
		if err != nil || other.ID == k.ID {
			continue
		}
		found := sentBefore{campaign: other.ID}
		for _, w := range other.Wordings() {
			if w.Hash == k.TextHash && w.Until.After(since) {
				found.parts = append(found.parts, w)
			}
		}
		before, f.same.from = append(before, p.Frozen), append(f.same.from, found)
	}
	if len(before) > 0 {
		f.same.who, err = audience.Again(tx, orgID, who, before, since)
	}
	return err
}

// repeated is how many of those people got the text in the last days.
func (s *Inspector) repeated(ctx context.Context, orgID string, m possibleDuplicates, now time.Time) (n int, err error) {
	if len(m.who) == 0 {
		return 0, nil
	}
	since := now.Add(-sameText)
	for after := (store.Cursor)(nil); ; {
		type page struct {
			found int
			next  store.Cursor
		}
		p, err := record.View(ctx, s.db, func(tx *store.Tx) (p page, err error) {
			people, next, err := recipient.PageOf(tx, orgID, m.who, after, targeting.PageSize)
			p.next = next
			for i := range people {
				if err != nil {
					break
				}
				var got bool
				if got, err = m.got(tx, orgID, people[i].ID, since); got {
					p.found++
				}
			}
			return p, err
		})
		if err != nil {
			return 0, err
		}
		n += p.found
		if after = p.next; after == nil {
			return n, nil
		}
	}
}

// got says whether a person was sent the text since a time.
func (m *possibleDuplicates) got(tx *store.Tx, orgID, recipientID string, since time.Time) (bool, error) {
	for _, b := range m.from {
		j, err := send.Of(tx, orgID, b.campaign, recipientID)
		if store.IgnoreNotFound(err) != nil {
			return false, err
		}
		if err != nil || j.Status != send.Delivered || j.SentAt.Before(since) {
			continue
		}
		for _, w := range b.parts {
			if !j.SentAt.Before(w.From) && !j.SentAt.After(w.Until) {
				return true, nil
			}
		}
	}
	return false, nil
}
