# Map contract 8.3: places, boundaries and points of interest that are
# mapped twice.

map a label node is merged into its boundary
n1 300,300 place=city name=Toshkent name:ru=Ташкент population=2500000
w1 box 0,0 1000,1000
r1 outer:w1 label:n1 boundary=administrative admin_level=8 name=Toshkent name:en=Tashkent
search "toshkent" show=point,names
  1. place.city "Toshkent" exact r1 at=300,300 names={en="Tashkent" ru="Ташкент"}
# Both objects resolve to the one entry.
place n1
  place.city "Toshkent" r1 kind=place group=place icon=city category_label="Shahar"
  label "Shahar" full_address "Toshkent"
  address {city="Toshkent"}
  names {en="Tashkent" ru="Ташкент"}
  tags {admin_level="8" place="city" population="2500000"}
  details {}
  mapsrc r1 population=2500000 admin_level=8 geometry
place r1
  place.city "Toshkent" r1 kind=place group=place icon=city category_label="Shahar"
  label "Shahar" full_address "Toshkent"
  address {city="Toshkent"}
  names {en="Tashkent" ru="Ташкент"}
  tags {admin_level="8" place="city" population="2500000"}
  details {}
  mapsrc r1 population=2500000 admin_level=8 geometry

map a centre node of the same name is merged into a city
n1 300,300 place=city name=Toshkent population=2500000
w1 box 0,0 1000,1000
r1 outer:w1 admin_centre:n1 boundary=administrative admin_level=6 place=city name=Toshkent
report
  entries=1 areas=1
  categories place.city=1

map a centre node of another place is kept
n1 300,300 place=city name=Samarqand population=550000
w1 box 0,0 100000,100000
r1 outer:w1 admin_centre:n1 boundary=administrative admin_level=4 name="Samarqand viloyati"
search "samarqand"
  1. place.city "Samarqand" exact n1
  2. place.region "Samarqand viloyati" exact r1

map a point of interest inside its area
# The area is kept, the node's tags are added.
w1 box 0,0 100,100 amenity=school name="Bahor maktabi"
n1 50,50 amenity=school name="Bahor maktabi" phone=+998711234567 addr:street=Navoiy addr:housenumber=5
report
  entries=1 areas=0
  categories education.school=1
place w1
  education.school "Bahor maktabi" w1 kind=poi group=education icon=school category_label="Maktab"
  label "Maktab, Navoiy, 5" full_address "Navoiy, 5"
  address {housenumber="5" street="Navoiy"}
  names {}
  tags {addr:housenumber="5" addr:street="Navoiy" amenity="school" phone="+998711234567"}
  details {"phone":"+998711234567"}
  mapsrc w1 population=0 admin_level=0 geometry
place n1
  education.school "Bahor maktabi" w1 kind=poi group=education icon=school category_label="Maktab"
  label "Maktab, Navoiy, 5" full_address "Navoiy, 5"
  address {housenumber="5" street="Navoiy"}
  names {}
  tags {addr:housenumber="5" addr:street="Navoiy" amenity="school" phone="+998711234567"}
  details {"phone":"+998711234567"}
  mapsrc w1 population=0 admin_level=0 geometry

map another name, another category or outside stays apart
w1 box 0,0 100,100 amenity=school name=Bahor
n1 50,50 amenity=school name=Gulshan
n2 40,50 amenity=cafe name=Bahor
n3 150,50 amenity=school name=Bahor
report
  entries=4 areas=0
  categories education.school=3 food.cafe=1

map a building with a category and a number is one entry
w1 box 0,0 30,30 building=yes amenity=cafe name=Bahor addr:street=Navoiy addr:housenumber=5
report
  entries=1 areas=0
  categories food.cafe=1
search "navoiy 5" show=address
  1. food.cafe "Bahor" address w1 address={housenumber="5" street="Navoiy"}

map the first matching row of the table
n1 0,0 amenity=bank atm=yes name=Bahor
n2 400,0 amenity=cafe cuisine=tea name=Gulshan
n3 800,0 disused:amenity=cafe name=Lola
n4 1200,0 tourism=museum historic=monument name=Zumrad
report
  entries=3 areas=0
  categories culture.museum=1 finance.bank=1 food.teahouse=1

map the primary name
n1 0,0 place=village name:uz=Bahor name:ru=Весна
n2 900,0 place=village name:ru=Лола name:en=Tulip
n3 1800,0 place=village name:en=Garden
n4 2700,0 amenity=fuel brand=Oltin operator=Kumush
n5 3600,0 amenity=fuel operator=Kumush
n6 4500,0 place=village brand=Oltin
search "" category=place.village limit=50
  1. place.village "Лола" category n2
  2. place.village "Bahor" category n1
  3. place.village "Garden" category n3
  4. place.village "Qishloq" category n6
search "" category=auto.fuel
  1. auto.fuel "Kumush" category n5
  2. auto.fuel "Oltin" category n4

map names are trimmed and composed, and a Cyrillic name:uz is uz-Cyrl too
n1 0,0 place=village name="  Katta   Bahor " name:uz=Баҳор
n2 900,0 place=village name=Lola name:uz=Лола name:uz-Cyrl=Лолазор
place n1
  place.village "Баҳор" n1 kind=place group=place icon=village category_label="Qishloq"
  label "Qishloq" full_address "Xaritadagi nuqta"
  address {}
  names {uz-Cyrl="Баҳор" uz="Баҳор"}
  tags {place="village"}
  details {}
  mapsrc n1 population=0 admin_level=0
place n2
  place.village "Лола" n2 kind=place group=place icon=village category_label="Qishloq"
  label "Qishloq" full_address "Xaritadagi nuqta"
  address {}
  names {uz-Cyrl="Лолазор" uz="Лола"}
  tags {place="village"}
  details {}
  mapsrc n2 population=0 admin_level=0

map --langs keeps the wanted variants
option langs=uz,ru
n1 0,0 place=village name=Bahor name:uz=Bahor name:ru=Весна name:en=Spring name:kk=Көктем alt_name=Bahoriston name:uz-Cyrl=Баҳор
place n1
  place.village "Bahor" n1 kind=place group=place icon=village category_label="Qishloq"
  label "Qishloq" full_address "Xaritadagi nuqta"
  address {}
  names {alt_name="Bahoriston" ru="Весна" uz="Bahor"}
  tags {place="village"}
  details {}
  mapsrc n1 population=0 admin_level=0
