package mapbundle

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io/fs"
	"log/slog"
	pathpkg "path"
	"strings"

	"svc/web/reply"
)

// types are the kinds of files that exist here. The table is ours and not the
// machine's: a server without a MIME database must answer the same.
var types = map[string]string{
	".js":   "text/javascript; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".html": "text/html; charset=utf-8",
	".json": "application/json; charset=utf-8",
	".txt":  "text/plain; charset=utf-8",
	".ts":   "application/typescript; charset=utf-8",
	".svg":  "image/svg+xml",
	".png":  "image/png",
	".ico":  "image/x-icon",
}

// load reads every file into an answer, with its compressed forms.
func load(files fs.FS, log *slog.Logger) map[string]reply.Blob {
	out := map[string]reply.Blob{}
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
		add(out, name, data)
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
		b.Type = types[pathpkg.Ext(name)]
		b.CacheControl = keep(name)
		b.Tag = reply.Tag(b.Identity, b.Gzip, b.Brotli)
		if b, err = b.WithIdentity(); err != nil { // answered with 500
			log.Error("a file of the page is damaged", "file", name, "error", err.Error())
		}
		out[name] = b
	}
	return out
}

// add puts one file of the disk into the answer that it is a form of. Files of
// a kind that nobody asks for here are left out.
func add(out map[string]reply.Blob, name string, data []byte) {
	path, form := strings.CutSuffix(name, ".br")
	zipped := false
	if !form {
		path, zipped = strings.CutSuffix(name, ".gz")
	}
	if types[pathpkg.Ext(path)] == "" {
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

func keep(name string) string {
	switch {
	case strings.HasPrefix(name, "app/"):
		return keepForever
	case strings.HasPrefix(name, "v1/"):
		return keepHour
	}
	return askAlways
}

// withLicenses is one text of the bundle's licences and those of what it shows.
func withLicenses(own reply.Blob, more []byte) reply.Blob {
	text := own.Identity
	if text == nil {
		return own // damaged, and said so
	}
	text = append(append(bytes.TrimRight(text, "\n"), "\n\n"...), more...)
	var zipped bytes.Buffer
	z, _ := gzip.NewWriterLevel(&zipped, gzip.BestCompression) // the level is a constant
	_, _ = z.Write(text)                                       // a buffer takes everything
	_ = z.Close()
	own.Identity, own.Gzip, own.Brotli = text, zipped.Bytes(), nil
	own.Tag = reply.Tag(text)
	return own
}
