package index

import (
	"encoding/binary"

	"svc/geo/geom"
)

// ShapeKind says how the parts of a Shape are to be read.
type ShapeKind uint8

// The kinds of stored shapes.
const (
	NoShape  ShapeKind = iota
	Lines              // each part a line
	Polygon            // one part: the outer ring
	Polygons           // outer rings, each followed by its holes
)

// Shape is a stored geometry. Rings are closed. In Polygons, Hole marks the
// parts that are holes of the outer ring before them.
type Shape struct {
	Kind  ShapeKind
	Parts [][]geom.Point
	Hole  []bool
}

// chunkEdges is the number of edges that are decoded at once: a piece of line
// found by the segment tree or crossed by a containment test.
const chunkEdges = 16

// appendShape encodes a shape; each part is cut into chunks that share their
// end points and decode on their own. chunk, when given, hears each chunk.
func appendShape(dst []byte, s Shape, chunk func(offset int, pts []geom.Point)) []byte {
	dst = append(dst, byte(s.Kind))
	dst = binary.AppendUvarint(dst, uint64(len(s.Parts)))
	for i, part := range s.Parts {
		hole := uint64(0)
		if len(s.Hole) > i && s.Hole[i] {
			hole = 1
		}
		chunks := (len(part) + chunkEdges - 2) / chunkEdges
		dst = binary.AppendUvarint(dst, uint64(chunks)<<1|hole)
		for c := range chunks {
			pts := part[c*chunkEdges : min(len(part), (c+1)*chunkEdges+1)]
			if chunk != nil {
				chunk(len(dst), pts)
			}
			dst = appendChunk(dst, pts)
		}
	}
	return dst
}

func appendChunk(dst []byte, pts []geom.Point) []byte {
	dst = append(dst, byte(len(pts)))
	var last geom.Point
	for _, p := range pts {
		dst = binary.AppendVarint(dst, int64(p.X)-int64(last.X))
		dst = binary.AppendVarint(dst, int64(p.Y)-int64(last.Y))
		last = p
	}
	return dst
}

// decodeChunk reads one chunk into buf and returns its points and what follows.
func decodeChunk(data []byte, buf *[chunkEdges + 1]geom.Point) ([]geom.Point, []byte) {
	if len(data) == 0 || int(data[0]) > len(buf) {
		return nil, nil
	}
	n := int(data[0])
	data = data[1:]
	var last geom.Point
	for i := range n {
		dx, a := binary.Varint(data)
		if a <= 0 {
			return nil, nil
		}
		dy, b := binary.Varint(data[a:])
		if b <= 0 {
			return nil, nil
		}
		data = data[a+b:]
		last.X += int32(dx)
		last.Y += int32(dy)
		buf[i] = last
	}
	return buf[:n], data
}

// DecodeShape reads a shape that EncodeShape packed; a damaged one reads as far as it goes.
func DecodeShape(data []byte) Shape {
	if len(data) < 2 {
		return Shape{}
	}
	s := Shape{Kind: ShapeKind(data[0])}
	parts, n := binary.Uvarint(data[1:])
	if n <= 0 {
		return Shape{}
	}
	data = data[1+n:]
	var buf [chunkEdges + 1]geom.Point
	for range parts {
		head, n := binary.Uvarint(data)
		if n <= 0 {
			return s
		}
		data = data[n:]
		var part []geom.Point
		for range head >> 1 {
			pts, rest := decodeChunk(data, &buf)
			if len(pts) == 0 {
				return s
			}
			if len(part) > 0 {
				pts = pts[1:]
			}
			part = append(part, pts...)
			data = rest
		}
		s.Parts = append(s.Parts, part)
		s.Hole = append(s.Hole, head&1 == 1)
	}
	return s
}
