package tile

// WorldBounds are the bounds of everything: west, south, east, north in degrees.
func WorldBounds() [4]float64 { return [4]float64{-180, -MaxLatitude, 180, MaxLatitude} }

// strayDegrees is how far the bounds that an extract names may reach beyond its
// data: as far as open sea around islands may, about a tile of zoom 8.
const strayDegrees = 1.5

// DataBounds are the bounds of an extract, as west, south, east, north in degrees:
// what its header says, as far as the data bears it out. Some tools write half
// the world into the header. A side that lies too far beyond the data is moved
// to where the data ends; a header of another place altogether counts for nothing.
// One whose west lies east of its east crosses the 180th meridian, and goes round
// the world here, as the data does.
func DataBounds(header, data [4]float64) [4]float64 {
	if header[0] > header[2] {
		header[0], header[2] = -180, 180
	}
	if header[0] > data[2] || header[2] < data[0] || header[1] > data[3] || header[3] < data[1] {
		return data
	}
	for side, sign := range [4]float64{-1, -1, 1, 1} {
		if sign*(header[side]-data[side]) > strayDegrees {
			header[side] = data[side]
		}
	}
	return header
}
