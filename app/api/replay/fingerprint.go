package replay

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"mime"
)

// Fingerprint is what two requests have in common that ask for the same: target is path
// and query. The parts of a multipart form count, each with its headers, and their
// order; the boundary between them does not, which clients make anew for each try. A
// form that is not well formed counts byte for byte.
func Fingerprint(target, contentType string, body []byte) string {
	if kind, params, err := mime.ParseMediaType(contentType); err == nil && kind == "multipart/form-data" {
		if sum, ok := ofForm(target, "--"+params["boundary"], body); ok {
			return sum
		}
	}
	sum := sha256.New()
	_, _ = io.WriteString(sum, target+"\x00") // a hash takes everything
	_, _ = sum.Write(body)
	return hex.EncodeToString(sum.Sum(nil))
}

// ofForm is the fingerprint of a form (RFC 2046, 5.1.1): delimiters stand at the start of
// the body and of lines, a part begins on the next line, and "--" follows the last. A
// part goes in as its own hash, so that nothing can move from one to the next unseen.
// No target begins as it does.
func ofForm(target, delimiter string, body []byte) (hash string, ok bool) {
	body, ok = bytes.CutPrefix(body, []byte(delimiter))
	if !ok {
		return "", false
	}
	sum := sha256.New()
	_, _ = io.WriteString(sum, "form "+target+"\x00")
	ended := false
	for part := range bytes.SplitSeq(body, []byte("\r\n"+delimiter)) {
		if ended {
			return "", false
		}
		if ended = bytes.HasPrefix(part, []byte("--")); !ended && !bytes.HasPrefix(part, []byte("\r\n")) {
			return "", false
		}
		one := sha256.Sum256(part)
		_, _ = sum.Write(one[:])
	}
	return hex.EncodeToString(sum.Sum(nil)), ended
}
