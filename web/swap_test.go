package web_test

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"svc/web/webtest"
	"svc/web/webtest/town"
)

// TestTheMapChangesUnderLoad swaps the map file back and forth between two
// maps while clients ask everything: no request fails, and each answer is of
// one map.
func TestTheMapChangesUnderLoad(t *testing.T) {
	maps := town.NewMaps(t)
	files := []string{maps.Path(t, town.Town), maps.Path(t, town.Delaware)}
	serving := filepath.Join(t.TempDir(), "live.svcmap")
	install(t, files[0], serving)
	s := webtest.Start(t, webtest.Options{Map: serving})
	docs := func() int { return status(t, s) }

	var done atomic.Bool
	var asked atomic.Int64
	var clients sync.WaitGroup
	defer clients.Wait()
	defer done.Store(true)
	for range 4 {
		clients.Go(func() {
			for !done.Load() {
				for _, path := range []string{
					"/api/search?q=bahor", "/api/search?category=group:food&limit=50", "/api/autocomplete?q=d", "/api/reverse?lat=39.1582&lon=-75.5244",
					"/api/lookup?lat=41.5&lon=64.5&name=Markaz&radius=5000", "/api/nearby?lat=41.5&lon=64.5&limit=0", "/api/place/0", "/api/place/60", "/api/districts", "/api/status",
				} {
					ask(t, s, path)
					asked.Add(1)
				}
			}
		})
	}
	sizes := [2]int{docs(), 0}
	for round := range 8 {
		before := docs()
		install(t, files[(round+1)%2], serving)
		s.Reload()
		for begin := time.Now(); docs() == before; { // each question is a request too: no sleep is needed
			if time.Since(begin) > time.Minute {
				t.Fatalf("round %d: the new map does not serve", round)
			}
		}
		sizes[(round+1)%2] = docs()
		for seen := asked.Load(); asked.Load() < seen+100 && !t.Failed(); { // the new map is used before it goes
			docs()
		}
	}
	done.Store(true)
	clients.Wait()
	if sizes[0] == sizes[1] || sizes[1] == 0 {
		t.Errorf("the maps hold %v entries: they did not change", sizes)
	}
	t.Logf("%d requests over 8 changes of the map", asked.Load())
}

// install puts a map in place as the builder does: written whole, then renamed.
func install(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to+".tmp", data, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(to+".tmp", to); err != nil {
		t.Fatal(err)
	}
}

func ask(t *testing.T, s *webtest.Server, path string) []byte {
	resp, err := s.Client.Get(s.URL + path)
	if err != nil {
		t.Errorf("%s: %v", path, err)
		return nil
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK || !json.Valid(body) {
		t.Errorf("%s: %d %v %.200s", path, resp.StatusCode, err, body)
	}
	return body
}

func status(t *testing.T, s *webtest.Server) int {
	var got struct{ Docs int }
	if err := json.Unmarshal(ask(t, s, "/api/status"), &got); err != nil {
		t.Fatal(err)
	}
	return got.Docs
}
