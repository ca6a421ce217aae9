package route

import (
	"context"
	"encoding/json"
)

// Heights are the heights of points in metres above the sea, nil where the engine
// has no data, which is everywhere unless it was given a folder with heights. The
// answer is shared and must not be changed.
func (c *Client) Heights(ctx context.Context, at []Point) ([]*float64, error) {
	type shape struct {
		Lat float64 `json:"lat"`
		Lon float64 `json:"lon"`
	}
	var body struct {
		Shape []shape `json:"shape"`
	}
	for _, p := range at {
		body.Shape = append(body.Shape, shape{p.Lat, p.Lon})
	}
	value, err := c.post(ctx, "elevation", "/height", body, func(answer []byte) (any, error) {
		var in struct {
			Height []*float64 `json:"height"`
		}
		if !matrixBounds.hold(answer) || json.Unmarshal(answer, &in) != nil || len(in.Height) != len(at) {
			return nil, unreadable()
		}
		return in.Height, nil
	})
	if err != nil {
		return nil, err
	}
	return value.([]*float64), nil
}
