package page

import (
	"context"
	"net/url"
	"strconv"
	"time"

	"svc/messenger/platform"
	"svc/messenger/platform/graph"
)

const (
	postFields    = "id,message,created_time,permalink_url,full_picture,shares,reactions.summary(total_count).limit(0),comments.summary(total_count).limit(0)"
	commentFields = "id,message,created_time,from,like_count,is_hidden,parent"
	viewsMetric   = "post_media_view"
	reachMetric   = "post_total_media_view_unique"
)

// metrics are sets, the fullest first: see graph.Insights.
var metrics = [][]string{{viewsMetric, reachMetric, "post_clicks"}, {viewsMetric, reachMetric}, {viewsMetric}}

type wireTotal struct {
	Summary struct {
		Total *int64 `json:"total_count"`
	} `json:"summary"`
}

type wirePost struct {
	ID        graph.Text `json:"id"`
	Message   string     `json:"message"`
	Created   string     `json:"created_time"`
	Permalink string     `json:"permalink_url"`
	Picture   string     `json:"full_picture"`
	Shares    struct {
		Count int64 `json:"count"`
	} `json:"shares"`
	Reactions wireTotal `json:"reactions"`
	Comments  wireTotal `json:"comments"`
}

func (w *wirePost) of() platform.Post {
	at, _ := graph.ParseTime(w.Created)
	return platform.Post{
		ID: string(w.ID), Kind: platform.KindPost, Caption: w.Message, Permalink: w.Permalink, Thumbnail: w.Picture, At: at,
		Metrics: platform.Metrics{Likes: w.Reactions.Summary.Total, Comments: w.Comments.Summary.Total, Shares: &w.Shares.Count},
	}
}

// Audience implements platform.Reader.
func (c *Client) Audience(ctx context.Context, a platform.Access) (out platform.Audience, err error) {
	var w struct {
		Followers *int64 `json:"followers_count"`
	}
	err = c.graph.Get(ctx, a, "/"+a.ExternalID, url.Values{"fields": {"followers_count"}}, &w)
	return platform.Audience{Followers: w.Followers}, err
}

// Posts implements platform.Reader.
func (c *Client) Posts(ctx context.Context, a platform.Access, since time.Time, after string) (out platform.Posts, err error) {
	q := url.Values{"fields": {postFields}, "limit": {"100"}, "since": {strconv.FormatInt(since.Unix(), 10)}}
	if after != "" {
		q.Set("after", after)
	}
	var w struct {
		Data   []wirePost   `json:"data"`
		Paging graph.Paging `json:"paging"`
	}
	if err := c.graph.Get(ctx, a, "/"+a.ExternalID+"/posts", q, &w); err != nil {
		return out, err
	}
	for i := range w.Data {
		if p := w.Data[i].of(); !p.At.Before(since) {
			out.Data = append(out.Data, p)
		}
	}
	out.Next = w.Paging.Cursor()
	return out, nil
}

// Figures implements platform.Reader.
func (c *Client) Figures(ctx context.Context, a platform.Access, ids []string) ([]platform.Post, error) {
	return graph.Each(ids, func(id string) (p platform.Post, err error) {
		var w wirePost
		if err := c.graph.Get(ctx, a, "/"+url.PathEscape(id), url.Values{"fields": {postFields}}, &w); err != nil {
			return p, err
		}
		m, err := c.insights.Ask(ctx, a, id, metrics)
		p = w.of()
		p.Metrics.Views, p.Metrics.Reach, p.Whole = graph.Count(m, viewsMetric), graph.Count(m, reachMetric), true
		return p, err
	})
}

// Comments implements platform.Reader.
func (c *Client) Comments(ctx context.Context, a platform.Access, post, after string) (platform.Comments, error) {
	return graph.ListComments(ctx, c.graph, a, post, after, url.Values{
		"fields": {commentFields}, "limit": {"100"}, "filter": {"stream"}, "order": {"reverse_chronological"},
	})
}

// ListsRecent implements platform.Reader.
func (*Client) ListsRecent() bool { return false }
