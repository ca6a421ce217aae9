# /api/reverse.

map levels: 4 sets the region, 6 the district, 8 the suburb when a city and a district are known
r1 box -90000,-90000 90000,90000 boundary=administrative admin_level=2 name=Oʻzbekiston
r2 box -50000,-50000 50000,50000 boundary=administrative admin_level=4 name="Toshkent viloyati"
r3 box -30000,-30000 30000,30000 boundary=administrative admin_level=6 name="Zangiota tumani"
r4 box -20000,-20000 20000,20000 boundary=administrative admin_level=7 place=town name=Eshonguzar
r5 box -10000,-10000 10000,10000 boundary=administrative admin_level=8 name=Sharq
r6 box -5000,-5000 5000,5000 boundary=administrative admin_level=9 name=Markaz
r7 box -2000,-2000 2000,2000 boundary=administrative admin_level=10 name=Navroʻz
reverse 0,0
  label "Navroʻz, Zangiota tumani, Eshonguzar" short "Navroʻz"
  address {city="Eshonguzar" district="Zangiota tumani" neighbourhood="Navroʻz" region="Toshkent viloyati" suburb="Markaz"}
  admin 2 "Oʻzbekiston" mapsrc_id=1
  admin 4 "Toshkent viloyati" mapsrc_id=2
  admin 6 "Zangiota tumani" mapsrc_id=3
  admin 7 "Eshonguzar" mapsrc_id=4
  admin 8 "Sharq" mapsrc_id=5
  admin 9 "Markaz" mapsrc_id=6
  admin 10 "Navroʻz" mapsrc_id=7
reverse 3000,0
  label "Zangiota tumani, Eshonguzar" short "Zangiota tumani"
  address {city="Eshonguzar" district="Zangiota tumani" region="Toshkent viloyati" suburb="Markaz"}
  admin 2 "Oʻzbekiston" mapsrc_id=1
  admin 4 "Toshkent viloyati" mapsrc_id=2
  admin 6 "Zangiota tumani" mapsrc_id=3
  admin 7 "Eshonguzar" mapsrc_id=4
  admin 8 "Sharq" mapsrc_id=5
  admin 9 "Markaz" mapsrc_id=6
reverse 7000,0
  label "Zangiota tumani, Eshonguzar" short "Zangiota tumani"
  address {city="Eshonguzar" district="Zangiota tumani" region="Toshkent viloyati" suburb="Sharq"}
  admin 2 "Oʻzbekiston" mapsrc_id=1
  admin 4 "Toshkent viloyati" mapsrc_id=2
  admin 6 "Zangiota tumani" mapsrc_id=3
  admin 7 "Eshonguzar" mapsrc_id=4
  admin 8 "Sharq" mapsrc_id=5
reverse 15000,0
  label "Zangiota tumani, Eshonguzar" short "Zangiota tumani"
  address {city="Eshonguzar" district="Zangiota tumani" region="Toshkent viloyati"}
  admin 2 "Oʻzbekiston" mapsrc_id=1
  admin 4 "Toshkent viloyati" mapsrc_id=2
  admin 6 "Zangiota tumani" mapsrc_id=3
  admin 7 "Eshonguzar" mapsrc_id=4
reverse 25000,0
  label "Zangiota tumani, Toshkent viloyati" short "Zangiota tumani"
  address {district="Zangiota tumani" region="Toshkent viloyati"}
  admin 2 "Oʻzbekiston" mapsrc_id=1
  admin 4 "Toshkent viloyati" mapsrc_id=2
  admin 6 "Zangiota tumani" mapsrc_id=3
reverse 40000,0
  label "Toshkent viloyati" short "Toshkent viloyati"
  address {region="Toshkent viloyati"}
  admin 2 "Oʻzbekiston" mapsrc_id=1
  admin 4 "Toshkent viloyati" mapsrc_id=2
reverse 70000,0
  label "Xaritadagi nuqta" short ""
  address {}
  admin 2 "Oʻzbekiston" mapsrc_id=1
reverse 120000,0
  label "Xaritadagi nuqta" short ""
  address {}
reverse 120000,0 lang=ru
  label "Точка на карте" short ""
  address {}
reverse 120000,0 lang=en
  label "Dropped pin" short ""
  address {}
reverse 120000,0 lang=uz-Cyrl
  label "Xaritadagi nuqta" short ""
  address {}

map level 4 sets the city when it is one
r1 box -5000,-5000 5000,5000 boundary=administrative admin_level=4 place=city name=Toshkent
r2 box -3000,-3000 3000,3000 boundary=administrative admin_level=6 place=city name=Ikkinchi
r3 box -2000,-2000 2000,2000 boundary=administrative admin_level=7 place=city name=Uchinchi
reverse 0,0
  label "Ikkinchi, Toshkent" short "Ikkinchi"
  address {city="Toshkent" district="Ikkinchi" suburb="Uchinchi"}
  admin 4 "Toshkent" mapsrc_id=1
  admin 6 "Ikkinchi" mapsrc_id=2
  admin 7 "Uchinchi" mapsrc_id=3
reverse 4000,0
  label "Toshkent" short "Toshkent"
  address {city="Toshkent"}
  admin 4 "Toshkent" mapsrc_id=1

map level 3 sets nothing
r1 box -5000,-5000 5000,5000 boundary=administrative admin_level=3 name=Janub
reverse 0,0
  label "Xaritadagi nuqta" short ""
  address {}
  admin 3 "Janub" mapsrc_id=1

map levels 5 and 6 set the city when tagged city, else the district, the first that is found
r1 box -9000,-9000 9000,9000 boundary=administrative admin_level=5 place=city name=Toshkent
r2 box -5000,-5000 5000,5000 boundary=administrative admin_level=6 name=Chilonzor
r3 box -3000,-3000 3000,3000 boundary=administrative admin_level=6 place=town name=Kichik
reverse 0,0
  label "Kichik, Toshkent" short "Kichik"
  address {city="Toshkent" district="Kichik"}
  admin 5 "Toshkent" mapsrc_id=1
  admin 6 "Kichik" mapsrc_id=3
  admin 6 "Chilonzor" mapsrc_id=2
reverse 4000,0
  label "Chilonzor, Toshkent" short "Chilonzor"
  address {city="Toshkent" district="Chilonzor"}
  admin 5 "Toshkent" mapsrc_id=1
  admin 6 "Chilonzor" mapsrc_id=2

map levels 7 and 8 without city or town set the district, then the suburb
r1 box -9000,-9000 9000,9000 boundary=administrative admin_level=7 name=Yetti
r2 box -5000,-5000 5000,5000 boundary=administrative admin_level=8 name=Sakkiz
r3 box -3000,-3000 3000,3000 boundary=administrative admin_level=8 place=village name=Qishloq
reverse 4000,0
  label "Yetti" short "Yetti"
  address {district="Yetti" suburb="Sakkiz"}
  admin 7 "Yetti" mapsrc_id=1
  admin 8 "Sakkiz" mapsrc_id=2
reverse 0,0
  label "Yetti" short "Yetti"
  address {district="Yetti" suburb="Qishloq"}
  admin 7 "Yetti" mapsrc_id=1
  admin 8 "Qishloq" mapsrc_id=3
  admin 8 "Sakkiz" mapsrc_id=2

map level 9 sets the suburb over what level 8 left, level 11 the neighbourhood over level 10
r1 box -9000,-9000 9000,9000 boundary=administrative admin_level=7 name=Yetti
r2 box -5000,-5000 5000,5000 boundary=administrative admin_level=8 name=Sakkiz
r3 box -4000,-4000 4000,4000 boundary=administrative admin_level=9 name=Toʻqqiz
r4 box -3000,-3000 3000,3000 boundary=administrative admin_level=10 name=Oʻn
r5 box -2000,-2000 2000,2000 boundary=administrative admin_level=11 name=Oʻnbir
reverse 0,0
  label "Oʻnbir, Yetti" short "Oʻnbir"
  address {district="Yetti" neighbourhood="Oʻnbir" suburb="Toʻqqiz"}
  admin 7 "Yetti" mapsrc_id=1
  admin 8 "Sakkiz" mapsrc_id=2
  admin 9 "Toʻqqiz" mapsrc_id=3
  admin 10 "Oʻn" mapsrc_id=4
  admin 11 "Oʻnbir" mapsrc_id=5

map of two areas of one level the smaller comes first and sets the address
r1 box -9000,-9000 9000,9000 boundary=administrative admin_level=6 name=Katta
r2 box -5000,-5000 5000,5000 boundary=administrative admin_level=6 name=Kichik
reverse 0,0
  label "Kichik" short "Kichik"
  address {district="Kichik"}
  admin 6 "Kichik" mapsrc_id=2
  admin 6 "Katta" mapsrc_id=1

map a neighbourhood drawn without a boundary takes part
w1 box -500,-500 500,500 place=neighbourhood name=Bahor
reverse 0,0
  label "Bahor" short "Bahor"
  address {neighbourhood="Bahor"}
  admin 10 "Bahor" mapsrc_id=1

map a hole is outside
w1 box -5000,-5000 5000,5000
w2 box -1000,-1000 1000,1000
r1 outer:w1 inner:w2 boundary=administrative admin_level=6 name=Halqa
reverse 0,0
  label "Xaritadagi nuqta" short ""
  address {}
reverse 2000,0
  label "Halqa" short "Halqa"
  address {district="Halqa"}
  admin 6 "Halqa" mapsrc_id=1

map a named point of interest within 45 m is the place
n1 44,0 amenity=cafe name=Bahor
n2 3,0 amenity=cafe
reverse 0,0
  label "Xaritadagi nuqta" short ""
  address {}
  place food.cafe "Bahor" n1 distance=44
reverse -3,0
  label "Xaritadagi nuqta" short ""
  address {}

map else the nearest address point within 140 m
n1 138,0 addr:street=Navoiy addr:housenumber=1
reverse 0,0
  label "Navoiy, 1" short "Navoiy, 1"
  address {housenumber="1" street="Navoiy"}
  place address "Navoiy, 1" n1 distance=138
reverse -4,0
  label "Xaritadagi nuqta" short ""
  address {}

map the nearest street within 160 m, weighted by its class
# service 40 m x 1.8 = 72, residential 70 m x 1.0 = 70
w1 -100,40 100,40 highway=service name=Xizmat
w2 -100,-70 100,-70 highway=residential name=Bahor
reverse 0,0
  label "Bahor" short "Bahor"
  address {street="Bahor"}
  street "Bahor" w2 distance=70 at=0,-70
reverse 0,2
  label "Xizmat" short "Xizmat"
  address {street="Xizmat"}
  street "Xizmat" w1 distance=68 at=0,40

map weights of every class, 100 m away, and the range of 160 m of each
# 0.8 for motorway, trunk, primary, secondary
w1 -20,100 20,100 highway=motorway name=C1
w2 -20,1100 20,1100 highway=trunk name=C2
w3 -20,2100 20,2100 highway=primary name=C3
w4 -20,3100 20,3100 highway=secondary name=C4
# 1.0 for tertiary, residential, living street, unclassified, pedestrian
w5 -20,4100 20,4100 highway=tertiary name=C5
w6 -20,5100 20,5100 highway=residential name=C6
w7 -20,6100 20,6100 highway=living_street name=C7
w8 -20,7100 20,7100 highway=unclassified name=C8
w9 -20,8100 20,8100 highway=pedestrian name=C9
# 1.8 for service and road
w10 -20,9100 20,9100 highway=service name=C10
w11 -20,10100 20,10100 highway=road name=C11
# 2.5 for tracks, footways, paths, cycleways, steps
w12 -20,11100 20,11100 highway=track name=C12
w13 -20,12100 20,12100 highway=footway name=C13
w14 -20,13100 20,13100 highway=path name=C14
w15 -20,14100 20,14100 highway=cycleway name=C15
w16 -20,15100 20,15100 highway=steps name=C16
# A slip road weighs like its road.
w17 -20,16100 20,16100 highway=motorway_link name=C17
reverse 0,0
  label "C1" short "C1"
  address {street="C1"}
  street "C1" w1 distance=80 at=0,100
reverse 0,1000
  label "C2" short "C2"
  address {street="C2"}
  street "C2" w2 distance=80 at=0,1100
reverse 0,2000
  label "C3" short "C3"
  address {street="C3"}
  street "C3" w3 distance=80 at=0,2100
reverse 0,3000
  label "C4" short "C4"
  address {street="C4"}
  street "C4" w4 distance=80 at=0,3100
reverse 0,4000
  label "C5" short "C5"
  address {street="C5"}
  street "C5" w5 distance=100 at=0,4100
reverse 0,5000
  label "C6" short "C6"
  address {street="C6"}
  street "C6" w6 distance=100 at=0,5100
reverse 0,6000
  label "C7" short "C7"
  address {street="C7"}
  street "C7" w7 distance=100 at=0,6100
reverse 0,7000
  label "C8" short "C8"
  address {street="C8"}
  street "C8" w8 distance=100 at=0,7100
reverse 0,8000
  label "C9" short "C9"
  address {street="C9"}
  street "C9" w9 distance=100 at=0,8100
reverse 0,9000
  label "C10" short "C10"
  address {street="C10"}
  street "C10" w10 distance=180 at=0,9100
reverse 0,10000
  label "C11" short "C11"
  address {street="C11"}
  street "C11" w11 distance=180 at=0,10100
reverse 0,11000
  label "C12" short "C12"
  address {street="C12"}
  street "C12" w12 distance=250 at=0,11100
reverse 0,12000
  label "C13" short "C13"
  address {street="C13"}
  street "C13" w13 distance=250 at=0,12100
reverse 0,13000
  label "C14" short "C14"
  address {street="C14"}
  street "C14" w14 distance=250 at=0,13100
reverse 0,14000
  label "C15" short "C15"
  address {street="C15"}
  street "C15" w15 distance=250 at=0,14100
reverse 0,15000
  label "C16" short "C16"
  address {street="C16"}
  street "C16" w16 distance=250 at=0,15100
reverse 0,16000
  label "C17" short "C17"
  address {street="C17"}
  street "C17" w17 distance=80 at=0,16100

map weights: primary 0.8, tertiary 1.0, footway 2.5
w1 -100,120 100,120 highway=primary name=Asosiy
w2 -100,-100 100,-100 highway=tertiary name=Uchinchi
w3 -100,40 100,40 highway=footway name=Yoʻlak
# 96, 100, 100
reverse 0,0
  label "Asosiy" short "Asosiy"
  address {street="Asosiy"}
  street "Asosiy" w1 distance=96 at=0,120
# 97.6, 98, 102.5
reverse 0,-2
  label "Asosiy" short "Asosiy"
  address {street="Asosiy"}
  street "Asosiy" w1 distance=98 at=0,120
# 100.8, 94
reverse 0,-6
  label "Uchinchi" short "Uchinchi"
  address {street="Uchinchi"}
  street "Uchinchi" w2 distance=94 at=0,-100

map the range of 160 m is real, not weighted
w1 -100,165 100,165 highway=primary name=Asosiy
w2 -100,-158 100,-158 highway=footway name=Yoʻlak
reverse 0,0
  label "Yoʻlak" short "Yoʻlak"
  address {street="Yoʻlak"}
  street "Yoʻlak" w2 distance=395 at=0,-158

map an address within 60 m replaces the street
w1 -200,20 200,20 highway=residential name=Bahor
w2 -200,-80 200,-80 highway=residential name=Gulshan
n1 0,-58 addr:street=Gulshan addr:housenumber=7
reverse 0,0
  label "Gulshan, 7" short "Gulshan, 7"
  address {housenumber="7" street="Gulshan"}
  street "Bahor" w1 distance=20 at=0,20
  place address "Gulshan, 7" n1 distance=58
# Beyond 60 m and on another street it does not.
reverse 0,4
  label "Bahor" short "Bahor"
  address {street="Bahor"}
  street "Bahor" w1 distance=16 at=0,20

map an address farther away counts when it lies on the nearest street
w1 -200,20 200,20 highway=residential name=Bahor
n1 120,10 addr:street=Bahor addr:housenumber=7
reverse 0,0
  label "Bahor, 7" short "Bahor, 7"
  address {housenumber="7" street="Bahor"}
  street "Bahor" w1 distance=20 at=0,20
  place address "Bahor, 7" n1 distance=120

map an address farther away counts when no street was found
n1 120,10 addr:street=Bahor addr:housenumber=7 addr:postcode=100000
reverse 0,0
  label "Bahor, 7" short "Bahor, 7"
  address {housenumber="7" postcode="100000" street="Bahor"}
  place address "Bahor, 7" n1 distance=120

map a point of interest gives its number when nothing else does
w1 -200,20 200,20 highway=residential name=Bahor
n1 10,0 amenity=cafe name=Lola addr:street=Gulshan addr:housenumber=9
reverse 0,0
  label "Gulshan, 9" short "Gulshan, 9"
  address {housenumber="9" street="Gulshan"}
  street "Bahor" w1 distance=20 at=0,20
  place food.cafe "Lola" n1 distance=10

map an address point goes before the number of the point of interest
n1 10,0 amenity=cafe name=Lola addr:street=Gulshan addr:housenumber=9
n2 30,0 addr:street=Gulshan addr:housenumber=11
reverse 0,0
  label "Gulshan, 11" short "Gulshan, 11"
  address {housenumber="11" street="Gulshan"}
  place food.cafe "Lola" n1 distance=10

map the city from an entry within 1.5 km, the neighbourhood within 500 m
n1 1480,0 place=city name=Toshkent
n2 0,480 place=neighbourhood name=Bahor
reverse 0,0
  label "Bahor, Toshkent" short "Bahor"
  address {city="Toshkent" neighbourhood="Bahor"}
reverse -30,0
  label "Bahor" short "Bahor"
  address {neighbourhood="Bahor"}
reverse 0,-30
  label "Toshkent" short "Toshkent"
  address {city="Toshkent"}

map addr tags fill what polygons leave empty
r1 box -900,-900 900,900 boundary=administrative admin_level=8 place=city name=Toshkent
n1 0,0 amenity=cafe name=Bahor addr:city=Boshqa addr:district=Chilonzor addr:suburb=Sharq addr:neighbourhood=Navroʻz
n2 2000,0 amenity=cafe name=Lola addr:city=Boshqa
search "bahor" kinds=poi show=address,label
  1. food.cafe "Bahor" exact n1 address={city="Toshkent" district="Chilonzor" neighbourhood="Navroʻz" suburb="Sharq"} label="Kafe, Navroʻz, Chilonzor, Toshkent"
search "lola" show=address,label
  1. food.cafe "Lola" exact n2 address={city="Boshqa"} label="Kafe, Boshqa"

map lang changes the street's own name, never the address
w1 -200,20 200,20 highway=residential name="Bahor koʻchasi" name:ru="улица Весны"
reverse 0,0 lang=ru
  label "Bahor koʻchasi" short "Bahor koʻchasi"
  address {street="Bahor koʻchasi"}
  street "улица Весны" w1 distance=20 at=0,20

map the label leaves out a district that is called like the city
r1 box -9000,-9000 9000,9000 boundary=administrative admin_level=6 name=Chirchiq
r2 box -900,-900 900,900 boundary=administrative admin_level=8 place=city name=Chirchiq
w1 -200,20 200,20 highway=residential name=Bahor
reverse 0,0
  label "Bahor, Chirchiq" short "Bahor"
  address {city="Chirchiq" district="Chirchiq" street="Bahor"}
  street "Bahor" w1 distance=20 at=0,20
  admin 6 "Chirchiq" mapsrc_id=1
  admin 8 "Chirchiq" mapsrc_id=2

map a house or a cafe that knows no street of its own takes none away
w1 -200,20 200,20 highway=residential name=Bahor
n1 0,5 addr:housenumber=7
n2 300,5 amenity=cafe name=Lola addr:housenumber=9
reverse 0,0
  label "Bahor, 7" short "Bahor, 7"
  address {housenumber="7" street="Bahor"}
  street "Bahor" w1 distance=20 at=0,20
  place address "Bahor, 7" n1 distance=5
reverse 300,0
  label "Bahor" short "Bahor"
  address {street="Bahor"}
  street "Bahor" w1 distance=102 at=200,20
  place food.cafe "Lola" n2 distance=5
