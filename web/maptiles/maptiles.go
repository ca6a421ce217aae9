// Package maptiles serves the tiles of the map and of the terrain, and their
// TileJSON descriptions, from the archives that are open now.
//
// It promises the statuses and headers of map contract 2 and 6: a tile with a
// strong tag, 304 to who has it, 204 for an empty one inside the zooms of the
// archive, 404 in plain text for everything else; stored gzip passed through or
// inflated. Terrain that the archive lacks is 204 too, unless its metadata says
// "sparse": false, which makes it 404: no flat sea level is invented. It refuses paths that are not exactly the ones it documents, so that
// a tile has one address in every cache. Keys and CORS are the gate's.
package maptiles

import (
	"log/slog"
	"net/http"
	"runtime"
	"strconv"
	"strings"

	"svc/geo/live"
	"svc/geo/tile"
	"svc/geo/tileset"
	"svc/web/reply"
)

// Source is an archive that may change while it serves.
type Source = live.File[*tileset.Set]

// Config is what the handlers need. A nil source is a service without it.
type Config struct {
	Tiles     *Source // vector tiles, for /tiles/
	Terrain   *Source // elevation images, for /terrain/
	PublicURL string  // --public-url; "" derives it from the request
	Log       *slog.Logger
}

type handler struct {
	c              Config
	tiles, terrain service
}

// service is one of the two trees of paths.
type service struct {
	root     string // "/tiles/"
	lacking  string // the sentence where an archive that is not sparse lacks a tile; "": 204 as everywhere
	source   *Source
	absent   string                       // the sentence without an archive
	endings  func(f tile.Format) []string // of the paths, the first one in TileJSON
	describe func(t *tileJSON, i *tile.Info)
}

// New serves /tiles/* and /terrain/*. Other paths are 404.
func New(c Config) http.Handler {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return &handler{
		c: c,
		tiles: service{
			root: "/tiles/", source: c.Tiles, absent: "404 no tiles on this server",
			endings: func(tile.Format) []string { return vectorEndings }, describe: describeVector,
		},
		terrain: service{
			root: "/terrain/", source: c.Terrain, absent: "404 no terrain on this server",
			lacking: "404 no such tile: the archive lacks it, and says that it is not sparse",
			endings: func(f tile.Format) []string { return []string{string(f)} }, describe: describeTerrain,
		},
	}
}

var vectorEndings = []string{"pbf", "mvt"}

// contentTypes are what the formats are sent as.
var contentTypes = map[tile.Format]string{
	tile.PBF: "application/vnd.mapbox-vector-tile", tile.PNG: "image/png", tile.WebP: "image/webp",
}

// cacheTile lets everybody keep a tile for a day (map contract 2).
const cacheTile = "public, max-age=86400"

var cacheTileHeader = []string{cacheTile}

// ServeHTTP answers any method as GET; HEAD without a body (map contract 14).
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for _, s := range []*service{&h.tiles, &h.terrain} {
		if rest, ok := strings.CutPrefix(r.URL.Path, s.root); ok {
			h.serve(w, r, s, rest)
			return
		}
	}
	reply.NotFound(w, "404 not found")
}

// serve holds one archive for the length of a request.
func (h *handler) serve(w http.ResponseWriter, r *http.Request, s *service, rest string) {
	var set *tileset.Set
	if s.source != nil {
		var release func()
		set, release, _ = s.source.Acquire()
		defer release()
	}
	switch {
	case set == nil:
		reply.NotFound(w, s.absent)
	case rest == "tiles.json":
		h.serveJSON(w, r, s, set)
	default:
		h.serveTile(w, r, s, set, rest)
	}
}

func (h *handler) serveTile(w http.ResponseWriter, r *http.Request, s *service, set *tileset.Set, rest string) {
	info := set.Info()
	id, ok := parsePath(rest, s.endings(info.Format))
	if !ok {
		reply.NotFound(w, "404 not a tile: the path is "+s.root+"{z}/{x}/{y}."+s.endings(info.Format)[0])
		return
	}
	if !set.Covers(id) {
		reply.NotFound(w, "404 no such tile: zoom is "+strconv.Itoa(int(info.MinZoom))+" to "+strconv.Itoa(int(info.MaxZoom))+
			", x and y are from 0 to 2^zoom - 1")
		return
	}
	t, ok, err := set.Tile(id)
	if err != nil {
		h.failed(r, err)
		reply.Failed(w, "500 this tile cannot be read")
		return
	}
	if !ok && s.lacking != "" && set.Dense() {
		reply.NotFound(w, s.lacking)
		return
	}
	if !ok {
		w.Header()["Cache-Control"] = cacheTileHeader
		w.WriteHeader(http.StatusNoContent)
		return
	}
	touch(t.Data)
	b := reply.Blob{Type: contentTypes[info.Format], CacheControl: cacheTile, Tag: tag(set, id)}
	if t.Gzip {
		b.Gzip = t.Data
	} else {
		b.Identity = t.Data
	}
	if err := reply.Send(w, r, b); err != nil {
		h.failed(r, err)
	}
}

// failed tells the log of an archive that is damaged.
func (h *handler) failed(r *http.Request, err error) {
	h.c.Log.ErrorContext(r.Context(), "a tile cannot be read", "path", r.URL.Path, "error", err.Error())
}

// touch reads a byte of every page of a tile, which lies in a mapped file. When the
// file was cut the fault comes here, while the answer can still be a 500, and not
// in the middle of a 200. A copy would do too, and cost memory for every slow
// reader; what is cut later breaks the answer off (see reply.Send).
func touch(data []byte) {
	var seen byte
	for at := 0; at < len(data); at += pageSize {
		seen ^= data[at]
	}
	if len(data) > 0 {
		seen ^= data[len(data)-1]
	}
	runtime.KeepAlive(seen)
}

// pageSize is the smallest page of memory anywhere.
const pageSize = 4096

// tag names a tile of a build: the build's id and the tile's code.
func tag(set *tileset.Set, id tile.ID) string {
	b := make([]byte, 0, 40)
	b = append(append(b, set.BuildID()...), '-')
	return string(strconv.AppendUint(b, id.Code(), 36))
}

// parsePath reads "z/x/y.ending". Numbers are digits alone, without leading zeros:
// the same tile under two addresses would be two in every cache.
func parsePath(rest string, endings []string) (id tile.ID, ok bool) {
	z, rest, ok1 := strings.Cut(rest, "/")
	x, rest, ok2 := strings.Cut(rest, "/")
	y, ending, ok3 := strings.Cut(rest, ".")
	if !ok1 || !ok2 || !ok3 || !known(ending, endings) {
		return id, false
	}
	var n [3]uint32
	for i, s := range [...]string{z, x, y} {
		if n[i], ok = number(s); !ok {
			return id, false
		}
	}
	return tile.ID{Z: uint8(min(n[0], 255)), X: n[1], Y: n[2]}, true
}

func known(ending string, endings []string) bool {
	for _, e := range endings {
		if e == ending {
			return true
		}
	}
	return false
}

// number reads digits up to 2^32-1.
func number(s string) (uint32, bool) {
	if s == "" || len(s) > 10 || s[0] == '0' && len(s) > 1 {
		return 0, false
	}
	n := uint64(0)
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = 10*n + uint64(s[i]-'0')
	}
	return uint32(n), n <= 1<<32-1
}
