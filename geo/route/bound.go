package route

// What decoded answers may hold. Decoding makes hundreds of bytes of an empty
// object of two, so that 32 MB made to do harm would be gigabytes: an answer is
// counted before it is decoded. The largest real ones, four routes of 5,000 km
// each, are a tenth of these bounds.
var (
	routeBounds     = bounds{objects: 150_000, values: 2_000_000, members: 2_000_000, depth: 16}
	matrixBounds    = bounds{objects: 20_000, values: 200_000, members: 50_000, depth: 16}
	isochroneBounds = bounds{objects: 1_000, values: 8_000_000, members: 5_000, depth: 16}
)

const (
	// maxShapes are the lines of an answer: four routes of 49 legs, and more than that.
	maxShapes = 256
	// maxPoints are the points of all lines of an answer: 16 MB.
	maxPoints = 2_000_000
	// maxWarnings are the engine's warnings that are passed on.
	maxWarnings = 20
)

// bounds are how many objects, values (of lists and objects) and members of
// objects a JSON text may have, and how deep they may be nested.
type bounds struct{ objects, values, members, depth int }

// hold reports whether a JSON text is within the bounds. What is no JSON is
// counted in some way and left to the decoder.
func (b bounds) hold(text []byte) bool {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			n := textEnd(text[i+1:])
			if n < 0 {
				return false
			}
			i += 1 + n
		case '{':
			b.objects--
			b.values--
			depth++
		case '[':
			b.values--
			depth++
		case ',':
			b.values--
		case ':':
			b.members--
		case '}', ']':
			depth--
		default:
			continue
		}
		if b.objects < 0 || b.values < 0 || b.members < 0 || depth > b.depth {
			return false
		}
	}
	return true
}

// points is how many points an encoded line has: each is two numbers, and a
// number ends with the byte that announces no other. An escaped backslash counts
// twice, so that it may be somewhat less.
func points[T string | []byte](line T) int {
	n := 0
	for i := range len(line) {
		if line[i]-63 < 32 {
			n++
		}
	}
	return n / 2
}
