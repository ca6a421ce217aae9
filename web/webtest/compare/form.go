package compare

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"mime/multipart"
	"net/http"
	"regexp"
	"strconv"
	"strings"
)

// Form makes the body of a request whose type is written multipart/form-data, without
// a boundary: lines "name: value", of which "file" names the file, an empty line, and
// what the file holds.
func Form(headers *string, body string) (string, error) {
	const typed = "multipart/form-data"
	lines := strings.Split(*headers, "\n")
	for i, l := range lines {
		name, value, _ := strings.Cut(l, ":")
		if http.CanonicalHeaderKey(name) != "Content-Type" || strings.TrimSpace(value) != typed {
			continue
		}
		var b bytes.Buffer
		w := multipart.NewWriter(&b)
		lines[i] = "Content-Type: " + w.FormDataContentType()
		*headers = strings.Join(lines, "\n")
		err := writeForm(w, body)
		return b.String(), err
	}
	return body, nil
}

func writeForm(w *multipart.Writer, body string) error {
	fields, content, _ := strings.Cut(body, "\n\n")
	for l := range strings.SplitSeq(fields, "\n") {
		name, value, ok := strings.Cut(l, ":")
		if !ok {
			return fmt.Errorf("a form has lines \"name: value\", not %q", l)
		}
		value = strings.TrimSpace(value)
		if name != "file" {
			if err := w.WriteField(name, value); err != nil {
				return err
			}
			continue
		}
		part, err := w.CreateFormFile(name, value)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(part, content); err != nil {
			return err
		}
	}
	return w.Close()
}

var made = regexp.MustCompile(`\{(bom|tab|cr|nul|people|offers|ids|proxies|fill|png|jpeg|program)(?: ([0-9]+)(?:x([0-9]+))?)?\}`)

// MakeContents fills what nobody wants to read in a story into a body: {bom}, {tab},
// {cr}, {nul}, {people N} (rows of a CSV file with its header), {offers NxM} (N rows of a list
// of prices with its header, whose names end in M), {ids N} (of recipients
// that are not there, as in a JSON list), {proxies NxM} (lines of N proxies in network M,
// as in a JSON text), {fill N} (bytes of text), {png WxH},
// {jpeg WxH}, {program}.
func MakeContents(body string) string {
	return made.ReplaceAllStringFunc(body, func(ref string) string {
		part := made.FindStringSubmatch(ref)
		n, _ := strconv.Atoi(part[2])
		m, _ := strconv.Atoi(part[3])
		switch part[1] {
		case "bom":
			return "\ufeff"
		case "tab":
			return "\t"
		case "cr":
			return "\r"
		case "nul":
			return "\x00"
		case "people":
			return peopleRows(n)
		case "offers":
			return offerRows(n, m)
		case "ids":
			return missingIDs(n)
		case "proxies":
			return proxyLines(n, m)
		case "fill":
			return strings.Repeat("a", n)
		case "program":
			return "\x7fELF\x02\x01\x01" + strings.Repeat("\x00", 64)
		}
		return picture(part[1], n, m)
	})
}

func peopleRows(n int) string {
	var b strings.Builder
	b.WriteString("username")
	for i := range n {
		fmt.Fprintf(&b, "\nperson%06d", i+1)
	}
	return b.String()
}

func offerRows(n, m int) string {
	var b strings.Builder
	b.WriteString("name,price,currency")
	for i := range n {
		fmt.Fprintf(&b, "\nOffer %d/%d,%d000,UZS", i+1, m, i+1)
	}
	return b.String()
}

// proxyLines are proxies of the network 10.m, as in a JSON text.
func proxyLines(n, m int) string {
	lines := make([]string, n)
	for i := range lines {
		lines[i] = fmt.Sprintf("10.%d.%d.%d:1080", m, i/250, i%250+1)
	}
	return strings.Join(lines, `\n`)
}

func missingIDs(n int) string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = fmt.Sprintf(`"rcp_01arz3ndektsv4rr%010d"`, i)
	}
	return strings.Join(ids, ",")
}

// picture is one whose pixels differ, in that format.
func picture(format string, width, height int) string {
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			m.SetRGBA(x, y, color.RGBA{uint8(x), uint8(y), uint8(x * y), 255})
		}
	}
	var b bytes.Buffer
	if format == "png" {
		_ = png.Encode(&b, m) // a buffer takes everything
	} else {
		_ = jpeg.Encode(&b, m, nil)
	}
	return b.String()
}
