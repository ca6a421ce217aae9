package route

import (
	"bytes"
	"encoding/json"
	"sync"
)

// noGeometry is how a route without its line is written. In JSON these bytes can
// stand nowhere else: inside a text each quote has a backslash before it.
var noGeometry = []byte(`"geometry":null`)

// AppendJSON writes the answer as encoding/json would without escaping HTML
// characters. The lines, which are most of it, are put in afterwards:
// encoding/json would copy and check them once more.
func (a *Answer) AppendJSON(dst []byte) ([]byte, error) {
	bare := *a
	bare.Routes = make([]Route, len(a.Routes))
	copy(bare.Routes, a.Routes)
	for i := range bare.Routes {
		bare.Routes[i].Geometry = nil
	}
	lines := make([][]byte, len(a.Routes))
	var writing sync.WaitGroup // the lines and the rest are half of the work each
	writing.Go(func() {
		for i := range a.Routes {
			geometry := a.Routes[i].Geometry
			lines[i] = geometry.appendJSON(make([]byte, 0, 2+len(geometry)*pointBytes))
		}
	})
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(&bare)
	writing.Wait()
	if err != nil {
		return dst, err
	}
	text := bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	for _, line := range lines {
		at := bytes.Index(text, noGeometry) + len(noGeometry) - len("null")
		dst = append(dst, text[:at]...)
		dst = append(dst, line...)
		text = text[at+len("null"):]
	}
	return append(dst, text...), nil
}

// pointBytes is the length of a longest point: [-179.123456,-41.123456],
const pointBytes = 25
