package osm_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"svc/geo/osm"
	"svc/geo/osm/osmtest"
)

// In a sorted file a Scan looks into the blobs of its kind and a few more.
func TestSortedReadsLittle(t *testing.T) {
	b := sample(1000) // 100 blobs of each type
	data := written(t, osmtest.Options{Sorted: true, Dense: true, PerBlob: 10, Compression: osmtest.Zlib}, b)
	f := mustOpen(t, data)
	for _, c := range []struct {
		kinds osm.Kinds
		most  int
	}{{osm.Relations, 125}, {osm.Ways, 225}, {osm.Nodes, 300}} {
		got, err := read(f, c.kinds)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(only(b, c.kinds), got); d != "" {
			t.Fatalf("%v: -want +got\n%s", c.kinds, d)
		}
		if n := osm.Known(f); n > c.most {
			t.Errorf("after %v %d blobs were looked into, want at most %d", c.kinds, n, c.most)
		}
	}
}

// Border blobs that hold two or three types, empty blobs and missing types.
func TestSortedBorders(t *testing.T) {
	b := sample(6)
	n := func(i int) osm.Block { return osm.Block{Nodes: b.Nodes[i : i+1]} }
	w := func(i int) osm.Block { return osm.Block{Ways: b.Ways[i : i+1]} }
	r := func(i int) osm.Block { return osm.Block{Relations: b.Relations[i : i+1]} }
	join := func(list ...osm.Block) (out osm.Block) {
		for _, x := range list {
			out.Nodes = append(out.Nodes, x.Nodes...)
			out.Ways = append(out.Ways, x.Ways...)
			out.Relations = append(out.Relations, x.Relations...)
		}
		return out
	}
	empty := osm.Block{}
	for name, blocks := range map[string][]osm.Block{
		"nothing":        {},
		"all empty":      {empty, empty, empty},
		"one of all":     {join(n(0), w(0), r(0))},
		"only nodes":     {n(0), n(1), n(2)},
		"only ways":      {w(0), w(1)},
		"only relations": {r(0), r(1), r(2), r(3)},
		"no ways":        {n(0), n(1), r(0)},
		"mixed borders":  {n(0), join(n(1), w(0)), w(1), w(2), join(w(3), r(0)), r(1)},
		"all in middle":  {n(0), join(n(1), w(0), r(0)), r(1), r(2)},
		"empty between":  {empty, n(0), empty, empty, w(0), empty, w(1), empty, empty, empty, r(0), empty},
		"empty first":    {empty, empty, empty, empty, r(0)},
		"empty last":     {n(0), empty, empty, empty, empty},
	} {
		t.Run(name, func(t *testing.T) {
			data := pieces(t, osmtest.Options{Sorted: true}, blocks...)
			whole := join(blocks...)
			for kinds := osm.Kinds(1); kinds <= all; kinds++ {
				got, err := read(mustOpen(t, data), kinds)
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(only(whole, kinds), got); d != "" {
					t.Errorf("%v: -want +got\n%s", kinds, d)
				}
			}
		})
	}
}

// A file that claims an order it does not have is never read incompletely: by
// the time all types were asked for, a Scan has failed, and starting over works.
func TestSortedLies(t *testing.T) {
	b := sample(8)
	n := func(i int) osm.Block { return osm.Block{Nodes: b.Nodes[i : i+1]} }
	w := func(i int) osm.Block { return osm.Block{Ways: b.Ways[i : i+1]} }
	r := func(i int) osm.Block { return osm.Block{Relations: b.Relations[i : i+1]} }
	orders := [][]osm.Kinds{
		{osm.Nodes, osm.Ways, osm.Relations}, {osm.Relations, osm.Ways, osm.Nodes},
		{osm.Ways, osm.Nodes, osm.Relations}, {osm.Ways | osm.Relations, osm.Nodes},
	}
	for name, blocks := range map[string][]osm.Block{
		"backwards":        {r(0), r(1), w(0), w(1), n(0), n(1)},
		"node after way":   {n(0), w(0), n(1), w(1), w(2), r(0), r(1)},
		"way first":        {w(0), n(0), n(1), n(2), n(3), w(1), r(0)},
		"relation first":   {r(0), n(0), n(1), n(2), n(3), n(4), w(1), w(2)},
		"nodes at the end": {n(0), w(0), w(1), w(2), r(0), r(1), r(2), n(1)},
		"hidden in one":    {n(0), n(1), {Nodes: b.Nodes[2:3], Relations: b.Relations[:1]}, n(3), n(4), w(0), w(1), w(2), r(1)},
	} {
		for _, order := range orders {
			t.Run(fmt.Sprint(name, order), func(t *testing.T) {
				data := pieces(t, osmtest.Options{Claim: true}, blocks...)
				f := mustOpen(t, data)
				got, err := inTurn(f, order)
				if errors.Is(err, osm.ErrUnsorted) {
					if !strings.Contains(err.Error(), "test.osm.pbf: at byte ") || !strings.Contains(err.Error(), "osmium sort") {
						t.Errorf("the error does not say where and what to do: %v", err)
					}
					got, err = inTurn(f, order)
				}
				if err != nil {
					t.Fatal(err)
				}
				want, err := read(mustOpen(t, pieces(t, osmtest.Options{}, blocks...)), all)
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("-want +got\n%s", d)
				}
			})
		}
	}
}

// inTurn reads the kinds one after the other into one Block.
func inTurn(f *osm.File, order []osm.Kinds) (osm.Block, error) {
	var out osm.Block
	for _, k := range order {
		b, err := read(f, k)
		if err != nil {
			return out, err
		}
		out.Nodes = append(out.Nodes, b.Nodes...)
		out.Ways = append(out.Ways, b.Ways...)
		out.Relations = append(out.Relations, b.Relations...)
	}
	return out, nil
}

// In an unsorted file the first Scan learns what later ones need not open: they
// must not touch a blob without their kind even when it is broken by then.
func TestUnsortedLearns(t *testing.T) {
	b := sample(60)
	data := written(t, osmtest.Options{PerBlob: 10}, b)
	f := mustOpen(t, data)
	starts := osm.BlobStarts(f)
	if _, err := read(f, osm.Relations); err != nil {
		t.Fatal(err)
	}
	if n := osm.Known(f); n != len(starts) {
		t.Fatalf("the first Scan looked into %d of %d blobs", n, len(starts))
	}
	for i := 0; i < len(starts); i += 3 { // written in turn: relations, ways, nodes
		end := int64(len(data))
		if i+1 < len(starts) {
			end = starts[i+1]
		}
		for p := starts[i]; p < end; p++ {
			data[p] = 0xff
		}
	}
	got, err := read(f, osm.Ways|osm.Nodes)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(only(b, osm.Ways|osm.Nodes), got); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
	if _, err := read(f, osm.Relations); err == nil {
		t.Error("the broken relations were read")
	}
}

func TestOrderAndProgress(t *testing.T) {
	b := sample(500)
	data := written(t, osmtest.Options{PerBlob: 3, Dense: true}, osm.Block{Nodes: b.Nodes})
	f := mustOpen(t, data)
	var last int64
	var got []int64
	err := osm.Scan(context.Background(), f, osm.Nodes,
		func(done int64) {
			if done < last {
				t.Errorf("progress went from %d back to %d", last, done)
			}
			last = done
		},
		func(b *osm.Block) ([]int64, error) { return ids(*b), nil },
		func(list []int64) error { got = append(got, list...); return nil })
	if err != nil {
		t.Fatal(err)
	}
	if last != f.Size() {
		t.Errorf("progress ended at %d of %d", last, f.Size())
	}
	if want := ids(osm.Block{Nodes: b.Nodes}); !slices.Equal(want, got) {
		t.Errorf("the order of the file was lost")
	}
	if err := osm.Scan(context.Background(), f, osm.Nodes, nil, func(*osm.Block) (int, error) { return 0, nil }, nil); err != nil {
		t.Errorf("without progress and collect: %v", err)
	}
}

func TestScanStops(t *testing.T) {
	data := written(t, osmtest.Options{PerBlob: 3}, sample(300))
	boom := errors.New("boom")
	late := errors.New("late")
	t.Run("first error of work in file order", func(t *testing.T) {
		err := osm.Scan(context.Background(), mustOpen(t, data), osm.Nodes, nil, func(b *osm.Block) (int, error) {
			switch {
			case b.Nodes[0].ID > 1000:
				return 0, late
			case b.Nodes[0].ID > 900:
				return 0, boom
			}
			return 0, nil
		}, nil)
		if err != boom {
			t.Errorf("got %v", err)
		}
	})
	t.Run("collect", func(t *testing.T) {
		calls := 0
		var running atomic.Int32
		err := osm.Scan(context.Background(), mustOpen(t, data), all, nil,
			func(*osm.Block) (int, error) { running.Add(1); defer running.Add(-1); return 1, nil },
			func(int) error { calls++; return boom })
		if err != boom || calls != 1 || running.Load() != 0 {
			t.Errorf("got %v after %d calls, %d workers left", err, calls, running.Load())
		}
	})
	t.Run("context", func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		err := osm.Scan(ctx, mustOpen(t, data), all, nil,
			func(*osm.Block) (int, error) { return 1, nil },
			func(int) error { cancel(); return nil })
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}

// Untagged dense nodes cost no memory per node once the buffers have grown.
func TestDenseAllocations(t *testing.T) {
	nodes := make([]osm.Node, 8000)
	for i := range nodes {
		nodes[i] = osm.Node{ID: int64(i), Lat: int32(i), Lon: int32(i)}
	}
	var blocks []osm.Block
	for range 50 {
		blocks = append(blocks, osm.Block{Nodes: nodes})
	}
	f := mustOpen(t, pieces(t, osmtest.Options{Dense: true, Compression: osmtest.Zlib}, blocks...))
	perScan := testing.AllocsPerRun(3, func() {
		if err := osm.Scan(context.Background(), f, osm.Nodes, nil, func(*osm.Block) (int, error) { return 0, nil }, nil); err != nil {
			t.Fatal(err)
		}
	})
	if perBlock := perScan / 50; perBlock > 10 {
		t.Errorf("%.1f allocations for a block of 8000 nodes, want at most 10", perBlock)
	}
}
