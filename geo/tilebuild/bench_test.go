package tilebuild

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"svc/geo/osm/osmtest"
)

func TestQuick(t *testing.T) {
	name := os.Getenv("QUICK")
	if name == "" {
		name = "malta"
	}
	in := osmtest.Extract(t, name+".osm.pbf")
	out := filepath.Join("/tmp", "a2-"+name+".pmtiles")
	r, err := Run(context.Background(), Options{Inputs: []string{in}, Out: out})
	if err != nil {
		t.Fatal(err)
	}
	data, _ := json.MarshalIndent(r, "", " ")
	t.Log(string(data))
}
