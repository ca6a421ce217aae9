package mapstyle

import (
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strings"

	"svc/web/reply"
)

// sprites are the sheets by the last part of their path: "base.json",
// "base@2x.png".
type sprites map[string]reply.Blob

func loadSprites(files fs.FS) (sprites, error) {
	entries, err := fs.ReadDir(files, "sprites")
	if err != nil {
		return nil, err
	}
	out := sprites{}
	for _, e := range entries {
		data, err := fs.ReadFile(files, "sprites/"+e.Name())
		if err != nil {
			return nil, err
		}
		b := reply.Blob{CacheControl: keepWeek, Tag: reply.Tag(data)}
		name := e.Name()
		switch {
		case strings.HasSuffix(name, ".json.gz"):
			name = strings.TrimSuffix(name, ".gz")
			b.Type, b.Gzip = jsonType, data
		case path.Ext(name) == ".png":
			b.Type, b.Identity = "image/png", data
		default:
			return nil, fmt.Errorf("sprites/%s is neither .png nor .json.gz", name)
		}
		if b, err = b.WithIdentity(); err != nil {
			return nil, fmt.Errorf("sprites/%s: %w", e.Name(), err)
		}
		out[name] = b
	}
	return out, nil
}

func (h *handler) serveSprite(w http.ResponseWriter, r *http.Request, name string) {
	b, ok := h.sprites[name]
	if !ok {
		reply.NotFound(w, "no such sprite: the sheets are base, places and places-sdf, each as .json, .png, @2x.json and @2x.png")
		return
	}
	h.send(w, r, b)
}
