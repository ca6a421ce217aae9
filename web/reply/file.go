package reply

import (
	"net/http"
	"sync"
)

// File is an answer that is read when somebody first asks for it, and kept: of the
// files in the binary most are never asked for, and a small server has no memory for
// them. It is unpacked, once, when a client first asks that accepts no gzip.
type File struct {
	packed, plain func() (Blob, error)
}

// NewFile is the answer that read gives. It is called once at most.
func NewFile(read func() (Blob, error)) *File {
	packed := sync.OnceValues(read)
	return &File{packed: packed, plain: sync.OnceValues(func() (Blob, error) {
		b, err := packed()
		if err != nil {
			return b, err
		}
		return b.withIdentity()
	})}
}

// Packed is the answer in the encodings in which it was read.
func (f *File) Packed() (Blob, error) { return f.packed() }

// Plain is the answer with its bytes unpacked, too.
func (f *File) Plain() (Blob, error) { return f.plain() }

// Send answers like the function Send, with 500 when f cannot be read.
func (f *File) Send(w http.ResponseWriter, r *http.Request) error {
	b, err := f.packed()
	if err == nil && b.choose(r.Header["Accept-Encoding"]) == identity {
		b, err = f.plain()
	}
	if err != nil {
		Failed(w, "the stored answer is damaged")
		return err
	}
	return Send(w, r, b)
}
