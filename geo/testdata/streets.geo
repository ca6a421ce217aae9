# Map contract 8.4: ways become streets.

map ways that touch are one street
# The lowest way gives the id, the highest class counts, the representative
# point is the middle of the longest part.
w5 0,0 100,0 highway=residential name="Navoiy koʻchasi"
w2 100,0 500,0 highway=tertiary name="Navoiy kuchasi" name:ru="улица Навои"
report
  entries=1 areas=0
  categories street=1
search "navoiy" show=point,bbox,names
  1. street "Navoiy kuchasi" exact w2 at=250,0 bbox=0,0:500,0 names={ru="улица Навои"}
geometry w5
  MultiLineString "Navoiy kuchasi" kind=street
  part 0,0 500,0
# Every way resolves to the street.
place w5
  street "Navoiy kuchasi" w2 kind=street group=street icon=street category_label="Koʻcha"
  label "Koʻcha" full_address "Xaritadagi nuqta"
  address {}
  names {ru="улица Навои"}
  tags {highway="tertiary"}
  details {}
  mapsrc w2 population=0 admin_level=0 geometry

map ways within 60 m are one street, farther ones are two
w1 0,0 100,0 highway=residential name=Bahor
w2 158,0 300,0 highway=residential name=Bahor
w3 0,9000 100,9000 highway=residential name=Gulshan
w4 164,9000 300,9000 highway=residential name=Gulshan
search "bahor" show=bbox
  1. street "Bahor" exact w1 bbox=0,0:300,0
geometry w1
  MultiLineString "Bahor" kind=street
  part 0,0 100,0
  part 158,0 300,0
report
  entries=3 areas=0
  categories street=3

map both sides of a divided road are one street
w1 0,0 300,0 highway=primary name="Amir Temur shoh koʻchasi" oneway=yes
w2 300,40 0,40 highway=primary name="Amir Temur shoh koʻchasi" oneway=yes
report
  entries=1 areas=0
  categories street=1
geometry w1
  MultiLineString "Amir Temur shoh koʻchasi" kind=street
  part 0,0 300,0
  part 300,40 0,40

map a street ends with its city
r1 box -1000,-1000 0,1000 boundary=administrative admin_level=8 place=city name=Toshkent
r2 box 0,-1000 1000,1000 boundary=administrative admin_level=8 place=city name=Chirchiq
w1 -200,0 0,0 highway=residential name=Bahor
w2 0,0 200,0 highway=residential name=Bahor
search "bahor" kinds=street show=label
  1. street "Bahor" exact w2 label="Koʻcha, Chirchiq"
  2. street "Bahor" exact w1 label="Koʻcha, Toshkent"

map another kind of street is another street
w1 0,0 100,0 highway=residential name="улица Пушкина"
w2 100,0 200,0 highway=residential name="переулок Пушкина"
w3 200,0 300,0 highway=residential name="Пушкина улица"
search "пушкина" show=bbox
  1. street "улица Пушкина" exact w1 bbox=0,0:100,0
  2. street "переулок Пушкина" exact w2 bbox=100,0:200,0

map a chain of ways that are far apart only at their ends
w1 0,0 1000,0 highway=residential name=Bahor
w2 500,50 500,900 highway=residential name=Bahor
w3 3000,0 2050,900 highway=residential name=Bahor
report
  entries=2 areas=0
  categories street=2

map a river is one from end to end, whatever cities it crosses
r1 box -1000,-1000 0,1000 boundary=administrative admin_level=8 place=city name=Toshkent
w1 -200,0 0,0 waterway=river name=Chirchiq
w2 0,0 200,0 waterway=river name=Chirchiq
search "chirchiq" kinds=nature show=bbox
  1. nature.river "Chirchiq" exact w1 bbox=-200,0:200,0
geometry w1
  MultiLineString "Chirchiq" kind=nature
  part -200,0 200,0

map what is no street
w1 0,0 100,0 highway=residential
w2 0,50 100,50 highway=motorway_junction name=Bahor
n1 0,0 place=village name=Gulshan
report
  entries=2 areas=0
  categories place.village=1 transport.transport=1

map importance follows class and length
# 0.6 x 0.3 + 0.25 x (0.7 x class + 0.3 x log10(length/50)/3)
w1 0,0 500,0 highway=motorway name=A1
w2 0,900 500,900 highway=residential name=B2
w3 0,1800 5000,1800 highway=residential name=C3
w4 0,2700 500,2700 highway=footway name=D4
w5 0,3600 500,3600 highway=motorway_link name=E5
search "a1" show=rank
  1. street "A1" exact w1 rank=0.3800
search "b2" show=rank
  1. street "B2" exact w2 rank=0.2487
search "c3" show=rank
  1. street "C3" exact w3 rank=0.2737
search "d4" show=rank
  1. street "D4" exact w4 rank=0.2137
search "e5" show=rank
  1. street "E5" exact w5 rank=0.3800

map a pedestrian square drawn as a multipolygon
r1 box 0,0 100,100 highway=pedestrian name="Mustaqillik maydoni"
w1 box 300,0 400,100 highway=pedestrian area=yes name="Hadra maydoni"
search "mustaqillik" show=bbox
  1. street "Mustaqillik maydoni" exact r1 bbox=0,0:100,100
geometry r1
  MultiLineString "Mustaqillik maydoni" kind=street
  part 0,0 100,0 100,100 0,100 0,0
search "hadra" show=bbox
  1. street "Hadra maydoni" exact w1 bbox=300,0:400,100
geometry w1
  MultiLineString "Hadra maydoni" kind=street
  part 300,0 400,0 400,100 300,100 300,0
reverse 50,-20
  label "Mustaqillik maydoni" short "Mustaqillik maydoni"
  address {street="Mustaqillik maydoni"}
  street "Mustaqillik maydoni" r1 distance=20 at=50,0
