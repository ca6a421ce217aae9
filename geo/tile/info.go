package tile

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
)

// Format is what the tiles of an archive are, by the ending of their paths.
type Format string

// The formats that are read. The empty one is an archive that does not say.
const (
	PBF  Format = "pbf" // Mapbox vector tiles, gzipped or not
	PNG  Format = "png"
	WebP Format = "webp"
	JPEG Format = "jpg"
)

// Info is what an archive says about itself, whatever its container.
type Info struct {
	Name, Description, Attribution, Version string

	Format           Format
	MinZoom, MaxZoom uint8
	Bounds           [4]float64 // west, south, east, north in degrees
	Center           [2]float64 // longitude, latitude
	CenterZoom       uint8
	Layers           []Layer // of vector tiles
	// Schema names the layers, attributes and zooms, "shortbread"; "" is unknown.
	Schema, SchemaVersion string
	Encoding              string // of elevation tiles: "terrarium" or "mapbox"; "" is unknown
}

// Layer is one vector layer as TileJSON 3.0.0 describes it.
type Layer struct {
	ID          string            `json:"id"`
	Description string            `json:"description,omitempty"`
	MinZoom     uint8             `json:"minzoom"`
	MaxZoom     uint8             `json:"maxzoom"`
	Fields      map[string]string `json:"fields"` // name to "String", "Number" or "Boolean"
}

// Metadata is the part of Info that both containers keep as one JSON object:
// PMTiles as its metadata, MBTiles in pieces.
func (i *Info) Metadata() ([]byte, error) {
	type metadata struct {
		Name          string  `json:"name,omitempty"`
		Description   string  `json:"description,omitempty"`
		Attribution   string  `json:"attribution,omitempty"`
		Version       string  `json:"version,omitempty"`
		Type          string  `json:"type"`
		Format        Format  `json:"format,omitempty"`
		Schema        string  `json:"tile_schema,omitempty"`
		SchemaVersion string  `json:"tile_schema_version,omitempty"`
		Encoding      string  `json:"encoding,omitempty"`
		Layers        []Layer `json:"vector_layers,omitempty"`
	}
	return json.Marshal(metadata{
		i.Name, i.Description, i.Attribution, i.Version, "baselayer", i.Format, i.Schema, i.SchemaVersion, i.Encoding, i.Layers,
	})
}

// Bounds of what a description may take, in bytes: it is repeated to clients.
const (
	maxText   = 8 << 10
	maxLayers = 1 << 20
)

// ReadMetadata fills i from a JSON object as Metadata writes it. Archives of
// others leave out or misspell what they like, so that a field of another type
// counts as absent; only what is no JSON object is refused.
func (i *Info) ReadMetadata(data []byte) error {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(data, &all); err != nil {
		return fmt.Errorf("its metadata is no JSON object (%w)", err)
	}
	for key, to := range map[string]*string{
		"name": &i.Name, "description": &i.Description, "attribution": &i.Attribution, "version": &i.Version,
		"tile_schema": &i.Schema, "tile_schema_version": &i.SchemaVersion, "encoding": &i.Encoding,
	} {
		var s string
		if json.Unmarshal(all[key], &s) == nil && s != "" {
			*to = s
		}
	}
	if raw := all["vector_layers"]; len(raw) > 0 {
		if len(raw) > maxLayers {
			return fmt.Errorf("its metadata describes the layers with %d bytes, more than %d", len(raw), maxLayers)
		}
		i.Layers = readLayers(raw)
	}
	return nil
}

// readLayers reads layers one by one: those that cannot be read are left out.
func readLayers(raw json.RawMessage) []Layer {
	var each []json.RawMessage
	if json.Unmarshal(raw, &each) != nil {
		return nil
	}
	var out []Layer
	for _, one := range each {
		l := Layer{MaxZoom: MaxZoom}
		var loose struct {
			ID, Description  string
			MinZoom, MaxZoom any
			Fields           map[string]any
		}
		if json.Unmarshal(one, &loose) != nil || loose.ID == "" {
			continue
		}
		l.ID, l.Description = loose.ID, loose.Description
		l.MinZoom, l.MaxZoom = zoomOr(loose.MinZoom, 0), zoomOr(loose.MaxZoom, MaxZoom)
		l.Fields = map[string]string{}
		for name, kind := range loose.Fields {
			l.Fields[name], _ = kind.(string)
		}
		out = append(out, l)
	}
	return out
}

func zoomOr(declared any, absent uint8) uint8 {
	if z, ok := declared.(float64); ok && z >= 0 && z <= MaxZoom {
		return uint8(z)
	}
	return absent
}

// telling are layers that only one schema has.
var telling = map[string]string{
	"street_labels": "shortbread", "water_polygons": "shortbread",
	"transportation_name": "openmaptiles",
	"earth":               "protomaps",
}

// nameSchema settles the schema: some tools write "shortbread@1.1", and most
// write nothing, but the names of the layers tell.
func (i *Info) nameSchema() {
	if name, version, ok := strings.Cut(i.Schema, "@"); ok {
		i.Schema, i.SchemaVersion = name, version
	}
	for _, l := range i.Layers {
		if i.Schema != "" {
			return
		}
		i.Schema = telling[l.ID]
	}
}

// Settle puts a description in order, where an archive leaves things out or
// contradicts itself: bounds that make no sense become the world, a center outside
// them their middle, texts past 8 kB nothing, and an unnamed schema what the
// layers tell.
func (i *Info) Settle() {
	i.nameSchema()
	for _, s := range []*string{&i.Name, &i.Description, &i.Attribution, &i.Version, &i.Schema, &i.SchemaVersion, &i.Encoding} {
		if len(*s) > maxText {
			*s = ""
		}
	}
	i.MaxZoom = min(i.MaxZoom, MaxZoom)
	i.MinZoom = min(i.MinZoom, i.MaxZoom)
	b := i.Bounds
	if !(b[0] >= -180 && b[0] <= b[2] && b[2] <= 180 && b[1] >= -90 && b[1] <= b[3] && b[3] <= 90) || b == [4]float64{} {
		i.Bounds = WorldBounds()
	}
	b = i.Bounds
	if c := i.Center; !(c[0] >= b[0] && c[0] <= b[2] && c[1] >= b[1] && c[1] <= b[3]) {
		i.Center = [2]float64{round((b[0] + b[2]) / 2), round((b[1] + b[3]) / 2)}
	}
	i.CenterZoom = min(max(i.CenterZoom, i.MinZoom), i.MaxZoom)
	for n := range i.Layers {
		l := &i.Layers[n]
		l.MaxZoom = min(l.MaxZoom, i.MaxZoom)
		l.MinZoom = min(l.MinZoom, l.MaxZoom)
	}
}

// round keeps the seven digits that archives store.
func round(degrees float64) float64 { return math.Round(degrees*1e7) / 1e7 }

// Sniff tells the format of a tile from its first bytes. What is no image is taken
// for a vector tile, which has no mark of its own; no bytes are no format.
func Sniff(data []byte) Format {
	s := string(data[:min(len(data), 16)])
	switch {
	case s == "":
		return ""
	case strings.HasPrefix(s, "\x89PNG\r\n\x1a\n"):
		return PNG
	case strings.HasPrefix(s, "\xff\xd8\xff"):
		return JPEG
	case len(s) >= 12 && s[:4] == "RIFF" && s[8:12] == "WEBP":
		return WebP
	}
	return PBF
}

// Gzipped reports whether the bytes of a tile are packed with gzip. A vector tile
// cannot begin so: its first byte would be a field of a type that does not exist.
func Gzipped(data []byte) bool {
	return len(data) >= 2 && data[0] == 0x1f && data[1] == 0x8b
}
