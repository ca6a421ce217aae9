package mapstyle

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
)

// labelMark stands in a template for the name in the language of the map.
var labelMark = []byte(`"{{label}}"`)

// Parts of a style that a request may leave out, by metadata.part of a layer.
const (
	partPOI       = "poi"
	partHillshade = "hillshade"
)

// The sources of the styles, and the schema that our own tiles have.
const (
	sourceTiles   = "tiles"
	sourceTerrain = "terrain"
	shortbread    = "shortbread"
)

// template is a style as it was built (see embed/assets/scripts/styles.mjs).
type template struct {
	Head        json.RawMessage            `json:"head"`
	Attribution string                     `json:"attribution"`
	Labels      map[string]json.RawMessage `json:"labels"`
	Sprites     []string                   `json:"sprites"`
	Layers      []layer                    `json:"layers"`
}

// layer is a layer of a style: the text, and what is asked about it.
type layer struct {
	text   json.RawMessage
	source string
	part   string
}

// UnmarshalJSON keeps the text and reads source and metadata.part.
func (l *layer) UnmarshalJSON(text []byte) error {
	var read struct {
		Source   string `json:"source"`
		Metadata struct {
			Part string `json:"part"`
		} `json:"metadata"`
	}
	if err := json.Unmarshal(text, &read); err != nil {
		return err
	}
	*l = layer{text: bytes.Clone(text), source: read.Source, part: read.Metadata.Part}
	return nil
}

func loadTemplate(files fs.FS, schema, id string) (*template, error) {
	name := "styles/" + schema + "/" + id + ".json.gz"
	packed, err := fs.ReadFile(files, name)
	if err != nil {
		return nil, err
	}
	text, err := inflate(packed)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	t := new(template)
	if err := json.Unmarshal(text, t); err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	if len(t.Head) < len(`{"":0}`) || t.Head[0] != '{' {
		return nil, fmt.Errorf("read %s: it has no head", name)
	}
	return t, nil
}

// choice is what a request may choose about a style; all of it from small sets,
// which bounds what is kept.
type choice struct {
	id, lang         string
	schema           string // "" without tiles
	pois, hillshaded bool
}

// layers gives the end of the style: its layers in the chosen language.
func (t *template) layers(c choice) []byte {
	out := []byte(`"layers":[`)
	for _, l := range t.Layers {
		switch {
		case l.part == partPOI && !c.pois,
			l.part == partHillshade && !c.hillshaded,
			l.source == sourceTiles && c.schema == "":
			continue
		}
		out = append(out, bytes.ReplaceAll(l.text, labelMark, t.Labels[c.lang])...)
		out = append(out, ',')
	}
	return append(bytes.TrimSuffix(out, []byte(",")), "]}"...)
}

// head gives the beginning of the style, up to the layers: its constants and
// every address. query is "" or "?key=…", escaped.
func (t *template) head(c choice, base, query string) []byte {
	out := make([]byte, 0, len(t.Head)+512+8*(len(base)+len(query)))
	out = append(out, bytes.TrimSuffix(t.Head, []byte("}"))...)
	out = append(out, `,"sprite":[`...)
	for i, name := range t.Sprites {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, `{"id":`...)
		out = appendText(out, name)
		out = append(out, `,"url":`...)
		out = appendText(out, base+"/sprites/"+name+query)
		out = append(out, '}')
	}
	out = append(out, `],"glyphs":`...)
	out = appendText(out, base+"/fonts/{fontstack}/{range}.pbf"+query)
	out = append(out, `,"sources":{`...)
	if c.schema != "" {
		out = append(out, `"`+sourceTiles+`":{"type":"vector","url":`...)
		out = appendText(out, base+"/tiles/tiles.json"+query)
		if t.Attribution != "" {
			out = append(out, `,"attribution":`...)
			out = appendText(out, t.Attribution)
		}
		out = append(out, '}')
	}
	if c.hillshaded {
		if c.schema != "" {
			out = append(out, ',')
		}
		out = append(out, `"`+sourceTerrain+`":{"type":"raster-dem","encoding":"terrarium","tileSize":256,"url":`...)
		out = appendText(out, base+"/terrain/tiles.json"+query)
		out = append(out, '}')
	}
	return append(out, "},"...)
}

// appendText writes s as a JSON string.
func appendText(dst []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c > '~' || c == '<' {
			quoted, _ := json.Marshal(s) // a string always can
			return append(dst, quoted...)
		}
	}
	dst = append(dst, '"')
	dst = append(dst, s...)
	return append(dst, '"')
}
