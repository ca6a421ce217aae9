package admin

import (
	"testing"

	"svc/geo/index"
)

// Fields of an address, as numbers of their names.
const (
	none = iota
	one
	two
	three
)

func area(level uint8, place index.PlaceTag, name uint32) Area {
	return Area{Level: level, Place: place, Name: name}
}

// TestAssemble is the table of map contract 42.1.
func TestAssemble(t *testing.T) {
	const city, town, other = index.CityPlace, index.TownPlace, index.OtherPlace
	for _, c := range []struct {
		name  string
		areas []Area
		want  index.Admin
	}{
		{"nothing", nil, index.Admin{}},
		{"2 and 3 set nothing", []Area{area(2, other, one), area(3, city, two)}, index.Admin{}},
		{"4 is the region", []Area{area(4, other, one)}, index.Admin{Region: one}},
		{"4 as a town is the region", []Area{area(4, town, one)}, index.Admin{Region: one}},
		{"4 as a city is the city", []Area{area(4, city, one)}, index.Admin{City: one}},
		{"5 is the district", []Area{area(5, other, one)}, index.Admin{District: one}},
		{"6 is the district", []Area{area(6, other, one)}, index.Admin{District: one}},
		{"6 as a town is the district", []Area{area(6, town, one)}, index.Admin{District: one}},
		{"5 as a city is the city", []Area{area(5, city, one)}, index.Admin{City: one}},
		{"6 as a second city is the district", []Area{area(4, city, one), area(6, city, two)}, index.Admin{City: one, District: two}},
		{"5 and 6: the district is the first", []Area{area(5, other, one), area(6, other, two)}, index.Admin{District: one}},
		{"a third city at 6 sets nothing", []Area{area(4, city, one), area(5, city, two), area(6, city, three)}, index.Admin{City: one, District: two}},
		{"7 as a town is the city", []Area{area(7, town, one)}, index.Admin{City: one}},
		{"8 as a city is the city", []Area{area(8, city, one)}, index.Admin{City: one}},
		{"8 as a second town is the district", []Area{area(7, town, one), area(8, town, two)}, index.Admin{City: one, District: two}},
		{"8 without a tag is the district", []Area{area(8, other, one)}, index.Admin{District: one}},
		{"8 after a district is the suburb", []Area{area(6, other, one), area(8, other, two)}, index.Admin{District: one, Suburb: two}},
		{"a third at 8 sets nothing", []Area{area(6, other, one), area(7, other, two), area(8, other, three)}, index.Admin{District: one, Suburb: two}},
		{"9 is the suburb", []Area{area(9, other, one)}, index.Admin{Suburb: one}},
		{"9 takes the suburb from 8", []Area{area(6, other, one), area(8, other, two), area(9, other, three)}, index.Admin{District: one, Suburb: three}},
		{"of two at 9 the smaller", []Area{area(9, other, one), area(9, other, two)}, index.Admin{Suburb: one}},
		{"10 is the neighbourhood", []Area{area(10, other, one)}, index.Admin{Neighbourhood: one}},
		{"11 takes it from 10", []Area{area(10, other, one), area(11, other, two)}, index.Admin{Neighbourhood: two}},
		{"a nameless area sets nothing", []Area{area(4, other, none), area(8, city, none), area(10, other, none)}, index.Admin{}},
	} {
		if got := Assemble(c.areas); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestSort(t *testing.T) {
	areas := []Area{{Level: 8, Size: 2, Entry: 1}, {Level: 8, Size: 1, Entry: 2}, {Level: 4, Size: 9, Entry: 3}, {Level: 8, Size: 1, Entry: 0}}
	Sort(areas)
	for i, want := range []uint32{3, 0, 2, 1} {
		if areas[i].Entry != want {
			t.Fatalf("%d: %+v", i, areas)
		}
	}
}

func TestFill(t *testing.T) {
	rest := index.Admin{Neighbourhood: 1, Suburb: 2, City: 3, District: 4, Region: 5}
	if got := Fill(index.Admin{}, rest); got != rest {
		t.Errorf("into nothing: %+v", got)
	}
	full := index.Admin{Neighbourhood: 6, Suburb: 7, City: 8, District: 9, Region: 10}
	if got := Fill(full, rest); got != full {
		t.Errorf("over what is known: %+v", got)
	}
}
