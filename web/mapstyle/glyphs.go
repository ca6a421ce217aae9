package mapstyle

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
)

// Field numbers of the glyph format (glyphs.proto of the Mapbox font tools):
// glyphs{stacks}, fontstack{name, range, glyphs}, glyph{id, bitmap, metrics}.
const (
	fieldStack  = 1
	fieldName   = 1
	fieldRange  = 2
	fieldGlyph  = 3
	fieldID     = 1
	glyphsTwice = 2 * rangeSize // more glyphs than this are no range
)

var errGlyphs = errors.New("a glyph file cannot be read")

// addGlyphs adds the glyphs of a file, by code point, to all, which keeps what
// it has: the first font that has a glyph gives it.
func addGlyphs(all map[uint64][]byte, file []byte) error {
	return eachField(file, func(num protowire.Number, stack []byte, _ uint64) error {
		if num != fieldStack {
			return nil
		}
		return eachField(stack, func(num protowire.Number, glyph []byte, _ uint64) error {
			if num != fieldGlyph {
				return nil
			}
			id, err := glyphID(glyph)
			if err != nil {
				return err
			}
			if _, had := all[id]; !had {
				all[id] = glyph
			}
			if len(all) > glyphsTwice {
				return fmt.Errorf("%w: it has more than %d glyphs", errGlyphs, glyphsTwice)
			}
			return nil
		})
	})
}

func glyphID(glyph []byte) (id uint64, err error) {
	found := false
	err = eachField(glyph, func(num protowire.Number, _ []byte, v uint64) error {
		if num == fieldID {
			id, found = v, true
		}
		return nil
	})
	if err == nil && !found {
		err = fmt.Errorf("%w: a glyph has no code point", errGlyphs)
	}
	return id, err
}

// eachField gives the fields of a message: bytes for those that hold bytes, a
// number for those that hold one.
func eachField(message []byte, give func(num protowire.Number, b []byte, v uint64) error) error {
	for len(message) > 0 {
		num, kind, n := protowire.ConsumeTag(message)
		if n < 0 {
			return fmt.Errorf("%w: %w", errGlyphs, protowire.ParseError(n))
		}
		message = message[n:]
		var b []byte
		var v uint64
		switch kind {
		case protowire.BytesType:
			b, n = protowire.ConsumeBytes(message)
		case protowire.VarintType:
			v, n = protowire.ConsumeVarint(message)
		default:
			n = protowire.ConsumeFieldValue(num, kind, message)
		}
		if n < 0 {
			return fmt.Errorf("%w: %w", errGlyphs, protowire.ParseError(n))
		}
		message = message[n:]
		if err := give(num, b, v); err != nil {
			return err
		}
	}
	return nil
}

// appendStack writes a glyph file of one fontstack, glyphs by code point.
func appendStack(dst []byte, name, ranged string, glyphs map[uint64][]byte) []byte {
	var stack []byte
	stack = protowire.AppendTag(stack, fieldName, protowire.BytesType)
	stack = protowire.AppendString(stack, name)
	stack = protowire.AppendTag(stack, fieldRange, protowire.BytesType)
	stack = protowire.AppendString(stack, ranged)
	for _, id := range slices.Sorted(maps.Keys(glyphs)) {
		stack = protowire.AppendTag(stack, fieldGlyph, protowire.BytesType)
		stack = protowire.AppendBytes(stack, glyphs[id])
	}
	dst = protowire.AppendTag(dst, fieldStack, protowire.BytesType)
	return protowire.AppendBytes(dst, stack)
}
