package mapstyle

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"svc/web/reply"
)

const (
	glyphType = "application/x-protobuf"
	rangeSize = 256
	lastPoint = 65535 // of the plane that maps ask for
	// maxStack bounds the fonts of one request; a style names two or three.
	maxStack = 8
	// maxComposed bounds the memory of composed ranges. Fonts and ranges that
	// exist give far fewer, unless somebody adds fonts.
	maxComposed = 256
)

// fonts are the glyphs by font and by the first code point of a range.
type fonts struct {
	list   reply.Blob // fonts.json
	ranges map[string]map[int]*reply.File

	mu       sync.Mutex
	composed map[string]*reply.File // by fontstack and first code point
}

func loadFonts(files fs.FS) (*fonts, error) {
	list, err := fs.ReadFile(files, "fonts/fonts.json")
	if err != nil {
		return nil, err
	}
	var names []string
	if err := json.Unmarshal(list, &names); err != nil {
		return nil, fmt.Errorf("read fonts/fonts.json: %w", err)
	}
	f := &fonts{
		list:     reply.Blob{Type: jsonType, CacheControl: keepWeek, Tag: reply.Tag(list), Identity: list},
		ranges:   map[string]map[int]*reply.File{},
		composed: map[string]*reply.File{},
	}
	for _, name := range names {
		if f.ranges[name], err = loadFont(files, "fonts/"+name); err != nil {
			return nil, err
		}
	}
	return f, nil
}

func loadFont(files fs.FS, dir string) (map[int]*reply.File, error) {
	entries, err := fs.ReadDir(files, dir)
	if err != nil {
		return nil, err
	}
	out := map[int]*reply.File{}
	for _, e := range entries {
		first, ok := parseRange(strings.TrimSuffix(e.Name(), ".gz"))
		if !ok {
			return nil, fmt.Errorf("%s/%s is not named after a range", dir, e.Name())
		}
		out[first] = stored(files, dir+"/"+e.Name(), reply.Blob{Type: glyphType, CacheControl: keepWeek})
	}
	return out, nil
}

// parseRange reads "256-511.pbf" and gives the first code point: a multiple of
// 256, with 255 after it, written in one way only.
func parseRange(file string) (first int, ok bool) {
	text, found := strings.CutSuffix(file, ".pbf")
	digits, _, _ := strings.Cut(text, "-")
	first, err := strconv.Atoi(digits)
	if !found || err != nil || first < 0 || first > lastPoint || first%rangeSize != 0 {
		return 0, false
	}
	return first, text == rangeText(first)
}

func rangeText(first int) string {
	return strconv.Itoa(first) + "-" + strconv.Itoa(first+rangeSize-1)
}

// stack gives the known fonts of a comma list, each once, in its order. A name is
// known in any case of letters, and with spaces for underscores: "Noto Sans
// Bold" is noto_sans_bold (map contract 3).
func (f *fonts) stack(list string) (known []string) {
	for name := range strings.SplitSeq(list, ",") {
		name = strings.ReplaceAll(strings.ToLower(strings.TrimSpace(name)), " ", "_")
		if _, ok := f.ranges[name]; ok && !slices.Contains(known, name) && len(known) < maxStack {
			known = append(known, name)
		}
	}
	return known
}

func (h *handler) serveFont(w http.ResponseWriter, r *http.Request, path string) {
	if path == "fonts.json" {
		h.send(w, r, h.fonts.list)
		return
	}
	list, file, ok := strings.Cut(path, "/")
	if !ok {
		reply.NotFound(w, "no such font file: ask for /fonts/{fontstack}/{start}-{end}.pbf")
		return
	}
	first, ok := parseRange(file)
	if !ok {
		reply.NotFound(w, "no such range: ranges are 0-255.pbf, 256-511.pbf and so on up to 65280-65535.pbf")
		return
	}
	known := h.fonts.stack(list)
	if len(known) == 0 {
		reply.NotFound(w, "no such font: /fonts/fonts.json lists the fonts")
		return
	}
	h.sendFile(w, r, h.fonts.glyphs(known, first))
}

// glyphs gives a range of a stack of known fonts: the file as it is for one
// font, else composed, and an empty stack for a range without glyphs.
func (f *fonts) glyphs(known []string, first int) *reply.File {
	var parts []*reply.File
	for _, name := range known {
		if part, ok := f.ranges[name][first]; ok {
			parts = append(parts, part)
		}
	}
	if len(known) == 1 && len(parts) == 1 {
		return parts[0]
	}
	name := strings.Join(known, ",")
	if len(parts) == 0 {
		return reply.NewFile(func() (reply.Blob, error) {
			return glyphBlob(appendStack(nil, name, rangeText(first), nil)), nil
		})
	}
	key := name + "/" + rangeText(first)
	f.mu.Lock()
	defer f.mu.Unlock()
	file, ok := f.composed[key]
	if !ok {
		if len(f.composed) >= maxComposed {
			clear(f.composed)
		}
		file = reply.NewFile(func() (reply.Blob, error) { return composeBlob(name, first, parts) })
		f.composed[key] = file
	}
	return file
}

func glyphBlob(data []byte) reply.Blob {
	return reply.Blob{Type: glyphType, CacheControl: keepWeek, Tag: reply.Tag(data), Identity: data}
}

func composeBlob(name string, first int, parts []*reply.File) (reply.Blob, error) {
	all := map[uint64][]byte{}
	for _, p := range parts {
		packed, err := p.Packed()
		if err != nil {
			return reply.Blob{}, err
		}
		data, err := inflate(packed.Gzip)
		if err != nil {
			return reply.Blob{}, err
		}
		if err := addGlyphs(all, data); err != nil {
			return reply.Blob{}, err
		}
	}
	b := glyphBlob(appendStack(nil, name, rangeText(first), all))
	packed, err := deflate(b.Identity)
	if err != nil {
		return reply.Blob{}, err
	}
	b.Gzip = packed
	return b, nil
}
