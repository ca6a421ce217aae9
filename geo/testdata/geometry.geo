# /api/geometry and /api/districts.

map streets and rivers are lines
w1 0,0 100,0 200,50 highway=residential name=Bahor
w2 0,500 100,500 waterway=river name=Chirchiq
geometry w1
  MultiLineString "Bahor" kind=street
  part 0,0 100,0 200,50
geometry w2 lang=ru
  MultiLineString "Chirchiq" kind=nature
  part 0,500 100,500

map a boundary relation is a multipolygon with its holes, of kind admin
w1 box 0,0 3000,3000
w2 box 1000,1000 2000,2000
w3 box 5000,0 6000,1000
r1 outer:w1 inner:w2 outer:w3 boundary=administrative admin_level=6 name=Bahor
geometry r1
  MultiPolygon "Bahor" kind=admin
  outer 0,0 3000,0 3000,3000 0,3000 0,0
  hole 1000,1000 1000,2000 2000,2000 2000,1000 1000,1000
  outer 5000,0 6000,0 6000,1000 5000,1000 5000,0

map anything else is its outer ring
w1 box 0,0 3000,3000
w2 box 1000,1000 2000,2000
r1 outer:w1 inner:w2 natural=water name=Chorvoq
w3 box 5000,0 5100,100 leisure=park name=Bahor
w4 box 7000,0 7100,100 place=neighbourhood name=Lola
geometry r1
  Polygon "Chorvoq" kind=nature
  part 0,0 3000,0 3000,3000 0,3000 0,0
geometry w3
  Polygon "Bahor" kind=poi
  part 5000,0 5100,0 5100,100 5000,100 5000,0
geometry w4
  Polygon "Lola" kind=place
  part 7000,0 7100,0 7100,100 7000,100 7000,0

map points have none, and a boundary that does not close no polygon
n1 0,0 amenity=cafe name=Bahor
w1 0,0 3000,0 3000,3000
r1 outer:w1 boundary=administrative admin_level=6 name=Ochiq
geometry n1
  no geometry
geometry r1
  no polygon
report
  entries=2 areas=0
  categories food.cafe=1 place.district=1
  broken r1 "Ochiq" unclosed
# It still answers, where its border is.
search "ochiq" show=point
  1. place.district "Ochiq" exact r1 at=1500,1500

map the border is shown within 20 m of the stored one
w1 0,0 500,15 1000,0 1000,1000 500,1030 0,1000 0,0
r1 outer:w1 boundary=administrative admin_level=6 name=Bahor
geometry r1
  MultiPolygon "Bahor" kind=admin
  outer 0,0 1000,0 1000,1000 500,1030 0,1000 0,0

map rings made of several ways in any direction
w1 0,0 1000,0
w2 1000,1000 1000,0
w3 1000,1000 0,1000 0,0
r1 outer:w3 outer:w1 outer:w2 boundary=administrative admin_level=6 name=Bahor
geometry r1
  MultiPolygon "Bahor" kind=admin
  outer 0,0 1000,0 1000,1000 0,1000 0,0
reverse 500,500
  label "Bahor" short "Bahor"
  address {district="Bahor"}
  admin 6 "Bahor" mapsrc_id=1

map district labels: levels 6 to 10 from a least extent
r1 box 0,0 90000,90000 boundary=administrative admin_level=4 name=Viloyat
r2 box 0,0 1430,1430 boundary=administrative admin_level=6 name=Yetarli name:ru=Хватит
r3 box 3000,0 4390,1390 boundary=administrative admin_level=6 name=Kichik
r4 box 6000,0 6860,860 boundary=administrative admin_level=8 name=Sakkiz
r5 box 9000,0 9830,830 boundary=administrative admin_level=8 name=Kichkina
r6 box 12000,0 12110,110 boundary=administrative admin_level=10 name=Oʻn
r7 box 15000,0 15100,100 boundary=administrative admin_level=10 name=Mitti
r8 box 18000,0 19000,1000 boundary=administrative admin_level=11 name=Oʻnbir
r9 box 21000,0 22450,1450 boundary=administrative admin_level=7 name=Yetti
w1 box 24000,0 25000,1000 place=neighbourhood name=Darajasiz
districts
  7 "Yetti" extent=2051 at=21725,725
  10 "Oʻn" extent=156 at=12055,55
  8 "Sakkiz" extent=1216 at=6430,430
  6 "Yetarli" extent=2022 at=715,715 {name:ru="Хватит"}
