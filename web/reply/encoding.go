package reply

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	kgzip "github.com/klauspost/compress/gzip"
)

// coding is a content coding that answers exist in, the least wanted first.
type coding uint8

const (
	identity coding = iota
	gzip
	brotli
	codings
)

// unlisted marks a coding that Accept-Encoding does not name.
const unlisted = -1

// choose picks the coding of an answer among those that exist of it: the one
// with the greatest weight in Accept-Encoding, at equal weights the smallest.
// Without the header, and when the client accepts nothing that exists, it is
// identity: an answer that nobody can refuse to read.
func (b *Blob) choose(accept []string) coding {
	if len(accept) == 0 {
		return identity
	}
	weights := readAccept(accept)
	best, weight := identity, weights[identity]
	for c := gzip; c < codings; c++ {
		if b.bytes(c) != nil && weights[c] > 0 && weights[c] >= weight {
			best, weight = c, weights[c]
		}
	}
	return best
}

// readAccept gives each coding its weight in thousandths. Identity that is not
// named is acceptable, but less than anything named.
func readAccept(accept []string) [codings]int {
	weights := [codings]int{unlisted, unlisted, unlisted}
	other := unlisted
	for _, line := range accept {
		for part := range strings.SplitSeq(line, ",") {
			name, weight := readCoding(part)
			switch {
			case strings.EqualFold(name, "gzip"), strings.EqualFold(name, "x-gzip"):
				weights[gzip] = max(weights[gzip], weight)
			case strings.EqualFold(name, "br"):
				weights[brotli] = max(weights[brotli], weight)
			case strings.EqualFold(name, "identity"):
				weights[identity] = max(weights[identity], weight)
			case name == "*":
				other = max(other, weight)
			}
		}
	}
	for c := gzip; c < codings; c++ {
		if weights[c] == unlisted {
			weights[c] = other
		}
	}
	return weights
}

// readCoding splits "gzip;q=0.5" into the name and the weight in thousandths; a
// weight that cannot be read is 0, which only ever sends more bytes.
func readCoding(part string) (name string, weight int) {
	name, parameters, _ := strings.Cut(part, ";")
	weight = 1000
	for p := range strings.SplitSeq(parameters, ";") {
		k, v, found := strings.Cut(p, "=")
		if k = strings.TrimSpace(k); found && (k == "q" || k == "Q") {
			weight = readWeight(strings.TrimSpace(v))
		}
	}
	return strings.TrimSpace(name), weight
}

// readWeight reads "1", "0.5", "0.125" (RFC 9110, 12.4.2).
func readWeight(s string) int {
	if s == "" || len(s) > len("0.000") || s[0] > '1' || s[0] < '0' {
		return 0
	}
	n := int(s[0] - '0')
	fraction := s[1:]
	if fraction != "" && fraction[0] != '.' {
		return 0
	}
	for i := 1; i <= 3; i++ {
		n *= 10
		if i < len(fraction) {
			if fraction[i] < '0' || fraction[i] > '9' {
				return 0
			}
			n += int(fraction[i] - '0')
		}
	}
	if n > 1000 {
		return 0
	}
	return n
}

// maxInflated bounds what a stored answer may grow to, in bytes: a tile file
// that an operator downloaded may hold anything.
const maxInflated = 32 << 20

var (
	errTooLarge = errors.New("it is larger than 32 MB inflated")
	inflaters   sync.Pool // of *kgzip.Reader
)

// inflate calls use with data unpacked piece by piece. It holds one window of 32 kB
// however long the answer is and however slowly it is read: what clients without
// gzip cost is bounded by their number alone.
func inflate(data []byte, use func(io.WriterTo) (int64, error)) (size int64, err error) {
	z, _ := inflaters.Get().(*kgzip.Reader)
	if z == nil {
		z = new(kgzip.Reader)
	}
	defer inflaters.Put(z)
	if err = z.Reset(bytes.NewReader(data)); err == nil {
		size, err = use(z)
	}
	if err != nil {
		return 0, fmt.Errorf("inflate a stored answer: %w", err)
	}
	return size, nil
}

// inflated is the length of data unpacked, and proves that it can be: an answer
// that has begun can no longer become a 500.
func inflated(data []byte) (int64, error) {
	return inflate(data, func(z io.WriterTo) (int64, error) { return z.WriteTo(new(counter)) })
}

// counter counts what is written up to maxInflated.
type counter int64

func (c *counter) Write(p []byte) (int, error) {
	if *c += counter(len(p)); *c > maxInflated {
		return 0, errTooLarge
	}
	return len(p), nil
}

// withIdentity unpacks an answer that exists packed only. Its tag stays as it is.
func (b Blob) withIdentity() (Blob, error) {
	if b.Identity != nil || b.Gzip == nil {
		return b, nil
	}
	size, err := inflated(b.Gzip)
	if err != nil {
		return b, err
	}
	out := bytes.NewBuffer(make([]byte, 0, size))
	if _, err = inflate(b.Gzip, func(z io.WriterTo) (int64, error) { return z.WriteTo(out) }); err == nil {
		b.Identity = out.Bytes()
	}
	return b, err
}
