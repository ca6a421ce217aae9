package social_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"svc/app"
	"svc/app/api"
	"svc/app/api/apitest"
	"svc/app/channel"
	"svc/app/org"
	"svc/messenger/platform"
	"svc/messenger/platform/sim"
	simvideo "svc/messenger/platform/sim/video"
	"svc/messenger/platform/video"
	"svc/store"
	"svc/store/storetest"
)

// comments are so many of each video.
const comments = 7

// opened is the service over a folder, which reads the video network at an address.
type opened struct {
	*apitest.Server
	stop func()
}

// open opens the service over a folder; orgID is "" for a new organization. work: its queues are
// worked off.
func open(t testing.TB, dir, network, orgID string, work bool) *opened {
	t.Helper()
	client := video.New(video.Options{Key: simvideo.Key, ClientID: simvideo.App, Secret: simvideo.Secret, Token: network + simvideo.Tokens, API: network + simvideo.API, HTTP: http.DefaultClient, Now: time.Now})
	a, err := app.Open(t.Context(), app.Options{
		Data: filepath.Join(dir, "data"), PublicURL: "https://svc.example.uz", Outside: channel.Outside{Networks: []platform.Network{client}, Simulated: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	run := a.Run
	if !work {
		run = nil
	}
	o := &opened{Server: apitest.New(t, a.DB, a), stop: storetest.RunAndClose(t, run, a.Close)}
	if o.Org = orgID; orgID == "" {
		storetest.Update(t, a.DB, func(tx *store.Tx) error {
			x, err := org.Create(tx, api.System(t.Context(), "", a.DB.Now()), org.Fields{Name: "Acme", Plan: org.Enterprise, Timezone: "Asia/Tashkent"})
			o.Org = x.ID
			return err
		})
		o.Do("POST /organization/accept-policy", map[string]any{"policy_version": "1"}).Want(200)
	}
	return o
}

// network is the simulated video network with a channel that has much.
func network(t testing.TB, videos int) (*sim.Simulator, string) {
	t.Helper()
	world, err := sim.New(sim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(world.Handler())
	t.Cleanup(func() {
		server.Close()
		if err := world.Close(); err != nil {
			t.Error(err)
		}
	})
	err = world.Script(fmt.Sprintf("account video @big followers 10\nnow @big removes post\nnow @big fills %d %d", videos, comments))
	if err != nil {
		t.Fatal(err)
	}
	return world, server.URL
}

// TestKilled kills a process in the middle of a sync, again and again. It goes on from where it
// was stored: nothing is lost or doubled, and of each kill a page at most is read twice.
// SVC_TEST_KILLS says how often, 5 times at most, for a job whose process dies oftener is given up; 3 when it is not set.
func TestKilled(t *testing.T) {
	if dir := os.Getenv("SVC_TEST_KILLED"); dir != "" {
		open(t, dir, os.Getenv("SVC_TEST_NETWORK"), os.Getenv("SVC_TEST_ORG"), true)
		select {} // until it is killed
	}
	kills, err := strconv.Atoi(os.Getenv("SVC_TEST_KILLS"))
	if err != nil {
		kills = 3
	}
	videos := 30 * kills // so that it is not done before
	world, address := network(t, videos)
	dir := t.TempDir()
	w := open(t, dir, address, "", false)
	account := w.Do("POST /channels/youtube/accounts", map[string]any{"url": "@big"}).Want(201).String("id")
	orgID := w.Org
	w.stop()
	for range kills {
		before := world.Video.Units()
		kill(t, dir, address, orgID, func() bool { return world.Video.Units() >= before+1+rand.IntN(15) })
	}
	w = open(t, dir, address, orgID, true)
	storetest.Eventually(t, "the sync never ended", func() bool {
		return w.Do("GET /ai/social/accounts/"+account+"/sync", nil).Want(200).String("last_synced_at") != ""
	})
	complete(t, w, videos)
	// To find the channel, who follows, pages of videos, of which are short and of figures, and the
	// comments of each video.
	whole := 1 + 1 + 4*(videos/50+1) + videos
	if got := world.Video.Units(); got > whole+2*kills {
		t.Errorf("%d units were spent, want %d and a page for each of %d kills", got, whole, kills)
	}
}

// kill starts a process that works, and kills it once enough is done.
func kill(t *testing.T, dir, address, orgID string, enough func() bool) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestKilled$")
	cmd.Env = append(os.Environ(), "SVC_TEST_KILLED="+dir, "SVC_TEST_ORG="+orgID, "SVC_TEST_NETWORK="+address)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill() }() // also where the test ends here
	storetest.Eventually(t, "the process reads nothing", enough)
	time.AfterFunc(time.Duration(rand.IntN(5000))*time.Microsecond, func() { _ = cmd.Process.Kill() })
	_ = cmd.Wait() // killed: it says so
}

// complete says what is wrong with what is kept: everything is there once.
func complete(t *testing.T, w *opened, videos int) {
	t.Helper()
	for what, want := range map[string]int{"posts": videos, "comments": videos * comments} {
		seen := map[string]bool{}
		for cursor := ""; ; {
			var page struct {
				Data []struct {
					External string `json:"external_id"`
				}
				Total int
				Next  string `json:"next_cursor"`
			}
			w.Do("GET /ai/social/"+what+"?limit=100&cursor="+cursor, nil).Want(200).Into(&page)
			for _, x := range page.Data {
				if seen[x.External] {
					t.Errorf("%s of %s is there twice", x.External, what)
				}
				seen[x.External] = true
			}
			if cursor = page.Next; cursor == "" {
				break
			}
		}
		if len(seen) != want {
			t.Errorf("%d %s are kept, want %d", len(seen), what, want)
		}
	}
}
