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

	"github.com/gabriel-vasile/mimetype"
)

// unknownType is the type of what is only bytes.
const unknownType = "application/octet-stream"

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

// RefusedEmpty refuses a file of no bytes.
const RefusedEmpty Refused = "The file is empty; choose another."

const (
	refusedProgram Refused = "Programs, scripts and web pages are not sent to people; send a link, or a document without them."
	refusedMacros  Refused = "The document holds macros, which are programs; save it without them."
)

// Inspect says what a file is. Its name refines the type of a text and refuses what
// devices run by name, and decides nothing else. The error is a Refused.
func Inspect(name string, content []byte) (Info, error) {
	if len(content) == 0 {
		return Info{}, RefusedEmpty
	}
	if runsByName(name) || isProgram(content) {
		return Info{}, refusedProgram
	}
	for i := range readers {
		if info, ok, err := readers[i](content); ok || err != nil {
			return info, err
		}
	}
	if info, ok := detected(content); ok {
		return info, nil
	}
	if isText(content) {
		return Info{Kind: Document, Type: textType(name)}, nil
	}
	return Info{Kind: Document, Type: unknownType}, nil
}

// readers are the families of files that say more than their type. Each answers
// whether the file is one of its own.
var readers = []func([]byte) (Info, bool, error){
	photo, riff, boxes, ogg, flac, sound, matroska, archive, compound,
}

// detected is the type of bytes that no reader knows.
func detected(content []byte) (Info, bool) {
	found := mimetype.Detect(content)
	for m := found; m != nil; m = m.Parent() {
		if m.Is("text/plain") {
			return Info{}, false // the name says which text
		}
	}
	t, _, _ := strings.Cut(found.String(), ";")
	family, _, _ := strings.Cut(t, "/")
	switch {
	case t == unknownType:
		return Info{}, false
	case family == "video":
		return Info{Kind: Video, Type: t}, true
	case family == "audio":
		return Info{Kind: Audio, Type: t}, true
	}
	return Info{Kind: Document, Type: t}, true
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
