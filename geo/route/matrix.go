package route

import (
	"context"
	"encoding/json"
)

// Matrix asks the engine for every pair. The answer is shared and must not be
// changed.
func (c *Client) Matrix(ctx context.Context, r MatrixRequest) (*Matrix, error) {
	r.Mode = ParseMode(string(r.Mode))
	value, err := c.post(ctx, "matrix", "/sources_to_targets", r.body(), func(body []byte) (any, error) { return readMatrix(body, r) })
	if err != nil {
		return nil, err
	}
	return value.(*Matrix), nil
}

// readMatrix makes cells of the engine's two tables: kilometres and seconds,
// null where there is no path.
func readMatrix(body []byte, r MatrixRequest) (*Matrix, error) {
	var in struct {
		Tables struct {
			Distances [][]*float64 `json:"distances"`
			Durations [][]*float64 `json:"durations"`
		} `json:"sources_to_targets"`
	}
	if !matrixBounds.hold(body) || json.Unmarshal(body, &in) != nil || len(in.Tables.Distances) != len(r.Sources) || len(in.Tables.Durations) != len(r.Sources) {
		return nil, unreadable()
	}
	n := len(r.Targets)
	m := &Matrix{Mode: r.Mode, Sources: len(r.Sources), Targets: n, Engine: EngineName, Cells: make([]Cell, 0, len(r.Sources)*n)}
	for i := range r.Sources {
		distances, durations := in.Tables.Distances[i], in.Tables.Durations[i]
		if len(distances) != n || len(durations) != n {
			return nil, unreadable()
		}
		for j := range n {
			cell, ok := newCell(i, j, distances[j], durations[j])
			if !ok {
				return nil, unreadable()
			}
			m.Cells = append(m.Cells, cell)
		}
		m.Rows = append(m.Rows, m.Cells[i*n:(i+1)*n:(i+1)*n])
	}
	return m, nil
}

// newCell is a pair; without a distance or a time there is no path.
func newCell(source, target int, km, seconds *float64) (c Cell, ok bool) {
	c = Cell{Source: source, Target: target}
	if km == nil || seconds == nil {
		return c, true
	}
	metres, s, ok := measures(*km, *seconds)
	c.Distance, c.Duration = &metres, &s
	return c, ok
}
