package content_test

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"mime/multipart"
	"path/filepath"
	"testing"

	"svc/app/api"
	"svc/app/api/apitest"
	"svc/app/audit"
	"svc/app/content"
	"svc/app/event"
	"svc/app/org"
	"svc/app/recipient"
	"svc/app/setting"
	"svc/app/vault"
	"svc/store"
	"svc/store/queue"
	"svc/store/storetest"
)

// harness is the slice with what it stands on.
type harness struct {
	*apitest.Server
	db    *store.DB
	clock *storetest.Clock
	s     *content.Service
	dir   string
}

func tables() []store.AnyTable {
	var out []store.AnyTable
	for _, list := range [][]store.AnyTable{content.Tables(), recipient.Tables(), org.Tables(), audit.Tables(), event.Tables(), setting.Tables(), queue.Tables()} {
		out = append(out, list...)
	}
	return out
}

func setup(t *testing.T) *harness {
	t.Helper()
	clock := storetest.NewClock()
	h := setupWith(t, store.Options{Now: clock.Now})
	h.clock = clock
	return h
}

func setupWith(t *testing.T, o store.Options) *harness {
	t.Helper()
	h := &harness{dir: filepath.Join(t.TempDir(), "files")}
	o.Tables = tables()
	h.db = storetest.OpenWith(t, "", o)
	h.s = content.New(h.db, content.Options{Vault: vault.InFolder(h.dir, h.db), PublicURL: "https://svc.test", HasAttribute: func(_ *store.Tx, _, key string) (bool, error) { return key == "size", nil }})
	h.Server = apitest.New(t, h.db, h.s, recipient.New(h.db, nil, recipient.Options{}))
	h.Org = h.organization("Bazaar")
	return h
}

func (h *harness) organization(name string) string {
	h.T.Helper()
	var id string
	h.update(func(tx *store.Tx) error {
		o, err := org.Create(tx, api.System(h.T.Context(), "", h.db.Now()), org.Fields{Name: name, Plan: org.Starter})
		id = o.ID
		return err
	})
	return id
}

func (h *harness) update(f func(*store.Tx) error) {
	h.T.Helper()
	if err := h.db.Update(h.T.Context(), f); err != nil {
		h.T.Fatal(err)
	}
}

// form is a multipart body with one file.
func form(t testing.TB, field, name string, content []byte) (body []byte, contentType string) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	part, err := w.CreateFormFile(field, name)
	if err != nil {
		t.Fatal(err)
	}
	part.Write(content)
	w.Close()
	return b.Bytes(), w.FormDataContentType()
}

func (h *harness) upload(name string, content []byte) apitest.Answer {
	h.T.Helper()
	body, contentType := form(h.T, "file", name, content)
	return h.Do("POST /attachments", body, "Content-Type", contentType)
}

// uploaded is the id of a new attachment.
func (h *harness) uploaded(name string, content []byte) string {
	h.T.Helper()
	return h.upload(name, content).Want(201).String("id")
}

func painted(w, h int) image.Image {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			m.SetRGBA(x, y, color.RGBA{uint8(x), uint8(y), uint8(x + y), 255})
		}
	}
	return m
}

func photo(t testing.TB, w, h int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, painted(w, h), nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func drawing(t testing.TB, w, h int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, painted(w, h)); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// actions are what the audit log says, oldest first.
func (h *harness) actions() (out []string) {
	h.T.Helper()
	page, err := audit.New(h.db).Page(h.Call(), h.Org, audit.Filter{}, api.PageIn{Limit: 100}, false)
	if err != nil {
		h.T.Fatal(err)
	}
	for _, e := range page.Data[1:] { // the first is the organization itself
		out = append(out, e.Action)
	}
	return out
}
