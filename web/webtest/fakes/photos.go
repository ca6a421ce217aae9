package fakes

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// Photos stands for the entity database and the image store. What it
// answers depends on the entity:
//
//	Q100 a photo with every field        Q300 entity database 500
//	Q101 a photo with nothing but itself Q301 image store 500
//	Q200 no image                        Q302 an unreadable answer
//	Q201 an image that is missing        Q4000000000 no answer, ever
//	Q500 the image is a web page         Q600 the image is 404
type Photos struct {
	Entity, Image string // addresses of the two query interfaces

	server *httptest.Server
	done   chan struct{}
	once   sync.Once
}

// NewPhotos starts both hosts.
func NewPhotos(tb testing.TB) *Photos {
	f := &Photos{done: make(chan struct{})}
	mux := http.NewServeMux()
	mux.HandleFunc("/entity", f.entity)
	mux.HandleFunc("/store", f.store)
	mux.HandleFunc("/files/", f.file)
	f.server = httptest.NewServer(mux)
	f.Entity, f.Image = f.server.URL+"/entity", f.server.URL+"/store"
	tb.Cleanup(f.Close)
	return f
}

// Close ends both hosts and lets go of who waits for them.
func (f *Photos) Close() {
	f.once.Do(func() {
		close(f.done)
		f.server.CloseClientConnections()
		f.server.Close()
	})
}

func (f *Photos) entity(w http.ResponseWriter, r *http.Request) {
	switch id := r.URL.Query().Get("entity"); id {
	case "Q300":
		http.Error(w, "broken", http.StatusInternalServerError)
	case "Q302":
		_, _ = io.WriteString(w, "<html>not JSON</html>")
	case "Q4000000000":
		select {
		case <-f.done:
		case <-r.Context().Done():
		}
	case "Q100", "Q101", "Q201", "Q301", "Q500", "Q600":
		_, _ = fmt.Fprintf(w, `{"claims":{"P18":[{"rank":"normal","mainsnak":{"snaktype":"value","datavalue":{"value":%q,"type":"string"}}}]}}`, id+".jpg")
	default:
		_, _ = io.WriteString(w, `{"claims":{}}`)
	}
}

func (f *Photos) store(w http.ResponseWriter, r *http.Request) {
	id := strings.TrimSuffix(strings.TrimPrefix(r.URL.Query().Get("titles"), "File:"), ".jpg")
	thumb := f.server.URL + "/files/" + id
	meta, size := "[]", ""
	switch id {
	case "Q301":
		http.Error(w, "broken", http.StatusServiceUnavailable)
		return
	case "Q201":
		_, _ = fmt.Fprintf(w, `{"query":{"pages":[{"title":"File:%s.jpg","missing":true}]}}`, id)
		return
	case "Q100":
		meta = `{"Artist":{"value":"<a href=\"//x.example\">Ali &amp; <b>Vali</b></a>"},"LicenseShortName":{"value":"CC BY-SA 4.0"},` +
			`"LicenseUrl":{"value":"https://licence.example/by-sa/4.0"}}`
		size = `,"width":4000,"height":3000`
	}
	_, _ = fmt.Fprintf(w, `{"query":{"pages":[{"title":"File:%s.jpg","imageinfo":[{"url":%q,"thumburl":%q,`+
		`"descriptionurl":"https://store.example/wiki/File:%s.jpg","mime":"image/jpeg","extmetadata":%s%s}]}]}}`, id, thumb, thumb, id, meta, size)
}

func (f *Photos) file(w http.ResponseWriter, r *http.Request) {
	switch strings.TrimPrefix(r.URL.Path, "/files/") {
	case "Q500":
		_, _ = io.WriteString(w, "<html>no image</html>")
	case "Q600":
		http.NotFound(w, r)
	default:
		var b bytes.Buffer
		if err := jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, 16, 16)), nil); err != nil {
			panic(err)
		}
		w.Header().Set("Content-Type", "image/jpeg")
		_, _ = w.Write(b.Bytes())
	}
}
