package mbtiles

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"svc/geo/tile"
)

// metadataNames are the rows of the table metadata that are read (MBTiles 1.3,
// and what tile makers add).
var metadataNames = []string{
	"name", "description", "attribution", "version", "format", "minzoom", "maxzoom", "bounds", "center", "json",
	"tile_schema", "tile_schema_version", "encoding", "sparse",
}

// maxValue bounds one value of the metadata, in bytes: the description of all
// layers with statistics takes a tenth of it.
const maxValue = 16 << 20

// metadata reads the table: the first value of each name.
func (r *Reader) metadata() (map[string]string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), maxTime)
	defer cancel()
	values := map[string]string{}
	for _, name := range metadataNames {
		var length sql.NullInt64
		var value sql.NullString
		err := r.row(ctx,
			`SELECT length(value), CASE WHEN length(value) <= ? THEN value END FROM metadata WHERE name = ? LIMIT 1`,
			[]any{maxValue, name}, &length, &value)
		switch {
		case errors.Is(err, sql.ErrNoRows):
		case err != nil:
			return nil, noTable("metadata", err)
		case length.Int64 > maxValue:
			return nil, fmt.Errorf("has %d bytes of metadata %q, more than %d", length.Int64, name, maxValue)
		default:
			values[name] = value.String
		}
	}
	return values, nil
}

// fill turns the metadata into the description. What it leaves out is looked up
// in the tiles.
func (r *Reader) fill(values map[string]string) error {
	i := &r.info
	if j := values["json"]; j != "" {
		if err := i.ReadMetadata([]byte(j)); err != nil {
			return fmt.Errorf("is damaged (%w): copy it again", err)
		}
		var more struct{ Sparse any }
		if json.Unmarshal([]byte(j), &more) == nil && more.Sparse != nil {
			r.sparse = fmt.Sprint(more.Sparse)
		}
	}
	if v := values["sparse"]; v != "" {
		r.sparse = v
	}
	for name, to := range map[string]*string{
		"name": &i.Name, "description": &i.Description, "attribution": &i.Attribution, "version": &i.Version,
		"tile_schema": &i.Schema, "tile_schema_version": &i.SchemaVersion, "encoding": &i.Encoding,
	} {
		if v := values[name]; v != "" {
			*to = v
		}
	}
	if err := r.fillZooms(values); err != nil {
		return err
	}
	if b := numbers(values["bounds"]); len(b) == 4 {
		i.Bounds = [4]float64(b)
	}
	i.Center[0] = -1000 // no longitude: Settle takes the middle of the bounds
	if c := numbers(values["center"]); len(c) >= 2 {
		i.Center = [2]float64(c)
		if len(c) == 3 {
			i.CenterZoom = uint8(min(max(c[2], 0), tile.MaxZoom))
		}
	}
	if err := r.fillFormat(values["format"]); err != nil {
		return err
	}
	i.Settle()
	return nil
}

// numbers reads a list of at most four numbers with commas between; nil is what
// is no such list.
func numbers(s string) []float64 {
	parts := strings.SplitN(s, ",", 5) // a fifth is no number of these
	out := make([]float64, 0, 4)
	for _, p := range parts {
		v, err := strconv.ParseFloat(strings.TrimSpace(p), 64)
		if err != nil || math.IsNaN(v) {
			return nil
		}
		out = append(out, v)
	}
	return out
}

// fillZooms takes the zooms from the metadata, or else from the tiles.
func (r *Reader) fillZooms(values map[string]string) error {
	for name, to := range map[string]*uint8{"minzoom": &r.info.MinZoom, "maxzoom": &r.info.MaxZoom} {
		if z, err := strconv.ParseUint(values[name], 10, 8); err == nil && z <= tile.MaxZoom {
			*to = uint8(z)
			continue
		}
		order := map[string]string{"minzoom": "ASC", "maxzoom": "DESC"}[name]
		var z int64
		err := r.one("SELECT zoom_level FROM tiles ORDER BY zoom_level "+order+" LIMIT 1", nil, &z)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return noTable("tiles", err)
		}
		if z < 0 || z > tile.MaxZoom {
			return fmt.Errorf("has tiles of zoom %d; there are zooms from 0 to %d", z, tile.MaxZoom)
		}
		*to = uint8(z)
	}
	return nil
}

// fillFormat takes the format from the metadata, or else from the first bytes of
// a tile.
func (r *Reader) fillFormat(declared string) error {
	switch f := strings.ToLower(strings.TrimSpace(declared)); f {
	case "pbf", "png", "webp", "jpg":
		r.info.Format = tile.Format(f)
	case "mvt", "application/vnd.mapbox-vector-tile", "application/x-protobuf":
		r.info.Format = tile.PBF
	case "jpeg", "image/jpeg":
		r.info.Format = tile.JPEG
	case "image/png":
		r.info.Format = tile.PNG
	case "image/webp":
		r.info.Format = tile.WebP
	case "":
		var head []byte
		err := r.one("SELECT substr(tile_data, 1, 16) FROM tiles WHERE length(tile_data) > 0 LIMIT 1", nil, &head)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return noTable("tiles", err)
		}
		r.info.Format = tile.Sniff(head)
	default:
		if len(f) > 40 {
			f = f[:40] + "…"
		}
		return fmt.Errorf("has tiles of the format %q; svc reads pbf, png, webp and jpg", f)
	}
	return nil
}
