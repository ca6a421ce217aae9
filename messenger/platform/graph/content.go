package graph

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"
	"sync"
	"time"

	"svc/messenger/platform"
)

// Insights asks for metrics. One that the network does not have fails the whole request, so
// names come in sets, the fullest first: a set that is refused is passed over for a day.
// Safe for concurrent use.
type Insights struct {
	Client *Client
	Now    func() time.Time

	mu      sync.Mutex
	refused map[string]time.Time // sets, until when
}

// refusedFor is how long a set that was refused is not asked for.
const refusedFor = 24 * time.Hour

// Ask answers the metrics of an object by name. Those of an object that too few people saw are
// none.
func (x *Insights) Ask(ctx context.Context, a platform.Access, object string, sets [][]string) (map[string]int64, error) {
	for _, set := range sets {
		names := strings.Join(set, ",")
		if x.passed(names) {
			continue
		}
		out, err := x.ask(ctx, a, object, names)
		e := platform.As(err)
		switch {
		case e != nil && e.Code == 10:
			return map[string]int64{}, nil // "not enough viewers"
		case e != nil && e.Code == 100 && e.Fault == platform.Refused:
			x.pass(names)
		default:
			return out, err
		}
	}
	return map[string]int64{}, nil
}

func (x *Insights) passed(names string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.Now().Before(x.refused[names])
}

func (x *Insights) pass(names string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.refused == nil {
		x.refused = map[string]time.Time{}
	}
	x.refused[names] = x.Now().Add(refusedFor)
}

func (x *Insights) ask(ctx context.Context, a platform.Access, object, names string) (map[string]int64, error) {
	var w struct {
		Data []struct {
			Name   string `json:"name"`
			Values []struct {
				Value json.Number `json:"value"`
			} `json:"values"`
		} `json:"data"`
	}
	if err := x.Client.Get(ctx, a, "/"+url.PathEscape(object)+"/insights", url.Values{"metric": {names}}, &w); err != nil {
		return nil, err
	}
	out := map[string]int64{}
	for _, m := range w.Data {
		if len(m.Values) == 0 {
			continue
		}
		if n, err := m.Values[0].Value.Int64(); err == nil {
			out[m.Name] = n
		}
	}
	return out, nil
}

// Count is a figure of a name, nil when it was not told.
func Count(m map[string]int64, name string) *int64 {
	n, ok := m[name]
	if !ok {
		return nil
	}
	return &n
}

// Paging is where a list goes on.
type Paging struct {
	Next    string `json:"next"`
	Cursors struct {
		After string `json:"after"`
	} `json:"cursors"`
}

// Cursor is what to ask for next, "" after the last.
func (p *Paging) Cursor() string {
	if p.Next == "" {
		return ""
	}
	return p.Cursors.After
}

// WireComment is a comment of either network, with the answers below it.
type WireComment struct {
	ID        Text      `json:"id"`
	Text      string    `json:"text"`
	Message   string    `json:"message"`
	Timestamp string    `json:"timestamp"`
	Created   string    `json:"created_time"`
	Username  string    `json:"username"`
	From      wireParty `json:"from"`
	Likes     int64     `json:"like_count"`
	Hidden    bool      `json:"hidden"`
	IsHidden  bool      `json:"is_hidden"`
	Parent    struct {
		ID Text `json:"id"`
	} `json:"parent"`
	Replies struct {
		Data []WireComment `json:"data"`
	} `json:"replies"`
}

// Of are the comment and its answers in the words of the platform.
func (w *WireComment) Of(post, parent string) []platform.Comment {
	at, err := ParseTime(w.Timestamp + w.Created)
	if err != nil || w.ID == "" {
		return nil
	}
	if parent == "" {
		parent = string(w.Parent.ID)
	}
	name := w.Username
	for _, other := range []string{w.From.Username, w.From.Name} {
		if name == "" {
			name = other
		}
	}
	out := []platform.Comment{{
		ID: string(w.ID), Post: post, Parent: parent, From: string(w.From.ID), FromName: name, Text: w.Text + w.Message, At: at, Verb: "add",
		Likes: w.Likes, Hidden: w.Hidden || w.IsHidden,
	}}
	for i := range w.Replies.Data {
		out = append(out, w.Replies.Data[i].Of(post, string(w.ID))...)
	}
	return out
}

// ListComments lists the comments below a post.
func ListComments(ctx context.Context, c *Client, a platform.Access, post, after string, query url.Values) (out platform.Comments, err error) {
	if after != "" {
		query.Set("after", after)
	}
	var w struct {
		Data   []WireComment `json:"data"`
		Paging Paging        `json:"paging"`
	}
	if err := c.Get(ctx, a, "/"+url.PathEscape(post)+"/comments", query, &w); err != nil {
		return out, err
	}
	for i := range w.Data {
		out.Data = append(out.Data, w.Data[i].Of(post, "")...)
	}
	out.Next = w.Paging.Cursor()
	return out, nil
}

// Each asks for each object by itself; those that are gone are left out.
func Each(ids []string, one func(id string) (platform.Post, error)) (out []platform.Post, err error) {
	for _, id := range ids {
		p, err := one(id)
		switch e := platform.As(err); {
		case e != nil && e.Fault == platform.Gone:
		case err != nil:
			return nil, err
		default:
			out = append(out, p)
		}
	}
	return out, nil
}
