package post

import (
	"errors"
	"time"

	"svc/app/insight/sums"
	"svc/app/org"
	"svc/messenger/platform"
	"svc/store"
)

// Audience is an account on a day: who followed it last, and the views that were seen to come.
// It stays when posts leave.
type Audience struct {
	ID       string        `json:"id"` // day/account
	Day      string        `json:"day"`
	Account  string        `json:"account"`
	Platform platform.Name `json:"platform"`
	// Followers is nil while nobody said.
	Followers *int64 `json:"followers,omitempty"`
	Gained    int64  `json:"gained,omitempty"`
}

type audienceKey struct {
	account string
	network platform.Name
	day     string
}

func (k audienceKey) id() string { return k.day + "/" + k.account }

var audiences = store.NewTable("social_audience", "", func(a *Audience) string { return a.ID })

func editAudience(tx *store.Tx, org string, k audienceKey, do func(*Audience)) error {
	a, err := audiences.Get(tx, org, k.id())
	if store.IsNotFound(err) {
		a, err = Audience{ID: k.id(), Day: k.day, Account: k.account, Platform: k.network}, nil
	}
	if err != nil {
		return err
	}
	do(&a)
	return audiences.Put(tx, org, &a)
}

func addViews(tx *store.Tx, org string, k audienceKey, n int64) error {
	return editAudience(tx, org, k, func(a *Audience) { a.Gained += n })
}

// Followers notes who follows the account today.
func (w *Writer) Followers(tx *store.Tx, in platform.Audience) error {
	if in.Followers == nil {
		return nil
	}
	today, _ := place(tx.DB().Now(), w.Zone, w.Account.ID, w.Account.Platform)
	return editAudience(tx, w.Org, audienceKey{w.Account.ID, w.Account.Platform, today.Day}, func(a *Audience) { a.Followers = in.Followers })
}

// EachAudience visits the days from first to last, both included.
func EachAudience(tx *store.Tx, org, first, last string, visit func(*Audience)) error {
	for a, err := range audiences.Each(tx, org, first) { // an id is longer than its day
		if err != nil || a.Day > last {
			return err
		}
		visit(a)
	}
	return nil
}

// Purge removes up to limit rows that are over 90 days old: whole days of the organization, so
// that sums and rows of the days that are left agree. Sums and daily figures stay.
func Purge(tx *store.Tx, orgID string, limit int) (int, error) {
	o, err := org.Get(tx, orgID)
	if err != nil {
		return 0, store.IgnoreNotFound(err)
	}
	zone, err := time.LoadLocation(o.Timezone)
	if err != nil {
		return 0, err
	}
	before := store.Between(nil, store.Time(floor(tx.DB().Now(), zone)))
	old, _, err := byPublished.Walk(tx, orgID, store.Range{Span: before, Limit: limit})
	n := len(old)
	for i := range old {
		if err == nil {
			err = errors.Join(dropThumb(tx, orgID, &old[i]), posts.Delete(tx, orgID, old[i].ID))
		}
	}
	if err != nil || n >= limit {
		return n, err
	}
	said, _, err := byWritten.Walk(tx, orgID, store.Range{Span: before, Limit: limit - n})
	for i := range said {
		if err == nil {
			err = comments.Delete(tx, orgID, said[i].ID)
		}
	}
	return n + len(said), err
}

// floor is the first moment of the oldest day that is kept whole.
func floor(now time.Time, zone *time.Location) time.Time {
	t := now.Add(-KeptFor).In(zone)
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, zone)
}

// Forget removes up to limit rows of an account whose content may not be kept any more, and says
// how many there were. Sums and daily figures stay.
func Forget(tx *store.Tx, org, account string, limit int) (n int, err error) {
	of := store.Is(store.Tuple(store.Text(account)))
	old, _, err := ofAccount.Walk(tx, org, store.Range{Span: of, Limit: limit})
	for i := range old {
		if err == nil {
			err = errors.Join(dropThumb(tx, org, &old[i]), posts.Delete(tx, org, old[i].ID))
		}
	}
	if n = len(old); err != nil || n >= limit {
		return n, err
	}
	said, _, err := commentOf.Walk(tx, org, store.Range{Span: of, Limit: limit - n})
	for i := range said {
		if err == nil {
			err = comments.Delete(tx, org, said[i].ID)
		}
	}
	return n + len(said), err
}

// Recount adds up the rows of an organization again and answers the places whose sums are not
// those that are kept, of the days whose rows are all there.
func Recount(tx *store.Tx, orgID string) (wrong []sums.Place, err error) {
	o, err := org.Get(tx, orgID)
	if err != nil {
		return nil, err
	}
	zone, err := time.LoadLocation(o.Timezone)
	if err != nil {
		return nil, err
	}
	first := floor(tx.DB().Now(), zone).AddDate(0, 0, 1).Format(time.DateOnly)
	all := map[sums.Place]*sums.Counts{}
	add := func(p sums.Place, c sums.Counts) {
		if all[p] == nil {
			all[p] = &sums.Counts{}
		}
		all[p].Add(&c, 1)
	}
	if err := each(tx, orgID, posts, func(p *Post) { add(p.place(), p.counts()) }); err != nil {
		return nil, err
	}
	if err := each(tx, orgID, comments, func(c *Comment) { add(c.place(), c.counts()) }); err != nil {
		return nil, err
	}
	err = Sums.Each(tx, orgID, first, "", func(r *sums.Row) error {
		now := all[r.Place]
		if now == nil {
			now = &sums.Counts{}
		}
		if !now.Equal(&r.Counts) {
			wrong = append(wrong, r.Place)
		}
		delete(all, r.Place)
		return nil
	})
	for p, c := range all {
		if !c.Empty() && p.Day >= first {
			wrong = append(wrong, p)
		}
	}
	return wrong, err
}

func each[T any](tx *store.Tx, org string, t *store.Table[T], visit func(*T)) error {
	for r, err := range t.Each(tx, org, "") {
		if err != nil {
			return err
		}
		visit(r)
	}
	return nil
}
