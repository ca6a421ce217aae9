package video

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"svc/messenger/platform/sim/answer"
)

// fault is an error as this network answers it.
type fault struct {
	status int
	reason string
}

// statusOf are the statuses of errors by name.
var statusOf = map[string]int{
	"quotaExceeded": 403, "rateLimitExceeded": 403, "commentsDisabled": 403, "forbidden": 403, "videoNotFound": 404, "channelNotFound": 404, "playlistNotFound": 404,
	"processingFailure": 400, "keyInvalid": 400, "authError": 401,
}

func (f *fault) write(w http.ResponseWriter) {
	answer.JSON(w, f.status, map[string]any{"error": map[string]any{
		"code": f.status, "message": "The request failed: " + f.reason, "errors": []any{map[string]any{"reason": f.reason, "domain": "youtube", "message": f.reason}},
	}})
}

func named(reason string) *fault { return &fault{statusOf[reason], reason} }

// list serves one of the five lists, each page for a unit: also one that is refused.
func (s *Server) list(w http.ResponseWriter, r *http.Request) {
	list := r.PathValue("list")
	do := map[string]func(*call) (any, *fault){
		"channels": channels, "playlistItems": playlist, "videos": videos, "commentThreads": threads, "comments": answers,
	}[list]
	if do == nil {
		s.network.Unmodelled(w, "GET "+r.URL.Path)
		return
	}
	s.network.Counted(list)
	q := &call{r: r}
	if f := s.caller(q); f != nil {
		f.write(w)
		return
	}
	if !s.spend() {
		named("quotaExceeded").write(w)
		return
	}
	q.all = s.network.Channels()
	out, f := do(q)
	if q.about != "" {
		if reason := s.network.Scene(q.about); reason != "" {
			if statusOf[reason] == 0 {
				answer.HangUp(w)
				return
			}
			f = named(reason)
		}
	}
	if f != nil {
		f.write(w)
		return
	}
	answer.JSON(w, http.StatusOK, out)
}

// call is a call of a list, by a key or by a channel.
type call struct {
	r     *http.Request
	all   []Channel
	mine  string // id of the channel that signed in, "" for a key
	about string // id of the channel that it is about
}

func (q *call) get(name string) string { return q.r.URL.Query().Get(name) }

func (q *call) channel(id string) *Channel {
	return find(q.all, func(c *Channel) bool { return c.ID == id })
}

// video finds a video of any channel.
func (q *call) video(id string) (*Channel, *Video) {
	for i := range q.all {
		if v := find(q.all[i].Videos, func(v *Video) bool { return v.ID == id }); v != nil {
			return &q.all[i], v
		}
	}
	return nil, nil
}

func (s *Server) caller(q *call) *fault {
	token := strings.TrimPrefix(q.r.Header.Get("Authorization"), "Bearer ")
	if token == "" {
		if q.get("key") != Key {
			return named("keyInvalid")
		}
		return nil
	}
	rest, short := strings.CutPrefix(token, shortLived)
	id, ok := s.network.SignedIn(rest)
	if !short || !ok {
		return named("authError")
	}
	q.mine = id
	return nil
}

// page is a page of a list of this network.
func page[T any](q *call, list []T) (rows []T, next string) {
	size, err := strconv.Atoi(q.get("maxResults"))
	if err != nil || size < 1 {
		size = 5
	}
	from, _ := strconv.Atoi(strings.TrimPrefix(q.get("pageToken"), "P"))
	from = min(max(from, 0), len(list))
	to := min(from+size, len(list))
	if to < len(list) {
		next = "P" + strconv.Itoa(to)
	}
	return list[from:to], next
}

func listing(rows []any, next string) map[string]any {
	out := map[string]any{"items": append([]any{}, rows...)}
	if next != "" {
		out["nextPageToken"] = next
	}
	return out
}

func channels(q *call) (any, *fault) {
	username := cmp.Or(strings.TrimPrefix(q.get("forHandle"), "@"), q.get("forUsername"))
	var c *Channel
	switch {
	case q.get("mine") == "true":
		c = q.channel(q.mine)
	case username != "":
		c = find(q.all, func(c *Channel) bool { return c.Username == username })
	default:
		c = q.channel(q.get("id"))
	}
	if c == nil {
		return listing(nil, ""), nil
	}
	q.about = c.ID
	views := int64(0)
	for _, v := range c.Videos {
		views += v.Views
	}
	return listing([]any{map[string]any{
		"id": c.ID, "snippet": map[string]any{"title": c.Name, "customUrl": "@" + c.Username, "thumbnails": pictures(q, c.ID)},
		"statistics":     map[string]any{"viewCount": strconv.FormatInt(views, 10), "subscriberCount": strconv.Itoa(c.Followers), "hiddenSubscriberCount": false},
		"contentDetails": map[string]any{"relatedPlaylists": map[string]any{"uploads": "UU" + c.ID[2:]}},
	}}, ""), nil
}

func pictures(q *call, id string) map[string]any {
	return map[string]any{"medium": map[string]any{"url": answer.PictureURL(q.r, id)}}
}

func playlist(q *call) (any, *fault) {
	id, short := strings.CutPrefix(q.get("playlistId"), "UUSH")
	if !short {
		id = strings.TrimPrefix(q.get("playlistId"), "UU")
	}
	c := q.channel("UC" + id)
	if c == nil {
		return nil, named("playlistNotFound")
	}
	q.about = c.ID
	list := c.Videos
	if short {
		list = slices.DeleteFunc(slices.Clone(list), func(v Video) bool { return !v.Short })
	}
	if len(list) == 0 {
		return nil, named("playlistNotFound")
	}
	list, next := page(q, list)
	var rows []any
	for _, v := range list {
		rows = append(rows, map[string]any{"contentDetails": map[string]any{"videoId": v.ID, "videoPublishedAt": v.At.UTC().Format(time.RFC3339)}})
	}
	return listing(rows, next), nil
}

func videos(q *call) (any, *fault) {
	var rows []any
	for _, id := range strings.Split(q.get("id"), ",") {
		c, v := q.video(id)
		if v == nil {
			continue
		}
		q.about = c.ID
		length := "PT4M13S"
		if v.Short {
			length = "PT45S"
		}
		figures := map[string]any{"viewCount": strconv.FormatInt(v.Views, 10), "likeCount": strconv.FormatInt(v.Likes, 10)}
		if !v.NoComments {
			figures["commentCount"] = strconv.Itoa(len(v.Comments))
		}
		rows = append(rows, map[string]any{
			"id": v.ID, "statistics": figures, "contentDetails": map[string]any{"duration": length},
			"snippet": map[string]any{"channelId": c.ID, "title": v.Title, "publishedAt": v.At.UTC().Format(time.RFC3339), "thumbnails": pictures(q, v.ID)},
		})
	}
	return listing(rows, ""), nil
}

// below is a comment with the video that it stands below.
type below struct {
	v *Video
	c Comment
}

func threads(q *call) (any, *fault) {
	var top []below
	add := func(v *Video) {
		for _, c := range v.answersTo("") {
			top = append(top, below{v, c})
		}
	}
	var of *Channel
	if id := q.get("videoId"); id != "" {
		c, v := q.video(id)
		if v == nil {
			return nil, named("videoNotFound")
		}
		if of, q.about = c, c.ID; v.NoComments {
			return nil, named("commentsDisabled")
		}
		add(v)
	} else {
		of = q.channel(q.get("allThreadsRelatedToChannelId"))
		if of == nil {
			return nil, named("channelNotFound")
		}
		q.about = of.ID
		for i := range of.Videos {
			add(&of.Videos[i])
		}
	}
	slices.SortStableFunc(top, func(x, y below) int { return y.c.At.Compare(x.c.At) })
	list, next := page(q, top)
	var rows []any
	for _, x := range list {
		under := x.v.answersTo(x.c.ID)
		var held []any
		for _, r := range under[:min(len(under), 1)] { // a thread holds a part of them
			held = append(held, shown(of, x.v, r))
		}
		row := map[string]any{"id": x.c.ID, "snippet": map[string]any{"videoId": x.v.ID, "topLevelComment": shown(of, x.v, x.c), "totalReplyCount": len(under)}}
		if held != nil {
			row["replies"] = map[string]any{"comments": held}
		}
		rows = append(rows, row)
	}
	return listing(rows, next), nil
}

func answers(q *call) (any, *fault) {
	for i := range q.all {
		c := &q.all[i]
		for k := range c.Videos {
			v := &c.Videos[k]
			if under := v.answersTo(q.get("parentId")); len(under) > 0 {
				q.about = c.ID
				list, next := page(q, under)
				var rows []any
				for _, r := range list {
					rows = append(rows, shown(c, v, r))
				}
				return listing(rows, next), nil
			}
		}
	}
	return listing(nil, ""), nil
}

func shown(of *Channel, v *Video, c Comment) map[string]any {
	name, id := of.Username, of.ID
	if c.From != "" {
		name, id = c.From, ChannelID("person "+c.From)
	}
	snippet := map[string]any{
		"videoId": v.ID, "textOriginal": c.Text, "textDisplay": c.Text, "authorDisplayName": "@" + name, "authorChannelId": map[string]any{"value": id},
		"likeCount": c.Likes, "publishedAt": c.At.UTC().Format(time.RFC3339),
	}
	if c.Parent != "" {
		snippet["parentId"] = c.Parent
	}
	return map[string]any{"id": c.ID, "snippet": snippet}
}
