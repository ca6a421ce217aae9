package sim_test

import (
	"bytes"
	"context"
	"fmt"
	"image/png"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"svc/messenger/platform"
	"svc/messenger/platform/platformtest"
	"svc/messenger/platform/sim/answer"
	simvideo "svc/messenger/platform/sim/video"
	"svc/messenger/platform/video"
)

func (w *world) videoClient() *video.Client {
	return video.New(video.Options{
		Key: simvideo.Key, ClientID: simvideo.App, Secret: simvideo.Secret, Consent: w.url + simvideo.Consent, Token: w.url + simvideo.Tokens, API: w.url + simvideo.API,
		HTTP: http.DefaultClient,
	})
}

// TestContent runs the suite of what accounts show against each network.
func TestContent(t *testing.T) {
	for _, name := range []platform.Name{platform.Photo, platform.Page, platform.Video} {
		t.Run(string(name), func(t *testing.T) {
			w := start(t, "", "account photo @studio followers 1200\naccount page \"Studio\" followers 1200\naccount video @studio followers 1200")
			n := map[platform.Name]platform.Network{platform.Photo: w.photo, platform.Page: w.page, platform.Video: w.videoClient()}[name]
			play := func(scene string, args ...any) {
				if err := w.On(name, fmt.Sprintf(scene, args...)); err != nil {
					t.Fatal(err)
				}
			}
			play("now @studio removes post") // that every account begins with
			code, ok := w.Allow(name, "http://svc/back", []string{"studio"}, n.Scopes())
			if !ok {
				t.Fatal("no consent")
			}
			grant, err := n.Exchange(t.Context(), code, "http://svc/back", "")
			if err != nil || len(grant.Accounts) != 1 {
				t.Fatalf("%+v, %v", grant, err)
			}
			a := platform.Access{ExternalID: grant.Accounts[0].ExternalID, Token: grant.Accounts[0].Token}
			platformtest.RunContent(t, platformtest.Content{
				Network: n, Access: a, Now: time.Now,
				Publish: func(text string, ago time.Duration) {
					play("now @studio publishes %q views 900 likes 40 ago %s", text, ago)
				},
				Remove:  func() { play("now @studio removes post") },
				Comment: func(text string) { play("now @lola comments %q on @studio", text) },
				Answer:  func(text string) { play("now @vali answers %q to @studio", text) },
			})
		})
	}
}

// TestBadMetric shows that one metric that the network does not have costs one request a day.
func TestBadMetric(t *testing.T) {
	w := start(t, "", "account photo @studio\nnow @studio publishes \"x\" reel views 900 likes 1\nnow @studio no-metric views")
	code, _ := w.Allow(platform.Photo, "http://svc/back", []string{"studio"}, w.photo.Scopes())
	grant, err := w.photo.Exchange(t.Context(), code, "http://svc/back", "")
	if err != nil {
		t.Fatal(err)
	}
	a := platform.Access{ExternalID: grant.Accounts[0].ExternalID, Token: grant.Accounts[0].Token}
	posts, err := w.photo.Posts(t.Context(), a, time.Now().Add(-time.Hour*24), "")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		list, err := w.photo.Figures(t.Context(), a, []string{posts.Data[0].ID})
		if err != nil || list[0].Metrics.Views != nil || list[0].Metrics.Reach == nil || *list[0].Metrics.Reach != 630 {
			t.Fatalf("%+v, %v", list, err)
		}
	}
	if n := w.State().Calls["GET PHOTO_NETWORK insights"]; n != 4 { // two sets are refused, then the third is asked twice
		t.Errorf("%d requests for metrics", n)
	}
}

// TestVideoLinks reads the six forms of links and refuses others.
func TestVideoLinks(t *testing.T) {
	w := start(t, "", "account video @demo_channel\nnow @demo_channel publishes \"x\" short")
	c := w.videoClient()
	got, err := c.Find(t.Context(), platform.Access{}, "@demo_channel")
	if err != nil || got.Username != "demo_channel" {
		t.Fatalf("%+v, %v", got, err)
	}
	posts, err := c.Posts(t.Context(), platform.Access{ExternalID: got.ExternalID}, time.Now().Add(-time.Hour*24), "")
	if err != nil || len(posts.Data) != 2 || posts.Data[0].Kind != platform.KindShort || posts.Data[1].Kind != platform.KindVideo {
		t.Fatalf("%+v, %v", posts, err)
	}
	id := posts.Data[0].ID
	for _, link := range []string{
		"https://www.youtube.com/@demo_channel/videos", "youtube.com/channel/" + got.ExternalID, "http://m.youtube.com/user/demochannel", "https://youtube.com/watch?v=" + id + "&t=4",
		"https://youtu.be/" + id + "?si=x", "https://www.youtube.com/shorts/" + id, got.ExternalID,
	} {
		found, err := c.Find(t.Context(), platform.Access{}, link)
		if strings.Contains(link, "/user/") {
			if e := platform.As(err); e == nil || e.Fault != platform.Gone {
				t.Errorf("%s: %v", link, err)
			}
			continue
		}
		if err != nil || found.ExternalID != got.ExternalID {
			t.Errorf("%s: %+v, %v", link, found, err)
		}
	}
	units := w.Video.Units()
	for link, reason := range map[string]string{
		"https://www.youtube.com/c/DemoChannel": video.ReasonCustomURL, "https://vimeo.com/1": video.ReasonNoLink, "demo": video.ReasonNoLink,
		"https://www.youtube.com/": video.ReasonNoLink, "https://www.youtube.com/watch?v=short": video.ReasonNoLink, "javascript://youtube.com/@demo_channel": video.ReasonNoLink,
	} {
		if _, err := c.Find(t.Context(), platform.Access{}, link); platform.As(err) == nil || platform.As(err).Reason != reason {
			t.Errorf("%s: %v, want %s", link, err, reason)
		}
	}
	if w.Video.Units() != units {
		t.Error("a link that is none cost units")
	}
}

// TestVideoQuota counts units, also of calls that are refused, and ends at midnight Pacific.
func TestVideoQuota(t *testing.T) {
	w := start(t, "", "account video @demo_channel\nat 2 calls commentsDisabled\nat 3 calls processingFailure\nat 4 calls keyInvalid")
	c := w.videoClient()
	spent := 0
	a := platform.Access{Spend: func(_ context.Context, n int) error { spent += n; return nil }}
	got, err := c.Find(t.Context(), a, "@demo_channel")
	if err != nil {
		t.Fatal(err)
	}
	a.ExternalID = got.ExternalID
	if list, err := c.Comments(t.Context(), a, "", ""); err != nil || !list.Closed {
		t.Errorf("%+v, %v", list, err)
	}
	_, err = c.Audience(t.Context(), a)
	if e := platform.As(err); e == nil || e.Fault != platform.Uncertain {
		t.Error(err)
	}
	_, err = c.Audience(t.Context(), a)
	if e := platform.As(err); e == nil || e.Fault != platform.Refused || e.Reason != "keyInvalid" {
		t.Error(err)
	}
	if spent != 4 || w.Video.Units() != 4 {
		t.Errorf("%d units here, %d there", spent, w.Video.Units())
	}
	if err := w.Script("now @demo_channel spent 10000"); err != nil {
		t.Fatal(err)
	}
	_, err = c.Audience(t.Context(), a)
	if e := platform.As(err); e == nil || !video.Spent(e) || e.Wait <= 0 || e.Wait > 25*time.Hour {
		t.Error(err)
	}
	for at, want := range map[string]string{
		"2026-11-20T07:59:00Z": "2026-11-20T08:00:00Z", "2026-11-20T08:00:00Z": "2026-11-21T08:00:00Z", "2026-07-01T06:00:00Z": "2026-07-01T07:00:00Z",
	} {
		now, _ := time.Parse(time.RFC3339, at)
		if got := video.Reset(now).Format(time.RFC3339); got != want {
			t.Errorf("at %s the quota is new at %s, want %s", at, got, want)
		}
	}
}

// TestChallenge: the consent page of the video network binds its code to the verifier of the
// address, and an address without a challenge is refused.
func TestChallenge(t *testing.T) {
	const back = "http://svc/back"
	w := start(t, "", "account video @studio")
	n := w.videoClient()
	stay := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	allow := func(address string) (status int, code string) {
		t.Helper()
		resp, err := stay.PostForm(address, url.Values{"account": {"studio"}, "scope": n.Scopes()})
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		to, _ := resp.Location()
		if to == nil {
			return resp.StatusCode, ""
		}
		return resp.StatusCode, to.Query().Get("code")
	}
	address := n.Authorize(back, "state", "the verifier")
	_, code := allow(address)
	if _, err := n.Exchange(t.Context(), code, back, "another"); platform.As(err) == nil || platform.As(err).Reason != "invalid_grant" {
		t.Errorf("a code with another verifier: %v", err)
	}
	if g, err := n.Exchange(t.Context(), code, back, "the verifier"); err != nil || len(g.Accounts) != 1 {
		t.Errorf("a code with its verifier: %+v, %v", g, err)
	}
	u, _ := url.Parse(address)
	q := u.Query()
	q.Del("code_challenge")
	u.RawQuery = q.Encode()
	if status, _ := allow(u.String()); status != http.StatusBadRequest {
		t.Errorf("without a challenge the page answers %d", status)
	}
}

// TestPictures: each post has a picture of its own, the same one every time.
func TestPictures(t *testing.T) {
	w := start(t, "", "")
	get := func(id string) []byte {
		t.Helper()
		resp, err := http.Get(w.url + "/files/" + answer.Pictures + id)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		b, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		if img, err := png.Decode(bytes.NewReader(b)); err != nil || img.Bounds().Dx() < 100 {
			t.Fatalf("the picture of %s: %v", id, err)
		}
		return b
	}
	first := get("p1")
	if !bytes.Equal(first, get("p1")) || bytes.Equal(first, get("p2")) {
		t.Error("pictures of one post differ, or those of two posts do not")
	}
}
