package tilebuild

// noCode is past all codes: those of tiles up to zoom 14 fit in 29 bits.
const noCode = ^uint32(0)

// merger walks all records of a sorter in the order of the tiles. A record of
// a covered range (see fill) counts for each tile of the range.
type merger struct {
	heap  []*stream
	fills []fill // those that cover the current tile
	next  uint32 // the first tile not given yet
	taken int64  // records so far
}

// fill is a record that covers the tiles [code, end).
type fill struct {
	end    uint32
	record []byte
}

func newMerger(streams []*stream) (*merger, error) {
	m := &merger{}
	for _, s := range streams {
		more, err := s.next(s)
		if err != nil {
			return nil, err
		}
		if more {
			m.heap = append(m.heap, s)
		}
	}
	for i := len(m.heap)/2 - 1; i >= 0; i-- {
		m.sink(i)
	}
	return m, nil
}

func (m *merger) sink(i int) {
	for {
		least := i
		for _, c := range []int{2*i + 1, 2*i + 2} {
			if c < len(m.heap) && m.heap[c].code < m.heap[least].code {
				least = c
			}
		}
		if least == i {
			return
		}
		m.heap[i], m.heap[least] = m.heap[least], m.heap[i]
		i = least
	}
}

// top is the code of the next record.
func (m *merger) top() uint32 {
	if len(m.heap) == 0 {
		return noCode
	}
	return m.heap[0].code
}

// advance moves the top stream on.
func (m *merger) advance() error {
	m.taken++
	s := m.heap[0]
	more, err := s.next(s)
	if err != nil {
		return err
	}
	if !more {
		last := len(m.heap) - 1
		m.heap[0] = m.heap[last]
		m.heap = m.heap[:last]
	}
	m.sink(0)
	return nil
}

// run appends to t the records of the next tile, or of the next run of tiles
// that all hold the same. more is false at the end.
func (m *merger) run(t *job) (more bool, err error) {
	code := m.top()
	if len(m.fills) > 0 {
		code = m.next
	}
	if code == noCode {
		return false, nil
	}
	single := false
	for m.top() == code {
		record := m.heap[0].record
		if n := coverage(record); n > 1 {
			m.fills = append(m.fills, fill{end: code + n, record: append([]byte(nil), record...)})
		} else {
			t.add(record)
			single = true
		}
		if err := m.advance(); err != nil {
			return false, err
		}
	}
	end := m.top()
	if single {
		end = code + 1
	}
	for _, f := range m.fills {
		t.add(f.record)
		end = min(end, f.end)
	}
	if len(m.fills) == 0 {
		end = code + 1
	}
	live := m.fills[:0]
	for _, f := range m.fills {
		if f.end > end {
			live = append(live, f)
		}
	}
	m.fills = live
	m.next = end
	t.close(code, end-code)
	return true, nil
}
