package route

import (
	"bytes"
	"slices"
	"strconv"
)

// shapeKey begins the line of a leg. In JSON these bytes can stand nowhere else:
// inside a text each quote has a backslash before it.
var shapeKey = []byte(`"shape":"`)

// cutShapes takes the lines out of an answer before it is parsed: they are most
// of its bytes, hold nothing but printable ASCII, and the JSON parser would look
// at each byte three times. In the rest the n-th line is the text n. An answer
// that is no JSON stays none. After the first line too many it looks no further.
func cutShapes(body []byte) (rest []byte, shapes [][]byte) {
	at := bytes.Index(body, shapeKey)
	if at < 0 {
		return body, nil
	}
	rest = make([]byte, 0, len(body)/2)
	for at >= 0 && len(shapes) <= maxShapes {
		at += len(shapeKey)
		end := textEnd(body[at:])
		if end < 0 {
			break
		}
		rest = append(rest, body[:at]...)
		rest = strconv.AppendInt(rest, int64(len(shapes)), 10)
		shapes = append(shapes, body[at:at+end])
		body = body[at+end:]
		at = bytes.Index(body, shapeKey)
	}
	return append(rest, body...), shapes
}

// textEnd is where the quote stands that ends a JSON text, -1 when none does.
func textEnd(text []byte) int {
	for from := 0; ; {
		n := bytes.IndexByte(text[from:], '"')
		if n < 0 {
			return -1
		}
		n += from
		slashes := 0
		for n-slashes > 0 && text[n-slashes-1] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return n
		}
		from = n + 1
	}
}

// tooLong reports whether the lines of an answer are more or longer than those of
// any route.
func tooLong(shapes [][]byte) bool {
	n := 0
	for _, text := range shapes {
		n += points(text)
	}
	return len(shapes) > maxShapes || n > maxPoints
}

// decodeShapes reads the lines. A line that cannot be read, or is written with
// escapes that no engine uses, is nil.
func decodeShapes(shapes [][]byte) []Geometry {
	lines := make([]Geometry, len(shapes))
	for i, text := range shapes {
		line, err := appendPolyline(make(Geometry, 0, points(text)), string(bytes.ReplaceAll(text, []byte(`\\`), []byte(`\`))))
		if err == nil {
			lines[i] = line
		}
	}
	return lines
}

// lineOf is the line whose number a leg holds instead of it. An answer that
// was written with blanks between its parts still holds the lines themselves.
func lineOf(l *engineLeg, lines []Geometry) (Geometry, bool) {
	if len(lines) == 0 {
		if points(l.Shape) > maxPoints {
			return nil, false
		}
		line, err := appendPolyline(nil, l.Shape)
		return line, err == nil && len(line) > 0
	}
	n, err := strconv.Atoi(l.Shape)
	if err != nil || n < 0 || n >= len(lines) || len(lines[n]) == 0 {
		return nil, false
	}
	return slices.Clip(lines[n]), true
}
