package category

// fallbacks are the categories for what has a name and no row of its own. Their labels
// are no words to search by: a building is mostly a part of a name.
var fallbacks = func() map[string]bool {
	ids := map[string]bool{}
	for _, r := range rows {
		if r.turn == fallback {
			ids[r.id] = true
		}
	}
	return ids
}()

// IsFallback tells the categories for what has a name and no row of its own.
func IsFallback(id string) bool { return fallbacks[id] }

// rows is the column "OpenStreetMap tags" of the table of map contract 9, in its order.
var rows = []row{
	in("food.restaurant", is("amenity", "restaurant")),
	in("food.cafe", is("amenity", "cafe"), is("shop", "coffee")),
	in("food.fast_food", is("amenity", "fast_food", "food_court")),
	at(first, "food.teahouse", is("amenity", "teahouse"), is("amenity", "cafe", "restaurant").and(servesTea)),
	in("food.bar", is("amenity", "bar", "pub", "biergarten", "nightclub")),
	in("food.bakery", is("shop", "bakery", "pastry", "confectionery"), is("craft", "bakery")),
	in("food.ice_cream", is("amenity", "ice_cream"), is("shop", "ice_cream")),

	in("shopping.supermarket", is("shop", "supermarket", "wholesale")),
	in("shopping.convenience", is("shop", "convenience", "general", "kiosk", "greengrocer", "butcher", "dairy", "beverages", "alcohol")),
	in("shopping.mall", is("shop", "mall", "department_store")),
	in("shopping.marketplace", is("amenity", "marketplace")),
	in("shopping.clothes", is("shop", "clothes", "shoes", "boutique", "fashion_accessories", "bag")),
	in("shopping.electronics", is("shop", "electronics", "computer", "hifi", "appliance", "mobile_phone")),
	in("shopping.furniture", is("shop", "furniture", "interior_decoration", "kitchen", "bed", "carpet")),
	in("shopping.books", is("shop", "books", "stationery", "newsagent")),
	in("shopping.florist", is("shop", "florist", "garden_centre")),
	in("shopping.jewelry", is("shop", "jewelry", "watches")),
	in("shopping.gift", is("shop", "gift", "art", "antiques")),
	at(last, "shopping.shop", anyOf("shop", "no", "vacant")),

	in("health.hospital", is("amenity", "hospital"), is("healthcare", "hospital", "birthing_centre")),
	in("health.clinic", is("amenity", "clinic"), is("healthcare", "clinic", "centre")),
	in("health.pharmacy", is("amenity", "pharmacy"), is("healthcare", "pharmacy")),
	in("health.dentist", is("amenity", "dentist"), is("healthcare", "dentist")),
	in("health.doctors", is("amenity", "doctors"), is("healthcare", "doctor", "laboratory")),
	in("health.veterinary", is("amenity", "veterinary")),

	in("education.university", is("amenity", "university")),
	in("education.school", is("amenity", "school")),
	in("education.college", is("amenity", "college")),
	in("education.kindergarten", is("amenity", "kindergarten", "childcare")),
	in("education.library", is("amenity", "library")),
	in("education.language_school", is("amenity", "language_school", "training"), is("office", "educational_institution")),

	in("education.driving_school", is("amenity", "driving_school")),

	in("finance.bank", is("amenity", "bank")),
	in("finance.atm", is("amenity", "atm")),
	in("finance.exchange", is("amenity", "bureau_de_change")),

	in("transport.airport",
		is("aeroway", "aerodrome").and(func(o Object) bool { return o.Named || o.value("iata") != "" }),
		is("aeroway", "terminal")),
	in("transport.train_station", is("railway", "station", "halt").and(isTrain)),
	in("transport.metro", is("railway", "station").and(isMetro), is("railway", "subway_entrance")),
	in("transport.bus_station", is("amenity", "bus_station")),
	in("transport.bus_stop", is("highway", "bus_stop"), is("public_transport", "platform").and(tag("bus", "yes")), is("railway", "tram_stop")),
	at(last, "transport.bus_stop", is("public_transport", "platform", "stop_position").and(called)),
	in("transport.ferry", is("amenity", "ferry_terminal")),
	in("transport.taxi", is("amenity", "taxi")),
	in("transport.parking", is("amenity", "parking").and(namedOrPublic), is("amenity", "parking_entrance")),

	in("auto.fuel", is("amenity", "fuel")),
	in("auto.charging", is("amenity", "charging_station")),
	in("auto.car_wash", is("amenity", "car_wash")),
	in("auto.car_repair", is("shop", "car_repair", "tyres", "car_parts"), is("craft", "car_repair")),
	in("auto.car_dealer", is("shop", "car", "motorcycle", "truck")),

	in("auto.car_rental", is("amenity", "car_rental"), is("shop", "car_rental")),

	in("lodging.hotel", is("tourism", "hotel", "motel", "apartment", "resort")),
	in("lodging.hostel", is("tourism", "hostel", "guest_house", "chalet", "camp_site")),

	in("culture.museum", is("tourism", "museum")),
	in("culture.theatre", is("amenity", "theatre", "arts_centre", "concert_hall")),
	in("culture.cinema", is("amenity", "cinema")),
	in("culture.gallery", is("tourism", "gallery")),
	in("culture.attraction", is("tourism", "attraction", "artwork", "aquarium")),
	in("culture.monument", is("historic", "monument", "memorial", "statue")),
	in("culture.viewpoint", is("tourism", "viewpoint")),
	at(last, "culture.historic", anyOf("historic", "no").and(named)),
	in("culture.zoo", is("tourism", "zoo")),

	in("culture.events_venue", is("amenity", "events_venue", "conference_centre", "exhibition_centre")),
	in("culture.tower",
		is("man_made", "lighthouse", "obelisk", "minaret"),
		is("man_made", "tower", "communications_tower").and(called)),

	in("religion.mosque",
		is("amenity", "place_of_worship").and(tag("religion", "muslim")),
		is("building", "mosque").and(named)),
	in("religion.church",
		is("amenity", "place_of_worship").and(tag("religion", "christian")),
		is("building", "church", "cathedral").and(named)),
	in("religion.synagogue",
		is("amenity", "place_of_worship").and(tag("religion", "jewish")),
		is("building", "synagogue")),
	in("religion.place_of_worship", is("amenity", "place_of_worship")),

	in("culture.theme_park", is("tourism", "theme_park"), is("leisure", "amusement_arcade"), anyOf("attraction", "no")),
	in("leisure.park", is("leisure", "park")),
	in("leisure.playground", is("leisure", "playground")),
	in("leisure.stadium", is("leisure", "stadium")),
	in("leisure.sports_centre", is("leisure", "sports_centre", "sports_hall", "ice_rink"), is("leisure", "pitch").and(named)),
	in("leisure.fitness", is("leisure", "fitness_centre"), is("amenity", "gym")),
	in("leisure.swimming_pool", is("leisure", "swimming_pool").and(namedOrPublic)),
	in("leisure.water_park", is("leisure", "water_park")),
	in("leisure.garden", is("leisure", "garden").and(named)),

	in("leisure.bathhouse", is("amenity", "public_bath"), is("leisure", "sauna")),
	in("leisure.resort",
		is("leisure", "resort", "summer_camp"), is("landuse", "recreation_ground").and(called),
		is("healthcare", "sanatorium"), is("amenity", "sanatorium")),
	at(last, "leisure.club", anyOf("club", "no").and(called), is("amenity", "social_club"), is("leisure", "social_club")),

	in("services.cemetery", is("landuse", "cemetery"), is("amenity", "grave_yard")),
	in("services.community_centre", is("amenity", "community_centre", "social_centre")),
	in("services.border_control", is("barrier", "border_control"), is("amenity", "border_control", "customs"), is("office", "customs")),
	at(last, "services.factory", is("man_made", "works"), is("landuse", "industrial").and(called)),
	in("services.post", is("amenity", "post_office")),
	in("services.police", is("amenity", "police")),
	in("services.government", is("office", "government", "tax"), is("amenity", "public_building")),
	in("services.embassy", is("office", "diplomatic"), is("amenity", "embassy")),
	in("services.townhall", is("amenity", "townhall")),
	in("services.courthouse", is("amenity", "courthouse")),
	in("services.fire_station", is("amenity", "fire_station")),
	in("services.notary", is("office", "notary")),
	in("services.laundry", is("shop", "laundry", "dry_cleaning")),
	in("services.toilets", is("amenity", "toilets")),
	in("services.telecom", is("office", "telecommunication"), is("shop", "telecommunication"), is("amenity", "internet_cafe")),

	in("beauty.hairdresser", is("shop", "hairdresser")),
	in("beauty.salon", is("shop", "beauty", "massage", "cosmetics", "perfumery"), is("leisure", "spa")),

	in("services.coworking", is("amenity", "coworking_space"), is("office", "coworking")),
	at(last, "office.company", is("office", "company"), anyOf("office", "company", "no", "vacant").and(named)),
	in("office.it", is("office", "it")),
	in("office.insurance", is("office", "insurance")),
	in("office.lawyer", is("office", "lawyer")),
	in("office.travel_agency", is("shop", "travel_agency"), is("office", "travel_agent")),

	in("nature.peak", is("natural", "peak", "volcano", "saddle"), is("mountain_pass", "yes")),
	in("nature.spring", is("natural", "spring", "hot_spring")),
	in("nature.lake",
		is("natural", "water").and(func(o Object) bool { return o.Named && !o.has("water", "river") }),
		is("landuse", "reservoir"),
		is("water", "lake", "reservoir", "pond")),
	in("nature.river", is("waterway", "river", "canal"), is("waterway", "stream").and(named)),
	in("nature.beach", is("natural", "beach"), is("leisure", "beach_resort")),
	in("nature.reserve", is("leisure", "nature_reserve"), is("boundary", "national_park", "protected_area").and(isBoundary)),
	in("nature.cave", is("natural", "cave_entrance")),
	in("nature.waterfall", is("waterway", "waterfall"), is("natural", "waterfall")),
	in("nature.bay", is("natural", "bay", "strait")),

	in("place.country", is("place", "country"), is("boundary", "administrative").and(levels(2, 2))),
	in("place.region", is("place", "state", "region", "province"), is("boundary", "administrative").and(levels(3, 4, "city"))),
	in("place.city", is("place", "city").and(func(o Object) bool { return o.Kind != 'w' || hasBoundary(o) })),
	in("place.town", is("place", "town")),
	in("place.district",
		is("place", "county", "district", "municipality"),
		is("boundary", "administrative").and(levels(5, 8, "city", "town"))),
	in("place.suburb", is("place", "suburb", "borough"), is("boundary", "administrative").and(levels(9, 9))),
	in("place.neighbourhood",
		is("place", "neighbourhood", "quarter", "city_block"),
		is("boundary", "administrative").and(levels(10, 11))),
	in("place.village", is("place", "village", "hamlet", "isolated_dwelling", "farm")),
	in("place.locality", is("place", "locality")),
	in("place.island", is("place", "island", "islet")),

	in("street", is("highway",
		"motorway", "motorway_link", "trunk", "trunk_link", "primary", "primary_link",
		"secondary", "secondary_link", "tertiary", "tertiary_link", "unclassified",
		"residential", "living_street", "pedestrian", "road", "service", "track",
		"path", "footway", "cycleway", "steps").and(func(o Object) bool { return o.Named && o.Kind != 'n' })),
	at(last, "place.neighbourhood",
		is("landuse", "residential").and(called),
		is("building", "apartments", "residential", "yes").and(isComplex)),

	at(fallback, "leisure.leisure", anyOf("leisure", "no").and(called), anyOf("sport", "no").and(called)),
	at(fallback, "culture.tourism", anyOf("tourism", "no").and(called)),
	at(fallback, "services.amenity", anyOf("amenity", "no").and(called), anyOf("emergency", "no").and(called), anyOf("healthcare", "no").and(called), anyOf("craft", "no").and(called)),
	at(fallback, "transport.transport",
		anyOf("railway", "no").and(called), anyOf("public_transport", "no").and(called), anyOf("aeroway", "no").and(called),
		anyOf("aerialway", "no").and(called), anyOf("highway", "no").and(called), anyOf("route", "no").and(called)),
	at(fallback, "nature.natural", anyOf("natural", "no").and(called), anyOf("waterway", "no").and(called), anyOf("water", "no").and(called), anyOf("geological", "no").and(called)),
	at(fallback, "services.man_made",
		anyOf("man_made", "no").and(called), anyOf("power", "no").and(called), anyOf("barrier", "no").and(called),
		anyOf("military", "no").and(called), anyOf("telecom", "no").and(called), anyOf("bridge", "no").and(called)),
	at(fallback, "services.building", anyOf("building", "no").and(called), anyOf("building:part", "no").and(called)),
	at(fallback, "services.landuse", anyOf("landuse", "no").and(called), anyOf("boundary", "no").and(called), anyOf("place", "no").and(called)),
	at(fallback, "services.object", anyOf("name").and(onlyCalled), anyOf("name:uz").and(onlyCalled), anyOf("name:ru").and(onlyCalled), anyOf("name:en").and(onlyCalled)),
	at(finally, "address", anyOf("addr:housenumber")),
}
