package mapapi

import (
	"errors"
	"net/http"
	"strings"

	"svc/geo/photo"
	"svc/web/reply"
)

const photoAge = "public, max-age=86400"

func (a *api) photo(w http.ResponseWriter, r *http.Request) {
	if a.Photos == nil {
		refuse(w, http.StatusNotFound, "photos disabled")
		return
	}
	found, err := a.Photos.Lookup(r.Context(), r.URL.Query().Get("entity"))
	if errors.Is(err, r.Context().Err()) && err != nil {
		return // the client left
	}
	if err != nil {
		refuse(w, http.StatusBadGateway, err.Error())
		return
	}
	w.Header().Set("Cache-Control", photoAge)
	answer(w, struct {
		Photo *photo.Photo `json:"photo"`
	}{found})
}

// photoImage serves /api/photo/img/{qid}.jpg. Its refusals are plain text.
func (a *api) photoImage(w http.ResponseWriter, r *http.Request, name string) {
	qid, ok := strings.CutSuffix(name, ".jpg")
	if a.Photos == nil || !ok {
		reply.NotFound(w, "404 not found")
		return
	}
	image, kind, modified, err := a.Photos.Image(r.Context(), qid)
	if err != nil {
		reply.NotFound(w, "404 not found")
		return
	}
	defer func() { _ = image.Close() }() // read only
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Cache-Control", photoAge)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	http.ServeContent(w, r, "", modified, image)
}
