package reply

import (
	"io/fs"
	"log/slog"
	pathpkg "path"
	"strings"
)

// fileTypes are the kinds of files that pages are made of. The table is ours and
// not the machine's: a server without a MIME database must answer the same.
var fileTypes = map[string]string{
	".js":          "text/javascript; charset=utf-8",
	".css":         "text/css; charset=utf-8",
	".html":        "text/html; charset=utf-8",
	".json":        "application/json; charset=utf-8",
	".txt":         "text/plain; charset=utf-8",
	".ts":          "application/typescript; charset=utf-8",
	".svg":         "image/svg+xml",
	".png":         "image/png",
	".webmanifest": "application/manifest+json",
	".ico":         "image/x-icon",
	".woff2":       "font/woff2",
}

// Files finds the answers in a folder of built files, each plain or as NAME.gz with or
// without NAME.br. keep says how long an answer may be kept, by its path. What cannot be
// found is logged and left out; kinds that no page asks for are left out, too.
func Files(files fs.FS, keep func(name string) string, log *slog.Logger) map[string]*File {
	found := map[string]forms{}
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			addForm(found, name)
		}
		return err
	})
	if err != nil {
		log.Error("look for the files of the page", "error", err.Error())
	}
	out := map[string]*File{}
	for name, has := range found {
		if !has[identity] && !has[gzip] {
			log.Error("a file of the page is there with Brotli only, which not every client reads", "file", name)
			continue
		}
		out[name] = NewFile(func() (Blob, error) {
			b := Blob{Type: fileTypes[pathpkg.Ext(name)], CacheControl: keep(name)}
			err := b.read(files, name, has)
			return b, err
		})
	}
	return out
}

// forms are the codings in which a file exists.
type forms [codings]bool

// suffixes of the forms of a file.
var suffixes = [codings]string{identity: "", gzip: ".gz", brotli: ".br"}

// addForm notes one file of the folder with the answer that it is a form of.
func addForm(found map[string]forms, name string) {
	form := identity
	switch pathpkg.Ext(name) {
	case suffixes[gzip]:
		form = gzip
	case suffixes[brotli]:
		form = brotli
	}
	path := strings.TrimSuffix(name, suffixes[form])
	if fileTypes[pathpkg.Ext(path)] == "" {
		return
	}
	has := found[path]
	has[form] = true
	found[path] = has
}

// read reads the forms of a file, and names it by them.
func (b *Blob) read(files fs.FS, name string, has forms) error {
	into := [codings]*[]byte{identity: &b.Identity, gzip: &b.Gzip, brotli: &b.Brotli}
	for form, exists := range has {
		if !exists {
			continue
		}
		data, err := fs.ReadFile(files, name+suffixes[form])
		if err != nil {
			return err
		}
		*into[form] = data
	}
	b.Tag = Tag(b.Identity, b.Gzip, b.Brotli)
	return nil
}
