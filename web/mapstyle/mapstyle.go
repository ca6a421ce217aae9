// Package mapstyle serves what a map needs besides tiles to be seen: the fonts
// of its labels, the sprites of its icons, and its styles
// (map contract 3 to 5; the paths /fonts/*, /sprites/*, /styles/*).
//
// It promises: answers from memory; a range of a known font is never missing,
// because a map stops drawing the labels of a tile when one is; styles whose
// every address is absolute and carries the key of the request, escaped; and
// plain 404s that say what is wrong. A key is never logged, and stands in an
// answer only inside addresses.
//
// It refuses: to build anything. Without the built files every path is 404, and
// the log names the command that makes them. CORS and keys are the gate's.
package mapstyle

import (
	"errors"
	"io/fs"
	"log/slog"
	"net/http"
	"strings"

	"svc/embed/assets"
	"svc/web/reply"
)

// Config is what the handler works with.
type Config struct {
	Assets    fs.FS  // fonts/, sprites/ and styles/, see embed/assets
	PublicURL string // --public-url; "" derives it from the request
	// Tiles is the schema of the tiles that are served now: "shortbread",
	// "openmaptiles" or "protomaps", "" when there are none. Another one gets the
	// styles of shortbread. nil: shortbread.
	Tiles func() string
	// Terrain reports whether there is terrain to shade. nil: there is none.
	Terrain func() bool
	Log     *slog.Logger
}

// How long answers may be kept (map contract 3 to 5).
const (
	keepWeek    = "public, max-age=604800"
	keepMinutes = "public, max-age=300"
	keepOwn     = "private, max-age=300" // keepMinutes by the client alone
)

const jsonType = "application/json; charset=utf-8"

type handler struct {
	c       Config
	fonts   *fonts
	sprites sprites
	styles  *styles
}

// New serves the paths /fonts/*, /sprites/* and /styles/*.
func New(c Config) http.Handler {
	if c.Tiles == nil {
		c.Tiles = func() string { return shortbread }
	}
	if c.Terrain == nil {
		c.Terrain = func() bool { return false }
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	h := &handler{c: c}
	switch err := h.load(); {
	case errors.Is(err, fs.ErrNotExist):
		c.Log.Warn("the map's fonts, sprites and styles are not part of this build: their paths answer 404",
			"make them with", assets.Command)
		return http.HandlerFunc(notBuilt)
	case err != nil:
		c.Log.Error("the map's fonts, sprites and styles are damaged: their paths answer 404",
			"error", err, "make them again with", assets.Command)
		return http.HandlerFunc(notBuilt)
	}
	return h
}

func (h *handler) load() (err error) {
	if h.styles, err = loadStyles(h.c.Assets); err != nil {
		return err
	}
	if h.fonts, err = loadFonts(h.c.Assets); err != nil {
		return err
	}
	h.sprites, err = loadSprites(h.c.Assets)
	return err
}

func notBuilt(w http.ResponseWriter, _ *http.Request) {
	reply.NotFound(w, "the map's fonts, sprites and styles are not part of this build of the server")
}

// ServeHTTP sends a path to its part.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := r.URL.Path
	if rest, ok := strings.CutPrefix(path, "/fonts/"); ok {
		h.serveFont(w, r, rest)
		return
	}
	if rest, ok := strings.CutPrefix(path, "/sprites/"); ok {
		h.serveSprite(w, r, rest)
		return
	}
	if rest, ok := strings.CutPrefix(path, "/styles/"); ok {
		h.serveStyle(w, r, rest)
		return
	}
	reply.NotFound(w, "404 not found")
}

func (h *handler) send(w http.ResponseWriter, r *http.Request, b reply.Blob) {
	h.sent(r, reply.Send(w, r, b))
}

func (h *handler) sendFile(w http.ResponseWriter, r *http.Request, f *reply.File) {
	h.sent(r, f.Send(w, r))
}

func (h *handler) sent(r *http.Request, err error) {
	if err != nil {
		h.c.Log.Error("answer of fonts, sprites and styles", "path", r.URL.Path, "error", err)
	}
}

// stored is a file of the build, named by its bytes; b says what else is known of it.
func stored(files fs.FS, path string, b reply.Blob) *reply.File {
	return reply.NewFile(func() (reply.Blob, error) {
		data, err := fs.ReadFile(files, path)
		if err != nil {
			return b, err
		}
		b.Tag = reply.Tag(data)
		if strings.HasSuffix(path, ".gz") {
			b.Gzip = data
		} else {
			b.Identity = data
		}
		return b, nil
	})
}
