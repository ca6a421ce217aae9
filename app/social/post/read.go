package post

import (
	"errors"
	"time"

	"svc/app/channel"
	"svc/messenger/platform"
	"svc/store"
)

// Get reads a post: store.ErrNotFound when the organization has none of that id.
func Get(tx *store.Tx, org, id string) (Post, error) { return posts.Get(tx, org, id) }

// Find are posts as a list shows them, the deleted ones left out.
func Find(tx *store.Tx, org string, q store.Query[Post], byEngagement bool) (store.Page[Post], error) {
	q.Where = append(q.Where, postDeleted.Any("yes").Not())
	if q.Sort = byPublished; byEngagement {
		q.Sort = byReaction
	}
	return posts.Page(tx, org, q)
}

// Between says that a post was published from one time on and before another; zero: no bound.
func Between(from, to time.Time) store.Cond[Post] { return byPublished.Where(during(from, to)) }

// SaidBetween says the same of comments.
func SaidBetween(from, to time.Time) store.Cond[Comment] { return byWritten.Where(during(from, to)) }

func during(from, to time.Time) store.Span {
	if to.IsZero() {
		return store.Between(store.Time(from), nil)
	}
	return store.Between(store.Time(from), store.Time(to))
}

// FindComments are comments as a list shows them, the newest first unless q says otherwise.
func FindComments(tx *store.Tx, org string, q store.Query[Comment]) (store.Page[Comment], error) {
	q.Sort = byWritten
	return comments.Page(tx, org, q)
}

// Open are the words of a post.
func (p *Post) Open(db *store.DB, org string) (w Words, err error) {
	if p.Words.IsZero() {
		return w, nil
	}
	return w, postWords.OpenJSON(db, org, p, &w)
}

// Open are the words of a comment.
func (c *Comment) Open(db *store.DB, org string) (w CommentWords, err error) {
	if c.Words.IsZero() {
		return w, nil
	}
	return w, commentWords.OpenJSON(db, org, c, &w)
}

// ParentID is the comment that one answers, "" for none that is known.
func ParentID(tx *store.Tx, org string, c *Comment) (string, error) {
	if c.Parent == "" {
		return "", nil
	}
	id, err := knownComment.ID(tx, org, store.Tuple(store.Text(c.Account), store.Text(c.Parent)))
	return id, store.IgnoreNotFound(err)
}

// FiguresDue are posts of an account whose figures are to be read, up to a number of them.
func FiguresDue(tx *store.Tx, org, account string, limit int) ([]Post, error) {
	list, _, err := figuresDue.Walk(tx, org, store.Range{Span: dueNow(tx, account), Limit: limit})
	return list, err
}

// CommentsDue is a post of an account whose comments are to be listed, store.ErrNotFound for
// none.
func CommentsDue(tx *store.Tx, org, account string) (Post, error) {
	return commentsDue.First(tx, org, dueNow(tx, account))
}

func dueNow(tx *store.Tx, account string) store.Span {
	return store.Between(store.Tuple(store.Text(account)), store.Tuple(store.Text(account), store.Time(tx.DB().Now().Add(time.Millisecond))))
}

// NextFigures is when figures of an account are to be read, zero for never.
func NextFigures(tx *store.Tx, org, account string) (time.Time, error) {
	p, err := figuresDue.First(tx, org, store.Is(store.Tuple(store.Text(account))))
	return p.FiguresDue, store.IgnoreNotFound(err)
}

// Newest is when the newest post of an account was published, zero for none.
func Newest(tx *store.Tx, org, account string) (time.Time, error) {
	p, err := ofAccount.Last(tx, org, store.Is(store.Tuple(store.Text(account))))
	return p.At, store.IgnoreNotFound(err)
}

// Below counts the comments that are kept below a post.
func Below(tx *store.Tx, org, id string) (int, error) { return commentsBelow.Count(tx, org, id) }

// ToJudge are posts and comments that no machine was asked about, the newest of each first.
func ToJudge(tx *store.Tx, org string, limit int) (p []Post, c []Comment, err error) {
	if p, _, err = toJudge.Walk(tx, org, store.Range{Span: store.All(), Limit: limit, Reverse: true}); err != nil || len(p) == limit {
		return p, nil, err
	}
	c, _, err = commentOpen.Walk(tx, org, store.Range{Span: store.All(), Limit: limit - len(p), Reverse: true})
	return p, c, err
}

// Judge stores what a machine says of posts and comments, by id; nil: it did not answer.
func Judge(tx *store.Tx, org string, ids []string, said map[string]*Judged) error {
	l := NewLedger(org)
	for _, id := range ids {
		j := said[id]
		p, err := posts.Get(tx, org, id)
		if err == nil && !p.Deleted {
			before := p.counts()
			p.Judged, p.Tries = j, p.Tries+1
			l.change(p.place(), before, p.counts())
			err = posts.Put(tx, org, &p)
		}
		if store.IgnoreNotFound(err) != nil {
			return err
		}
		c, err := comments.Get(tx, org, id)
		if err == nil && !c.Deleted {
			before := c.counts()
			c.Judged, c.Tries = j, c.Tries+1
			l.change(c.place(), before, c.counts())
			err = comments.Put(tx, org, &c)
		}
		if store.IgnoreNotFound(err) != nil {
			return err
		}
	}
	return l.Close(tx)
}

// ToPicture are posts of an account whose pictures are not kept.
func ToPicture(tx *store.Tx, org, account string, limit int) ([]Post, error) {
	list, _, err := toPicture.Walk(tx, org, store.Range{Span: store.Is(store.Tuple(store.Text(account))), Limit: limit, Reverse: true})
	return list, err
}

// PictureFailed counts an attempt to fetch a picture that failed; final: it is not there.
func PictureFailed(tx *store.Tx, org, id string, final bool) error {
	_, err := posts.Edit(tx, org, id, func(p *Post) error {
		if p.PictureTries++; final {
			p.PictureTries = mostTries
		}
		return nil
	})
	return store.IgnoreNotFound(err)
}

// Heard takes a comment of a webhook: it meets the one that a sync reads at one row. One below a
// post that is not known waits for the sync.
func Heard(tx *store.Tx, org string, a *channel.Account, in *platform.Comment, zone string) error {
	if in.Verb == "remove" {
		return Removed(tx, org, a.ID, in.ID)
	}
	c, err := knownComment.Find(tx, org, store.Tuple(store.Text(a.ID), store.Text(in.ID)))
	switch {
	case store.IsNotFound(err) && in.Verb == "add":
		w := Writer{Org: org, Account: a, Zone: zone}
		_, _, err := w.Comments(tx, []platform.Comment{*in})
		return err
	case err != nil || c.Deleted:
		return store.IgnoreNotFound(err)
	case in.Verb == "hide", in.Verb == "unhide":
		c.Hidden = in.Verb == "hide"
		return comments.Put(tx, org, &c)
	case in.Verb != "edited":
		return nil
	}
	words, err := c.Open(tx.DB(), org)
	if err != nil || words.Text == in.Text {
		return err
	}
	l, before := NewLedger(org), c.counts()
	words.Text, c.Judged, c.Tries = cut(in.Text, maxComment), nil, 0
	l.change(c.place(), before, c.counts())
	return errors.Join(commentWords.SetJSON(tx, org, &c, words), comments.Put(tx, org, &c), l.Close(tx))
}
