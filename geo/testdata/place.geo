# /api/place and the result object.

map the tags that carry a brand have neutral names, others are copied, unknown ones dropped
n1 0,0 amenity=cafe name=Bahor wikidata=Q42 wikipedia=uz:Bahor contact:instagram=bahor contact:telegram=@bahor contact:phone=+998 phone=+99871 contact:website=https://b.uz contact:email=a@b.uz cuisine=uzbek wheelchair=yes building:levels=3 stars=4 source=survey note=x opening_hours="Mo-Sa 09:00-18:00" internet_access=wlan brand=Oltin
place n1
  food.cafe "Bahor" n1 kind=poi group=food icon=cafe category_label="Kafe"
  label "Kafe" full_address "Xaritadagi nuqta"
  address {}
  names {}
  tags {amenity="cafe" brand="Oltin" building:levels="3" contact:email="a@b.uz" contact:messenger="@bahor" contact:phone="+998" contact:photo_social="bahor" contact:website="https://b.uz" cuisine="uzbek" encyclopedia="uz:Bahor" entity="Q42" internet_access="wlan" opening_hours="Mo-Sa 09:00-18:00" phone="+99871" stars="4" wheelchair="yes"}
  details {"phone":"+99871","website":"https://b.uz","photo_social":"bahor","messenger":"@bahor","email":"a@b.uz","cuisine":"uzbek","wheelchair":"yes","internet_access":"wlan","building:levels":"3","stars":"4","brand":"Oltin","encyclopedia":"uz:Bahor","entity":"Q42","opening_hours":"Mo-Sa 09:00-18:00","hours":{"raw":"Mo-Sa 09:00-18:00","all_day":false,"days":[[{"open":540,"close":1080}],[{"open":540,"close":1080}],[{"open":540,"close":1080}],[{"open":540,"close":1080}],[{"open":540,"close":1080}],[{"open":540,"close":1080}],[]]},"open_status":{"open":true,"known":true,"next_change":"18:00"}}
  mapsrc n1 population=0 admin_level=0 photo_hint=/api/photo?entity=Q42

map instagram and telegram without contact
n1 0,0 amenity=cafe name=Bahor instagram=bahor telegram=@bahor wikipedia:ru=Бахор
place n1
  food.cafe "Bahor" n1 kind=poi group=food icon=cafe category_label="Kafe"
  label "Kafe" full_address "Xaritadagi nuqta"
  address {}
  names {}
  tags {amenity="cafe" contact:messenger="@bahor" contact:photo_social="bahor" encyclopedia="Бахор"}
  details {"photo_social":"bahor","messenger":"@bahor","encyclopedia":"Бахор"}
  mapsrc n1 population=0 admin_level=0

map the name follows lang: uz, uz-Cyrl, ru, en
n1 0,0 place=village name=Asosiy name:uz=Bahor name:uz-Cyrl=Баҳор name:ru=Весна name:en=Spring
search "asosiy" lang=uz
  1. place.village "Bahor" exact n1
search "asosiy" lang=uz-Cyrl
  1. place.village "Баҳор" exact n1
search "asosiy" lang=ru
  1. place.village "Весна" exact n1
search "asosiy" lang=en
  1. place.village "Spring" exact n1

map what is missing falls back in the order of the rule
n1 0,0 place=village name=Asosiy name:ru=Весна
n2 3500,0 place=village name=Ikkinchi name:uz-Cyrl=Баҳор name:uz=Bahor
n3 7000,0 place=village name=Uchinchi
search "asosiy" lang=uz
  1. place.village "Asosiy" exact n1
search "asosiy" lang=uz-Cyrl
  1. place.village "Весна" exact n1
search "asosiy" lang=en
  1. place.village "Asosiy" exact n1
search "ikkinchi" lang=ru
  1. place.village "Баҳор" exact n2
search "ikkinchi" lang=en
  1. place.village "Bahor" exact n2
search "uchinchi" lang=uz-Cyrl
  1. place.village "Uchinchi" exact n3

map what has no name is called by its category
n1 0,0 amenity=pharmacy
nearby 0,0
  1. health.pharmacy "Dorixona" n1 distance=0
nearby 0,0 lang=ru
  1. health.pharmacy "Аптека" n1 distance=0
nearby 0,0 lang=en
  1. health.pharmacy "Pharmacy" n1 distance=0
nearby 0,0 lang=uz-Cyrl
  1. health.pharmacy "Pharmacy" n1 distance=0

map the label: category, then the address, without the name and repeats
r1 box -90000,-90000 90000,90000 boundary=administrative admin_level=4 name="Toshkent viloyati"
r2 box -900,-900 900,900 boundary=administrative admin_level=8 place=city name=Toshkent
n1 0,0 amenity=cafe name=Bahor addr:street=Navoiy addr:housenumber=5
n2 50,0 amenity=cafe name=Kafe
n3 5000,0 amenity=cafe name=Chekka
search "bahor" show=label,kind
  1. food.cafe "Bahor" exact n1 label="Kafe, Navoiy, 5, Toshkent" kind=poi group=food icon=cafe category_label="Kafe"
search "bahor" show=label,kind lang=ru
  1. food.cafe "Bahor" exact n1 label="Кафе, Navoiy, 5, Toshkent" kind=poi group=food icon=cafe category_label="Кафе"
search "kafe" category=food.cafe limit=1 near=50,0 show=label
  intent food.cafe browse=true "Kafe" icon=cafe
  1. food.cafe "Kafe" category n2 label="Toshkent"
search "chekka" show=label
  1. food.cafe "Chekka" exact n3 label="Kafe, Toshkent viloyati"
search "toshkent" kinds=place show=label
  1. place.region "Toshkent viloyati" exact r1 label="Viloyat"
  2. place.city "Toshkent" exact r2 label="Shahar"

map a boundary does not lie in a finer one that its middle happens to be in
r1 box -90000,-90000 90000,90000 boundary=administrative admin_level=4 name="Buxoro viloyati"
r2 box -20000,-20000 20000,20000 boundary=administrative admin_level=6 name="Buxoro tumani"
r3 box -900,-900 900,900 boundary=administrative admin_level=8 place=city name=Buxoro
search "buxoro" show=label
  1. place.region "Buxoro viloyati" exact r1 label="Viloyat"
  2. place.city "Buxoro" exact r3 label="Shahar, Buxoro tumani"
  3. place.district "Buxoro tumani" exact r2 label="Tuman, Buxoro viloyati"

map place details: population, level, and geometry where there is one
r1 box 0,0 1000,1000 boundary=administrative admin_level=8 place=city name=Toshkent population="2 500 000"
n1 5000,0 place=village name=Bahor
w1 box 0,0 30,30 building=yes addr:street=Navoiy addr:housenumber=5
place r1
  place.city "Toshkent" r1 kind=place group=place icon=city category_label="Shahar"
  label "Shahar" full_address "Toshkent"
  address {city="Toshkent"}
  names {}
  tags {admin_level="8" place="city" population="2 500 000"}
  details {}
  mapsrc r1 population=2500000 admin_level=8 geometry
place n1
  place.village "Bahor" n1 kind=place group=place icon=village category_label="Qishloq"
  label "Qishloq" full_address "Xaritadagi nuqta"
  address {}
  names {}
  tags {place="village"}
  details {}
  mapsrc n1 population=0 admin_level=0
# An address has no geometry, even one that is drawn as a building.
place w1
  address "Navoiy, 5" w1 kind=address group=address icon=address category_label="Manzil"
  label "Manzil, Toshkent" full_address "Navoiy, 5, Toshkent"
  address {city="Toshkent" housenumber="5" street="Navoiy"}
  names {}
  tags {addr:housenumber="5" addr:street="Navoiy"}
  details {}
  mapsrc w1 population=0 admin_level=0
place n999
  not found
