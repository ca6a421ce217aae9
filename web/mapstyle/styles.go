package mapstyle

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"strings"
	"sync"

	"svc/web/reply"
)

// schemas are those that styles exist for.
var schemas = map[string]bool{shortbread: true, "openmaptiles": true, "protomaps": true}

// styleInfo is one line of styles.json.
type styleInfo struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Dark bool   `json:"dark"`
	URL  string `json:"url"`
}

// styles are the styles and what was made of them so far.
type styles struct {
	files fs.FS
	list  []styleInfo
	known map[string]bool
	made  sync.Map // of choice to func() (*variant, error)
}

// variant is a style in one language, with or without its parts: everything
// but the addresses.
type variant struct {
	*template
	choice
	tail tail
	tag  []byte // of the layers
}

func loadStyles(files fs.FS) (*styles, error) {
	text, err := fs.ReadFile(files, "styles/styles.json")
	if err != nil {
		return nil, err
	}
	s := &styles{files: files, known: map[string]bool{}}
	if err := json.Unmarshal(text, &s.list); err != nil {
		return nil, fmt.Errorf("read styles/styles.json: %w", err)
	}
	for _, one := range s.list {
		s.known[one.ID] = true
		if _, err := fs.Stat(files, "styles/"+shortbread+"/"+one.ID+".json.gz"); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// variant gives the style of a choice, made when it is first asked for.
func (s *styles) variant(c choice) (*variant, error) {
	made, ok := s.made.Load(c)
	if !ok {
		made, _ = s.made.LoadOrStore(c, sync.OnceValues(func() (*variant, error) { return s.make(c) }))
	}
	return made.(func() (*variant, error))() // only such functions are stored
}

func (s *styles) make(c choice) (*variant, error) {
	schema := c.schema
	if schema == "" {
		schema = shortbread // for the background
	}
	t, err := loadTemplate(s.files, schema, c.id)
	if err != nil {
		return nil, err
	}
	layers := t.layers(c)
	v := &variant{template: t, choice: c, tag: []byte(reply.Tag(layers))}
	t.Layers = nil // they are in the tail now
	v.tail, err = newTail(layers)
	return v, err
}

// answer completes a style.
func (v *variant) answer(base, query string) reply.Blob {
	head := v.head(v.choice, base, query)
	return reply.Blob{
		Type:         jsonType,
		CacheControl: keepMinutes,
		Tag:          reply.Tag(head, v.tag),
		Gzip:         v.tail.after(head),
	}
}

// choose reads the parameters of a request. As everywhere in the map service an
// unknown language is uz.
func (h *handler) choose(r *http.Request, id string) choice {
	q := r.URL.Query()
	c := choice{id: id, lang: q.Get("lang"), schema: h.c.Tiles(), pois: q.Get("poi") != "0"}
	switch c.lang {
	case "ru", "en", "uz-Cyrl":
	default:
		c.lang = "uz"
	}
	if c.schema != "" && !schemas[c.schema] {
		c.schema = shortbread
	}
	c.hillshaded = q.Get("hillshade") == "1" && h.c.Terrain()
	return c
}

func (h *handler) serveStyle(w http.ResponseWriter, r *http.Request, file string) {
	base, query := reply.Base(r, h.c.PublicURL), reply.KeyQuery(r)
	if file == "styles.json" {
		h.send(w, r, h.private(h.styles.listing(base, query)))
		return
	}
	id, ok := strings.CutSuffix(file, ".json")
	if !ok || !h.styles.known[id] {
		reply.NotFound(w, "no such style: /styles/styles.json lists the styles")
		return
	}
	v, err := h.styles.variant(h.choose(r, id))
	if err != nil {
		h.c.Log.Error("make a style", "style", id, "error", err)
		reply.Failed(w, "the stored style is damaged")
		return
	}
	h.send(w, r, h.private(v.answer(base, query)))
}

// private keeps an answer that names this server's address out of the caches
// between when the address came from headers: anybody can send those, and others
// must not get what they said.
func (h *handler) private(b reply.Blob) reply.Blob {
	if h.c.PublicURL == "" {
		b.CacheControl = keepOwn
	}
	return b
}

// listing is styles.json.
func (s *styles) listing(base, query string) reply.Blob {
	out := make([]styleInfo, len(s.list))
	for i, one := range s.list {
		one.URL = base + "/styles/" + one.ID + ".json" + query
		out[i] = one
	}
	text, _ := json.Marshal(out) // plain strings always can
	return reply.Blob{Type: jsonType, CacheControl: keepMinutes, Tag: reply.Tag(text), Identity: text}
}
