package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"svc/geo/pmtiles"
	"svc/geo/tile"
)

// TestReference: the reference library reads every tile of archives that our
// writer made, with and without leaf directories, with runs and shared content.
func TestReference(t *testing.T) {
	for _, n := range []int{1, 100, 90_000} {
		path := filepath.Join(t.TempDir(), "a.pmtiles")
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		w, err := pmtiles.NewWriter(f)
		if err != nil {
			t.Fatal(err)
		}
		added := uint64(0)
		code := uint64(0)
		for i := range n {
			data, run := fmt.Sprintf("tile %d", i*i%997*i), uint32(1)
			if id := tile.FromCode(code); i%5 == 0 {
				data, run = "sea", min(7, uint32(tile.First(id.Z+1)-code))
			}
			if err := w.AddRun(tile.FromCode(code), run, []byte(data)); err != nil {
				t.Fatal(err)
			}
			added += uint64(run)
			code += uint64(run) + uint64(i%4)
		}
		info := tile.Info{Name: "Oʻzbekiston", Format: tile.PBF, Layers: []tile.Layer{{ID: "ocean", Fields: map[string]string{}}}, Bounds: [4]float64{-10, -20, 30, 40}}
		if err := w.Finish(info); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		if tiles, err := compare(path); err != nil || tiles != added {
			t.Errorf("%d runs: %d tiles of %d, %v", n, tiles, added, err)
		}
	}
}
