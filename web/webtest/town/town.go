// Package town makes the map extracts that a story draws: nodes, ways and relations, and the index and
// tiles that are built of them, each once in a run.
package town

import (
	"strings"
	"time"

	"svc/geo/osm"
	"svc/geo/osm/osmtest"
)

// The town stands on 64.5 E, 41.5 N. Positions below are in 1e-5 degrees east
// and north of that: about 0.83 m and 1.11 m.
const (
	originLon = 645_000_000 // 1e-7 degrees
	originLat = 415_000_000
	unit      = 100
)

// town collects the objects of an invented map. Ids of named objects are chosen
// and appear in stories; corners get ids from 10000.
type town struct {
	nodes     []osm.Node
	ways      []osm.Way
	relations []osm.Relation
	corners   map[[2]int32]int64
}

func newTown() *town {
	t := &town{corners: map[[2]int32]int64{}}
	t.areas()
	t.streets()
	t.nature()
	t.sights()
	t.shops()
	t.services()
	t.houses()
	t.outskirts()
	return t
}

func (t *town) options() osmtest.Options {
	return osmtest.Options{
		Dense: true, Sorted: true, Compression: osmtest.Zlib, Program: "webtest",
		Bounds: &[4]float64{61.5, 38.5, 67.5, 44.5}, Replication: time.Date(2026, time.November, 19, 20, 21, 0, 0, time.UTC),
	}
}

// tags reads lines "key=value".
func tags(text string) (out osm.Tags) {
	for line := range strings.SplitSeq(text, "\n") {
		if key, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok {
			out = append(out, osm.Tag{Key: key, Value: value})
		}
	}
	return out
}

func (t *town) node(id int64, x, y int32, text string) {
	t.nodes = append(t.nodes, osm.Node{ID: id, Lon: originLon + x*unit, Lat: originLat + y*unit, Tags: tags(text)})
}

// way draws a line through x, y pairs; equal corners are one node, so that
// ways touch and rings close.
func (t *town) way(id int64, text string, xy ...int32) {
	w := osm.Way{ID: id, Tags: tags(text)}
	for i := 0; i+1 < len(xy); i += 2 {
		at := [2]int32{xy[i], xy[i+1]}
		ref, ok := t.corners[at]
		if !ok {
			ref = int64(10_000 + len(t.corners))
			t.corners[at] = ref
			t.node(ref, at[0], at[1], "")
		}
		w.Refs = append(w.Refs, ref)
	}
	t.ways = append(t.ways, w)
}

// box draws a closed rectangle.
func (t *town) box(id int64, text string, x0, y0, x1, y1 int32) {
	t.way(id, text, x0, y0, x1, y0, x1, y1, x0, y1, x0, y0)
}

func (t *town) relation(id int64, text string, members ...osm.Member) {
	t.relations = append(t.relations, osm.Relation{ID: id, Tags: tags(text), Members: members})
}

func outer(way int64) osm.Member { return osm.Member{Type: osm.TypeWay, Ref: way, Role: "outer"} }
func inner(way int64) osm.Member { return osm.Member{Type: osm.TypeWay, Ref: way, Role: "inner"} }

// areas are the administrative levels, from the country to the neighbourhood.
func (t *town) areas() {
	t.box(890, "", -300000, -300000, 300000, 300000)
	t.relation(899, "type=boundary\nboundary=administrative\nadmin_level=2\nname=Oʻzbekiston\nname:ru=Узбекистан\nname:en=Uzbekistan", outer(890))
	t.box(891, "", -50000, -50000, 50000, 50000)
	t.relation(900, "type=boundary\nboundary=administrative\nadmin_level=4\nname=Oqtepa viloyati\nname:ru=Актепинская область\nname:en=Oqtepa Region", outer(891))
	t.box(892, "", -10000, -10000, 10000, 10000)
	t.relation(901, "type=boundary\nboundary=administrative\nadmin_level=6\nname=Yangiariq tumani\nname:ru=Янгиарыкский район\nname:en=Yangiariq District", outer(892))
	t.box(893, "", -2000, -2000, 2000, 2000)
	t.node(10, 0, -50, "place=town\nname=Bogʻishamol\npopulation=42000\nname:uz-Cyrl=Боғишамол")
	t.relation(902, `type=boundary
		boundary=administrative
		admin_level=8
		place=town
		name=Bogʻishamol
		name:ru=Багишамал
		name:en=Bogishamol
		wikidata=Q101
		wikipedia=uz:Bogʻishamol`,
		outer(893), osm.Member{Type: osm.TypeNode, Ref: 10, Role: "label"})
	t.box(894, "", -500, -500, 500, 500)
	t.relation(903, "type=boundary\nboundary=administrative\nadmin_level=10\nname=Navbahor mahallasi\nname:ru=махалля Навбахор", outer(894))
	t.box(895, "", 1000, -400, 1800, 400)
	t.box(896, "", 1300, -100, 1500, 100)
	t.box(897, "", 1000, 800, 1400, 1200)
	t.relation(904, "type=boundary\nboundary=administrative\nadmin_level=9\nname=Sanoat dahasi\nname:en=Industrial Quarter", outer(895), inner(896), outer(897))
	// A boundary whose ring does not close, and two too small for a label.
	t.way(885, "", 5000, 5000, 5400, 5000, 5400, 5400)
	t.relation(905, "type=boundary\nboundary=administrative\nadmin_level=8\nname=Chala tuman", outer(885))
	t.box(886, "", 5000, -5000, 5500, -4500)
	t.relation(906, "type=boundary\nboundary=administrative\nadmin_level=8\nname=Mitti tuman", outer(886))
	t.box(887, "boundary=administrative\nadmin_level=10\nname=Kichik mahalla", 5000, -4000, 5080, -3920)
}

func (t *town) streets() {
	const temur = "highway=primary\nname=Amir Temur shoh koʻchasi\nname:ru=проспект Амира Темура\nname:en=Amir Temur Avenue\nref=M39"
	t.way(201, temur, -2000, 0, -1000, 0, 0, 0)
	t.way(202, temur, 0, 0, 1000, 0, 2000, 0)
	t.way(203, "highway=residential\nname=Navoiy koʻchasi\nname:ru=улица Навои\nname:en=Navoi Street\nname:uz-Cyrl=Навоий кўчаси", 0, 0, 0, 750, 0, 1500)
	t.way(204, "highway=residential\nname=улица Пушкина\nname:uz=Pushkin koʻchasi", -600, -600, 600, -600)
	t.way(205, "highway=residential\nname=переулок Пушкина", -600, -700, 600, -700)
	t.way(206, "highway=footway\nname=Bogʻ yoʻlagi", -900, 30, -300, 30)
	t.way(207, "highway=service\nname=Xizmat yoʻli", 1500, -1800, 1500, -1600)
	t.way(208, "highway=pedestrian\narea=yes\nname=Mustaqillik maydoni", -700, 600, -500, 600, -500, 800, -700, 800, -700, 600)
}

func (t *town) nature() {
	const river = "waterway=river\nname=Oqsuv\nname:ru=Аксу"
	t.way(210, river, -2000, -1500, 0, -1500)
	t.way(211, river, 0, -1500, 2000, -1500)
	t.box(221, "natural=water\nwater=lake\nname=Koʻkkoʻl\nname:ru=озеро Кокколь", -1800, 1400, -1500, 1700)
	t.node(118, -8000, 8000, "natural=peak\nname=Oqtogʻ\nname:ru=Актау\nname:en=White Mountain\nele=2750")
	t.node(119, -7800, 8100, "natural=spring")
	// A river drawn as an area is still shown as lines.
	t.box(212, "", 3000, -1600, 4000, -1500)
	t.relation(952, "type=multipolygon\nwaterway=river\nname=Sekinsuv", outer(212))
}

// sights have geometry, photos and entities.
func (t *town) sights() {
	t.box(220, "leisure=park\nname=Navbahor bogʻi\nname:ru=парк Навбахор\nname:en=Navbahor Park\nwikidata=Q100", 100, 100, 400, 400)
	t.box(222, "amenity=school\nname=12-maktab\naddr:street=Navoiy koʻchasi\naddr:housenumber=10\nbuilding=yes", -120, 500, -60, 560)
	t.box(223, "", -1200, -400, -1000, -200)
	t.box(224, "", -1150, -350, -1100, -300)
	t.relation(950, "type=multipolygon\namenity=hospital\nname=Markaziy shifoxona\nname:ru=Центральная больница\nphone=+998 71 200 00 03", outer(223), inner(224))
	t.node(110, 0, 0, "railway=station\nstation=subway\nname=Markaz\nname:ru=Центр\nname:en=Centre\nnetwork=Metro")
	t.node(111, 450, 450, "tourism=museum\nname=Tarix muzeyi\nname:en=History Museum\nwikidata=Q100\nfee=yes\nopening_hours=Tu-Su 10:00-17:00")
	t.node(112, 600, 900, "tourism=gallery\nname=Ranglar\nwikidata=not-an-entity")
	t.node(124, -400, 900, "amenity=place_of_worship\nreligion=muslim\ndenomination=sunni\nname=Jome masjidi\nname:ru=Соборная мечеть")
	t.node(125, 4000, 4000, "aeroway=aerodrome\nname=Bogʻishamol aeroporti\niata=BGS\nicao=UTXX")
}

func (t *town) shops() {
	t.node(101, 10, 300, `amenity=cafe
		name=Bahor
		name:ru=Бахор
		name:en=Spring
		name:uz-Cyrl=Баҳор
		name:etymology=bahor fasli
		alt_name=Bahor qahvasi
		opening_hours=Mo-Su 09:00-23:00
		contact:phone=+998 71 200 00 02
		phone=+998 71 200 00 01
		contact:website=https://bahor.example
		contact:instagram=bahor.cafe
		contact:telegram=bahor_bot
		email=salom@bahor.example
		cuisine=uzbek;coffee_shop
		wheelchair=limited
		internet_access=wlan
		outdoor_seating=yes
		takeaway=yes
		delivery=no
		building:levels=2
		height=7
		capacity=40
		fee=no
		stars=3
		brand=Bahor
		operator=Bahor MChJ
		description=Kofe & non <har kuni>
		wikipedia=uz:Bahor
		secret:note=never stored
		addr:street=Navoiy koʻchasi
		addr:housenumber=5
		addr:postcode=230100`)
	t.node(102, 60, 320, "amenity=teahouse\nname=Choyxona Navroʻz\nname:ru=Чайхана Навруз\nopening_hours=24/7")
	t.node(103, -60, 340, "amenity=bar\nname=Tungi <Bar> & \"Grill\"\nopening_hours=20:00-02:00")
	t.node(107, 500, 200, "shop=supermarket\nname=Korzinka\nname:ru=Корзинка")
	t.node(108, 500, 310, "shop=supermarket\nname=Korzinka\nname:ru=Корзинка")
	t.node(109, -1500, 200, "shop=supermarket\nname=Korzinka\nname:ru=Корзинка")
	t.node(130, -300, -300, "amenity=restaurant\nname=Lazzat\nopening_hours=Mo-Fr 11:00-15:00,17:00-22:30; Sa,Su 12:00-24:00")
	t.node(131, 1200, 200, "amenity=cafe\nname=Sanoat kafesi\nopening_hours=sunrise-sunset")
}

func (t *town) services() {
	t.node(104, -150, 120, "amenity=pharmacy\nname=Shifo dorixonasi\nname:ru=Аптека Шифо\nopening_hours=Пн-Пт 08.00-18.00; Сб 09.00-13.00; Вс выходной")
	t.node(105, 800, -300, "amenity=pharmacy")
	t.node(106, 250, -40, "amenity=bank\nname=Ipak bank\nopening_hours=Mo-Fr 09:00-12:30; PH off")
	t.node(113, -250, 40, "amenity=post_office\nname=Pochta 1\nopening_hours=Apr-Oct: Mo-Fr 08:00-20:00; Mo-Fr 13:00-16:00")
	t.node(114, 900, 900, "amenity=toilets\nfee=no")
	t.node(122, 30, -20, "highway=bus_stop\nname=Markaz")
	t.node(123, -700, -20, "highway=bus_stop")
	t.node(126, 700, 600, "tourism=hotel\nname=Ipak yoʻli\nname:en=Silk Road\nstars=4\nrooms=80\nopening_hours=off")
	t.node(127, 720, 620, "amenity=parking\naccess=customers")
	t.node(132, 1700, 1500, "amenity=fuel\nbrand=UzGaz\nfuel:cng=yes")
	t.node(133, -900, -900, "shop=yes\nname=Doʻkon Koʻchasi")
	t.node(134, 100, -100, "shop=clothes\nname=Kiyim dunyosi\nname:uz-Cyrl=Кийим дунёси")
}

func (t *town) houses() {
	navoiy := func(id int64, x, y int32, number string) {
		t.node(id, x, y, "addr:street=Navoiy koʻchasi\naddr:housenumber="+number+"\naddr:postcode=230100")
	}
	navoiy(301, 30, 100, "1")
	navoiy(302, 30, 200, "3")
	navoiy(303, 30, 700, "12А") // Cyrillic А
	navoiy(304, 30, 800, "12/3")
	navoiy(305, 30, 900, "7;9")
	navoiy(306, 30, 1000, "20-24")
	t.node(310, 0, -580, "addr:street=улица Пушкина\naddr:housenumber=4")
	t.node(311, 3010, 3010, "addr:place=Bahoriston\naddr:housenumber=8")
	t.way(320, "addr:interpolation=even", -1800, 30, -1500, 30)
	t.nodeAt(-1800, 30, "addr:street=Amir Temur shoh koʻchasi\naddr:housenumber=30")
	t.nodeAt(-1500, 30, "addr:street=Amir Temur shoh koʻchasi\naddr:housenumber=36")
}

// nodeAt tags the corner of a way.
func (t *town) nodeAt(x, y int32, text string) {
	id := t.corners[[2]int32{x, y}]
	for i := range t.nodes {
		if t.nodes[i].ID == id {
			t.nodes[i].Tags = tags(text)
		}
	}
}

// outskirts lie outside the town: what has no polygon, and what is far away.
func (t *town) outskirts() {
	t.node(115, 40000, 0, "place=city\nname=Nurobod\nname:ru=Нурабад\npopulation=120000")
	t.node(117, 40600, 0, "shop=books\nname=Kitoblar olami")
	t.node(120, 8000, -8000, "place=village\nname=Qumqishloq\nname:ru=Кумкишлак\npopulation=1200")
	t.node(121, 3000, 3000, "place=neighbourhood\nname=Bahoriston")
	t.node(128, 9000, 9000, "place=locality\nname=Eski qoʻrgʻon")
	t.node(129, 8500, -8600, "place=hamlet\nname=Toshloq")
}
