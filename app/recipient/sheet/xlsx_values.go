package sheet

import (
	"encoding/xml"
	"errors"
	"math"
	"strconv"
	"strings"
	"time"

	"svc/app/api"
)

// texts are the shared texts of a workbook, one behind the other in blocks. A text costs
// its bytes and four more.
type texts struct {
	blocks [][]byte
	starts [][]uint32 // block number * textBlock + place in the block, in chunks
	number int
	bytes  int
}

const (
	textBlock  = 1 << 20
	startChunk = 1 << 14
)

func (t *texts) count() int { return t.number }

func (t *texts) start(n int) (block, from uint32) {
	s := t.starts[n/startChunk][n%startChunk]
	return s / textBlock, s % textBlock
}

func (t *texts) at(n int) string {
	block, from := t.start(n)
	text := t.blocks[block][from:]
	if n+1 < t.number {
		if next, to := t.start(n + 1); next == block {
			text = text[:to-from]
		}
	}
	return string(text)
}

func (t *texts) add(s string) {
	last := len(t.blocks) - 1
	if last < 0 || len(t.blocks[last])+len(s) > textBlock || len(t.blocks[last]) == textBlock {
		t.blocks = append(t.blocks, make([]byte, 0, max(textBlock, len(s))))
		last++
	}
	if t.number%startChunk == 0 {
		t.starts = append(t.starts, make([]uint32, 0, startChunk))
	}
	chunk := &t.starts[len(t.starts)-1]
	*chunk = append(*chunk, uint32(last*textBlock+len(t.blocks[last])))
	t.blocks[last] = append(t.blocks[last], s...)
	t.number++
	t.bytes += len(s)
}

// readShared reads the shared texts.
func (w *workbook) readShared(where string) error {
	return w.each("xl/sharedStrings.xml", func(p *pieces, e xml.StartElement) error {
		if e.Name.Local != "si" {
			return nil
		}
		s, err := p.text("si")
		if errors.Is(err, errLong) {
			return api.Wrong(where, "has a cell of more than %d bytes; shorten it", maxRecord)
		}
		if err != nil {
			return err
		}
		if w.shared.add(s); w.shared.count() > maxSharedTexts || w.shared.bytes > maxSharedBytes {
			return api.Wrong(where, "has too many different texts (%d, or %d MB, are allowed in a workbook); cut it into several, or save it as CSV", maxSharedTexts, maxSharedBytes>>20)
		}
		return nil
	})
}

// dateKind says whether a number with a style is a date, and whether it shows the time.
type dateKind int

const (
	noDate dateKind = iota
	dateOnly
	dateTime
)

// readStyles notes which styles make a number a date.
func (w *workbook) readStyles() error {
	codes, inCells := map[string]string{}, false
	return w.each("xl/styles.xml", func(_ *pieces, e xml.StartElement) error {
		switch e.Name.Local {
		case "numFmt":
			if len(codes) < maxStyles {
				codes[attr(e, "numFmtId")] = attr(e, "formatCode")
			}
		case "cellXfs":
			inCells = true
		case "cellStyleXfs", "cellStyles", "dxfs":
			inCells = false
		case "xf":
			if inCells && len(w.dates) < maxStyles {
				id := attr(e, "numFmtId")
				w.dates = append(w.dates, dateFormat(id, codes[id]))
			}
		}
		return nil
	})
}

// dateFormat says what a number format shows: one of the built-in dates, or a code with
// days or years in it outside quotes and brackets.
func dateFormat(id, code string) dateKind {
	if code == "" {
		switch n, err := strconv.Atoi(id); {
		case err != nil:
			return noDate
		case n == 22:
			return dateTime
		case n >= 14 && n <= 17, n >= 27 && n <= 31, n == 36, n >= 50 && n <= 58:
			return dateOnly
		}
		return noDate
	}
	kind, quoted, bracket, escaped := noDate, false, false, false
	for _, c := range strings.ToLower(code) {
		switch {
		case escaped:
			escaped = false
		case c == '\\':
			escaped = true
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[':
			bracket = true
		case c == ']':
			bracket = false
		case bracket:
		case c == 'h' && kind != noDate:
			return dateTime
		case c == 'd' || c == 'y':
			kind = dateOnly
		}
	}
	return kind
}

// number is a number as digits, or the date that its style makes of it.
func (w *workbook) number(value, style string) string {
	v, err := strconv.ParseFloat(value, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return value
	}
	if n, err := strconv.Atoi(style); err == nil && n >= 0 && n < len(w.dates) && w.dates[n] != noDate {
		if s, ok := w.date(v, w.dates[n]); ok {
			return s
		}
	}
	const exact = 1 << 53
	if math.Abs(v) > exact {
		return value // as it is written: its digits are lost
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// date is the day of a number: days since 1899-12-30, or since 1904-01-01.
func (w *workbook) date(v float64, kind dateKind) (string, bool) {
	first := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	if w.old {
		first = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	const last = 2958465 // the end of the year 9999
	if v < 0 || v > last {
		return "", false
	}
	seconds := int64(math.Round(v * 86400))
	at := first.AddDate(0, 0, int(seconds/86400)).Add(time.Duration(seconds%86400) * time.Second)
	if kind == dateOnly && seconds%86400 == 0 {
		return at.Format("2006-01-02"), true
	}
	return at.Format("2006-01-02T15:04:05"), true
}
