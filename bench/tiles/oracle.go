package main

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"os"

	reference "github.com/protomaps/go-pmtiles/pmtiles"

	"svc/geo/pmtiles"
	"svc/geo/tile"
)

// compare reads the archive at path with the reference library and with ours and
// holds every tile of one against the other. It gives the number of tiles.
func compare(path string) (tiles uint64, err error) {
	if err := reference.Verify(log.New(io.Discard, "", 0), path); err != nil {
		return 0, fmt.Errorf("the reference refuses %s: %w", path, err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	header, err := reference.DeserializeHeader(file[:reference.HeaderV3LenBytes])
	if err != nil {
		return 0, err
	}
	ours, err := pmtiles.Open(path)
	if err != nil {
		return 0, err
	}
	defer func() { _ = ours.Close() }()
	if err := ours.Verify(); err != nil {
		return 0, err
	}
	same := func(e reference.EntryV3) {
		want := file[header.TileDataOffset+e.Offset:][:e.Length]
		for i := range uint64(e.RunLength) {
			z, x, y := reference.IDToZxy(e.TileID + i)
			got, ok, readErr := ours.Tile(tile.ID{Z: z, X: x, Y: y})
			if err == nil && (readErr != nil || !ok || !bytes.Equal(got, want)) {
				err = fmt.Errorf("tile %d/%d/%d: %d bytes, %t, %w; the reference has %d bytes", z, x, y, len(got), ok, readErr, len(want))
			}
			tiles++
		}
	}
	fetch := func(offset, length uint64) ([]byte, error) { return file[offset:][:length], nil }
	if walkErr := reference.IterateEntries(header, fetch, same); err == nil {
		err = walkErr
	}
	if told, _, _ := ours.Counts(); err == nil && told != tiles {
		err = fmt.Errorf("%s: the header counts %d tiles, the reference found %d", path, told, tiles)
	}
	if err == nil {
		err = compareMetadata(header, file, ours.Info())
	}
	return tiles, err
}

// compareMetadata holds what the description says against what the reference reads.
func compareMetadata(header reference.HeaderV3, file []byte, ours *tile.Info) error {
	metadata, err := reference.DeserializeMetadata(bytes.NewReader(file[header.MetadataOffset:][:header.MetadataLength]), header.InternalCompression)
	if err != nil {
		return err
	}
	layers, _ := metadata["vector_layers"].([]any)
	name, _ := metadata["name"].(string)
	if name != ours.Name || len(layers) != len(ours.Layers) || header.MinZoom != ours.MinZoom || header.MaxZoom != ours.MaxZoom {
		return fmt.Errorf("the reference reads %q, %d layers, zoom %d to %d; ours %q, %d, %d to %d",
			name, len(layers), header.MinZoom, header.MaxZoom, ours.Name, len(ours.Layers), ours.MinZoom, ours.MaxZoom)
	}
	return nil
}
