package tile

import "testing"

// TestDataBounds: the header of an extract counts where its data is.
func TestDataBounds(t *testing.T) {
	data := [4]float64{7.7, 49.3, 9.1, 49.5}
	tests := []struct {
		name         string
		header, want [4]float64
	}{
		{"half the world", [4]float64{0, 0, 180, 90}, data},
		{"smaller than the data: ways were kept whole", [4]float64{8, 49.4, 9, 49.45}, [4]float64{8, 49.4, 9, 49.45}},
		{"some open sea around", [4]float64{7, 49, 10, 50.9}, [4]float64{7, 49, 10, 50.9}},
		{"one side is wrong", [4]float64{8, 49.4, 179, 49.6}, [4]float64{8, 49.4, 9.1, 49.6}},
		{"elsewhere", [4]float64{-9, 38, -8, 39}, data},
		{"elsewhere to the north", [4]float64{8, 60, 9, 61}, data},
	}
	across := [4]float64{-179.9, -19, 179.9, -16} // of islands on both sides of the 180th meridian
	if got, want := DataBounds([4]float64{177, -20, -178, -15.5}, across), [4]float64{-180, -20, 180, -15.5}; got != want {
		t.Errorf("across the 180th meridian: %v, want %v", got, want)
	}
	if got := DataBounds([4]float64{177, 49.4, -178, 49.6}, data); got != [4]float64{7.7, 49.4, 9.1, 49.6} {
		t.Errorf("sides that are mixed up: %v", got)
	}
	for _, tt := range tests {
		if got := DataBounds(tt.header, data); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}
