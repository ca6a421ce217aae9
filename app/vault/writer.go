package vault

import "errors"

// ErrLength is the error of a file that has another length than was announced.
var ErrLength = errors.New("the file has another length than was said")

// Writer keeps a file as it comes, in place of one of that name: a piece is in memory at a
// time. It appears with Commit; without that nothing is left of it. It is for one
// goroutine.
type Writer struct {
	v    *Vault
	to   Upload
	name string
	size int64 // announced
	at   int64 // taken
	held []byte
}

// Create begins a file of size bytes, more than 0. End it with Commit or Abort. Call it,
// and those, in Locked, or for a name that nobody else writes.
func (v *Vault) Create(name string, size int64) (*Writer, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	if size <= 0 {
		return nil, ErrLength
	}
	to, err := v.place.Create(name)
	if err != nil {
		return nil, err
	}
	return &Writer{v: v, to: to, name: name, size: size}, nil
}

// Write implements io.Writer. More than was announced is ErrLength.
func (w *Writer) Write(p []byte) (int, error) {
	if int64(len(p)) > w.size-w.at {
		return 0, ErrLength
	}
	for rest := p; len(rest) > 0; {
		n := min(Piece-len(w.held), len(rest))
		w.held, rest = append(w.held, rest[:n]...), rest[n:]
		w.at += int64(n)
		if len(w.held) == Piece {
			if err := w.flush(); err != nil {
				return len(p) - len(rest), err
			}
		}
	}
	return len(p), nil
}

func (w *Writer) flush() error {
	sealed, err := w.v.seal.SealFile(pieceName(w.name, w.size, (w.at-1)/Piece), w.held)
	if err != nil {
		return err
	}
	w.held = w.held[:0]
	_, err = w.to.Write(sealed)
	return err
}

// Commit makes the file durable. One that is not whole is aborted: ErrLength.
func (w *Writer) Commit() error {
	if w.at != w.size {
		return errors.Join(ErrLength, w.Abort())
	}
	if len(w.held) > 0 {
		if err := w.flush(); err != nil {
			return errors.Join(err, w.Abort())
		}
	}
	return w.to.Commit()
}

// Abort leaves nothing of a file; after Commit it does nothing.
func (w *Writer) Abort() error { return w.to.Abort() }
