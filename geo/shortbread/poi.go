package shortbread

import (
	"strings"

	"svc/geo/category"
	"svc/geo/mvt"
)

// poiKeys are the attributes of the layer pois that say what something is.
var poiKeys = [...]key{kAmenity, kLeisure, kTourism, kShop, kManMade, kHistoric, kEmergency, kHighway, kOffice}

// poiValues is the list "features" of the layer pois.
var poiValues = func() map[match]bool {
	list := map[key]string{
		kAmenity: `arts_centre atm bank bar bench bicycle_rental biergarten cafe car_rental car_sharing
			car_wash cinema clinic college community_centre courthouse dentist doctors drinking_water
			embassy fast_food fire_station food_court fountain fuel grave_yard hospital hunting_stand
			library marketplace nightclub nursing_home pharmacy place_of_worship police post_box
			post_office prison pub public_building recycling restaurant school shelter telephone theatre
			toilets townhall university vending_machine veterinary waste_basket`,
		kEmergency: `defibrillator fire_hydrant phone`,
		kHighway:   `emergency_access_point`,
		kHistoric: `archaeological_site battlefield castle fort memorial monument ruins wayside_cross
			wayside_shrine`,
		kLeisure: `dog_park golf_course ice_rink park pitch playground sports_centre stadium swimming_pool
			water_park`,
		kManMade: `lighthouse surveillance tower wastewater_plant water_well water_works watermill windmill`,
		kOffice:  `diplomatic`,
		kShop: `alcohol bakery beauty beverages bicycle books butcher car chemist clothes computer
			convenience department_store doityourself dry_cleaning florist furniture garden_centre general
			gift greengrocer hairdresser hardware jewelry kiosk laundry mall mobile_phone newsagent
			optician outdoor shoes sports stationery supermarket toys travel_agency video`,
		kTourism: `artwork alpine_hut bed_and_breakfast camp_site caravan_site chalet guest_house hostel
			hotel information motel picnic_site theme_park viewpoint zoo`,
	}
	m := make(map[match]bool)
	for k, values := range list {
		for _, v := range strings.Fields(values) {
			m[match{k, v}] = true
		}
	}
	return m
}()

// byCategory gives an object that the search index has a category for, but that
// carries none of the keys of the layer, the attributes of its like.
var byCategory = map[string][]struct {
	key   key
	value string
}{
	"food.bakery":        {{kShop, "bakery"}},
	"health.hospital":    {{kAmenity, "hospital"}},
	"health.clinic":      {{kAmenity, "clinic"}},
	"health.pharmacy":    {{kAmenity, "pharmacy"}},
	"health.dentist":     {{kAmenity, "dentist"}},
	"health.doctors":     {{kAmenity, "doctors"}},
	"auto.car_repair":    {{kShop, "car_repair"}},
	"religion.mosque":    {{kAmenity, "place_of_worship"}, {kReligion, "muslim"}},
	"religion.church":    {{kAmenity, "place_of_worship"}, {kReligion, "christian"}},
	"religion.synagogue": {{kAmenity, "place_of_worship"}, {kReligion, "jewish"}},
	"culture.theme_park": {{kTourism, "theme_park"}},
}

// poiOrAddress adds a point of interest, else an address: the schema does not
// show one object in both layers.
func (m *Mapper) poiOrAddress() {
	if m.poi() {
		return
	}
	o := &m.o
	if o.get(kHousenumber) == "" && o.get(kHousename) == "" {
		return
	}
	m.add(Addresses, Point, MaxZoom)
	m.putAddress()
}

// poi adds what the schema lists, and what the search index has a category for,
// so that what can be found can be clicked. A listed object shows only its
// listed attributes; one that is not listed shows what it is by the same keys.
func (m *Mapper) poi() bool {
	o := &m.o
	listed := false
	for _, k := range poiKeys {
		listed = listed || poiValues[match{k, o.get(k)}]
	}
	if !listed && !m.findable() {
		return false
	}
	m.add(POIs, Point, MaxZoom).Order = descending(o.hint.Rank)
	shown := false
	for _, k := range poiKeys {
		v := o.get(k)
		if poiValues[match{k, v}] || !listed && v != "" && v != "no" && tellsWhat(k) {
			m.put(keyNames[k], mvt.String(v))
			shown = true
		}
	}
	if !shown {
		for _, a := range byCategory[o.hint.Category] {
			o.values[a.key] = a.value
			if a.key != kReligion {
				m.put(keyNames[a.key], mvt.String(a.value))
			}
		}
	}
	m.putDetails()
	m.putAddress()
	m.putNames()
	m.putHint()
	return true
}

// tellsWhat says whether any value of the key tells what a point of interest
// is. Of highway, man_made and emergency only the listed ones do: a square with
// a monument is no kind of highway to an icon.
func tellsWhat(k key) bool { return k != kHighway && k != kManMade && k != kEmergency }

// findable says whether the search index shows the object as a place of its
// own: a point of interest, or a piece of nature that is a spot. Stops and
// stations have a layer of their own, lakes and rivers have labels.
func (m *Mapper) findable() bool {
	o := &m.o
	if o.hint.Category == "" {
		return false
	}
	if _, stop := stops.find(o); stop {
		return false
	}
	i, ok := category.Index(o.hint.Category)
	if !ok {
		return false
	}
	switch category.KindOf(i) {
	case "poi":
		return true
	case "nature":
		return o.hint.Category != "nature.lake" && o.hint.Category != "nature.river"
	}
	return false
}

// putDetails gives a point of interest the attributes that only some have.
func (m *Mapper) putDetails() {
	o := &m.o
	switch o.get(kAmenity) {
	case "restaurant", "fast_food", "pub", "bar", "cafe":
		m.putText("cuisine", o.get(kCuisine))
	case "vending_machine":
		m.putText("vending", o.get(kVending))
	case "place_of_worship":
		m.putText("religion", o.get(kReligion))
		m.putText("denomination", o.get(kDenomination))
	case "recycling":
		for _, k := range []key{kRecyclingGlass, kRecyclingPaper, kRecyclingClothes, kRecyclingScrap} {
			m.put(keyNames[k], mvt.Bool(o.yes(k)))
		}
	case "bank":
		m.put("atm", mvt.Bool(o.yes(kATM)))
	}
	if o.is(kLeisure, "pitch") || o.is(kLeisure, "sports_centre") {
		m.putText("sport", o.get(kSport))
	}
	if o.is(kTourism, "information") {
		m.putText("information", o.get(kInformation))
	}
	if o.is(kManMade, "tower") {
		m.putText("tower:type", o.get(kTowerType))
	}
}

func (m *Mapper) putAddress() {
	m.putText("housename", m.o.get(kHousename))
	m.putText("housenumber", m.o.get(kHousenumber))
}
