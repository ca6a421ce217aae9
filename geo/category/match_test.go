package category

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

type tagMap map[string]string

func (m tagMap) Get(key string) string { return m[key] }

// object reads the small language of the tables below: tags separated by
// commas; `name=` sets the primary name, `n`, `w`, `area` and `r` the shape.
func object(s string) Object {
	o := Object{Kind: 'n'}
	tags := tagMap{}
	for part := range strings.SplitSeq(s, ",") {
		key, value, _ := strings.Cut(part, "=")
		switch key {
		case "n", "w", "r":
			o.Kind = key[0]
		case "area":
			o.Kind, o.Area = 'w', true
		case "name":
			o.Named, o.PrimaryName, tags[key] = true, value, value
		default:
			tags[key] = value
		}
	}
	o.Tags = tags
	return o
}

func match(s string) string {
	if i, ok := Match(object(s)); ok {
		return All()[i].ID
	}
	return ""
}

// matches has, for every row of the table, objects of the category and objects
// that come close and are something else.
var matches = []struct {
	id       string
	yes, not string // objects separated by spaces
}{
	{"food.restaurant", "amenity=restaurant amenity=bar;restaurant amenity=restaurant,cuisine=steak_house", "amenity=restaurant,cuisine=tea amenity=restaurants"},
	{"food.cafe", "amenity=cafe shop=coffee amenity=cafe;bar amenity=cafe,name=Choy", "amenity=cafe,name=Navroʻz_choyxonasi shop=tea"},
	{"food.fast_food", "amenity=fast_food amenity=food_court", "amenity=fast"},
	{"food.teahouse", "amenity=teahouse amenity=cafe,cuisine=bubble_tea amenity=restaurant,cuisine=uzbek;tea amenity=cafe,name=Чайхана_№1 amenity=cafe,name=Чойхона amenity=restaurant,name=Chaikhana amenity=restaurant,name=Old_Teahouse amenity=bar;teahouse",
		"amenity=bar,cuisine=tea shop=tea amenity=cafe,cuisine=steak amenity=pharmacy,name=Choyxona"},
	{"food.bar", "amenity=bar amenity=pub amenity=biergarten amenity=nightclub", "amenity=barn"},
	{"food.bakery", "shop=bakery shop=pastry shop=confectionery craft=bakery", "craft=baker amenity=bakery"},
	{"food.ice_cream", "amenity=ice_cream shop=ice_cream", "shop=ice"},
	{"shopping.supermarket", "shop=supermarket shop=wholesale", "amenity=supermarket"},
	{"shopping.convenience", "shop=convenience shop=general shop=kiosk shop=greengrocer shop=butcher shop=dairy shop=beverages shop=alcohol", "shop=convenient"},
	{"shopping.mall", "shop=mall shop=department_store", "building=mall"},
	{"shopping.marketplace", "amenity=marketplace", "shop=marketplace"},
	{"shopping.clothes", "shop=clothes shop=shoes shop=boutique shop=fashion_accessories shop=bag", "shop=fashion"},
	{"shopping.electronics", "shop=electronics shop=computer shop=hifi shop=appliance shop=mobile_phone", "shop=electrical"},
	{"shopping.furniture", "shop=furniture shop=interior_decoration shop=kitchen shop=bed shop=carpet", "shop=doors"},
	{"shopping.books", "shop=books shop=stationery shop=newsagent", "shop=book"},
	{"shopping.florist", "shop=florist shop=garden_centre", "shop=flower"},
	{"shopping.jewelry", "shop=jewelry shop=watches", "shop=gold"},
	{"shopping.gift", "shop=gift shop=art shop=antiques", "shop=toys"},
	{"shopping.shop", "shop=yes shop=toys shop=vacant;toys shop=toys,addr:housenumber=5", "shop=no shop=vacant shop=toys,amenity=fuel shop=toys,tourism=attraction shop=toys,place=village"},
	{"health.hospital", "amenity=hospital healthcare=hospital healthcare=birthing_centre", "building=hospital"},
	{"health.clinic", "amenity=clinic healthcare=clinic healthcare=centre", "healthcare=yes"},
	{"health.pharmacy", "amenity=pharmacy healthcare=pharmacy", "shop=chemist"},
	{"health.dentist", "amenity=dentist healthcare=dentist", "healthcare=dental"},
	{"health.doctors", "amenity=doctors healthcare=doctor healthcare=laboratory", "amenity=doctor"},
	{"health.veterinary", "amenity=veterinary", "shop=veterinary"},
	{"education.university", "amenity=university", "building=university"},
	{"education.school", "amenity=school", "building=school amenity=driving_school"},
	{"education.college", "amenity=college", "building=college"},
	{"education.kindergarten", "amenity=kindergarten amenity=childcare", "building=kindergarten"},
	{"education.library", "amenity=library", "shop=library"},
	{"education.language_school", "amenity=language_school amenity=training office=educational_institution", "office=education"},
	{"finance.bank", "amenity=bank amenity=bank,atm=yes", "building=bank"},
	{"finance.atm", "amenity=atm", "atm=yes amenity=bank;atm"},
	{"finance.exchange", "amenity=bureau_de_change", "shop=bureau_de_change"},
	{"transport.airport", "aeroway=aerodrome,name=Toshkent aeroway=aerodrome,iata=TAS aeroway=terminal", "aeroway=aerodrome aeroway=gate"},
	{"transport.train_station", "railway=station railway=halt railway=station,subway=yes,train=yes railway=station,station=light_rail", "railway=station,station=subway railway=station,subway=yes railway=stop"},
	{"transport.metro", "railway=station,station=subway railway=station,subway=yes railway=subway_entrance", "railway=station station=subway"},
	{"transport.bus_station", "amenity=bus_station", "building=bus_station"},
	{"transport.bus_stop", "highway=bus_stop public_transport=platform,bus=yes railway=tram_stop public_transport=stop_position,name=X", "public_transport=platform public_transport=platform,bus=no highway=stop"},
	{"transport.taxi", "amenity=taxi", "taxi=yes"},
	{"transport.parking", "amenity=parking amenity=parking,access=customers amenity=parking,access=private,name=P1 amenity=parking_entrance", "amenity=parking,access=private amenity=parking_space"},
	{"auto.fuel", "amenity=fuel", "shop=fuel"},
	{"auto.charging", "amenity=charging_station", "amenity=charging"},
	{"auto.car_wash", "amenity=car_wash", "shop=car_wash"},
	{"auto.car_repair", "shop=car_repair shop=tyres shop=car_parts craft=car_repair", "craft=repair"},
	{"auto.car_dealer", "shop=car shop=motorcycle shop=truck", "shop=cars"},
	{"lodging.hotel", "tourism=hotel tourism=motel tourism=apartment tourism=resort", "building=hotel"},
	{"lodging.hostel", "tourism=hostel tourism=guest_house tourism=chalet tourism=camp_site", "tourism=camp_pitch"},
	{"culture.museum", "tourism=museum tourism=museum,historic=castle,name=Ark", "historic=museum"},
	{"culture.theatre", "amenity=theatre amenity=arts_centre amenity=concert_hall", "building=theatre"},
	{"culture.cinema", "amenity=cinema", "amenity=cinemas"},
	{"culture.gallery", "tourism=gallery", "shop=gallery"},
	{"culture.attraction", "tourism=attraction tourism=artwork tourism=aquarium", "tourism=yes tourism=information"},
	{"culture.monument", "historic=monument historic=memorial historic=statue", "historic=ruins"},
	{"culture.viewpoint", "tourism=viewpoint", "tourism=view"},
	{"culture.historic", "historic=castle,name=Ark historic=yes,name=X historic=tomb,name=X,addr:housenumber=1", "historic=castle historic=no,name=X historic=yes,place=village,name=X historic=yes,natural=peak,name=X"},
	{"culture.zoo", "tourism=zoo", "zoo=petting_zoo"},
	{"religion.mosque", "amenity=place_of_worship,religion=muslim building=mosque,name=X", "building=mosque amenity=place_of_worship"},
	{"religion.church", "amenity=place_of_worship,religion=christian building=church,name=X building=cathedral,name=X", "building=church building=chapel,name=X"},
	{"religion.synagogue", "amenity=place_of_worship,religion=jewish building=synagogue", "religion=jewish"},
	{"religion.place_of_worship", "amenity=place_of_worship amenity=place_of_worship,religion=buddhist", "amenity=place_of_worship,religion=muslim building=temple"},
	{"culture.theme_park", "tourism=theme_park leisure=amusement_arcade attraction=roller_coaster", "attraction=no"},
	{"leisure.park", "leisure=park", "landuse=park"},
	{"leisure.playground", "leisure=playground", "playground=swing"},
	{"leisure.stadium", "leisure=stadium", "building=stadium"},
	{"leisure.sports_centre", "leisure=sports_centre leisure=sports_hall leisure=ice_rink leisure=pitch,name=X", "leisure=pitch leisure=track"},
	{"leisure.fitness", "leisure=fitness_centre amenity=gym", "leisure=fitness_station"},
	{"leisure.swimming_pool", "leisure=swimming_pool leisure=swimming_pool,access=private,name=X", "leisure=swimming_pool,access=private"},
	{"leisure.water_park", "leisure=water_park", "leisure=water"},
	{"leisure.garden", "leisure=garden,name=X", "leisure=garden"},
	{"services.post", "amenity=post_office", "amenity=post_box"},
	{"services.police", "amenity=police", "office=police"},
	{"services.government", "office=government office=tax amenity=public_building", "building=government"},
	{"services.embassy", "office=diplomatic amenity=embassy", "diplomatic=embassy"},
	{"services.townhall", "amenity=townhall", "building=townhall"},
	{"services.courthouse", "amenity=courthouse", "amenity=court"},
	{"services.fire_station", "amenity=fire_station", "building=fire_station"},
	{"services.notary", "office=notary", "amenity=notary"},
	{"services.laundry", "shop=laundry shop=dry_cleaning", "amenity=laundry"},
	{"services.toilets", "amenity=toilets", "toilets=yes"},
	{"services.telecom", "office=telecommunication shop=telecommunication amenity=internet_cafe", "man_made=tower"},
	{"beauty.hairdresser", "shop=hairdresser", "shop=hair"},
	{"beauty.salon", "shop=beauty shop=massage shop=cosmetics shop=perfumery leisure=spa", "amenity=spa"},
	{"services.coworking", "amenity=coworking_space office=coworking", "office=shared"},
	{"office.company", "office=company office=estate_agent,name=X", "office=estate_agent office=no,name=X office=vacant,name=X office=it,name=X office=company,amenity=bank"},
	{"office.it", "office=it office=company;it", "office=its"},
	{"office.insurance", "office=insurance", "shop=insurance"},
	{"office.lawyer", "office=lawyer", "office=attorney"},
	{"office.travel_agency", "shop=travel_agency office=travel_agent", "office=travel"},
	{"nature.peak", "natural=peak natural=volcano natural=saddle mountain_pass=yes", "mountain_pass=no natural=ridge"},
	{"culture.events_venue", "amenity=events_venue amenity=conference_centre amenity=exhibition_centre", "amenity=events"},
	{"culture.tower", "man_made=lighthouse man_made=obelisk man_made=minaret man_made=tower,name=X man_made=communications_tower,name=X", "man_made=tower man_made=mast,name=X"},
	{"education.driving_school", "amenity=driving_school", "amenity=school"},
	{"transport.ferry", "amenity=ferry_terminal", "route=ferry,name=X"},
	{"auto.car_rental", "amenity=car_rental shop=car_rental", "amenity=car_sharing"},
	{"leisure.bathhouse", "amenity=public_bath leisure=sauna", "leisure=spa"},
	{"leisure.resort", "leisure=resort leisure=summer_camp landuse=recreation_ground,name=X healthcare=sanatorium amenity=sanatorium", "landuse=recreation_ground tourism=resort"},
	{"leisure.club", "club=sport,name=X amenity=social_club leisure=social_club", "club=sport club=no,name=X club=sport,leisure=pitch,name=X"},
	{"services.cemetery", "landuse=cemetery amenity=grave_yard", "landuse=grass"},
	{"services.community_centre", "amenity=community_centre amenity=social_centre", "amenity=arts_centre"},
	{"services.border_control", "barrier=border_control amenity=border_control amenity=customs office=customs", "barrier=gate"},
	{"services.factory", "man_made=works landuse=industrial,name=X", "landuse=industrial"},
	{"nature.waterfall", "waterway=waterfall natural=waterfall", "waterway=weir"},
	{"nature.bay", "natural=bay natural=strait", "natural=beach"},
	{"services.amenity", "amenity=bench,name=X emergency=phone,name=X healthcare=yes,name=X craft=tailor,name=X", "amenity=bench amenity=bench,name:de=X amenity=no"},
	{"leisure.leisure", "leisure=dance,name=X sport=climbing,name=X", "leisure=dance"},
	{"culture.tourism", "tourism=information,name=X", "tourism=information"},
	{"nature.natural", "natural=tree,name=X waterway=weir,name=X geological=moraine,name=X", "natural=tree"},
	{"services.man_made", "man_made=pier,name=X power=substation,name=X barrier=wall,name=X military=bunker,name=X", "power=substation"},
	{"transport.transport", "railway=rail,w,name=X highway=motorway_junction,name=A4 highway=construction,w,name=X aeroway=apron,name=X route=ferry,w,name=X", "railway=rail highway=crossing"},
	{"services.landuse", "landuse=quarry,name=X area,boundary=forest,name=X place=square,name=X", "landuse=quarry w,boundary=forest,name=X"},
	{"services.building", "building=yes,name=X building=chapel,name=X building=yes,name=X,addr:housenumber=5", "building=yes building=yes,addr:housenumber=5 building=apartments,name=Bahor_turar-joy_majmuasi"},
	{"services.object", "name=X w,name=X,layer=1", "w,boundary=administrative,name=X"},
	{"nature.spring", "natural=spring natural=hot_spring", "natural=geyser"},
	{"nature.lake", "natural=water,name=X natural=water,water=lake landuse=reservoir water=lake water=reservoir water=pond", "natural=water natural=water,water=river,name=X"},
	{"nature.river", "waterway=river,w waterway=canal,w waterway=stream,name=X,w", "waterway=stream,w waterway=ditch,name=X,w"},
	{"nature.beach", "natural=beach leisure=beach_resort", "natural=sand"},
	{"nature.reserve", "leisure=nature_reserve boundary=national_park,r boundary=protected_area,area", "boundary=protected_area,w boundary=forest,r"},
	{"nature.cave", "natural=cave_entrance", "natural=cave"},
	{"place.country", "place=country boundary=administrative,admin_level=2,r", "boundary=administrative,r boundary=administrative,admin_level=2,w admin_level=2,r"},
	{"place.region", "place=state place=region place=province boundary=administrative,admin_level=3,r boundary=administrative,admin_level=4,area boundary=administrative,admin_level=4,place=town,r",
		"boundary=administrative,admin_level=4,place=city,r boundary=administrative,admin_level=4,w boundary=administrative,admin_level=5,r"},
	{"place.city", "place=city place=city,r place=city,boundary=administrative,admin_level=4,r place=city,boundary=administrative,admin_level=6,r place=city,boundary=administrative,area", "place=city,w place=city,area boundary=administrative,r"},
	{"place.town", "place=town place=town,area boundary=administrative,admin_level=7,place=town,r", "boundary=administrative,admin_level=7,r place=towns"},
	{"place.district", "place=county place=district place=municipality boundary=administrative,admin_level=5,r boundary=administrative,admin_level=8,r boundary=administrative,admin_level=6,place=village,r",
		"boundary=administrative,admin_level=6,place=city,r boundary=administrative,admin_level=8,place=town,r boundary=administrative,admin_level=9,r boundary=administrative,admin_level=6;7,r boundary=political,admin_level=6,r"},
	{"place.suburb", "place=suburb place=borough boundary=administrative,admin_level=9,r", "boundary=administrative,admin_level=10,r"},
	{"place.neighbourhood", "place=neighbourhood place=quarter place=city_block boundary=administrative,admin_level=10,r boundary=administrative,admin_level=11,r area,landuse=residential,name=X building=apartments,name=Bahor_turar-joy_majmuasi building=yes,name=ЖК_Ёшлик", "landuse=residential building=apartments,name=X boundary=administrative,admin_level=12,r"},
	{"place.village", "place=village place=hamlet place=isolated_dwelling place=farm", "landuse=farm"},
	{"place.locality", "place=locality", "place=plot"},
	{"place.island", "place=island place=islet", "place=sea"},
	{"street", "highway=motorway,name=X,w highway=trunk_link,name=X,w highway=primary,name=X,w highway=secondary,name=X,w highway=tertiary,name=X,w highway=unclassified,name=X,w highway=residential,name=X,w highway=living_street,name=X,w highway=pedestrian,name=X,area highway=road,name=X,w highway=service,name=X,w highway=track,name=X,w highway=path,name=X,w highway=footway,name=X,w highway=cycleway,name=X,w highway=steps,name=X,w",
		"highway=residential,w highway=proposed,name=X,w highway=residential,name=X,n highway=bus_stop,name=X"},
	{"address", "addr:housenumber=12 addr:housenumber=12,building=yes,area addr:housenumber=1,r shop=no,addr:housenumber=1 disused:shop=toys,addr:housenumber=1", "addr:street=X addr:housenumber=12,shop=toys addr:housenumber=12,amenity=cafe addr:housenumber=1,place=village"},
}

func TestMatch(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range matches {
		seen[m.id] = true
		yes, not := strings.Fields(m.yes), strings.Fields(m.not)
		if len(yes) == 0 || len(not) == 0 {
			t.Errorf("%s needs an object that matches and one that does not", m.id)
		}
		for _, s := range yes {
			if got := match(s); got != m.id {
				t.Errorf("%s is %q, want %s", s, got, m.id)
			}
		}
		for _, s := range not {
			if got := match(s); got == m.id {
				t.Errorf("%s must not be %s", s, m.id)
			}
		}
	}
	for _, c := range All() {
		if !seen[c.ID] {
			t.Errorf("%s has no row in the test", c.ID)
		}
	}
}

// Every object of the table stops matching when its keys carry a lifecycle
// prefix.
func TestLifecycle(t *testing.T) {
	for _, m := range matches {
		if m.id == "services.object" { // has no key that says what it is
			continue
		}
		for s := range strings.FieldsSeq(m.yes) {
			for _, prefix := range []string{"disused:", "abandoned:", "demolished:", "was:"} {
				var parts []string
				for part := range strings.SplitSeq(s, ",") {
					if strings.Contains(part, "=") && !strings.HasPrefix(part, "name=") {
						part = prefix + part
					}
					parts = append(parts, part)
				}
				if got := match(strings.Join(parts, ",")); got != "" {
					t.Errorf("%s is %s", strings.Join(parts, ","), got)
				}
			}
		}
	}
}

// Every key=value that the contract's own column names has a rule of its
// category, so that the compiled rows cannot drift from the table.
func TestRulesCoverTheContract(t *testing.T) {
	pair := regexp.MustCompile(`([a-z_:]+)=([a-z_]+(?:/[a-z_]+)*)`)
	// Keys that only narrow a rule of another key.
	conditions := []string{"religion", "cuisine", "station", "subway", "bus", "admin_level", "access"}
	byKey := map[string]keyRules{}
	for _, k := range taxa.rules {
		byKey[k.key] = k
	}
	found, columns := 0, osmColumns(t)
	for id, column := range columns {
		category, _ := Index(id)
		for _, p := range pair.FindAllStringSubmatch(column, -1) {
			if slices.Contains(conditions, p[1]) || strings.Contains(column, "not "+p[0]) || strings.Contains(column, "without "+p[0]) {
				continue
			}
			for value := range strings.SplitSeq(p[2], "/") {
				found++
				if !slices.ContainsFunc(byKey[p[1]].exact[value], func(c candidate) bool { return c.category == category }) {
					t.Errorf("%s: no rule for %s=%s", id, p[1], value)
				}
			}
		}
	}
	for _, k := range taxa.rules {
		for value, list := range k.exact {
			for _, c := range list {
				id := All()[c.category].ID
				if id != "street" && !strings.Contains(columns[id], value) { // its classes are a range there
					t.Errorf("%s has a rule %s=%s that the contract lacks", id, k.key, value)
				}
			}
		}
	}
	if found < 180 {
		t.Errorf("only %d pairs were read from the contract", found)
	}
}

func TestMatchHostile(t *testing.T) {
	if got := match("amenity=" + strings.Repeat("x;", 1<<16) + "cafe"); got != "" {
		t.Errorf("a value at the end of an endless list matched %s", got)
	}
	if got := match("amenity= ; ;cafe ;"); got != "food.cafe" {
		t.Errorf("an untidy list is %q", got)
	}
	if _, ok := Match(Object{}); ok {
		t.Error("an object without tags matched")
	}
}

type tagList [][2]string

func (l tagList) Get(key string) string {
	for _, t := range l {
		if t[0] == key {
			return t[1]
		}
	}
	return ""
}

func BenchmarkMatch(b *testing.B) {
	for name, o := range map[string]Object{
		"building": {Tags: tagList{{"building", "yes"}, {"building:levels", "5"}}, Kind: 'w', Area: true},
		"cafe":     {Tags: tagList{{"name", "Bon"}, {"addr:housenumber", "5"}, {"amenity", "cafe"}, {"opening_hours", "24/7"}}, Kind: 'n', Named: true, PrimaryName: "Bon"},
		"street":   {Tags: tagList{{"highway", "residential"}, {"name", "Navoiy"}}, Kind: 'w', Named: true, PrimaryName: "Navoiy"},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Match(o)
			}
		})
	}
}
