package osm_test

import (
	"context"
	"io"
	"os"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	paulmach "github.com/paulmach/osm"
	"github.com/paulmach/osm/osmpbf"

	"svc/geo/osm"
	"svc/geo/osm/osmtest"
)

// Every object of a real extract equals what another reader makes of it.
func TestOracle(t *testing.T) {
	path := osmtest.Delaware(t)
	f, err := osm.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	got, err := read(f, all)
	if err != nil {
		t.Fatal(err)
	}
	r, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var want osm.Block
	oracle(t, r, &want)
	if len(want.Nodes) < 500_000 || len(want.Ways) < 50_000 || len(want.Relations) < 100 {
		t.Fatalf("the other reader found only %d nodes, %d ways, %d relations", len(want.Nodes), len(want.Ways), len(want.Relations))
	}
	same(t, "nodes", want.Nodes, got.Nodes)
	same(t, "ways", want.Ways, got.Ways)
	same(t, "relations", want.Relations, got.Relations)
	if f.Header().Bounds == nil {
		t.Error("the bounds of the header are missing")
	}
}

// same compares one by one: a difference of the whole lists takes minutes to draw.
func same[T any](t *testing.T, what string, want, got []T) {
	t.Helper()
	if len(want) != len(got) {
		t.Errorf("%d %s, want %d", len(got), what, len(want))
	}
	wrong := 0
	for i := range min(len(want), len(got)) {
		if reflect.DeepEqual(want[i], got[i]) {
			continue
		}
		if wrong++; wrong > 5 {
			return
		}
		t.Errorf("%s %d: -want +got\n%s", what, i, cmp.Diff(want[i], got[i]))
	}
}

// oracle reads a file with github.com/paulmach/osm.
func oracle(t *testing.T, r io.Reader, out *osm.Block) {
	s := osmpbf.New(context.Background(), r, 2)
	defer s.Close()
	for s.Scan() {
		switch o := s.Object().(type) {
		case *paulmach.Node:
			out.Nodes = append(out.Nodes, osm.Node{ID: int64(o.ID), Lat: fixed(o.Lat), Lon: fixed(o.Lon), Tags: oracleTags(o.Tags)})
		case *paulmach.Way:
			w := osm.Way{ID: int64(o.ID), Tags: oracleTags(o.Tags)}
			for _, n := range o.Nodes {
				w.Refs = append(w.Refs, int64(n.ID))
			}
			out.Ways = append(out.Ways, w)
		case *paulmach.Relation:
			rel := osm.Relation{ID: int64(o.ID), Tags: oracleTags(o.Tags)}
			for _, m := range o.Members {
				typ := map[paulmach.Type]osm.Type{paulmach.TypeNode: osm.TypeNode, paulmach.TypeWay: osm.TypeWay, paulmach.TypeRelation: osm.TypeRelation}[m.Type]
				rel.Members = append(rel.Members, osm.Member{Type: typ, Ref: m.Ref, Role: m.Role})
			}
			out.Relations = append(out.Relations, rel)
		}
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
}

func oracleTags(tags paulmach.Tags) osm.Tags {
	var out osm.Tags
	for _, t := range tags {
		out = append(out, osm.Tag{Key: t.Key, Value: t.Value})
	}
	return out
}

func fixed(degrees float64) int32 {
	if degrees < 0 {
		return -fixed(-degrees)
	}
	return int32(degrees*1e7 + 0.5)
}

// The same for other real extracts, read the way the build reads them: one kind
// after the other.
func TestOracleByKind(t *testing.T) {
	for _, name := range []string{"malta.osm.pbf", "uz-places.osm.pbf", "andorra-valhalla.osm.pbf", "moscow-center.osm.pbf"} {
		t.Run(name, func(t *testing.T) {
			path := osmtest.Extract(t, name)
			f, err := osm.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			got, err := inTurn(f, []osm.Kinds{osm.Relations, osm.Ways, osm.Nodes})
			if err != nil {
				t.Fatal(err)
			}
			r, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			var want osm.Block
			oracle(t, r, &want)
			same(t, "nodes", want.Nodes, got.Nodes)
			same(t, "ways", want.Ways, got.Ways)
			same(t, "relations", want.Relations, got.Relations)
		})
	}
}
