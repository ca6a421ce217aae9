package post

import (
	"errors"
	"strings"
	"time"

	"svc/app/channel"
	"svc/messenger/platform"
	"svc/store"
)

// Bounds of texts, in bytes: a network takes no longer ones.
const (
	maxCaption = 10_000
	maxComment = 10_000
	maxAuthor  = 200
)

// Age says when figures are read again: hourly on the first day, daily for two weeks, then
// weekly (contract 15.12).
func nextFigures(published, now time.Time) time.Time {
	switch age := now.Sub(published); {
	case age < 24*time.Hour:
		return now.Add(time.Hour)
	case age < 14*24*time.Hour:
		return now.Add(24 * time.Hour)
	}
	return now.Add(7 * 24 * time.Hour)
}

// deepEvery is how long the comments of a post of the video network wait before they are listed
// again: newer ones come by the list of all posts.
const deepEvery = 7 * 24 * time.Hour

// Writer writes what a sync reads of one account.
type Writer struct {
	Org     string
	Account *channel.Account
	Zone    string // of the organization
	Round   int    // of the sync
	// Recent: the network lists the comments of all posts, so that each is listed rarely.
	Recent bool
}

func cut(s string, most int) string {
	s = strings.ToValidUTF8(s, "")
	return strings.ToValidUTF8(s[:min(len(s), most)], "")
}

// Posts stores posts as they were read. fresh is how many were not known.
func (w *Writer) Posts(tx *store.Tx, list []platform.Post) (fresh int, err error) {
	l := NewLedger(w.Org)
	var puts []*Post
	seen := map[string]bool{}
	for i := range list {
		if seen[list[i].ID] { // lists move while they are read
			continue
		}
		seen[list[i].ID] = true
		p, isNew, err := w.post(tx, l, &list[i])
		if err != nil {
			return 0, err
		}
		if isNew {
			fresh++
		}
		if p != nil {
			puts = append(puts, p)
		}
	}
	return fresh, errors.Join(posts.PutMany(tx, w.Org, puts), l.Close(tx))
}

func (w *Writer) post(tx *store.Tx, l *Ledger, in *platform.Post) (*Post, bool, error) {
	now := tx.DB().Now()
	p, err := knownPost.Find(tx, w.Org, store.Tuple(store.Text(w.Account.ID), store.Text(in.ID)))
	isNew := store.IsNotFound(err)
	if isNew {
		if now.Sub(in.At) >= KeptFor {
			return nil, false, nil
		}
		p, err = Post{
			ID: tx.DB().NewID("pst"), Account: w.Account.ID, Platform: w.Account.Platform, External: in.ID, At: in.At, Zone: w.Zone, CreatedAt: now, FiguresDue: now, CommentsDue: now,
		}, nil
	}
	if err != nil || p.Deleted { // what was deleted never comes back
		return nil, false, err
	}
	before, at := p.counts(), p.place()
	if isNew {
		before, p.UpdatedAt = (*Post)(nil).counts(), now
	}
	var words Words
	if !isNew {
		if err := postWords.OpenJSON(tx.DB(), w.Org, &p, &words); err != nil {
			return nil, false, err
		}
	}
	caption := cut(in.Caption, maxCaption)
	if words.Caption != caption && !isNew {
		p.Judged, p.Tries = nil, 0 // it says something else now
	}
	if isNew || words.Caption != caption || words.Picture != in.Thumbnail && !p.Thumb {
		if err := postWords.SetJSON(tx, w.Org, &p, Words{caption, in.Thumbnail}); err != nil {
			return nil, false, err
		}
	}
	p.Kind, p.Permalink, p.Seen, p.Absent, p.Pictured = in.Kind, in.Permalink, w.Round, 0, in.Thumbnail != ""
	w.figures(l, &p, in, isNew, now)
	l.change(at, before, p.counts())
	return &p, isNew, nil
}

// figures takes the figures that were read. Views that came since they were read last count on
// the day of now.
func (w *Writer) figures(l *Ledger, p *Post, in *platform.Post, isNew bool, now time.Time) {
	old := p.Metrics
	if in.Whole {
		p.Metrics, p.MetricsAt, p.FiguresDue = in.Metrics, now, nextFigures(p.At, now)
	} else {
		p.Metrics.Likes, p.Metrics.Comments = in.Metrics.Likes, in.Metrics.Comments
		if in.Metrics.Shares != nil {
			p.Metrics.Shares = in.Metrics.Shares
		}
		if p.MetricsAt.IsZero() {
			p.MetricsAt = now
		}
	}
	if v := p.Metrics.Views; v != nil {
		first := old.Views == nil
		gained := *v
		if !first {
			gained -= *old.Views
		}
		today, _ := place(now, p.Zone, p.Account, p.Platform)
		if gained > 0 && (!first || today.Day == p.place().Day) { // what an older post had before was not seen to come
			l.gained[audienceKey{p.Account, p.Platform, today.Day}] += gained
		}
	}
	if !isNew && differ(old.Comments, p.Metrics.Comments) && p.CommentsDue.IsZero() && !p.Closed {
		if p.CommentsDue = now; w.Recent {
			p.CommentsDue = p.CommentsAt.Add(deepEvery)
		}
	}
}

func differ(a, b *int64) bool { return (a == nil) != (b == nil) || a != nil && *a != *b }

// Comments stores comments below a post as they were read; those of webhooks are among them.
// fresh are those that were not known, known counts those that were.
func (w *Writer) Comments(tx *store.Tx, list []platform.Comment) (fresh []platform.Comment, known int, err error) {
	below := map[string]*Post{}
	postOf := func(external string) (Post, error) {
		if p := below[external]; p != nil {
			return *p, nil
		}
		p, err := knownPost.Find(tx, w.Org, store.Tuple(store.Text(w.Account.ID), store.Text(external)))
		below[external] = &p
		return p, err
	}
	l := NewLedger(w.Org)
	var puts []*Comment
	seen := map[string]bool{}
	for i := range list {
		in := &list[i]
		if seen[in.ID] {
			continue
		}
		seen[in.ID] = true
		at, err := postOf(in.Post)
		if store.IsNotFound(err) || err == nil && at.Deleted {
			continue // of a post that is too old, or gone
		}
		if err != nil {
			return nil, 0, err
		}
		c, isNew, err := w.comment(tx, l, in, &at)
		if err != nil {
			return nil, 0, err
		}
		if !isNew {
			known++
		} else if c != nil && !c.Own {
			fresh = append(fresh, *in)
		}
		if c != nil {
			puts = append(puts, c)
		}
	}
	return fresh, known, errors.Join(comments.PutMany(tx, w.Org, puts), l.Close(tx))
}

func (w *Writer) comment(tx *store.Tx, l *Ledger, in *platform.Comment, at *Post) (*Comment, bool, error) {
	now := tx.DB().Now()
	c, err := knownComment.Find(tx, w.Org, store.Tuple(store.Text(w.Account.ID), store.Text(in.ID)))
	isNew := store.IsNotFound(err)
	if isNew {
		if now.Sub(in.At) >= KeptFor {
			return nil, false, nil
		}
		c, err = Comment{
			ID: tx.DB().NewID("cmt"), Account: w.Account.ID, Platform: w.Account.Platform, Post: at.ID, External: in.ID, At: in.At, Zone: w.Zone,
			Own: in.From != "" && (in.From == w.Account.ExternalID || in.From == w.Account.ScopedID),
		}, nil
	}
	if err != nil || c.Deleted {
		return nil, false, err
	}
	var words CommentWords
	if !isNew {
		if c.Likes == in.Likes && c.Hidden == in.Hidden && c.Absent == 0 && c.Seen == w.Round {
			return nil, false, nil
		}
		if err := commentWords.OpenJSON(tx.DB(), w.Org, &c, &words); err != nil {
			return nil, false, err
		}
	}
	before := c.counts()
	if isNew {
		before = (*Comment)(nil).counts()
	}
	said := CommentWords{cut(in.FromName, maxAuthor), cut(in.Text, maxComment)}
	if isNew || words != said {
		if words.Text != said.Text { // it says something else now
			c.Judged, c.Tries = nil, 0
		}
		if err := commentWords.SetJSON(tx, w.Org, &c, said); err != nil {
			return nil, false, err
		}
	}
	if in.Parent != at.External { // webhooks of one network name the post
		c.Parent = in.Parent
	}
	c.Likes, c.Hidden, c.Seen, c.Absent = in.Likes, in.Hidden, w.Round, 0
	l.change(c.place(), before, c.counts())
	return &c, isNew, nil
}

// absences is how many complete listings must miss something before it counts as deleted.
const absences = 2

// Missing notes what a complete listing did not see: posts published since a time. It works on
// some, and next is nil at the end.
func (w *Writer) Missing(tx *store.Tx, since time.Time, after store.Cursor, limit int) (next store.Cursor, err error) {
	span := store.Between(store.Tuple(store.Text(w.Account.ID), store.Time(since)), store.Tuple(store.Text(w.Account.ID), store.Time(tx.DB().Now().Add(time.Minute))))
	list, next, err := ofAccount.Walk(tx, w.Org, store.Range{Span: span, After: after, Limit: limit})
	l := NewLedger(w.Org)
	for i := range list {
		p := &list[i]
		if err == nil && !p.Deleted && p.Seen != w.Round {
			err = w.absent(tx, l, p)
		}
	}
	return next, errors.Join(err, l.Close(tx))
}

// Gone notes posts that the network did not answer when it was asked for them by name.
func (w *Writer) Gone(tx *store.Tx, ids []string) error {
	l := NewLedger(w.Org)
	for _, id := range ids {
		p, err := posts.Get(tx, w.Org, id)
		if err != nil {
			return err
		}
		if p.Seen == w.Round && p.Absent > 0 { // this sync noted it
			continue
		}
		p.Seen, p.FiguresDue = w.Round, tx.DB().Now().Add(time.Hour)
		if err := w.absent(tx, l, &p); err != nil {
			return err
		}
	}
	return l.Close(tx)
}

// absent counts one more absence. With the second its words and picture are gone; those of its
// comments go by WipeBelow.
func (w *Writer) absent(tx *store.Tx, l *Ledger, p *Post) error {
	if p.Absent++; p.Absent < absences {
		return posts.Put(tx, w.Org, p)
	}
	before := p.counts()
	p.Deleted, p.Wiping, p.Judged, p.UpdatedAt = true, true, nil, tx.DB().Now()
	l.change(p.place(), before, p.counts())
	if err := errors.Join(postWords.Set(tx, w.Org, p, nil), dropThumb(tx, w.Org, p)); err != nil {
		return err
	}
	return posts.Put(tx, w.Org, p)
}

// belowAtOnce bounds the comments that one transaction changes.
const belowAtOnce = 200

// WipeBelow takes the words of some comments below posts of the account that are deleted. more: there
// are others.
func (w *Writer) WipeBelow(tx *store.Tx) (more bool, err error) {
	p, err := toWipe.First(tx, w.Org, store.Is(store.Text(w.Account.ID)))
	if err != nil {
		return false, store.IgnoreNotFound(err)
	}
	list, _, err := alive.Walk(tx, w.Org, store.Range{Span: store.Is(store.Tuple(store.Text(p.ID))), Limit: belowAtOnce})
	l := NewLedger(w.Org)
	for i := range list {
		if err == nil {
			err = wipe(tx, l, w.Org, &list[i])
		}
	}
	if p.Wiping = len(list) == belowAtOnce; !p.Wiping && err == nil {
		err = posts.Put(tx, w.Org, &p)
	}
	return true, errors.Join(err, l.Close(tx))
}

// wipe marks a comment as deleted: its words are gone.
func wipe(tx *store.Tx, l *Ledger, org string, c *Comment) error {
	before := c.counts()
	c.Deleted, c.Judged = true, nil
	l.change(c.place(), before, c.counts())
	return errors.Join(commentWords.Set(tx, org, c, nil), comments.Put(tx, org, c))
}

// Listed notes that the comments of a post were listed to their end. complete: none was left
// out, so that those which were not seen are missing.
func (w *Writer) Listed(tx *store.Tx, id string, complete, closed bool) error {
	p, err := posts.Get(tx, w.Org, id)
	if err != nil {
		return err
	}
	p.CommentsAt, p.CommentsDue, p.Closed = tx.DB().Now(), time.Time{}, closed
	if closed {
		p.CommentsDue = p.CommentsAt.Add(deepEvery)
	}
	l, again := NewLedger(w.Org), false
	if complete {
		again, err = w.unseen(tx, l, id)
	}
	if again {
		p.CommentsDue = p.CommentsAt.Add(time.Minute)
	}
	return errors.Join(err, posts.Put(tx, w.Org, &p), l.Close(tx))
}

// unseen counts one more absence of the comments below a post that a complete listing did not see.
// again: it is to be listed once more. One absence may be a slip of the network, and a transaction
// changes some of them.
func (w *Writer) unseen(tx *store.Tx, l *Ledger, post string) (again bool, err error) {
	in, room := store.Range{Span: store.Is(store.Tuple(store.Text(post))), Limit: 1000}, belowAtOnce
	for {
		list, next, err := alive.Walk(tx, w.Org, in)
		if err != nil {
			return again, err
		}
		for i := range list {
			c := &list[i]
			if c.Seen == w.Round {
				continue
			}
			switch c.Absent++; {
			case room == 0:
				return true, nil
			case c.Absent >= absences:
				err = wipe(tx, l, w.Org, c)
			default:
				again, err = true, comments.Put(tx, w.Org, c)
			}
			if room--; err != nil {
				return again, err
			}
		}
		if in.After = next; next == nil {
			return again, nil
		}
	}
}

// Removed notes that a network told that a comment is gone.
func Removed(tx *store.Tx, org, account, external string) error {
	c, err := knownComment.Find(tx, org, store.Tuple(store.Text(account), store.Text(external)))
	if err != nil || c.Deleted {
		return store.IgnoreNotFound(err)
	}
	l := NewLedger(org)
	return errors.Join(wipe(tx, l, org, &c), l.Close(tx))
}
