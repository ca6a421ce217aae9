package tilesort

// noCode is past all codes: those of tiles up to zoom 14 fit in 29 bits.
const noCode = ^uint32(0)

// Merger walks all records of a Sorter in the order of the tiles. A record of
// a covered range (see fill) counts for each tile of the range.
type Merger struct {
	heap  []*Stream
	fills []fill // those that cover the current tile
	next  uint32 // the first tile not given yet
	taken int64  // records so far
	count func(record []byte) uint32
}

// Sink takes what a Merger gives.
type Sink interface {
	// Add takes one record of the tile that the next Close names.
	Add(record []byte)
	// Close ends a run of count tiles from code on that all hold the records since the
	// last one.
	Close(code, count uint32)
}

// fill is a record that covers the tiles [code, end).
type fill struct {
	end    uint32
	record []byte
}

// NewMerger merges streams; coverage says how many tiles a record covers.
func NewMerger(streams []*Stream, coverage func(record []byte) uint32) (*Merger, error) {
	m := &Merger{count: coverage}
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

func (m *Merger) sink(i int) {
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
func (m *Merger) top() uint32 {
	if len(m.heap) == 0 {
		return noCode
	}
	return m.heap[0].code
}

// advance moves the top Stream on.
func (m *Merger) advance() error {
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

// Run appends to t the records of the next tile, or of the next run of tiles
// that all hold the same. more is false at the end.
func (m *Merger) Run(t Sink) (more bool, err error) {
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
		if n := m.count(record); n > 1 {
			m.fills = append(m.fills, fill{end: code + n, record: append([]byte(nil), record...)})
		} else {
			t.Add(record)
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
		t.Add(f.record)
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
	t.Close(code, end-code)
	return true, nil
}

// Taken is the number of records so far.
func (m *Merger) Taken() int64 { return m.taken }
