package mapapi

import (
	"net/http"
	"time"

	"svc/geo/index"
	"svc/geo/live"
	"svc/geo/result"
	"svc/geo/tileset"
)

// statusAnswer is GET /api/status. It needs no key, so it names no keys, no
// paths and no counts of users.
type statusAnswer struct {
	Routing     bool           `json:"routing"`
	Photos      bool           `json:"photos"`
	Docs        int            `json:"docs"`
	BuiltAt     *time.Time     `json:"built_at"`
	Bounds      *[4]float64    `json:"bounds"`
	Sources     map[string]any `json:"sources"`
	Version     string         `json:"version"`
	Languages   []string       `json:"languages"`
	Kinds       map[string]int `json:"kinds"`
	Tiles       *tilesAnswer   `json:"tiles,omitempty"`
	Engine      *engineAnswer  `json:"engine"`
	Attribution string         `json:"attribution"`
	Uptime      int64          `json:"uptime_seconds"`
}

type tilesAnswer struct {
	MinZoom       uint8  `json:"minzoom"`
	MaxZoom       uint8  `json:"maxzoom"`
	Schema        string `json:"schema,omitempty"`
	SchemaVersion string `json:"schema_version,omitempty"`
}

type engineAnswer struct {
	Name     string     `json:"name"`
	Version  string     `json:"version,omitempty"`
	DataTime *time.Time `json:"data_time,omitempty"`
}

// noKinds counts what a service without a map holds.
func noKinds() map[string]int {
	kinds := map[string]int{}
	for k := range index.KindCount {
		kinds[k.String()] = 0
	}
	return kinds
}

func (a *api) status(w http.ResponseWriter, r *http.Request) {
	s := statusAnswer{
		Photos: a.Photos != nil, Version: a.Version, Languages: result.Languages,
		Sources: map[string]any{"terrain": false, "tiles": false}, Kinds: noKinds(), Engine: &engineAnswer{Name: "valhalla"},
		Attribution: "© OpenStreetMap contributors", Uptime: int64(a.Clock().Sub(a.started).Seconds()),
	}
	if engine, release := a.Map.Acquire(); engine != nil {
		meta := engine.Index().Meta
		s.Docs, s.BuiltAt, s.Bounds, s.Kinds = meta.Entries, &meta.BuiltAt, &meta.Bounds, meta.Kinds
		if !meta.SourceTime.IsZero() {
			s.Sources["mapsrc"] = meta.SourceTime
		}
		release()
	} else {
		release()
	}
	s.Tiles, s.Sources["tiles"] = describeTiles(a.Tiles)
	_, s.Sources["terrain"] = describeTiles(a.Terrain)
	if a.Engine != nil {
		version, dataTime, ok := a.Engine.Status(r.Context())
		s.Routing = ok
		if ok {
			s.Engine.Version = version
		}
		if ok && !dataTime.IsZero() {
			s.Engine.DataTime = &dataTime
		}
	}
	w.Header().Set("Cache-Control", "no-store")
	answer(w, s)
}

// describeTiles tells of an archive, and whether there is one. source may be nil.
func describeTiles(source *live.File[*tileset.Set]) (*tilesAnswer, bool) {
	if source == nil {
		return nil, false
	}
	set, release, ok := source.Acquire()
	defer release()
	if !ok {
		return nil, false
	}
	i := set.Info()
	return &tilesAnswer{MinZoom: i.MinZoom, MaxZoom: i.MaxZoom, Schema: i.Schema, SchemaVersion: i.SchemaVersion}, true
}
