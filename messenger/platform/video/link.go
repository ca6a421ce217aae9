package video

import (
	"context"
	"net/url"
	"regexp"
	"strings"

	"svc/messenger/platform"
)

// Names of links that lead to no channel.
const (
	ReasonNoLink    = "no_channel_link"
	ReasonCustomURL = "custom_url"
)

var (
	handle  = regexp.MustCompile(`^@[\p{L}\p{N}._·-]{3,60}$`)
	channID = regexp.MustCompile(`^UC[A-Za-z0-9_-]{22}$`)
	videoID = regexp.MustCompile(`^[A-Za-z0-9_-]{11}$`)
	user    = regexp.MustCompile(`^[A-Za-z0-9]{1,60}$`)
)

var hosts = map[string]bool{"youtube.com": true, "www.youtube.com": true, "m.youtube.com": true, "youtu.be": true, "www.youtu.be": true}

// target is what a link names: how channels.list is asked, or the video of the channel.
type target struct{ key, value string }

const ofVideo = "video"

// parse reads the six forms of links: @handle, /channel/, /user/, watch, youtu.be and /shorts/.
// A /c/ link has no list that finds it.
func parse(link string) (t target, reason string) {
	link = strings.TrimSpace(link)
	if handle.MatchString(link) {
		return target{"forHandle", link}, ""
	}
	if channID.MatchString(link) {
		return target{"id", link}, ""
	}
	if !strings.Contains(link, "://") {
		link = "https://" + link
	}
	u, err := url.Parse(link)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || !hosts[strings.ToLower(u.Hostname())] {
		return t, ReasonNoLink
	}
	parts := strings.Split(strings.Trim(u.Path, "/"), "/")
	second := ""
	if len(parts) > 1 {
		second = parts[1]
	}
	switch first := parts[0]; {
	case strings.Contains(u.Hostname(), "youtu.be"):
		t = target{ofVideo, first}
	case handle.MatchString(first):
		return target{"forHandle", first}, ""
	case first == "channel" && channID.MatchString(second):
		return target{"id", second}, ""
	case first == "user" && user.MatchString(second):
		return target{"forUsername", second}, ""
	case first == "c" && second != "":
		return t, ReasonCustomURL
	case first == "watch":
		t = target{ofVideo, u.Query().Get("v")}
	case first == "shorts", first == "live", first == "embed":
		t = target{ofVideo, second}
	}
	if t.key == "" || !videoID.MatchString(t.value) {
		return target{}, ReasonNoLink
	}
	return t, ""
}

// Find implements platform.Finder. A text that is no link of a channel is refused without a
// call, with one of the reasons above.
func (c *Client) Find(ctx context.Context, a platform.Access, link string) (out platform.Granted, err error) {
	t, reason := parse(link)
	if reason != "" {
		return out, &platform.Error{Fault: platform.Refused, Reason: reason}
	}
	if t.key == ofVideo {
		var w struct {
			Items []videoItem `json:"items"`
		}
		if err := c.get(ctx, a, "videos", url.Values{"part": {"snippet"}, "id": {t.value}}, &w); err != nil {
			return out, err
		}
		if len(w.Items) == 0 {
			return out, &platform.Error{Fault: platform.Gone, Reason: "videoNotFound"}
		}
		t = target{"id", w.Items[0].Snippet.Channel}
	}
	w, err := c.one(ctx, a, url.Values{t.key: {t.value}})
	if err != nil {
		return out, err
	}
	return c.granted(w), nil
}
