# Map contract 41.11: coordinates, crossings, postcodes; and 41.6: numbers.

map coordinates in every writing
w1 0,0 300,0 highway=residential name="Navoiy koʻchasi"
n1 9000,9000 place=village name=Bahor
n2 -9000,-9000 place=village name=Lola
search "41.3000, 69.2410" show=point
  1. address "Navoiy koʻchasi" coordinate w1 at=84,0
search "41.3 69.241" show=point
  1. address "Navoiy koʻchasi" coordinate w1 at=84,0
search "69.2410 41.3000" show=point
  1. address "Navoiy koʻchasi" coordinate w1 at=84,0
search "41°18′00.0″N 69°14′27.6″E" show=point
  1. address "Navoiy koʻchasi" coordinate w1 at=84,0
search "N41.3 E69.241" show=point
  1. address "Navoiy koʻchasi" coordinate w1 at=84,0
search "41,3000 69,2410" show=point
  1. address "Navoiy koʻchasi" coordinate w1 at=84,0
# Not two numbers of degrees.
search "41 69"
  nothing
search "95.5, 195.5"
  nothing
# A plus code, and a short one beside a place.
search "8JHF862R+2C" show=point
  1. address "Navoiy koʻchasi" coordinate w1 at=89,7
search "862R+2C Bahor" show=point
  1. address "Navoiy koʻchasi" coordinate w1 at=89,7

map where two streets meet
w1 0,0 600,0 highway=residential name="Navoiy koʻchasi" name:ru="улица Навои"
w2 200,-300 200,300 highway=residential name="Bobur koʻchasi" name:ru="улица Бабура"
w3 0,9000 600,9000 highway=residential name="Temur koʻchasi"
search "Navoiy & Bobur" show=point
  1. address "Navoiy koʻchasi / Bobur koʻchasi" intersection w1 at=200,0
search "Navoiy кесишмаси Bobur" show=point
  1. address "Navoiy koʻchasi / Bobur koʻchasi" intersection w1 at=200,0
search "Navoiy va Bobur kesishmasi" show=point
  1. address "Navoiy koʻchasi / Bobur koʻchasi" intersection w1 at=200,0
search "угол Навои и Бабура" lang=ru show=point
  1. address "улица Навои / улица Бабура" intersection w1 at=200,0
search "corner of Navoiy and Bobur" show=point
  1. address "Navoiy koʻchasi / Bobur koʻchasi" intersection w1 at=200,0
# Streets that do not meet are two streets.
search "Navoiy & Temur" show=point
  1. street "Navoiy koʻchasi" exact w1 at=300,0
  2. street "Temur koʻchasi" trigram w3 at=300,9000

map postcodes
r1 box -5000,-5000 5000,5000 boundary=administrative admin_level=8 place=town name=Chinoz
w1 0,0 300,0 highway=residential name="Navoiy koʻchasi"
n1 100,20 addr:street="Navoiy koʻchasi" addr:housenumber=1 addr:postcode="VLT 1117"
n2 200,20 addr:street="Navoiy koʻchasi" addr:housenumber=2 addr:postcode=VLT1118
n3 250,20 addr:street="Navoiy koʻchasi" addr:housenumber=3 addr:postcode=4000-123
search "vlt1117"
  1. address "Navoiy koʻchasi, 1" exact n1
search "VLT 1118"
  1. address "Navoiy koʻchasi, 2" exact n2
search "4000-123"
  1. address "Navoiy koʻchasi, 3" exact n3
search "4000123"
  1. address "Navoiy koʻchasi, 3" exact n3
search "Chinoz VLT 1117"
  1. address "Navoiy koʻchasi, 1" exact n1
search "Navoiy koʻchasi 2, VLT 1118" limit=1
  1. address "Navoiy koʻchasi, 2" address n2
search "Navoiy koʻchasi VLT 1117" limit=1
  1. street "Navoiy koʻchasi" exact w1

map a house number first, with blocks, letters and hyphens
w1 0,0 900,0 highway=residential name="улица Есенина"
w2 0,500 900,500 highway=residential name="улица 8 Марта"
w3 0,900 900,900 highway=residential name="99th Avenue"
n1 100,20 addr:street="улица Есенина" addr:housenumber=110
n2 200,20 addr:street="улица Есенина" addr:housenumber=116к1
n3 300,20 addr:street="улица Есенина" addr:housenumber="116/2"
n4 400,20 addr:street="улица Есенина" addr:housenumber=39A/B
n5 400,520 addr:street="улица 8 Марта" addr:housenumber=8
n6 500,920 addr:street="99th Avenue" addr:housenumber=218-77
n7 600,20 addr:street="улица Есенина" addr:housenumber="12 с2"
search "110 есенина"
  1. address "улица Есенина, 110" address n1
  2. street "улица Есенина" street w1
search "есенина 110"
  1. address "улица Есенина, 110" address n1
  2. street "улица Есенина" street w1
search "есенина дом 110" limit=1
  1. address "улица Есенина, 110" address n1
search "116 корп 1 есенина" limit=1
  1. address "улица Есенина, 116к1" address n2
search "есенина 116 к. 1" limit=1
  1. address "улица Есенина, 116к1" address n2
search "есенина 116/1" limit=1
  1. address "улица Есенина, 116к1" address n2
search "есенина 116к2" limit=1
  1. address "улица Есенина, 116/2" address n3
search "есенина 39a/b" limit=1
  1. address "улица Есенина, 39A/B" address n4
search "есенина 12 строение 2" limit=1
  1. address "улица Есенина, 12 с2" address n7
search "99th avenue 218-77" limit=1
  1. address "99th Avenue, 218-77" address n6
search "218-77 99th avenue" limit=1
  1. address "99th Avenue, 218-77" address n6
# The number is a word of the street.
search "8 марта" limit=1
  1. street "улица 8 Марта" exact w2
search "8 марта 8" limit=1
  1. address "улица 8 Марта, 8" address n5
# Another number is none: the street, and behind it the nearest.
search "есенина 112"
  1. street "улица Есенина" street w1
  2. address "улица Есенина, 110" street n1
  3. address "улица Есенина, 116к1" street n2
  4. address "улица Есенина, 116/2" street n3
search "есенина 116"
  1. street "улица Есенина" street w1
  2. address "улица Есенина, 116к1" street n2
  3. address "улица Есенина, 116/2" street n3
  4. address "улица Есенина, 110" street n1
