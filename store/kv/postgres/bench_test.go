package postgres_test

import (
	"context"
	"encoding/binary"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"svc/store/kv"
	"svc/store/kv/postgres/pgtest"
)

// BenchmarkBesideTheFile prints operations a second of one node on a local PostgreSQL
// beside those of the file, in one run: single writes at least 0.25, reads at least 0.5,
// and 16 writers in one organization at least 8 times one.
func BenchmarkBesideTheFile(b *testing.B) {
	file, err := kv.OpenBolt(filepath.Join(b.TempDir(), "a.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	server := open(b, pgtest.Address(b))
	for b.Loop() {
		one := rate(b, server, 1, written)
		b.ReportMetric(one/rate(b, file, 1, written), "writes/file(target-0.25)")
		b.ReportMetric(rate(b, server, 16, written)/one, "16-writers/one(target-8)")
		b.ReportMetric(rate(b, server, 4, read)/rate(b, file, 4, read), "reads/file(target-0.5)")
		b.ReportMetric(one, "writes/s")
	}
}

const measured = 2 * time.Second

// rate is how many operations a second so many goroutines do.
func rate(b *testing.B, e kv.Engine, goroutines int, op func(context.Context, kv.Engine, uint64) error) float64 {
	b.Helper()
	ctx := b.Context()
	counts := make([]int, goroutines)
	var all sync.WaitGroup
	end := time.Now().Add(measured)
	for g := range goroutines {
		all.Go(func() {
			for n := uint64(g) << 40; time.Now().Before(end); n++ {
				if err := op(ctx, e, n); err != nil {
					b.Error(err)
					return
				}
				counts[g]++
			}
		})
	}
	all.Wait()
	sum := 0
	for _, n := range counts {
		sum += n
	}
	return float64(sum) / measured.Seconds()
}

// written writes a record, two entries of indexes and a count, as a create does.
func written(ctx context.Context, e kv.Engine, n uint64) error {
	key := binary.BigEndian.AppendUint64([]byte("record"), n)
	return e.Update(ctx, func(tx kv.Tx) error {
		if _, err := tx.Get(key); err != nil {
			return err
		}
		return tx.Write(kv.Batch{
			Add: []kv.Addition{{Key: []byte("count"), N: 1}},
			Put: []kv.Pair{{Key: key, Value: make([]byte, 400)}, {Key: append([]byte("a"), key...)}, {Key: append([]byte("b"), key...)}},
		})
	})
}

func read(ctx context.Context, e kv.Engine, n uint64) error {
	key := binary.BigEndian.AppendUint64([]byte("record"), n&0xff)
	return e.View(ctx, func(tx kv.Tx) error {
		_, err := tx.Get(key)
		return err
	})
}
