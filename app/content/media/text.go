package media

import (
	"bytes"
	"unicode/utf8"
)

// texts are the types of texts by the ending of the name: a text is a text, its
// name says only which.
var texts = map[string]string{
	"csv": "text/csv", "json": "application/json", "md": "text/markdown", "ics": "text/calendar", "vcf": "text/vcard", "xml": "application/xml",
	"gpx": "application/gpx+xml", "srt": "application/x-subrip", "vtt": "text/vtt", "tsv": "text/tab-separated-values",
}

// textType is the type of a text with that name.
func textType(name string) string {
	if t, ok := texts[extension(name)]; ok {
		return t
	}
	return "text/plain"
}

func isText(content []byte) bool {
	if bytes.HasPrefix(content, []byte("\xff\xfe")) || bytes.HasPrefix(content, []byte("\xfe\xff")) {
		return true
	}
	control := func(r rune) bool { return r < ' ' && r != '\n' && r != '\r' && r != '\t' && r != '\f' || r == 0x7f }
	return utf8.Valid(content) && bytes.IndexFunc(content, control) < 0
}
