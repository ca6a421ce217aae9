package reply

import (
	"fmt"
	"io/fs"
	"log/slog"
	pathpkg "path"
	"strings"
)

// fileTypes are the kinds of files that pages are made of. The table is ours and
// not the machine's: a server without a MIME database must answer the same.
var fileTypes = map[string]string{
	".js":    "text/javascript; charset=utf-8",
	".css":   "text/css; charset=utf-8",
	".html":  "text/html; charset=utf-8",
	".json":  "application/json; charset=utf-8",
	".txt":   "text/plain; charset=utf-8",
	".ts":    "application/typescript; charset=utf-8",
	".svg":   "image/svg+xml",
	".png":   "image/png",
	".ico":   "image/x-icon",
	".woff2": "font/woff2",
}

// Files reads a folder of built files into answers, each plain or as NAME.gz with or
// without NAME.br. keep says how long an answer may be kept, by its path. What cannot
// be read is logged and left out; kinds that no page asks for are left out, too.
func Files(files fs.FS, keep func(name string) string, log *slog.Logger) map[string]Blob {
	out := map[string]Blob{}
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return nil
		}
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
		addForm(out, name, data)
		return nil
	})
	if err != nil {
		log.Error("read the files of the page", "error", err.Error())
	}
	for name, b := range out {
		if b.Identity == nil && b.Gzip == nil {
			log.Error("a file of the page is there with Brotli only, which not every client reads", "file", name)
			delete(out, name)
			continue
		}
		b.Type = fileTypes[pathpkg.Ext(name)]
		b.CacheControl = keep(name)
		b.Tag = Tag(b.Identity, b.Gzip, b.Brotli)
		if b, err = b.WithIdentity(); err != nil { // answered with 500
			log.Error("a file of the page is damaged", "file", name, "error", err.Error())
		}
		out[name] = b
	}
	return out
}

// addForm puts one file of the disk into the answer that it is a form of.
func addForm(out map[string]Blob, name string, data []byte) {
	path, form := strings.CutSuffix(name, ".br")
	zipped := false
	if !form {
		path, zipped = strings.CutSuffix(name, ".gz")
	}
	if fileTypes[pathpkg.Ext(path)] == "" {
		return
	}
	b := out[path]
	switch {
	case form:
		b.Brotli = data
	case zipped:
		b.Gzip = data
	default:
		b.Identity = data
	}
	out[path] = b
}
