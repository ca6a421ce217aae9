package campaign

import (
	"context"
	"time"

	"svc/app/recipient"
	"svc/app/recipient/audience"
	"svc/app/send"
	"svc/store"
)

// sameText is how far back the same text counts as sent before (contract 5: duplicate_send).
const sameText = 7 * 24 * time.Hour

// textVersion is a text, by its hash, that a campaign sent in a part of its time.
type textVersion struct {
	Hash string `json:"hash"`
	// Until is when another text took its place, or the campaign ended.
	Until time.Time `json:"until"`
	from  time.Time
}

// never is the end of a text that is still sent.
var never = time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)

// wordings are the texts that a campaign has sent, or may have, one after the other.
func (k *Campaign) wordings() []textVersion {
	if k.StartedAt == nil || k.TextHash == "" {
		return nil
	}
	last := textVersion{Hash: k.TextHash, Until: never}
	if k.FinishedAt != nil {
		last.Until = *k.FinishedAt
	}
	out, from := make([]textVersion, 0, len(k.Reworded)+1), time.Time{}
	for _, w := range append(k.Reworded[:len(k.Reworded):len(k.Reworded)], last) {
		w.from, from = from, w.Until
		out = append(out, w)
	}
	return out
}

// maxWordings bounds the texts that a campaign remembers.
const maxWordings = 50

// rewords notes that the text of a campaign is another from now on.
func (k *Campaign) rewords(hash string, now time.Time) {
	if k.StartedAt != nil && k.TextHash != "" && k.TextHash != hash {
		k.Reworded = append(k.Reworded[max(0, len(k.Reworded)-maxWordings+1):len(k.Reworded):len(k.Reworded)], textVersion{Hash: k.TextHash, Until: now})
	}
	k.TextHash = hash
}

// sentBefore is a campaign that may have sent a text lately, and when.
type sentBefore struct {
	campaign string
	parts    []textVersion
}

// possibleDuplicates are the people of an audience who may have got a text of a campaign lately, and
// the campaigns that they would have it from.
type possibleDuplicates struct {
	who  audience.Frozen
	from []sentBefore
}

// gatherSameText finds the campaigns that had the text of a campaign in the last days.
// Whom they sent it to, somebody has to look up (repeated).
func (f *inspection) gatherSameText(tx *store.Tx, orgID string, k *Campaign, who audience.Frozen) error {
	const most = 20
	if k.TextHash == "" {
		return nil
	}
	since := f.Now.Add(-sameText)
	text := store.Text(k.TextHash)
	span := store.Between(store.Tuple(text, store.Time(since)), store.Tuple(text, store.Time(never.Add(time.Hour))))
	list, _, err := byText.Walk(tx, orgID, store.Range{Span: span, Limit: most, Reverse: true})
	if err != nil {
		return err
	}
	var before []audience.Frozen
	f.same = possibleDuplicates{}
	for i := range list {
		other := &list[i]
		p, err := plans.Get(tx, orgID, other.ID)
		if store.IgnoreNotFound(err) != nil {
			return err
		}
		if err != nil || other.ID == k.ID {
			continue
		}
		found := sentBefore{campaign: other.ID}
		for _, w := range other.wordings() {
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
func (s *Service) repeated(ctx context.Context, orgID string, m possibleDuplicates, now time.Time) (n int, err error) {
	if len(m.who) == 0 {
		return 0, nil
	}
	since := now.Add(-sameText)
	for after := (store.Cursor)(nil); ; {
		type page struct {
			found int
			next  store.Cursor
		}
		p, err := view(ctx, s.db, func(tx *store.Tx) (p page, err error) {
			people, next, err := recipient.PageOf(tx, orgID, m.who, after, scannedAtATime)
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
			if !j.SentAt.Before(w.from) && !j.SentAt.After(w.Until) {
				return true, nil
			}
		}
	}
	return false, nil
}
