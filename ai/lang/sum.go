package lang

// sum adds the parts of one number: groups below a thousand, each multiplied by its scale,
// the scales falling.
type sum struct {
	total  float64
	group  float64 // the group that is being read
	open   bool    // the group has a part
	digit  bool    // the group is written in digits
	last   float64 // the size of the last part of the group: smaller ones may follow
	scale  float64 // the last scale, 0 before the first
	tongue tongue
	halved bool
	ended  bool
}

// add takes one more numeral, or says that it belongs to another number.
func (s *sum) add(w numeral) bool {
	if s.ended || s.halved && w.part != scale || w.tongue != anyTongue && s.tongue != anyTongue && w.tongue != s.tongue {
		return false
	}
	switch w.part {
	case zero:
		if s.open || s.scale > 0 {
			return false
		}
		s.open, s.ended = true, true
	case ones, teens, tens, hundreds:
		if s.digit || s.open && !s.takes(w) {
			return false
		}
		s.group += w.value
		s.last = map[part]float64{ones: 1, teens: 1, tens: 10, hundreds: 100}[w.part]
		s.open = true
	case hundred:
		if s.digit && s.group >= 10 || s.open && (s.last >= 100 || s.group >= 10) {
			return false
		}
		s.group = max(s.group, 1) * 100
		s.open, s.last, s.digit = true, 100, false
	case half:
		s.group += 0.5
		s.open, s.halved = true, true
	case oneHalf:
		if s.open {
			return false
		}
		s.group, s.open, s.halved = 1.5, true, true
	case scale:
		if s.scale > 0 && w.value >= s.scale {
			return false
		}
		if !s.open {
			s.group = 1
		}
		s.total += s.group * w.value
		s.group, s.open, s.digit, s.last, s.scale, s.halved = 0, false, false, 0, w.value, false
	}
	if w.tongue != anyTongue {
		s.tongue = w.tongue
	}
	return true
}

// takes says whether a part may stand behind those of the open group.
func (s *sum) takes(w numeral) bool {
	switch w.part {
	case ones:
		return s.last >= 10
	case teens, tens:
		return s.last >= 100
	}
	return false
}

// wantsDigits says whether digits at the reader's place belong to the number that began at
// first: at its beginning, or behind a scale when a smaller scale follows them.
func (s *sum) wantsDigits(r *reader, first int) bool {
	if r.at == first {
		return true
	}
	if s.open || s.scale == 0 || r.at+1 >= len(r.pieces) {
		return false
	}
	n, _, _, ok := numeralOf(r.pieces[r.at+1].word)
	return ok && n.part == scale && n.value < s.scale
}

func (s *sum) value() float64 { return s.total + s.group }
