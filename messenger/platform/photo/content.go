package photo

import (
	"context"
	"net/url"
	"time"

	"svc/messenger/platform"
	"svc/messenger/platform/graph"
)

const (
	mediaFields   = "id,caption,media_type,media_product_type,permalink,thumbnail_url,media_url,timestamp,like_count,comments_count"
	replyFields   = "id,text,timestamp,username,from,like_count,hidden"
	commentFields = replyFields + ",replies{" + replyFields + "}"
	watchTime     = "ig_reels_video_view_total_time" // milliseconds
)

// Sets of metrics, the fullest first: see graph.Insights.
var (
	feedMetrics = [][]string{
		{"views", "reach", "likes", "comments", "shares", "saved", "total_interactions"}, {"reach", "likes", "comments", "shares", "saved"}, {"reach"},
	}
	reelMetrics = append([][]string{append(feedMetrics[0][:7:7], watchTime)}, feedMetrics...)
)

type wireMedia struct {
	ID        graph.Text `json:"id"`
	Caption   string     `json:"caption"`
	Type      string     `json:"media_type"`
	Product   string     `json:"media_product_type"`
	Permalink string     `json:"permalink"`
	Thumbnail string     `json:"thumbnail_url"`
	URL       string     `json:"media_url"`
	Timestamp string     `json:"timestamp"`
	Likes     *int64     `json:"like_count"` // absent: the owner hides them
	Comments  *int64     `json:"comments_count"`
}

func (w *wireMedia) of() platform.Post {
	at, _ := graph.ParseTime(w.Timestamp)
	p := platform.Post{
		ID: string(w.ID), Kind: platform.KindPost, Caption: w.Caption, Permalink: w.Permalink, Thumbnail: w.Thumbnail, At: at,
		Metrics: platform.Metrics{Likes: w.Likes, Comments: w.Comments},
	}
	switch {
	case w.Product == "REELS":
		p.Kind = platform.KindReel
	case w.Product == "STORY":
		p.Kind = platform.KindStory
	case w.Type == "VIDEO":
		p.Kind = platform.KindVideo
	}
	if p.Thumbnail == "" && w.Type != "VIDEO" {
		p.Thumbnail = w.URL
	}
	return p
}

// Audience implements platform.Reader.
func (c *Client) Audience(ctx context.Context, a platform.Access) (out platform.Audience, err error) {
	me, err := c.me(ctx, a)
	if err == nil && me.Followers != nil {
		n := int64(*me.Followers)
		out.Followers = &n
	}
	return out, err
}

// Posts implements platform.Reader.
func (c *Client) Posts(ctx context.Context, a platform.Access, since time.Time, after string) (out platform.Posts, err error) {
	q := url.Values{"fields": {mediaFields}, "limit": {"100"}}
	if after != "" {
		q.Set("after", after)
	}
	var w struct {
		Data   []wireMedia  `json:"data"`
		Paging graph.Paging `json:"paging"`
	}
	if err := c.graph.Get(ctx, a, "/me/media", q, &w); err != nil {
		return out, err
	}
	out.Next = w.Paging.Cursor()
	for i := range w.Data {
		p := w.Data[i].of()
		if p.At.Before(since) {
			out.Next = ""
			continue
		}
		out.Data = append(out.Data, p)
	}
	return out, nil
}

// Figures implements platform.Reader.
func (c *Client) Figures(ctx context.Context, a platform.Access, ids []string) ([]platform.Post, error) {
	return graph.Each(ids, func(id string) (p platform.Post, err error) {
		var w wireMedia
		if err := c.graph.Get(ctx, a, "/"+url.PathEscape(id), url.Values{"fields": {mediaFields}}, &w); err != nil {
			return p, err
		}
		p = w.of()
		sets := feedMetrics
		if p.Kind == platform.KindReel {
			sets = reelMetrics
		}
		m, err := c.insights.Ask(ctx, a, id, sets)
		if err != nil {
			return p, err
		}
		x := &p.Metrics
		x.Views, x.Reach, x.Shares, x.Saves = graph.Count(m, "views"), graph.Count(m, "reach"), graph.Count(m, "shares"), graph.Count(m, "saved")
		if ms := graph.Count(m, watchTime); ms != nil {
			s := *ms / 1000
			x.WatchSeconds = &s
		}
		p.Whole = true
		return p, nil
	})
}

// Comments implements platform.Reader.
func (c *Client) Comments(ctx context.Context, a platform.Access, post, after string) (platform.Comments, error) {
	return graph.ListComments(ctx, c.graph, a, post, after, url.Values{"fields": {commentFields}, "limit": {"50"}})
}

// ListsRecent implements platform.Reader.
func (*Client) ListsRecent() bool { return false }
