// Package tileset is a tile archive while it serves, whichever container it has:
// PMTiles as `svc map build` writes it, or MBTiles.
//
// It promises one reading of both, and that vector tiles are told apart from
// elevation images when a file is opened and not when a map stays blank. It
// refuses what neither container is, a file of the wrong content for its use,
// and elevation in another encoding than Terrarium (map contract 6).
package tileset

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"syscall"

	"svc/geo/mbtiles"
	"svc/geo/pmtiles"
	"svc/geo/tile"
)

// archive is what both containers can do.
type archive interface {
	Tile(id tile.ID) (data []byte, ok bool, err error)
	Info() *tile.Info
	Sparse() string // what the metadata says of "sparse", as text; "" when it says nothing
	BuildID() string
	Size() int64
	Verify() error
	Close() error
}

// Set is an open archive. It is safe for concurrent use, and a version of a file
// for geo/live.
type Set struct {
	archive
	path      string
	container string
}

// Tile is one stored tile.
type Tile struct {
	Data []byte // valid until the Set is closed
	Gzip bool   // packed with gzip
}

// Open opens an archive by what it is, not by its name.
func Open(path string) (*Set, error) {
	container, err := look(path)
	if err != nil {
		return nil, err
	}
	s := &Set{path: path, container: container}
	if container == "MBTiles" {
		s.archive, err = mbtiles.Open(path)
	} else {
		s.archive, err = pmtiles.Open(path) // also says what else a file is not
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// look reads the first bytes of a file; what is not MBTiles counts as PMTiles.
func look(path string) (string, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a pipe must not hold the server up
	if err != nil {
		return "", fmt.Errorf("open the tiles: %w", err)
	}
	defer f.Close()
	head := make([]byte, 16)
	n, _ := io.ReadFull(f, head) // what cannot be read is told by who opens it
	if bytes.HasPrefix(head[:n], []byte("SQLite format 3")) {
		return "MBTiles", nil
	}
	return "PMTiles", nil
}

// OpenVector opens an archive of vector tiles, for /tiles/.
func OpenVector(path string) (*Set, error) {
	return openFor(path, "vector tiles (pbf)", "--terrain is for elevation images", tile.PBF)
}

// OpenTerrain opens an archive of elevation images, for /terrain/. They are
// Terrarium (map contract 6), which an archive that names no encoding is taken
// for: read with another formula, every height would be wrong by kilometres.
func OpenTerrain(path string) (*Set, error) {
	s, err := openFor(path, "elevation images (png or webp)", "--tiles is for vector tiles", tile.PNG, tile.WebP)
	if err != nil {
		return nil, err
	}
	if declared := strings.TrimSpace(s.Info().Encoding); declared != "" && !strings.EqualFold(declared, terrarium) {
		_ = s.Close() // it is refused already
		return nil, fmt.Errorf("tile archive %s has elevation in the encoding %.40q, and here %s is wanted: make it again with that encoding", path, declared, terrarium)
	}
	return s, nil
}

// terrarium is the one encoding of elevation that is served: metres are
// red·256 + green + blue/256 − 32768.
const terrarium = "terrarium"

func openFor(path, wanted, hint string, formats ...tile.Format) (*Set, error) {
	s, err := Open(path)
	if err != nil {
		return nil, err
	}
	if f := s.Info().Format; !slices.Contains(formats, f) {
		_ = s.Close() // it is refused already
		if f == "" {
			f = "unknown"
		}
		return nil, fmt.Errorf("tile archive %s has tiles of the format %s, and here %s are wanted: %s", path, f, wanted, hint)
	}
	return s, nil
}

// Tile gives a tile; ok is false when the archive has none.
func (s *Set) Tile(id tile.ID) (t Tile, ok bool, err error) {
	data, ok, err := s.archive.Tile(id)
	return Tile{Data: data, Gzip: tile.Gzipped(data)}, ok, err
}

// Covers reports whether a tile can exist in the archive: its zoom is one of the
// archive's, and column and row exist in it.
func (s *Set) Covers(id tile.ID) bool {
	i := s.Info()
	return id.Valid() && id.Z >= i.MinZoom && id.Z <= i.MaxZoom
}

// Dense reports whether the archive says that it leaves no tile out ("sparse" is
// false in its metadata), so that one it lacks is missing and not empty. Archives
// that say nothing are sparse.
func (s *Set) Dense() bool {
	switch strings.ToLower(strings.TrimSpace(s.Sparse())) {
	case "false", "0", "no":
		return true
	}
	return false
}

// Path is the file that was opened.
func (s *Set) Path() string { return s.path }

// Container is "PMTiles" or "MBTiles".
func (s *Set) Container() string { return s.container }

// LogFields describe the archive for a log line.
func (s *Set) LogFields() []any {
	i := s.Info()
	return []any{"container", s.container, "bytes", s.Size(), "format", string(i.Format), "minzoom", i.MinZoom, "maxzoom", i.MaxZoom, "schema", i.Schema}
}
