package sheet

import (
	"errors"
	"io"
)

// maxRecord is how many bytes a row of a file may have, or one piece of XML: more than
// every field of a row at its longest, in UTF-8 and within quotes.
const maxRecord = 64 << 10

// errLong says that a reader would have to hold more than maxRecord at once.
var errLong = errors.New("a row is too long")

// bounded hands on a file as far as its reader may go without having finished the row or
// the piece that it is in, so that no row makes it take more memory.
type bounded struct {
	in    io.Reader
	given int64 // bytes so far
	limit int64 // how many may be given
}

// readAhead is what the readers of this package take beyond the row that they are in.
const readAhead = 8 << 10

// from says where the row begins that is read next.
func (b *bounded) from(start int64) { b.limit = start + maxRecord + readAhead }

// Read hands on what may be given; errLong when nothing more may be.
func (b *bounded) Read(p []byte) (int, error) {
	if b.given >= b.limit {
		return 0, errLong
	}
	n, err := b.in.Read(p[:min(int64(len(p)), b.limit-b.given)])
	b.given += int64(n)
	return n, err
}
