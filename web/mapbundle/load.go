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
func withLicenses(own *reply.File, more []byte) *reply.File {
	return reply.NewFile(func() (reply.Blob, error) {
		b, err := own.Plain()
		if err != nil {
			return b, err
		}
		text := append(append(bytes.TrimRight(b.Identity, "\n"), "\n\n"...), more...)
		var zipped bytes.Buffer
		z, _ := gzip.NewWriterLevel(&zipped, gzip.BestCompression) // the level is a constant
		_, _ = z.Write(text)                                       // a buffer takes everything
		_ = z.Close()
		b.Identity, b.Gzip, b.Brotli = text, zipped.Bytes(), nil
		b.Tag = reply.Tag(text)
		return b, nil
	})
}
