// Package mbtiles reads tile archives of the MBTiles format, which are SQLite
// files, for operators who have their tiles from elsewhere.
//
// It promises reading only: no lock, no journal, no file beside the archive, and
// rows counted from the north as everywhere here. It refuses, with one sentence:
// files that are not SQLite, that lack the tables or an index that finds a tile,
// and formats that maps do not draw. A statement that a hostile file makes slow or
// large is given up: after two seconds, past 33 MB for any text or blob on the way,
// past 32 MB a tile, past 256 MB of memory for all. A file that is copied over while it serves gives errors or the old
// bytes; write it under another name and rename it.
package mbtiles

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/cespare/xxhash/v2"
	"modernc.org/sqlite" // the driver "sqlite", without C

	"svc/geo/tile"
)

const (
	magic      = "SQLite format 3\x00"
	headerSize = 100 // of SQLite; it holds a counter of changes

	maxTime = 2 * time.Second // a statement
	maxTile = 32 << 20        // bytes
	maxText = maxTile + 1<<20 // bytes of anything that a statement makes, a row included
	maxHeap = 256 << 20       // bytes, of all open archives together
)

// Reader is an open archive. It is safe for concurrent use.
type Reader struct {
	path    string
	db      *sql.DB
	info    tile.Info
	sparse  string
	size    int64
	buildID string
}

// Open opens the archive at path and reads its metadata.
func Open(path string) (*Reader, error) {
	r := &Reader{path: path}
	err := guarded(func() error { return r.open() })
	if err != nil {
		if r.db != nil {
			_ = r.db.Close() // it is refused already
		}
		return nil, err
	}
	return r, nil
}

func (r *Reader) open() error {
	head, err := r.readHead()
	if err != nil {
		return err
	}
	if r.db, err = sql.Open("sqlite", dsn(r.path)); err != nil {
		return fmt.Errorf("open the tiles: %w", err)
	}
	// Reading is all processor time: more at once than cores only wait in SQLite.
	r.db.SetMaxOpenConns(2 * runtime.GOMAXPROCS(0))
	r.db.SetMaxIdleConns(2 * runtime.GOMAXPROCS(0))
	if err := r.describe(head); err != nil {
		return fmt.Errorf("tile archive %s %w", r.path, err)
	}
	return nil
}

// readHead checks that the file is SQLite before SQLite sees it, and gives what
// tells this version of the file from another.
func (r *Reader) readHead() ([]byte, error) {
	f, err := os.OpenFile(r.path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a pipe must not hold the server up
	if err != nil {
		return nil, fmt.Errorf("open the tiles: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("open the tiles: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("tiles %s are not a regular file", r.path)
	}
	head := make([]byte, headerSize)
	if _, err := io.ReadFull(f, head); err != nil || !bytes.HasPrefix(head, []byte(magic)) {
		return nil, fmt.Errorf("tile archive %s is not an MBTiles file: name a .pmtiles or .mbtiles file", r.path)
	}
	r.size = info.Size()
	return fmt.Appendf(head, "%d %d", r.size, info.ModTime().UnixNano()), nil
}

// dsn names the file to the driver: read only, taken as it lies on the disk, its
// views kept from functions with side effects.
func dsn(path string) string {
	escaped := (&url.URL{Path: path}).EscapedPath()
	settings := url.Values{"_pragma": {"trusted_schema(0)", "cell_size_check(1)", "query_only(1)", fmt.Sprintf("hard_heap_limit(%d)", maxHeap)}}
	return "file:" + escaped + "?mode=ro&immutable=1&" + settings.Encode()
}

// guarded runs read and turns a panic or a fault inside the database library into
// an error.
func guarded(read func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("the tile archive cannot be read (%v): it is damaged, copy it again", cause)
		}
	}()
	return read()
}

// selectTile asks for a tile, and for its length when it is too large to load.
const selectTile = `SELECT length(tile_data), CASE WHEN length(tile_data) <= ? THEN tile_data END
 FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ? LIMIT 1`

// Tile is the stored bytes of a tile; ok is false when the archive has none.
func (r *Reader) Tile(id tile.ID) (data []byte, ok bool, err error) {
	if !id.Valid() {
		return nil, false, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), maxTime)
	defer cancel()
	var length sql.NullInt64
	south := uint32(1)<<id.Z - 1 - id.Y // MBTiles counts rows from the south
	err = r.row(ctx, selectTile, []any{maxTile, id.Z, id.X, south}, &length, &data)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, false, nil
	case err != nil:
		return nil, false, fmt.Errorf("tile archive %s: read tile %v: %w", r.path, id, err)
	case length.Int64 > maxTile:
		return nil, false, fmt.Errorf("tile archive %s: tile %v has %d bytes, more than %d", r.path, id, length.Int64, maxTile)
	}
	return data, len(data) > 0, nil
}

// Verify reads a tile of each zoom. The format has no checksum, so that damage
// elsewhere shows only when it is read.
func (r *Reader) Verify() error {
	return guarded(func() error {
		for z := r.info.MinZoom; z <= r.info.MaxZoom; z++ {
			var x, south uint32
			err := r.one(`SELECT tile_column, tile_row FROM tiles WHERE zoom_level = ? LIMIT 1`, []any{z}, &x, &south)
			if errors.Is(err, sql.ErrNoRows) {
				continue
			}
			if err == nil {
				_, _, err = r.Tile(tile.ID{Z: z, X: x, Y: uint32(1)<<z - 1 - south})
			}
			if err != nil {
				return fmt.Errorf("tile archive %s is damaged (%w): copy it again", r.path, err)
			}
		}
		return nil
	})
}

// one reads a single row within the time of a statement.
func (r *Reader) one(query string, args []any, to ...any) error {
	ctx, cancel := context.WithTimeout(context.Background(), maxTime)
	defer cancel()
	return r.row(ctx, query, args, to...)
}

// row reads a single row.
func (r *Reader) row(ctx context.Context, query string, args []any, to ...any) error {
	conn, err := r.conn(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }() // back to the others
	return conn.QueryRowContext(ctx, query, args...).Scan(to...)
}

// lengthLimit is SQLITE_LIMIT_LENGTH of SQLite's interface.
const lengthLimit = 0

// conn is a connection that makes nothing longer than maxText: a view may call
// functions, which would otherwise fill the memory of all within one statement.
func (r *Reader) conn(ctx context.Context) (*sql.Conn, error) {
	conn, err := r.db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := sqlite.Limit(conn, lengthLimit, maxText); err != nil {
		_ = conn.Close() // of no use
		return nil, err
	}
	return conn, nil
}

// Close closes the file.
func (r *Reader) Close() error { return r.db.Close() }

// Info is what the archive says about itself. Callers do not change it.
func (r *Reader) Info() *tile.Info { return &r.info }

// Sparse is what the metadata says of "sparse", in the table or in its JSON, as
// text; "" when it says nothing.
func (r *Reader) Sparse() string { return r.sparse }

// BuildID tells this version of the file from another: a hash of its size, its
// time, its counter of changes and its metadata.
func (r *Reader) BuildID() string { return r.buildID }

// Size is the length of the file in bytes.
func (r *Reader) Size() int64 { return r.size }

// describe reads the metadata and checks that tiles can be found.
func (r *Reader) describe(head []byte) error {
	values, err := r.metadata()
	if err != nil {
		return err
	}
	if err := r.findsByIndex(); err != nil {
		return err
	}
	if err := r.fill(values); err != nil {
		return err
	}
	var d xxhash.Digest
	d.Reset()
	_, _ = d.Write(head) // never fails
	for _, name := range metadataNames {
		_, _ = d.WriteString(name + "=" + values[name] + "\n")
	}
	r.buildID = fmt.Sprintf("%016x", d.Sum64())
	return nil
}

// findsByIndex refuses an archive in which every tile would be searched from
// the first row on.
func (r *Reader) findsByIndex() error {
	ctx, cancel := context.WithTimeout(context.Background(), maxTime)
	defer cancel()
	conn, err := r.conn(ctx)
	if err != nil {
		return noTable("tiles", err)
	}
	defer func() { _ = conn.Close() }() // back to the others
	rows, err := conn.QueryContext(ctx, "EXPLAIN QUERY PLAN "+selectTile, maxTile, 0, 0, 0)
	if err != nil {
		return noTable("tiles", err)
	}
	defer func() { _ = rows.Close() }() // it was only read
	for rows.Next() {
		var id, parent, unused int
		var step string
		if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
			return noTable("tiles", err)
		}
		if strings.HasPrefix(step, "SCAN ") {
			return errors.New("has no index that finds a tile: add one with `CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row)`")
		}
	}
	if err := rows.Err(); err != nil {
		return noTable("tiles", err)
	}
	return nil
}

func noTable(name string, err error) error {
	return fmt.Errorf("has no %s that can be read (%w): it is damaged or no MBTiles file", name, err)
}
