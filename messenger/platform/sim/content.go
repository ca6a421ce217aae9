package sim

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"svc/messenger/platform"
	"svc/messenger/platform/sim/answer"
	"svc/messenger/platform/sim/video"
)

// figures are what people did with a post.
type figures struct {
	Views, Likes, Shares, Saves int64
	// Fixed: a scene named them. Else they are made of the id, and grow with the age of the post.
	Fixed bool
}

// now are the figures of a post at a moment: two thirds of what there will be came within three
// days.
func (p *post) now(at time.Time) figures {
	if p.Figures.Fixed {
		return p.Figures
	}
	sum := sha256.Sum256([]byte("figures " + p.ID))
	most := 400 + float64(binary.BigEndian.Uint16(sum[:2])%4000)
	part := 1 - math.Exp(-at.Sub(p.At).Hours()/65)
	views := int64(most * part)
	return figures{Views: views, Likes: views * int64(3+sum[2]%9) / 100, Shares: views * int64(sum[3]%3) / 100, Saves: views * int64(sum[4]%4) / 100}
}

// live are the comments that a post shows.
func (p *post) live() (out []*comment) {
	for _, c := range p.Comments {
		if !c.Deleted {
			out = append(out, c)
		}
	}
	return out
}

// shownPosts are the posts of an account, the newest first.
func (a *account) shownPosts() []*post {
	out := slices.DeleteFunc(slices.Clone(a.posts), func(p *post) bool { return p.Deleted })
	slices.SortStableFunc(out, func(x, y *post) int { return y.At.Compare(x.At) })
	return out
}

func (a *account) post(id string) *post {
	for _, p := range a.posts {
		if p.ID == id && !p.Deleted {
			return p
		}
	}
	return nil
}

// contentPage is a page of a list with where it goes on.
func contentPage[T any](q *request, list []T, size int) ([]T, map[string]any) {
	from, _ := strconv.Atoi(q.r.URL.Query().Get("after"))
	from = min(max(from, 0), len(list))
	if limit, err := strconv.Atoi(q.r.URL.Query().Get("limit")); err == nil && limit > 0 {
		size = min(size, limit)
	}
	to := min(from+size, len(list))
	if to == len(list) {
		return list[from:to], nil
	}
	return list[from:to], map[string]any{"next": "more", "cursors": map[string]any{"after": strconv.Itoa(to)}}
}

// content serves what an account shows to the public, ok is false for other paths. The lock is
// held.
func (s *Simulator) content(q *request, last string) (ok bool, err error) {
	if q.r.Method != http.MethodGet {
		return false, nil
	}
	var p *post
	if q.path[0] != "" {
		p = q.a.post(q.path[0])
	}
	gone := &fault{code: 100, sub: 33, text: "Object does not exist"}
	if last == "media" || last == "posts" || last == "insights" || last == "comments" || p != nil {
		if what := s.fires(q.a, "calls"); what.Name == "error" {
			return true, &fault{code: what.Code, sub: what.Sub, text: "It does not work"}
		}
	}
	switch {
	case q.network == platform.Photo && last == "media", q.network == platform.Page && last == "posts":
		return true, s.listPosts(q)
	case len(q.path) == 2 && last == "insights":
		if p == nil {
			return true, gone
		}
		return true, s.insights(q, p)
	case len(q.path) == 2 && last == "comments":
		if p == nil {
			return true, gone
		}
		return true, s.listComments(q, p)
	case len(q.path) == 1 && p != nil:
		answer.JSON(q.w, http.StatusOK, s.shownPost(q, p))
		return true, nil
	case len(q.path) == 1 && strings.HasPrefix(last, "9"):
		return true, gone
	}
	return false, nil
}

func (s *Simulator) listPosts(q *request) error {
	if !q.a.may("basic") && !q.a.may("pages_read") {
		return &fault{code: 200, text: "Requires permission to read posts"}
	}
	since, _ := strconv.ParseInt(q.r.URL.Query().Get("since"), 10, 64)
	list := slices.DeleteFunc(q.a.shownPosts(), func(p *post) bool { return p.At.Unix() < since })
	list, paging := contentPage(q, list, 100)
	rows := []any{}
	for _, p := range list {
		rows = append(rows, s.shownPost(q, p))
	}
	out := map[string]any{"data": rows}
	if paging != nil {
		out["paging"] = paging
	}
	answer.JSON(q.w, http.StatusOK, out)
	return nil
}

func (s *Simulator) shownPost(q *request, p *post) map[string]any {
	f := p.now(s.o.Now())
	picture := answer.PictureURL(q.r, p.ID)
	if q.network == platform.Page {
		total := func(n int64) map[string]any {
			return map[string]any{"data": []any{}, "summary": map[string]any{"total_count": n}}
		}
		return map[string]any{
			"id": p.ID, "message": p.Text, "created_time": stamp(p.At), "permalink_url": "https://www.facebook.com/" + p.ID, "full_picture": picture,
			"shares": map[string]any{"count": f.Shares}, "reactions": total(f.Likes), "comments": total(int64(len(p.live()))),
		}
	}
	product := map[string]string{platform.KindReel: "REELS", platform.KindStory: "STORY"}[p.Kind]
	kind := "IMAGE"
	if p.Kind == platform.KindReel || p.Kind == platform.KindVideo {
		kind = "VIDEO"
	}
	if product == "" {
		product = "FEED"
	}
	return map[string]any{
		"id": p.ID, "caption": p.Text, "media_type": kind, "media_product_type": product, "permalink": "https://www.instagram.com/p/" + p.ID, "timestamp": stamp(p.At),
		"thumbnail_url": picture, "media_url": picture, "like_count": f.Likes, "comments_count": len(p.live()),
	}
}

// The metrics that posts of each network have.
var (
	photoMetrics = []string{"views", "reach", "likes", "comments", "shares", "saved", "total_interactions"}
	pageMetrics  = []string{"post_media_view", "post_total_media_view_unique", "post_clicks"}
)

const reelWatchTime = "ig_reels_video_view_total_time"

func (s *Simulator) insights(q *request, p *post) error {
	if !q.a.may("insights") {
		return &fault{code: 200, text: "Requires permission to read insights"}
	}
	f, comments := p.now(s.o.Now()), int64(len(p.live()))
	known := pageMetrics
	if q.network == platform.Photo {
		known = photoMetrics
		if p.Kind == platform.KindReel {
			known = append(slices.Clone(known), reelWatchTime)
		}
	}
	values := map[string]int64{
		"views": f.Views, "reach": f.Views * 7 / 10, "likes": f.Likes, "comments": comments, "shares": f.Shares, "saved": f.Saves,
		"total_interactions": f.Likes + comments + f.Shares + f.Saves, reelWatchTime: f.Views * 8000,
		"post_media_view": f.Views, "post_total_media_view_unique": f.Views * 7 / 10, "post_clicks": f.Views / 20,
	}
	rows := []any{}
	for _, name := range strings.Split(q.r.URL.Query().Get("metric"), ",") {
		if !slices.Contains(known, name) || slices.Contains(q.a.noMetrics, name) { // one bad metric fails the whole request
			return &fault{code: 100, text: "(#100) metric[0] must be one of the following values"}
		}
		rows = append(rows, map[string]any{"name": name, "period": "lifetime", "values": []any{map[string]any{"value": values[name]}}})
	}
	answer.JSON(q.w, http.StatusOK, map[string]any{"data": rows})
	return nil
}

func (s *Simulator) listComments(q *request, p *post) error {
	if !q.a.may("comments") && !q.a.may("engagement") && !q.a.may("user_content") {
		return &fault{code: 200, text: "Requires permission to read comments"}
	}
	list := p.live()
	slices.SortStableFunc(list, func(x, y *comment) int { return y.At.Compare(x.At) })
	page := q.network == platform.Page
	top := list
	if !page { // answers stand inside what they answer
		top = slices.DeleteFunc(slices.Clone(list), func(c *comment) bool { return c.Parent != "" })
	}
	top, paging := contentPage(q, top, 100)
	rows := []any{}
	for _, c := range top {
		row := s.shownComment(q.a, c)
		var below []any
		for _, r := range list {
			if !page && r.Parent == c.ID {
				below = append(below, s.shownComment(q.a, r))
			}
		}
		if below != nil {
			row["replies"] = map[string]any{"data": below}
		}
		rows = append(rows, row)
	}
	out := map[string]any{"data": rows}
	if paging != nil {
		out["paging"] = paging
	}
	answer.JSON(q.w, http.StatusOK, out)
	return nil
}

func (s *Simulator) shownComment(a *account, c *comment) map[string]any {
	from := map[string]any{"id": a.id, "username": a.username, "name": a.name}
	if c.From != nil {
		from = map[string]any{"id": idOf(a, c.From), "username": c.From.username, "name": c.From.name}
	}
	row := map[string]any{"id": c.ID, "from": from, "like_count": c.Likes}
	if a.network == platform.Page {
		delete(from, "username")
		row["message"], row["created_time"], row["is_hidden"] = c.Text, stamp(c.At), c.Hidden
		if c.Parent != "" {
			row["parent"] = map[string]any{"id": c.Parent}
		}
		return row
	}
	row["text"], row["timestamp"], row["hidden"], row["username"] = c.Text, stamp(c.At), c.Hidden, from["username"]
	return row
}

// publish adds a post: "text" [reel|story|video|short] [views N] [likes N] [shares N] [saves N]
// [ago DURATION] [no-comments]. The lock is held.
func (s *Simulator) publish(a *account, w []string) error {
	if len(w) == 0 {
		return errScene
	}
	p := &post{Text: w[0], At: s.o.Now(), Kind: platform.KindPost}
	if a.network == platform.Video {
		p.Kind = platform.KindVideo
	}
	for i := 1; i < len(w); i++ {
		switch w[i] {
		case "reel", "story", "video", "short":
			p.Kind = strings.ToUpper(w[i])
			continue
		case "no-comments":
			p.NoComments = true
			continue
		}
		if i++; i == len(w) {
			return errScene
		}
		if w[i-1] == "ago" {
			d, err := time.ParseDuration(w[i])
			if err != nil {
				return err
			}
			p.At = p.At.Add(-d)
			continue
		}
		n, err := strconv.ParseInt(w[i], 10, 64)
		if err != nil || !p.Figures.set(w[i-1], n) {
			return errScene
		}
	}
	p.ID = s.postID(a, fmt.Sprintf("%s post %d %s", a.id, len(a.posts), w[0]))
	a.posts = append([]*post{p}, a.posts...)
	return nil
}

func (f *figures) set(name string, n int64) bool {
	to := map[string]*int64{"views": &f.Views, "likes": &f.Likes, "shares": &f.Shares, "saves": &f.Saves}[name]
	if to == nil {
		return false
	}
	*to, f.Fixed = n, true
	return true
}

func (s *Simulator) postID(a *account, name string) string {
	if a.network == platform.Video {
		return video.ID(name)
	}
	return number("9", name)
}

// contentDoes is what an account does with its content, ok is false for other scenes. The lock
// is held.
func (s *Simulator) contentDoes(a *account, w []string) (ok bool, err error) {
	switch {
	case w[0] == "publishes":
		return true, s.publish(a, w[1:])
	case len(w) == 2 && w[0] == "removes" && w[1] == "post":
		list := a.shownPosts()
		if len(list) == 0 {
			return true, errScene
		}
		list[0].Deleted = true
		return true, nil
	case len(w) == 2 && w[0] == "no-metric":
		a.noMetrics = append(a.noMetrics, w[1])
		return true, nil
	case len(w) == 2 && w[0] == "followers":
		a.followers, err = strconv.Atoi(w[1])
		return true, err
	case len(w) == 2 && w[0] == "spent":
		n, err := strconv.Atoi(w[1])
		s.Video.SetUnits(n)
		return true, err
	case len(w) >= 3 && w[0] == "figures":
		list := a.shownPosts()
		if len(list) == 0 || len(w)%2 != 1 {
			return true, errScene
		}
		list[0].Figures = list[0].now(s.o.Now())
		for i := 1; i < len(w); i += 2 {
			n, err := strconv.ParseInt(w[i+1], 10, 64)
			if err != nil || !list[0].Figures.set(w[i], n) {
				return true, errScene
			}
		}
		return true, nil
	case len(w) == 3 && w[0] == "fills":
		return true, s.fill(a, w[1], w[2])
	}
	return false, nil
}

// fill makes so many posts, each with so many comments: "fills 500 40".
func (s *Simulator) fill(a *account, posts, comments string) error {
	n, err := strconv.Atoi(posts)
	if err != nil {
		return err
	}
	each, err := strconv.Atoi(comments)
	if err != nil {
		return err
	}
	for i := range n {
		p := &post{ID: s.postID(a, fmt.Sprintf("%s filled %d", a.id, i)), Text: fmt.Sprintf("Post %d", i), At: s.o.Now().Add(-time.Duration(i) * 4 * time.Hour), Kind: platform.KindPost}
		for k := range each {
			who := demoPeople[(i+k)%len(demoPeople)]
			person := s.person(a.network, who.username)
			person.name = who.name
			p.Comments = append(p.Comments, &comment{ID: number("8", fmt.Sprintf("%s comment %d", p.ID, k)), From: person, Text: who.comments, At: p.At.Add(time.Duration(k) * time.Minute)})
		}
		a.posts = append(a.posts, p)
	}
	return nil
}

// newest is the newest post that is there, nil for none.
func (a *account) newest() *post {
	if list := a.shownPosts(); len(list) > 0 {
		return list[0]
	}
	return nil
}
