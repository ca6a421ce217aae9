package index

// TermsOf appends to an empty buf the terms of a span, in skeleton order when skeletons is set.
// Past a number of them it keeps those whose best entry is most important.
func (x *Index) TermsOf(span Span, skeletons bool, most int, buf []uint32) []uint32 {
	buf = buf[:0]
	for i := span.From; i < span.To; i++ {
		t := i
		if skeletons {
			t = x.TermAtSkeleton(i)
		}
		buf = append(buf, t)
	}
	if len(buf) <= most {
		return buf
	}
	x.Leaders(buf, most)
	return buf[:most]
}

// Leaders moves the k terms whose best entries are most important to the front (quickselect).
func (x *Index) Leaders(terms []uint32, k int) {
	lo, hi := 0, len(terms)-1
	for lo < hi {
		pivot := x.FirstSet(terms[lo+(hi-lo)/2])
		i, j := lo, hi
		for i <= j {
			for x.FirstSet(terms[i]) < pivot {
				i++
			}
			for x.FirstSet(terms[j]) > pivot {
				j--
			}
			if i <= j {
				terms[i], terms[j] = terms[j], terms[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			hi = j
		case k > i:
			lo = i
		default:
			return
		}
	}
}
