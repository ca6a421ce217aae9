package video

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // the day of the quota ends at midnight Pacific, wherever this runs

	"svc/messenger/platform"
)

// Bounds of lists.
const (
	channelParts = "snippet,statistics,contentDetails"
	threadPages  = 5  // of a video: 500 threads
	replyPages   = 10 // of a thread
	shortPages   = 4
	shortest     = 180 * time.Second // what is longer is no short
)

// pacific is where the day of the quota ends.
var pacific = func() *time.Location {
	l, err := time.LoadLocation("America/Los_Angeles")
	if err != nil {
		panic(err) // it is compiled in
	}
	return l
}()

// Day is the day of the quota that a time lies in.
func Day(t time.Time) string { return t.In(pacific).Format(time.DateOnly) }

// Reset is when the day of the quota that a time lies in ends.
func Reset(t time.Time) time.Time {
	l := t.In(pacific)
	return time.Date(l.Year(), l.Month(), l.Day()+1, 0, 0, 0, 0, pacific).UTC()
}

// number is a count, which comes as a text.
type number string

func (n number) count() *int64 {
	v, err := strconv.ParseInt(string(n), 10, 64)
	if err != nil {
		return nil
	}
	return &v
}

type thumbnails map[string]struct {
	URL string `json:"url"`
}

func (t thumbnails) best() string {
	for _, name := range []string{"medium", "high", "standard", "default"} {
		if t[name].URL != "" {
			return t[name].URL
		}
	}
	return ""
}

type channel struct {
	ID      string `json:"id"`
	Snippet struct {
		Title      string     `json:"title"`
		Handle     string     `json:"customUrl"`
		Thumbnails thumbnails `json:"thumbnails"`
	} `json:"snippet"`
	Statistics struct {
		Views       number `json:"viewCount"`
		Subscribers number `json:"subscriberCount"`
		Hidden      bool   `json:"hiddenSubscriberCount"`
	} `json:"statistics"`
	Details struct {
		Playlists struct {
			Uploads string `json:"uploads"`
		} `json:"relatedPlaylists"`
	} `json:"contentDetails"`
}

type channels struct {
	Items []channel `json:"items"`
}

// granted is a channel as an account that may be connected.
func (c *Client) granted(w *channel) platform.Granted {
	g := platform.Granted{ExternalID: w.ID, Name: w.Snippet.Title, Username: strings.TrimPrefix(w.Snippet.Handle, "@"), AvatarURL: w.Snippet.Thumbnails.best()}
	if n := w.Statistics.Subscribers.count(); n != nil && !w.Statistics.Hidden {
		g.FollowersKnown, g.FollowersNumber = true, int(*n)
	}
	return g
}

func (c *Client) one(ctx context.Context, a platform.Access, q url.Values) (*channel, error) {
	q.Set("part", channelParts)
	var w channels
	if err := c.get(ctx, a, "channels", q, &w); err != nil {
		return nil, err
	}
	if len(w.Items) == 0 {
		return nil, &platform.Error{Fault: platform.Gone, Reason: "channelNotFound", Text: "there is no such channel"}
	}
	x := &w.Items[0]
	c.mu.Lock()
	c.uploads[x.ID] = x.Details.Playlists.Uploads
	c.mu.Unlock()
	return x, nil
}

func (c *Client) channel(ctx context.Context, a platform.Access) (*channel, error) {
	return c.one(ctx, a, url.Values{"id": {a.ExternalID}})
}

// Audience implements platform.Reader.
func (c *Client) Audience(ctx context.Context, a platform.Access) (out platform.Audience, err error) {
	w, err := c.channel(ctx, a)
	if err != nil {
		return out, err
	}
	if out.Views = w.Statistics.Views.count(); !w.Statistics.Hidden {
		out.Followers = w.Statistics.Subscribers.count()
	}
	return out, nil
}

// Posts implements platform.Reader: uploads with their figures.
func (c *Client) Posts(ctx context.Context, a platform.Access, since time.Time, after string) (out platform.Posts, err error) {
	list, err := c.uploadsOf(ctx, a)
	if err != nil || list == "" {
		return out, err
	}
	ids, next, err := c.playlist(ctx, a, list, since, after)
	if e := platform.As(err); e != nil && e.Fault == platform.Gone {
		return out, nil // nothing was uploaded yet
	}
	if err != nil || len(ids) == 0 {
		return out, err
	}
	out.Next = next
	out.Data, err = c.Figures(ctx, a, ids)
	return out, err
}

func (c *Client) uploadsOf(ctx context.Context, a platform.Access) (string, error) {
	c.mu.Lock()
	list, ok := c.uploads[a.ExternalID]
	c.mu.Unlock()
	if ok {
		return list, nil
	}
	w, err := c.channel(ctx, a)
	if err != nil {
		return "", err
	}
	return w.Details.Playlists.Uploads, nil
}

// playlist is a page of the videos of a list, the newest first.
func (c *Client) playlist(ctx context.Context, a platform.Access, list string, since time.Time, after string) (ids []string, next string, err error) {
	q := url.Values{"part": {"contentDetails"}, "playlistId": {list}, "maxResults": {"50"}}
	if after != "" {
		q.Set("pageToken", after)
	}
	var w struct {
		Items []struct {
			Details struct {
				ID string    `json:"videoId"`
				At time.Time `json:"videoPublishedAt"`
			} `json:"contentDetails"`
		} `json:"items"`
		Next string `json:"nextPageToken"`
	}
	if err := c.get(ctx, a, "playlistItems", q, &w); err != nil {
		return nil, "", err
	}
	next = w.Next
	for _, x := range w.Items {
		if x.Details.At.Before(since) {
			next = ""
			continue
		}
		ids = append(ids, x.Details.ID)
	}
	return ids, next, nil
}

type videoItem struct {
	ID      string `json:"id"`
	Snippet struct {
		Channel     string     `json:"channelId"`
		Title       string     `json:"title"`
		Description string     `json:"description"`
		At          time.Time  `json:"publishedAt"`
		Thumbnails  thumbnails `json:"thumbnails"`
	} `json:"snippet"`
	Statistics struct {
		Views    number `json:"viewCount"`
		Likes    number `json:"likeCount"`
		Comments number `json:"commentCount"`
	} `json:"statistics"`
	Details struct {
		Duration string `json:"duration"`
	} `json:"contentDetails"`
}

// Figures implements platform.Reader.
func (c *Client) Figures(ctx context.Context, a platform.Access, ids []string) ([]platform.Post, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	var w struct {
		Items []videoItem `json:"items"`
	}
	if err := c.get(ctx, a, "videos", url.Values{"part": {channelParts}, "id": {strings.Join(ids, ",")}, "maxResults": {"50"}}, &w); err != nil {
		return nil, err
	}
	var out []platform.Post
	var brief []string
	oldest := c.o.Now()
	for i := range w.Items {
		x := &w.Items[i]
		p := platform.Post{
			ID: x.ID, Kind: platform.KindVideo, Caption: x.Snippet.Title, Permalink: "https://www.youtube.com/watch?v=" + x.ID, Thumbnail: x.Snippet.Thumbnails.best(), At: x.Snippet.At.UTC(),
			Metrics: platform.Metrics{Views: x.Statistics.Views.count(), Likes: x.Statistics.Likes.count(), Comments: x.Statistics.Comments.count()}, Whole: true,
		}
		if x.Snippet.Description != "" {
			p.Caption += "\n\n" + x.Snippet.Description
		}
		if d := duration(x.Details.Duration); d > 0 && d <= shortest {
			brief = append(brief, x.ID)
			if p.At.Before(oldest) {
				oldest = p.At
			}
		}
		out = append(out, p)
	}
	if len(brief) == 0 {
		return out, nil
	}
	shorts, err := c.shorts(ctx, a, oldest)
	for i := range out {
		if slices.Contains(brief, out[i].ID) && slices.Contains(shorts, out[i].ID) {
			out[i].Kind = platform.KindShort
		}
	}
	return out, err
}

// shorts are the newest shorts of a channel, from a list that has its name of the channel's.
func (c *Client) shorts(ctx context.Context, a platform.Access, since time.Time) (out []string, err error) {
	id, ok := strings.CutPrefix(a.ExternalID, "UC")
	if !ok {
		return nil, nil
	}
	after := ""
	for range shortPages {
		ids, next, err := c.playlist(ctx, a, "UUSH"+id, since, after)
		if e := platform.As(err); e != nil && (e.Fault == platform.Gone || e.Fault == platform.Refused) {
			return out, nil // the channel has none
		}
		if err != nil {
			return out, err
		}
		out = append(out, ids...)
		if after = next; next == "" {
			break
		}
	}
	return out, nil
}

type wireComment struct {
	ID      string `json:"id"`
	Snippet struct {
		Video  string `json:"videoId"`
		Parent string `json:"parentId"`
		Text   string `json:"textOriginal"`
		Shown  string `json:"textDisplay"`
		Name   string `json:"authorDisplayName"`
		Author struct {
			ID string `json:"value"`
		} `json:"authorChannelId"`
		Likes int64     `json:"likeCount"`
		At    time.Time `json:"publishedAt"`
	} `json:"snippet"`
}

func (w *wireComment) of(video string) platform.Comment {
	text := w.Snippet.Text
	if text == "" {
		text = w.Snippet.Shown
	}
	return platform.Comment{
		ID: w.ID, Post: video, Parent: w.Snippet.Parent, From: w.Snippet.Author.ID, FromName: strings.TrimPrefix(w.Snippet.Name, "@"), Text: text,
		At: w.Snippet.At.UTC(), Verb: "add", Likes: w.Snippet.Likes,
	}
}

type thread struct {
	ID      string `json:"id"`
	Snippet struct {
		Video   string      `json:"videoId"`
		Top     wireComment `json:"topLevelComment"`
		Replies int         `json:"totalReplyCount"`
	} `json:"snippet"`
	Replies struct {
		Comments []wireComment `json:"comments"`
	} `json:"replies"`
}

// ListsRecent implements platform.Reader.
func (*Client) ListsRecent() bool { return true }

// Comments implements platform.Reader. A page of it is a number of the page and the network's
// own name of it.
func (c *Client) Comments(ctx context.Context, a platform.Access, post, after string) (out platform.Comments, err error) {
	q := url.Values{"part": {"snippet,replies"}, "order": {"time"}, "maxResults": {"100"}, "textFormat": {"plainText"}}
	if post != "" {
		q.Set("videoId", post)
	} else {
		q.Set("allThreadsRelatedToChannelId", a.ExternalID)
	}
	count, token, _ := strings.Cut(after, ":")
	page, _ := strconv.Atoi(count)
	if token != "" {
		q.Set("pageToken", token)
	}
	var w struct {
		Items []thread `json:"items"`
		Next  string   `json:"nextPageToken"`
	}
	err = c.get(ctx, a, "commentThreads", q, &w)
	if e := platform.As(err); e != nil && e.Reason == "commentsDisabled" {
		return platform.Comments{Closed: true}, nil
	}
	if err != nil {
		return out, err
	}
	for i := range w.Items {
		t := &w.Items[i]
		out.Data = append(out.Data, t.Snippet.Top.of(t.Snippet.Video))
		replies := t.Replies.Comments
		if t.Snippet.Replies > len(replies) { // a thread holds a part of them
			if replies, err = c.replies(ctx, a, t.ID); err != nil {
				return out, err
			}
		}
		for k := range replies {
			r := replies[k].of(t.Snippet.Video)
			r.Parent = t.Snippet.Top.ID
			out.Data = append(out.Data, r)
		}
	}
	switch {
	case w.Next == "":
	case page+1 >= threadPages:
		out.Cut = true
	default:
		out.Next = strconv.Itoa(page+1) + ":" + w.Next
	}
	return out, nil
}

func (c *Client) replies(ctx context.Context, a platform.Access, parent string) (out []wireComment, err error) {
	q := url.Values{"part": {"snippet"}, "parentId": {parent}, "maxResults": {"100"}, "textFormat": {"plainText"}}
	for range replyPages {
		var w struct {
			Items []wireComment `json:"items"`
			Next  string        `json:"nextPageToken"`
		}
		if err := c.get(ctx, a, "comments", q, &w); err != nil {
			return nil, err
		}
		out = append(out, w.Items...)
		if w.Next == "" {
			break
		}
		q.Set("pageToken", w.Next)
	}
	return out, nil
}
