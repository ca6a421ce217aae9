package social

import (
	"time"

	"svc/app/api"
	"svc/app/insight/board"
	"svc/app/insight/dimension"
	"svc/app/seller/figure"
	"svc/app/social/post"
	"svc/messenger/platform"
	"svc/store"
)

// Metrics are the figures of a post; null where the network does not tell one.
type Metrics struct {
	Views    *int64 `json:"views"`
	Reach    *int64 `json:"reach"`
	Likes    *int64 `json:"likes"`
	Comments *int64 `json:"comments"`
	Shares   *int64 `json:"shares"`
	Saves    *int64 `json:"saves"`
	Watch    *int64 `json:"watch_seconds"`
}

// Post is a post or a video in the API.
type Post struct {
	ID          string        `json:"id"`
	AccountID   string        `json:"account_id"`
	Account     *api.Named    `json:"account"`
	Platform    platform.Name `json:"platform" enum:"PHOTO_NETWORK,PAGE_NETWORK,VIDEO_NETWORK"`
	ExternalID  string        `json:"external_id"`
	Kind        string        `json:"kind" enum:"POST,REEL,STORY,VIDEO,SHORT"`
	Caption     *string       `json:"caption"`
	Permalink   string        `json:"permalink"`
	Thumbnail   *string       `json:"thumbnail" doc:"A path of this service, good for a day; null for none."`
	PublishedAt time.Time     `json:"published_at"`
	Metrics     Metrics       `json:"metrics"`
	Engagement  int64         `json:"engagement" doc:"Likes, comments, shares and saves together."`
	MetricsAt   *time.Time    `json:"metrics_at"`
	Topic       *Topic        `json:"topic" doc:"null: not analysed yet."`
	Sentiment   *int          `json:"sentiment" doc:"1 to 5."`
	Kept        int           `json:"comments_kept" doc:"Comments of the last 90 days that are here."`
	Closed      bool          `json:"comments_closed" doc:"Comments are switched off at the network."`
}

func shownPost(tx *store.Tx, org string, p *post.Post, l *labels) (out Post, err error) {
	w, err := p.Open(tx.DB(), org)
	if err != nil {
		return out, err
	}
	m := &p.Metrics
	out = Post{
		ID: p.ID, AccountID: p.Account, Account: api.Ref(org, p.Account), Platform: p.Platform, ExternalID: p.External, Kind: p.Kind, Caption: api.Optional(w.Caption),
		Permalink: p.Permalink, PublishedAt: p.At, Metrics: Metrics{m.Views, m.Reach, m.Likes, m.Comments, m.Shares, m.Saves, m.WatchSeconds},
		Engagement: p.Engagement(), MetricsAt: api.Optional(p.MetricsAt), Topic: l.topic(p.Judged), Sentiment: sentiment(p.Judged), Closed: p.Closed,
	}
	if out.Kept, err = post.Below(tx, org, p.ID); err != nil {
		return out, err
	}
	link, err := post.ThumbLink(tx.DB(), p)
	out.Thumbnail = api.Optional(link)
	return out, err
}

// SpanIn are the parameters of a time.
type SpanIn struct {
	From string `query:"from" maxLength:"40" doc:"A date or a time; its day counts whole."`
	To   string `query:"to" maxLength:"40" doc:"Likewise, exclusive."`
}

// between are the bounds, zero for none.
func (in *SpanIn) between(tx *store.Tx, c *api.Call) (from, to time.Time, err error) {
	if in.From == "" && in.To == "" {
		return from, to, nil
	}
	zone, _, err := board.Where(tx, c.Org, "")
	if err != nil {
		return from, to, err
	}
	span := figure.SpanIn{From: in.From, To: in.To}
	days, err := span.Days(c.Now, zone)
	return days.From, days.To, err
}

type postsIn struct {
	api.PageIn
	SpanIn
	Platform  platform.Name `query:"platform" enum:"PHOTO_NETWORK,PAGE_NETWORK,VIDEO_NETWORK"`
	AccountID string        `query:"account_id" maxLength:"64"`
	Kind      string        `query:"kind" enum:"POST,REEL,STORY,VIDEO,SHORT"`
	Topic     string        `query:"topic" maxLength:"64" doc:"A case, or UNCLEAR."`
	Sort      string        `query:"sort" enum:"-published_at,published_at,-engagement" default:"-published_at"`
}

func (s *Service) posts(c *api.Call, in postsIn) (out api.Page[Post], err error) {
	q := store.Query[post.Post]{Reverse: in.Sort != "published_at", Offset: in.Offset, Limit: in.Limit, After: in.Behind()}
	filter(&q, post.PostPlatform, string(in.Platform))
	filter(&q, post.PostAccount, in.AccountID)
	filter(&q, post.PostKind, in.Kind)
	filter(&q, post.PostTopic, in.Topic)
	return page(c, s.db, in.PageIn, &in.SpanIn, q, kindOf[post.Post, Post]{
		between: post.Between, judged: func(p *post.Post) *post.Judged { return p.Judged }, show: shownPost,
		find: func(tx *store.Tx, org string, q store.Query[post.Post]) (store.Page[post.Post], error) {
			return post.Find(tx, org, q, in.Sort == "-engagement")
		},
	})
}

// kindOf is how a kind of content is listed.
type kindOf[T, S any] struct {
	between func(from, to time.Time) store.Cond[T]
	find    func(*store.Tx, string, store.Query[T]) (store.Page[T], error)
	judged  func(*T) *post.Judged
	show    func(*store.Tx, string, *T, *labels) (S, error)
}

// page answers a page of content, with the names of its topics read once.
func page[T, S any](c *api.Call, db *store.DB, in api.PageIn, span *SpanIn, q store.Query[T], k kindOf[T, S]) (out api.Page[S], err error) {
	err = db.View(c, func(tx *store.Tx) error {
		from, to, err := span.between(tx, c)
		if err != nil {
			return err
		}
		q := q
		if !to.IsZero() {
			q.Where = append(q.Where[:len(q.Where):len(q.Where)], k.between(from, to))
		}
		found, err := k.find(tx, c.Org, q)
		if err != nil {
			return err
		}
		l, err := labelsOf(tx, c.Org, judged(found.Data, k.judged))
		if err != nil {
			return err
		}
		out, err = api.ShowPage(found, in, func(x *T) (S, error) { return k.show(tx, c.Org, x, &l) })
		return err
	})
	return out, err
}

func filter[T any](q *store.Query[T], f *store.Facet[T], value string) {
	if value != "" {
		q.Where = append(q.Where, f.Any(value))
	}
}

func judged[T any](list []T, of func(*T) *post.Judged) []*post.Judged {
	out := make([]*post.Judged, len(list))
	for i := range list {
		out[i] = of(&list[i])
	}
	return out
}

func (s *Service) post(c *api.Call, in accountIn) (out Post, err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		p, err := post.Get(tx, c.Org, in.ID)
		if err == nil && p.Deleted {
			err = store.ErrNotFound
		}
		if err != nil {
			return err
		}
		l, err := labelsOf(tx, c.Org, []*post.Judged{p.Judged})
		if err == nil {
			out, err = shownPost(tx, c.Org, &p, &l)
		}
		return err
	})
	return out, err
}

// Flag is how probable something is; value is true from 0.6 on.
type Flag struct {
	Probability float64 `json:"probability"`
	Value       bool    `json:"value"`
}

// Flags are those of a comment.
type Flags struct {
	Question  Flag `json:"question"`
	Complaint Flag `json:"complaint"`
	Interest  Flag `json:"purchase_interest"`
	Spam      Flag `json:"spam"`
}

// Comment is a comment in the API.
type Comment struct {
	ID           string        `json:"id"`
	PostID       string        `json:"post_id"`
	Post         *api.Named    `json:"post"`
	AccountID    string        `json:"account_id"`
	Account      *api.Named    `json:"account"`
	Platform     platform.Name `json:"platform" enum:"PHOTO_NETWORK,PAGE_NETWORK,VIDEO_NETWORK"`
	ExternalID   string        `json:"external_id"`
	ParentID     *string       `json:"parent_id" doc:"The comment that it answers."`
	AuthorName   string        `json:"author_name"`
	Own          bool          `json:"own" doc:"The account itself wrote it."`
	Text         *string       `json:"text" doc:"null: it was deleted."`
	At           time.Time     `json:"at"`
	Likes        int64         `json:"likes"`
	Language     *string       `json:"language" example:"uz"`
	Topic        *Topic        `json:"topic"`
	Sentiment    *int          `json:"sentiment" doc:"1 to 5."`
	Flags        *Flags        `json:"flags" doc:"null: not analysed yet."`
	PrivateReply *string       `json:"private_reply_id"`
	Hidden       bool          `json:"hidden"`
	Deleted      bool          `json:"deleted" doc:"It is gone at the network; its words and its author are gone here."`
}

func shownComment(tx *store.Tx, org string, k *post.Comment, l *labels) (out Comment, err error) {
	w, err := k.Open(tx.DB(), org)
	if err != nil {
		return out, err
	}
	out = Comment{
		ID: k.ID, PostID: k.Post, Post: api.Ref(org, k.Post), AccountID: k.Account, Account: api.Ref(org, k.Account), Platform: k.Platform, ExternalID: k.External, AuthorName: w.Author, Own: k.Own, At: k.At,
		Likes: k.Likes, Topic: l.topic(k.Judged), Sentiment: sentiment(k.Judged), Hidden: k.Hidden, Deleted: k.Deleted,
	}
	if !k.Deleted {
		out.Text = &w.Text
	}
	if j := k.Judged; j != nil {
		of := func(f post.Flag) Flag { return Flag{j.Flags[f], j.Flags[f] >= dimension.LeastTrue} }
		out.Language, out.Flags = api.Optional(j.Language), &Flags{of(post.Question), of(post.Grumble), of(post.Interest), of(post.Spam)}
	}
	parent, err := post.ParentID(tx, org, k)
	if err != nil {
		return out, err
	}
	out.ParentID = api.Optional(parent)
	out.PrivateReply, err = replyTo(tx, org, k)
	return out, err
}

type commentsIn struct {
	api.PageIn
	SpanIn
	Platform  platform.Name `query:"platform" enum:"PHOTO_NETWORK,PAGE_NETWORK,VIDEO_NETWORK"`
	AccountID string        `query:"account_id" maxLength:"64"`
	PostID    string        `query:"post_id" maxLength:"64"`
	Flag      string        `query:"flag" enum:"question,complaint,purchase_interest,spam" doc:"Those for which it counts."`
	Topic     string        `query:"topic" maxLength:"64" doc:"A case, or UNCLEAR."`
	Language  string        `query:"language" enum:"uz,ru,en"`
}

func (s *Service) comments(c *api.Call, in commentsIn) (out api.Page[Comment], err error) {
	q := store.Query[post.Comment]{Reverse: true, Offset: in.Offset, Limit: in.Limit, After: in.Behind()}
	filter(&q, post.CommentPlatform, string(in.Platform))
	filter(&q, post.CommentAccount, in.AccountID)
	filter(&q, post.CommentPost, in.PostID)
	filter(&q, post.CommentFlag, in.Flag)
	filter(&q, post.CommentTopic, in.Topic)
	filter(&q, post.CommentLanguage, in.Language)
	return page(c, s.db, in.PageIn, &in.SpanIn, q, kindOf[post.Comment, Comment]{
		between: post.SaidBetween, find: post.FindComments, judged: func(k *post.Comment) *post.Judged { return k.Judged }, show: shownComment,
	})
}
