package osm

import (
	"errors"
	"fmt"
)

// ErrUnsorted is wrapped by the error of a Scan that met an object type where
// the order claimed in the header forbids it. What the Scan, or an earlier one,
// collected may then be incomplete. The File remembers that the claim is wrong:
// scans started over from the first one are complete.
var ErrUnsorted = errors.New("the objects are not in the order the header claims")

// FormatError says what is wrong with a file, where, and what to do about it.
type FormatError struct {
	Path    string // as given to Open
	Offset  int64  // of the block in the file, in bytes
	Problem string // what is wrong
	Advice  string // what to do
	Err     error  // the cause, may be nil
}

// Error is one sentence.
func (e *FormatError) Error() string {
	return fmt.Sprintf("%s: at byte %d: %s; %s", e.Path, e.Offset, e.Problem, e.Advice)
}

// Unwrap gives the cause.
func (e *FormatError) Unwrap() error { return e.Err }

const (
	adviceFetch  = "the file is damaged, fetch it again"
	adviceRepack = "repack it with «osmium cat in.osm.pbf -o out.osm.pbf»"
	adviceSort   = "sort it with «osmium sort in.osm.pbf -o out.osm.pbf»"
)

// problem is an error inside a block, before file and place are known.
type problem struct {
	what   string
	advice string
	cause  error
}

func (p *problem) Error() string { return p.what }
func (p *problem) Unwrap() error { return p.cause }

// damaged makes the usual problem: bytes that no writer would produce.
func damaged(format string, args ...any) error {
	return &problem{what: fmt.Sprintf(format, args...), advice: adviceFetch}
}

// at turns a problem into the error that callers see. Other errors (reading
// failed, the context ended) keep their own words.
func (f *File) at(offset int64, err error) error {
	var p *problem
	if errors.As(err, &p) {
		return &FormatError{Path: f.path, Offset: offset, Problem: p.what, Advice: p.advice, Err: p.cause}
	}
	return err
}
