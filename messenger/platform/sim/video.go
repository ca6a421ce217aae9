package sim

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"svc/messenger/platform"
)

// What the simulated video network knows of applications.
const (
	VideoKey    = "sim-video-key"
	VideoApp    = "sim-video-app"
	VideoSecret = "sim-video-secret"
)

// Prefixes of its hosts.
const (
	VideoConsent = "/video"
	VideoTokens  = "/video-tokens"
	VideoAPI     = "/video-api"
)

// dailyUnits is what an application may spend in a day.
const dailyUnits = 10_000

// videoDay is the day of the quota, which ends at midnight Pacific; here without summer time.
func videoDay(t time.Time) string { return t.Add(-8 * time.Hour).UTC().Format(time.DateOnly) }

func (s *Simulator) videoHosts(mux *http.ServeMux) {
	mux.HandleFunc(VideoConsent+"/o/oauth2/v2/auth", func(w http.ResponseWriter, r *http.Request) { s.consent(w, r, platform.Video) })
	mux.HandleFunc("POST "+VideoTokens+"/token", s.videoToken)
	mux.HandleFunc("POST "+VideoTokens+"/revoke", func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if a, f := s.byToken(r.PostFormValue("token")); f == nil {
			a.gen++
		}
		answer(w, http.StatusOK, map[string]any{})
	})
	mux.HandleFunc("GET "+VideoAPI+"/youtube/v3/{list}", s.videoList)
}

// videoFault is an error as this network answers it.
type videoFault struct {
	status int
	reason string
}

// reasonsOf are the statuses of errors by name.
var reasonsOf = map[string]int{
	"quotaExceeded": 403, "rateLimitExceeded": 403, "commentsDisabled": 403, "forbidden": 403, "videoNotFound": 404, "channelNotFound": 404, "playlistNotFound": 404,
	"processingFailure": 400, "keyInvalid": 400, "authError": 401,
}

func (f *videoFault) write(w http.ResponseWriter) {
	answer(w, f.status, map[string]any{"error": map[string]any{
		"code": f.status, "message": "The request failed: " + f.reason, "errors": []any{map[string]any{"reason": f.reason, "domain": "youtube", "message": f.reason}},
	}})
}

func named(reason string) *videoFault { return &videoFault{reasonsOf[reason], reason} }

// videoList serves one of the five lists, each page for a unit: also one that is refused.
func (s *Simulator) videoList(w http.ResponseWriter, r *http.Request) {
	list := r.PathValue("list")
	do := map[string]func(*videoCall) (any, *videoFault){
		"channels": s.videoChannels, "playlistItems": s.videoPlaylist, "videos": s.videoVideos, "commentThreads": s.videoThreads, "comments": s.videoReplies,
	}[list]
	if do == nil {
		s.unmodelled(w, "GET "+r.URL.Path)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	q := &videoCall{r: r, now: s.o.Now()}
	s.calls["GET "+string(platform.Video)+" "+list]++
	if f := s.videoCaller(q); f != nil {
		f.write(w)
		return
	}
	day := videoDay(q.now)
	if s.units[day] >= dailyUnits {
		named("quotaExceeded").write(w)
		return
	}
	s.units[day]++
	out, f := do(q)
	if q.a != nil {
		if what := s.fires(q.a, "calls"); what.action != "" {
			if reasonsOf[what.action] == 0 {
				hangUp(w)
				return
			}
			f = named(what.action)
		}
	}
	if f != nil {
		f.write(w)
		return
	}
	answer(w, http.StatusOK, out)
}

// videoCall is a call of a list, by a key or by a channel.
type videoCall struct {
	r    *http.Request
	now  time.Time
	mine *account // who signed in, nil for a key
	a    *account // whom it is about
}

func (q *videoCall) get(name string) string { return q.r.URL.Query().Get(name) }

func (s *Simulator) videoCaller(q *videoCall) *videoFault {
	token := strings.TrimPrefix(q.r.Header.Get("Authorization"), "Bearer ")
	if token == "" {
		if q.get("key") != VideoKey {
			return named("keyInvalid")
		}
		return nil
	}
	a, f := s.byToken(strings.TrimPrefix(token, shortLived))
	if f != nil || !strings.HasPrefix(token, shortLived) {
		return named("authError")
	}
	q.mine = a
	return nil
}

// page is a page of a list of this network.
func videoPage[T any](q *videoCall, list []T) (rows []T, next string) {
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

func (s *Simulator) videoChannels(q *videoCall) (any, *videoFault) {
	var a *account
	switch {
	case q.get("mine") == "true":
		a = q.mine
	case q.get("forHandle") != "":
		a = s.account(platform.Video, strings.TrimPrefix(q.get("forHandle"), "@"))
	case q.get("forUsername") != "":
		a = s.account(platform.Video, q.get("forUsername"))
	default:
		a = s.accountID(platform.Video, q.get("id"))
	}
	if a == nil {
		return listing(nil, ""), nil
	}
	q.a = a
	views := int64(0)
	for _, p := range a.shownPosts() {
		views += p.now(q.now).Views
	}
	return listing([]any{map[string]any{
		"id": a.id, "snippet": map[string]any{"title": a.name, "customUrl": "@" + a.username, "thumbnails": picturesOf(q)},
		"statistics":     map[string]any{"viewCount": strconv.FormatInt(views, 10), "subscriberCount": strconv.Itoa(a.followers), "hiddenSubscriberCount": false},
		"contentDetails": map[string]any{"relatedPlaylists": map[string]any{"uploads": "UU" + a.id[2:]}},
	}}, ""), nil
}

func picturesOf(q *videoCall) map[string]any {
	return map[string]any{"medium": map[string]any{"url": "http://" + q.r.Host + "/files/photo.png"}}
}

func (s *Simulator) videoPlaylist(q *videoCall) (any, *videoFault) {
	id, short := strings.CutPrefix(q.get("playlistId"), "UUSH")
	if !short {
		id = strings.TrimPrefix(q.get("playlistId"), "UU")
	}
	a := s.accountID(platform.Video, "UC"+id)
	if a == nil {
		return nil, named("playlistNotFound")
	}
	q.a = a
	list := a.shownPosts()
	if short {
		list = slices.DeleteFunc(list, func(p *post) bool { return p.Kind != platform.KindShort })
	}
	if len(list) == 0 {
		return nil, named("playlistNotFound")
	}
	list, next := videoPage(q, list)
	var rows []any
	for _, p := range list {
		rows = append(rows, map[string]any{"contentDetails": map[string]any{"videoId": p.ID, "videoPublishedAt": p.At.UTC().Format(time.RFC3339)}})
	}
	return listing(rows, next), nil
}

// video finds a video of any channel.
func (s *Simulator) video(id string) (*account, *post) {
	for _, a := range s.accounts {
		if a.network != platform.Video {
			continue
		}
		if p := a.post(id); p != nil {
			return a, p
		}
	}
	return nil, nil
}

func (s *Simulator) videoVideos(q *videoCall) (any, *videoFault) {
	var rows []any
	for _, id := range strings.Split(q.get("id"), ",") {
		a, p := s.video(id)
		if p == nil {
			continue
		}
		q.a = a
		f := p.now(q.now)
		length := "PT4M13S"
		if p.Kind == platform.KindShort {
			length = "PT45S"
		}
		figures := map[string]any{"viewCount": strconv.FormatInt(f.Views, 10), "likeCount": strconv.FormatInt(f.Likes, 10)}
		if !p.NoComments {
			figures["commentCount"] = strconv.Itoa(len(p.live()))
		}
		rows = append(rows, map[string]any{
			"id": p.ID, "statistics": figures, "contentDetails": map[string]any{"duration": length},
			"snippet": map[string]any{"channelId": a.id, "title": p.Text, "publishedAt": p.At.UTC().Format(time.RFC3339), "thumbnails": picturesOf(q)},
		})
	}
	return listing(rows, ""), nil
}

func (s *Simulator) videoThreads(q *videoCall) (any, *videoFault) {
	var top []*comment
	videos := map[*comment]*post{}
	add := func(p *post) {
		for _, c := range p.live() {
			videos[c] = p
			if c.Parent == "" {
				top = append(top, c)
			}
		}
	}
	if id := q.get("videoId"); id != "" {
		a, p := s.video(id)
		if p == nil {
			return nil, named("videoNotFound")
		}
		if q.a = a; p.NoComments {
			return nil, named("commentsDisabled")
		}
		add(p)
	} else {
		q.a = s.accountID(platform.Video, q.get("allThreadsRelatedToChannelId"))
		if q.a == nil {
			return nil, named("channelNotFound")
		}
		for _, p := range q.a.shownPosts() {
			add(p)
		}
	}
	slices.SortStableFunc(top, func(x, y *comment) int { return y.At.Compare(x.At) })
	list, next := videoPage(q, top)
	var rows []any
	for _, c := range list {
		p := videos[c]
		below := repliesTo(p, c.ID)
		var held []any
		for _, r := range below[:min(len(below), 1)] { // a thread holds a part of them
			held = append(held, s.videoComment(q.a, p, r))
		}
		row := map[string]any{"id": c.ID, "snippet": map[string]any{"videoId": p.ID, "topLevelComment": s.videoComment(q.a, p, c), "totalReplyCount": len(below)}}
		if held != nil {
			row["replies"] = map[string]any{"comments": held}
		}
		rows = append(rows, row)
	}
	return listing(rows, next), nil
}

func repliesTo(p *post, id string) (out []*comment) {
	for _, c := range p.live() {
		if c.Parent == id {
			out = append(out, c)
		}
	}
	return out
}

func (s *Simulator) videoReplies(q *videoCall) (any, *videoFault) {
	for _, a := range s.accounts {
		if a.network != platform.Video {
			continue
		}
		for _, p := range a.shownPosts() {
			if below := repliesTo(p, q.get("parentId")); len(below) > 0 {
				q.a = a
				list, next := videoPage(q, below)
				var rows []any
				for _, c := range list {
					rows = append(rows, s.videoComment(a, p, c))
				}
				return listing(rows, next), nil
			}
		}
	}
	return listing(nil, ""), nil
}

func (s *Simulator) videoComment(a *account, p *post, c *comment) map[string]any {
	name, id := a.username, a.id
	if c.From != nil {
		name, id = c.From.username, videoName("UC", "person "+c.From.username, 22)
	}
	snippet := map[string]any{
		"videoId": p.ID, "textOriginal": c.Text, "textDisplay": c.Text, "authorDisplayName": "@" + name, "authorChannelId": map[string]any{"value": id},
		"likeCount": c.Likes, "publishedAt": c.At.UTC().Format(time.RFC3339),
	}
	if c.Parent != "" {
		snippet["parentId"] = c.Parent
	}
	return map[string]any{"id": c.ID, "snippet": snippet}
}

// Units are what was spent of the quota today.
func (s *Simulator) Units() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.units[videoDay(s.o.Now())]
}

// answersBelow lets the account or a person answer the newest comment of the newest post.
func (s *Simulator) answersBelow(a *account, p *person, text string) error {
	for _, at := range a.shownPosts() {
		live := at.live()
		if len(live) == 0 {
			continue
		}
		to := live[len(live)-1]
		if to.Parent != "" {
			continue
		}
		at.Comments = append(at.Comments, &comment{ID: s.next("c_"), Parent: to.ID, Text: text, From: p, At: s.o.Now()})
		return nil
	}
	return fmt.Errorf("there is no comment")
}
