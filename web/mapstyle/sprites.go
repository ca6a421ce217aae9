package mapstyle

import (
	"fmt"
	"io/fs"
	"net/http"
	pathpkg "path"
	"strings"

	"svc/web/reply"
)

// sprites are the sheets by the last part of their path: "base.json",
// "base@2x.png".
type sprites map[string]*reply.File

func loadSprites(files fs.FS) (sprites, error) {
	entries, err := fs.ReadDir(files, "sprites")
	if err != nil {
		return nil, err
	}
	out := sprites{}
	for _, e := range entries {
		path := "sprites/" + e.Name()
		b := reply.Blob{CacheControl: keepWeek}
		name, packed := strings.CutSuffix(e.Name(), ".json.gz")
		switch {
		case packed:
			name += ".json"
			b.Type = jsonType
		case pathpkg.Ext(name) == ".png":
			b.Type = "image/png"
		default:
			return nil, fmt.Errorf("%s is neither .png nor .json.gz", path)
		}
		out[name] = stored(files, path, b)
	}
	return out, nil
}

func (h *handler) serveSprite(w http.ResponseWriter, r *http.Request, name string) {
	f, ok := h.sprites[name]
	if !ok {
		reply.NotFound(w, "no such sprite: the sheets are base, places and places-sdf, each as .json, .png, @2x.json and @2x.png")
		return
	}
	h.sendFile(w, r, f)
}
