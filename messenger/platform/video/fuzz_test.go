package video

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"svc/messenger/platform"
)

type answers struct {
	status int
	body   []byte
}

func (a answers) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: a.status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(string(a.body))), Request: r}, nil
}

// FuzzAnswers: whatever the network answers, reading it ends, and a refusal is a fault.
func FuzzAnswers(f *testing.F) {
	for _, body := range []string{
		`{"items":[{"id":"UC0123456789012345678901","snippet":{"title":"t","customUrl":"@t","thumbnails":{"medium":{"url":"https://x/y"}}},"statistics":{"viewCount":"1","subscriberCount":"2","hiddenSubscriberCount":true},"contentDetails":{"relatedPlaylists":{"uploads":"UU0"}}}]}`,
		`{"items":[{"contentDetails":{"videoId":"abcdefghijk","videoPublishedAt":"2026-11-20T07:00:00Z"}}],"nextPageToken":"P"}`,
		`{"items":[{"id":"abcdefghijk","statistics":{"viewCount":"x","likeCount":"-1"},"contentDetails":{"duration":"PT4M13S"},"snippet":{"channelId":"UC","title":"t","publishedAt":"2026-11-20T07:00:00Z"}}]}`,
		`{"items":[{"id":"c","snippet":{"videoId":"v","totalReplyCount":9,"topLevelComment":{"id":"c","snippet":{"textOriginal":"t","authorChannelId":{"value":"UC"},"publishedAt":"x"}}},"replies":{"comments":[null]}}]}`,
		`{"error":{"code":403,"errors":[{"reason":"quotaExceeded"}]}}`, `{"error":"invalid_grant"}`, `{"items":[null]}`, `null`, `[]`, ``,
	} {
		for _, status := range []int{200, 400, 401, 403, 404, 500} {
			f.Add(status, []byte(body))
		}
	}
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		if status < 200 || status > 599 || status/100 == 3 {
			return // answered by the transport itself
		}
		calls := 0
		c := New(Options{Key: "k", API: "https://v.example", Token: "https://t.example", HTTP: &http.Client{Transport: answers{status, body}}, Now: time.Now})
		a := platform.Access{ExternalID: "UC0123456789012345678901", Spend: func(_ context.Context, units int) error {
			if calls += units; calls > 1000 {
				return &platform.Error{Fault: platform.Limited}
			}
			return nil
		}}
		_, err := c.Audience(t.Context(), a)
		if status >= 300 && platform.As(err) == nil {
			t.Errorf("status %d is no fault: %v", status, err)
		}
		_, _ = c.Posts(t.Context(), a, time.Unix(0, 0), "")
		_, _ = c.Figures(t.Context(), a, []string{"abcdefghijk"})
		_, _ = c.Comments(t.Context(), a, "abcdefghijk", "")
		if calls > 1000 {
			t.Errorf("one reading costs %d units", calls)
		}
	})
}

// FuzzLinks: a text names one thing that can be asked for, or there is a reason; nothing else of it
// reaches the network.
func FuzzLinks(f *testing.F) {
	for _, link := range []string{
		"@demo_channel", "UC0123456789012345678901", "youtube.com/@demo", "https://www.youtube.com/channel/UC0123456789012345678901", "https://www.youtube.com/user/demo",
		"https://www.youtube.com/watch?v=abcdefghijk&t=1", "https://youtu.be/abcdefghijk?si=x", "https://m.youtube.com/shorts/abcdefghijk", "https://www.youtube.com/c/Demo",
		"https://youtube.com.evil.example/@demo", "https://evil.example#youtube.com/@demo", "https://user@youtube.com:99/@demo", "javascript:alert(1)", "https://youtube.com/%40demo", "@", "",
	} {
		f.Add(link)
	}
	f.Fuzz(func(t *testing.T, link string) {
		got, reason := parse(link)
		if (reason == "") == (got == target{}) {
			t.Fatalf("%q: %+v %q", link, got, reason)
		}
		if reason != "" {
			return
		}
		fits := map[string]bool{
			"forHandle": handle.MatchString(got.value), "id": channID.MatchString(got.value), "forUsername": user.MatchString(got.value), ofVideo: videoID.MatchString(got.value),
		}
		if !fits[got.key] {
			t.Errorf("%q: %+v", link, got)
		}
	})
}
