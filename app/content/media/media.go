// Package media looks at uploaded files: what they are, how large their picture is,
// how long they play, and a small picture of them.
//
// It promises that the type is taken from the content and never from what the
// client says (contract 6), that programs and scripts are refused, and
// that hostile files cost bounded time and memory. It refuses to change a file:
// what comes in goes out, byte by byte.
package media

import (
	"strings"
)

// Kind is how messengers send a file.
type Kind string

// The kinds (contract 6).
const (
	Photo     Kind = "PHOTO"
	Video     Kind = "VIDEO"
	Audio     Kind = "AUDIO"
	Voice     Kind = "VOICE"
	Document  Kind = "DOCUMENT"
	Animation Kind = "ANIMATION"
)

// Info is what a file says about itself. A zero field is unknown.
type Info struct {
	Kind          Kind
	Type          string // media type
	Width, Height int    // in pixels, as it is shown
	Seconds       int    // how long it plays, at least 1 when known
}

// Refused is the error for a file that is not taken. Its text is a sentence for
// people.
type Refused string

func (r Refused) Error() string { return string(r) }

const (
	refusedEmpty   Refused = "The file is empty; choose another."
	refusedProgram Refused = "Programs, scripts and web pages are not sent to people; send a link, or a document without them."
	refusedMacros  Refused = "The document holds macros, which are programs; save it without them."
)

// Inspect says what a file is. Its name refines the type of a text and refuses what
// devices run by name, and decides nothing else. The error is a Refused.
func Inspect(name string, content []byte) (Info, error) {
	if len(content) == 0 {
		return Info{}, refusedEmpty
	}
	if runsByName(name) || isProgram(content) {
		return Info{}, refusedProgram
	}
	for i := range readers {
		if info, ok, err := readers[i](content); ok || err != nil {
			return info, err
		}
	}
	for i := range magics {
		if m := &magics[i]; m.matches(content) {
			return Info{Kind: m.kind, Type: m.media}, nil
		}
	}
	return text(name, content)
}

// readers are the families of files that say more than their type. Each answers
// whether the file is one of its own.
var readers = []func([]byte) (Info, bool, error){
	photo, riff, boxes, ogg, flac, sound, matroska, archive, compound,
}

// magic is a type that its first bytes tell.
type magic struct {
	at    int
	bytes string
	media string
	kind  Kind
}

func (m *magic) matches(content []byte) bool {
	return len(content) >= m.at+len(m.bytes) && string(content[m.at:m.at+len(m.bytes)]) == m.bytes
}

var magics = []magic{
	{0, "%PDF-", "application/pdf", Document},
	{0, "{\\rtf", "application/rtf", Document},
	{0, "\x1f\x8b", "application/gzip", Document},
	{0, "7z\xbc\xaf\x27\x1c", "application/x-7z-compressed", Document},
	{0, "Rar!\x1a\x07", "application/vnd.rar", Document},
	{0, "\xfd7zXZ\x00", "application/x-xz", Document},
	{0, "BZh", "application/x-bzip2", Document},
	{0, "\x28\xb5\x2f\xfd", "application/zstd", Document},
	{257, "ustar", "application/x-tar", Document},
	{0, "II*\x00", "image/tiff", Document},
	{0, "MM\x00*", "image/tiff", Document},
	{0, "8BPS", "image/vnd.adobe.photoshop", Document},
	{0, "\x00\x00\x01\x00", "image/vnd.microsoft.icon", Document},
	{0, "SQLite format 3\x00", "application/vnd.sqlite3", Document},
	{0, "wOFF", "font/woff", Document},
	{0, "wOF2", "font/woff2", Document},
	{0, "OTTO", "font/otf", Document},
	{0, "#!AMR", "audio/amr", Audio},
	{0, "FLV\x01", "video/x-flv", Video},
	{0, "\x00\x00\x01\xba", "video/mpeg", Video},
	{0, "\x30\x26\xb2\x75\x8e\x66\xcf\x11", "video/x-ms-asf", Video},
	{0, "BM", "image/bmp", Document},
}

// extension is the ending of a name in lower case, without its dot.
func extension(name string) string {
	name = strings.TrimRight(name, " .") // as the systems that run things do
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return ""
	}
	return strings.ToLower(name[i+1:])
}

func seconds(amount, rate uint64) int {
	const longest = 1000 * 3600
	if rate == 0 || amount == 0 || amount/rate > longest {
		return 0
	}
	return max(1, int((amount+rate/2)/rate))
}
