package main

import (
	"bytes"
	"compress/gzip"
	"math/rand/v2"
	"os"

	"svc/geo/pmtiles"
	"svc/geo/tile"
)

// tileBytes is the size of a tile in the target (map contract 15).
const tileBytes = 20_000

// makeArchive writes n tiles of zoom 14 with size bytes each of gzip, all
// different. Its content is noise: nothing on the way looks inside.
func makeArchive(path string, n, size int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	w, err := pmtiles.NewWriter(f)
	if err != nil {
		return err
	}
	rng := rand.NewChaCha8([32]byte{1})
	noise := make([]byte, size)
	for code := tile.First(14) + 100_000_000; n > 0; n-- {
		_, _ = rng.Read(noise) // never fails
		var b bytes.Buffer
		z, err := gzip.NewWriterLevel(&b, gzip.NoCompression)
		if err != nil {
			return err
		}
		if _, err := z.Write(noise); err != nil {
			return err
		}
		if err := z.Close(); err != nil {
			return err
		}
		if err := w.Add(tile.FromCode(code), b.Bytes()); err != nil {
			return err
		}
		code += 1 + code%3 // gaps, so that entries do not fold
	}
	if err := w.Finish(tile.Info{Name: "noise", Format: tile.PBF, Layers: []tile.Layer{{ID: "noise", MaxZoom: 14, Fields: map[string]string{}}}}); err != nil {
		return err
	}
	return f.Close()
}

// someTiles are up to n tiles of the archive at path, in any order.
func someTiles(path string, n int) ([]tile.ID, error) {
	r, err := pmtiles.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	var all []tile.ID
	err = r.Each(func(first tile.ID, _ uint32, _ []byte) error {
		all = append(all, first)
		return nil
	})
	rng := rand.New(rand.NewPCG(1, 2))
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:min(n, len(all))], err
}
