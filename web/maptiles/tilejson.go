package maptiles

import (
	"bytes"
	"encoding/json"
	"net/http"

	"svc/geo/tile"
	"svc/geo/tileset"
	"svc/web/reply"
)

// tileJSON is a TileJSON 3.0.0 description with the additions of map contract 2 and 6.
type tileJSON struct {
	TileJSON    string       `json:"tilejson"`
	Name        string       `json:"name,omitempty"`
	Description string       `json:"description,omitempty"`
	Tiles       []string     `json:"tiles"`
	MinZoom     uint8        `json:"minzoom"`
	MaxZoom     uint8        `json:"maxzoom"`
	Bounds      [4]float64   `json:"bounds"`
	Center      [3]float64   `json:"center"`
	Attribution string       `json:"attribution,omitempty"`
	Layers      []tile.Layer `json:"vector_layers,omitzero"`
	Schema      string       `json:"tile_schema,omitempty"`
	Encoding    string       `json:"encoding,omitempty"`
	TileSize    int          `json:"tileSize,omitempty"`
}

// describeVector adds what clients need to know of vector tiles; the list of
// layers is there even when the archive tells none, because TileJSON wants it.
func describeVector(t *tileJSON, i *tile.Info) {
	t.Layers, t.Schema = i.Layers, i.Schema
	if t.Layers == nil {
		t.Layers = []tile.Layer{}
	}
}

// describeTerrain adds what clients need to know of elevation images. An archive
// of another encoding does not open.
func describeTerrain(t *tileJSON, _ *tile.Info) { t.Encoding, t.TileSize = "terrarium", 256 }

// The description names this server's address. Where that comes from headers, a
// cache between must not hand it to others: anybody can send them.
const (
	cacheOwn    = "public, max-age=300"
	cacheHeader = "private, max-age=300"
)

func (h *handler) serveJSON(w http.ResponseWriter, r *http.Request, s *service, set *tileset.Set) {
	i := set.Info()
	template := reply.Base(r, h.c.PublicURL) + s.root + "{z}/{x}/{y}." + s.endings(i.Format)[0] + reply.KeyQuery(r)
	t := tileJSON{
		TileJSON: "3.0.0", Name: i.Name, Description: i.Description, Attribution: i.Attribution, Tiles: []string{template},
		MinZoom: i.MinZoom, MaxZoom: i.MaxZoom, Bounds: i.Bounds, Center: [3]float64{i.Center[0], i.Center[1], float64(i.CenterZoom)},
	}
	s.describe(&t, i)
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // an attribution may hold a link (map contract 30)
	if err := enc.Encode(t); err != nil {
		panic(err) // bounds that are no numbers were settled; the server's recovery logs it
	}
	blob := reply.Blob{
		Type: "application/json; charset=utf-8", CacheControl: cacheOwn, Tag: reply.Tag(b.Bytes()), Identity: b.Bytes(),
	}
	if h.c.PublicURL == "" {
		blob.CacheControl = cacheHeader
	}
	_ = reply.Send(w, r, blob) // only stored gzip can fail
}
