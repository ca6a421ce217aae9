# svc map build.

map an object that two extracts hold is taken from the first
n1 0,0 place=village name=Bahor
w1 0,500 300,500 highway=residential name=Navoiy
r1 box 5000,0 6000,1000 boundary=administrative admin_level=8 name=Sakkiz
n5 0,600 addr:street=Navoiy addr:housenumber=1
n6 300,600 addr:street=Navoiy addr:housenumber=7
w5 n5 n6 addr:interpolation=odd
extract
n1 9000,0 place=village name=Boshqa
w1 0,500 300,500 highway=residential name=Boshqa
n2 0,3000 place=village name=Gulshan
r1 box 5000,0 6000,1000 boundary=administrative admin_level=8 name=Boshqa
n5 0,600 addr:street=Navoiy addr:housenumber=1
n6 300,600 addr:street=Navoiy addr:housenumber=7
w5 n5 n6 addr:interpolation=odd
report
  entries=8 areas=1
  categories address=4 place.district=1 place.village=2 street=1
search "bahor" show=point
  1. place.village "Bahor" exact n1 at=0,0
search "boshqa"
  nothing
search "sakkiz"
  1. place.district "Sakkiz" exact r1

map a boundary whose ways the second extract cuts off
w1 0,0 1000,0
w2 1000,0 1000,1000 0,1000 0,0
r1 outer:w1 outer:w2 boundary=administrative admin_level=8 name=Sakkiz
extract
w1 0,0 1000,0
r1 outer:w1 outer:w2 boundary=administrative admin_level=8 name=Sakkiz
report
  entries=1 areas=1
  categories place.district=1
reverse 500,500
  label "Sakkiz" short "Sakkiz"
  address {district="Sakkiz"}
  admin 8 "Sakkiz" mapsrc_id=1
geometry r1
  MultiPolygon "Sakkiz" kind=admin
  outer 0,0 1000,0 1000,1000 0,1000 0,0

map an unclosed boundary that two extracts hold is one entry
w1 0,0 1000,0 1000,1000
r1 outer:w1 boundary=administrative admin_level=8 name=Sakkiz
extract
w1 0,0 1000,0 1000,1000
r1 outer:w1 boundary=administrative admin_level=8 name=Sakkiz
report
  entries=1 areas=0
  categories place.district=1
  broken r1 "Sakkiz" unclosed

map a way that the second extract has cut short is taken from the first
w1 0,0 1000,0 1000,1000 0,1000 0,0
r1 outer:w1 boundary=administrative admin_level=8 name=Sakkiz
extract
w1 0,0 1000,0
r1 outer:w1 boundary=administrative admin_level=8 name=Sakkiz
report
  entries=1 areas=1
  categories place.district=1

map --bounds keeps what stands inside
option bounds=-100,-100,100,100
n1 0,0 place=village name=Bahor
n2 500,0 place=village name=Gulshan
n3 50,50 addr:street=Navoiy addr:housenumber=1
w1 300,50 900,50 highway=residential name=Navoiy
report
  entries=2 areas=0
  categories address=1 place.village=1
search "navoiy 1"
  1. address "Navoiy, 1" address n3

map an area outside the bounds still gives its name
option bounds=-100,-100,100,100
r1 box -90000,-90000 20000,20000 boundary=administrative admin_level=4 name=Viloyat
n1 0,0 amenity=cafe name=Bahor
search "bahor" show=address
  1. food.cafe "Bahor" exact n1 address={region="Viloyat"}

map nothing to show is an error
n1 0,0 source=survey
w1 0,0 100,0 barrier=fence
build
  error: nothing in these extracts can be shown on a map: no named place or street, no address and no point of interest. Is it the right file, and do --bounds hold some of it?

map bounds that hold nothing are an error
option bounds=5000,5000,6000,6000
n1 0,0 place=village name=Bahor
build
  error: nothing in these extracts can be shown on a map: no named place or street, no address and no point of interest. Is it the right file, and do --bounds hold some of it?

map the report names what is broken and what ranks oddly
w1 0,0 3000,0 3000,3000
r1 outer:w1 boundary=administrative admin_level=6 name=Ochiq
n1 0,0 place=locality name=Bahor
w2 0,300 5000,300 highway=motorway name=Bahor
n2 0,600 amenity=cafe
report
  entries=4 areas=0
  categories food.cafe=1 place.district=1 place.locality=1 street=1
  nameless food.cafe=1
  broken r1 "Ochiq" unclosed
  below street n1 Bahor (0.0840, street 0.4050)

map an administrative relation whose members are all missing
r1 outer:w77 boundary=administrative admin_level=6 name=Yoʻq
n1 0,0 place=village name=Bahor
report
  entries=1 areas=0
  categories place.village=1
  broken r1 "Yoʻq" 1 members outside the extract

map houses on a square of which the extract has no whole outline
n1 0,0
n2 100,0
w1 n1 n2
r1 outer:w1 outer:w77 highway=pedestrian name="Registon maydoni"
n3 60,20 addr:housenumber=7 addr:street="Registon maydoni"
search "registon 7" limit=1
  1. address "Registon maydoni, 7" address n3
