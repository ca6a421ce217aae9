package layout

// Key is an indexed value, encoded so that bytes sort as the values do and no key
// is the beginning of another of its kind. The nil key stands for "no value".
type Key []byte

// Text is a text that sorts by bytes.
func Text(s string) Key { return append(AppendText(make(Key, 0, len(s)+2), s), 0, 1) }

// AppendText writes text without its end: 0 becomes 0 255, so that the end, 0 1,
// sorts before every longer text.
func AppendText(k Key, s string) Key {
	for i := range len(s) {
		k = append(k, s[i])
		if s[i] == 0 {
			k = append(k, 0xFF)
		}
	}
	return k
}

// ReadText takes a Text off the front of b.
func ReadText(b []byte) (s string, rest []byte, ok bool) {
	var out []byte
	for i := 0; i+1 < len(b); i++ {
		if b[i] != 0 {
			out = append(out, b[i])
			continue
		}
		switch i++; b[i] {
		case 1:
			return string(out), b[i+1:], true
		case 0xFF:
			out = append(out, 0)
		default:
			return "", nil, false
		}
	}
	return "", nil, false
}

// AppendOptional adds one optional value: 0 is none, 1 stands before a value.
func AppendOptional(k, value Key) Key {
	if value == nil {
		return append(k, 0)
	}
	return append(append(k, 1), value...)
}
