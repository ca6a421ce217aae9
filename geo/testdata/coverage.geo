# Map contract 9 and 8.5: every named object can be found, and every house.

map what has a name and no row enters under a fallback category
n1 0,0 amenity=bench name="Bahor oʻrindigʻi"
w1 box 100,0 120,20 building=yes name="Zumrad uyi"
n2 200,0 man_made=pier name=Lola
n3 300,0 natural=tree name="Katta chinor"
n4 400,0 tourism=information name=Yoʻlchi
n5 500,0 leisure=dance name=Raqs
w2 box 600,0 700,100 landuse=quarry name="Oltin kon"
n6 700,0 name="Nomi bor joy"
n7 800,0 disused:amenity=cafe name=Eski
n8 900,0 amenity=bench brand=Belgi
w3 0,900 100,900 railway=rail name="Temir yoʻl 1"
w4 100,900 200,900 railway=rail name="Temir yoʻl 1"
report
  entries=9 areas=0
  categories culture.tourism=1 leisure.leisure=1 nature.natural=1 services.amenity=1 services.building=1 services.landuse=1 services.man_made=1 services.object=1 transport.transport=1
search "bahor oʻrindigʻi" show=kind,rank
  1. services.amenity "Bahor oʻrindigʻi" exact n1 kind=poi group=services icon=services category_label="Muassasa" rank=0.1500
search "nomi bor joy"
  1. services.object "Nomi bor joy" exact n6
search "eski"
  nothing
search "temir yoʻl 1"
  1. transport.transport "Temir yoʻl 1" exact w3
place w4
  transport.transport "Temir yoʻl 1" w3 kind=poi group=transport icon=transport category_label="Transport obyekti"
  label "Transport obyekti" full_address "Xaritadagi nuqta"
  address {}
  names {}
  tags {railway="rail"}
  details {}
  mapsrc w3 population=0 admin_level=0

map a residential complex is a neighbourhood, and houses in it are found by it
w1 box 0,0 400,400 landuse=residential name="Bahor turar-joy majmuasi"
w2 box 1000,0 1040,40 building=apartments name="ЖК Ёшлик"
w3 box 2000,0 2040,40 building=apartments name="Gulshan"
n1 200,200 addr:housenumber=5
n2 210,210 amenity=cafe name=Lola
search "bahor turar-joy majmuasi"
  1. place.neighbourhood "Bahor turar-joy majmuasi" exact w1
  2. address "Bahor turar-joy majmuasi, 5" exact n1
search "ёшлик" limit=1
  1. place.neighbourhood "ЖК Ёшлик" exact w2
search "gulshan" limit=1
  1. services.building "Gulshan" exact w3
search "lola bahor"
  1. food.cafe "Lola" exact n2
search "bahor 5" limit=1
  1. address "Bahor turar-joy majmuasi, 5" address n1

map a number without a street belongs to the street that it faces
w1 0,0 300,0 highway=residential name="Navoiy koʻchasi"
w2 0,100 300,100 highway=footway name="Bobur yoʻlagi"
n1 100,55 addr:housenumber=1
n2 100,-59 addr:housenumber=2
n3 100,-90 addr:housenumber=3
n4 200,2000 addr:housenumber=4
n5 0,2100 place=village name=Gulbahor
n6 10,10 addr:place=Zomin addr:housenumber=6
search "navoiy 1" limit=1
  1. address "Navoiy koʻchasi, 1" address n1
search "navoiy 2" limit=1
  1. address "Navoiy koʻchasi, 2" address n2
search "navoiy 3"
  1. street "Navoiy koʻchasi" street w1
  2. address "Navoiy koʻchasi, 2" street n2
  3. address "Navoiy koʻchasi, 1" street n1
search "gulbahor 4" limit=1 show=address
  1. address "Gulbahor, 4" address n4 address={housenumber="4" neighbourhood="Gulbahor"}
search "zomin 6" limit=1
  1. address "Zomin, 6" address n6

map relations that list the houses of a street
w1 0,0 300,0 highway=residential name="Navoiy koʻchasi"
w2 0,400 300,400 highway=residential name="Bobur koʻchasi"
n1 100,20 addr:housenumber=1
n2 100,300 addr:housenumber=2
w3 box 50,250 70,270 building=yes addr:housenumber=3
r1 house:n1 house:n2 house:w3 street:w2 type=associatedStreet
n4 200,20 addr:housenumber=4 addr:street="Navoiy koʻchasi"
n5 250,20 addr:housenumber=5
r2 house:n4 house:n5 type=street name="Bobur koʻchasi"
search "bobur 1" limit=1
  1. address "Bobur koʻchasi, 1" address n1
search "bobur 2" limit=1
  1. address "Bobur koʻchasi, 2" address n2
search "bobur 3" limit=1
  1. address "Bobur koʻchasi, 3" address w3
search "navoiy 4" limit=1
  1. address "Navoiy koʻchasi, 4" address n4
search "bobur 5" limit=1
  1. address "Bobur koʻchasi, 5" address n5

map interpolation between ends that name no street
w1 0,0 400,0 highway=residential name="Navoiy koʻchasi"
n1 0,20 addr:housenumber=2
n2 300,20 addr:housenumber=8
w2 n1 n2 addr:interpolation=even
search "navoiy 4" limit=1
  1. address "Navoiy koʻchasi, 4" address w2
search "navoiy 8" limit=1
  1. address "Navoiy koʻchasi, 8" address n2
