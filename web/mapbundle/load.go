package mapbundle

import (
	"bytes"
	"compress/gzip"
	"strings"

	"svc/web/reply"
)

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
