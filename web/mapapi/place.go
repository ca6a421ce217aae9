package mapapi

import (
	"net/http"
	"strconv"
	"strings"

	"svc/geo/around"
	"svc/geo/category"
	"svc/geo/index"
	"svc/geo/result"
	"svc/geo/search"
)

const (
	neighbours     = 6
	neighbourReach = 350 // metres
)

// place serves /api/place/{id} and /api/place/mapsrc/{type}/{id}; rest is what
// follows /api/place/.
func (a *api) place(rest string) func(http.ResponseWriter, *http.Request, *search.Engine) {
	return func(w http.ResponseWriter, r *http.Request, e *search.Engine) {
		x := e.Index()
		id, refusal := entryAt(x, rest)
		if refusal != "" {
			refuse(w, http.StatusBadRequest, refusal)
			return
		}
		if id < 0 {
			refuse(w, http.StatusNotFound, "not found")
			return
		}
		lang := params{r.URL.Query()}.lang()
		p := result.NewPlace(x, uint32(id), lang, a.Photos != nil, a.Clock())
		found := around.Find(x, around.Nearby{
			At: x.Rows[id].Point(), Radius: neighbourReach, Limit: neighbours, Lang: lang, Named: true, Except: id,
			Categories: around.OfKinds(x, search.KindSet(0).With(index.POI)),
		})
		if len(found) > 0 {
			p.Nearby = found
		}
		answer(w, p)
	}
}

// entryAt finds the entry that a path names: -1 when there is none, a refusal
// when the path is malformed.
func entryAt(x *index.Index, path string) (id int64, refusal string) {
	if path == "mapsrc" || strings.HasPrefix(path, "mapsrc/") {
		parts := strings.Split(path, "/")
		if len(parts) != 3 {
			return 0, "use /api/place/mapsrc/{n|w|r}/{id}"
		}
		n, err := strconv.ParseInt(parts[2], 10, 64)
		if err != nil {
			return 0, "bad id"
		}
		source, ok := index.ParseSource(parts[1], n)
		if !ok {
			return -1, ""
		}
		if e, ok := x.BySource(source); ok {
			return int64(e), ""
		}
		return -1, ""
	}
	n, err := strconv.ParseInt(path, 10, 64)
	if err != nil {
		return 0, "bad id"
	}
	if n < 0 || n >= int64(len(x.Rows)) {
		return -1, ""
	}
	return n, ""
}

func (a *api) geometry(rest string) func(http.ResponseWriter, *http.Request, *search.Engine) {
	return func(w http.ResponseWriter, r *http.Request, e *search.Engine) {
		id, err := strconv.ParseInt(rest, 10, 64)
		if err != nil {
			refuse(w, http.StatusBadRequest, "bad id")
			return
		}
		if id < 0 || id >= int64(len(e.Index().Rows)) {
			refuse(w, http.StatusNotFound, "not found")
			return
		}
		f, refusal := result.NewFeature(e.Index(), uint32(id), params{r.URL.Query()}.lang())
		if refusal != "" {
			refuse(w, http.StatusNotFound, refusal)
			return
		}
		w.Header().Set("Cache-Control", "public, max-age=3600")
		answer(w, f)
	}
}

func (a *api) categories(w http.ResponseWriter, _ *http.Request, _ *search.Engine) {
	answer(w, struct {
		Groups     []category.Group    `json:"groups"`
		Categories []category.Category `json:"categories"`
	}{category.Groups(), category.All()})
}
