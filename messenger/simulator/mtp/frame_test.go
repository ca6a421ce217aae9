package mtp

import (
	"bytes"
	"io"
	"testing"
)

// stream is a connection that was read to its end before.
type stream struct {
	io.Reader
	io.Writer
}

// What is written with a framing is read with it, whatever its length.
func TestFrames(t *testing.T) {
	for name, tag := range map[string][]byte{
		"abridged": {abridgedTag}, "intermediate": {0xee, 0xee, 0xee, 0xee}, "padded": {0xdd, 0xdd, 0xdd, 0xdd},
	} {
		for _, n := range []int{8, 40, 0x7e * 4, 0x7f * 4, 1 << 16, maxFrame} {
			body := bytes.Repeat([]byte{7}, n)
			if n > envelope {
				body = body[:n-(n-envelope)%16] // as encrypted messages are
			}
			f, err := open(stream{bytes.NewReader(tag), io.Discard})
			if err != nil {
				t.Fatal(err)
			}
			wire := append(append(bytes.Clone(tag), f.head(nil, len(body))...), body...)
			if f, err = open(stream{bytes.NewReader(wire), io.Discard}); err != nil {
				t.Fatal(err)
			}
			got, err := f.read(nil, maxFrame)
			if err != nil || !bytes.Equal(got, body) {
				t.Errorf("%s: %d of %d bytes were read, %v", name, len(got), len(body), err)
			}
			if _, err := f.read(got, maxFrame); err != io.EOF {
				t.Errorf("%s: after the last message: %v", name, err)
			}
		}
	}
}

// The random end of a padded message is cut off; one in the clear says its own length.
func TestUnpad(t *testing.T) {
	encrypted := append([]byte{1}, make([]byte, envelope+32+8)...)
	if n := len(unpad(encrypted)); n != envelope+32 {
		t.Errorf("%d bytes are left of an encrypted message", n)
	}
	if n := len(unpad(make([]byte, envelope+9))); n != envelope+9 {
		t.Errorf("%d bytes are left of one in the clear", n)
	}
}

// A frame is bounded by what is taken, not by what it says.
func TestFrameLimit(t *testing.T) {
	for _, wire := range [][]byte{
		{0xee, 0xee, 0xee, 0xee, 1, 16, 0, 0}, {0xee, 0xee, 0xee, 0xee, 0, 0, 0, 0x80}, {abridgedTag, 0}, {abridgedTag, 0x7f, 0xff, 0xff, 0xff},
	} {
		f, err := open(stream{bytes.NewReader(wire), io.Discard})
		if err != nil {
			t.Fatal(err)
		}
		if b, err := f.read(nil, strangerFrame); err == nil || cap(b) > strangerFrame {
			t.Errorf("%x: %d bytes, %v", wire, cap(b), err)
		}
	}
}

// FuzzFrames: no bytes make a reader take more than its limit.
func FuzzFrames(f *testing.F) {
	f.Add([]byte{0xef, 1, 1, 2, 3, 4})
	f.Add([]byte{0xee, 0xee, 0xee, 0xee, 8, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8})
	f.Add(bytes.Repeat([]byte{0x5a}, 70))
	f.Fuzz(func(t *testing.T, b []byte) {
		f, err := open(stream{bytes.NewReader(b), io.Discard})
		for err == nil {
			var got []byte
			if got, err = f.read(nil, 64); len(got) > 64 {
				t.Fatalf("%d bytes were read", len(got))
			}
		}
	})
}
