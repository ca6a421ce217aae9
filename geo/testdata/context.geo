# Map contract 41.10: the areas around an entry are words that it can be asked by.

map a street in a town, in any order, with and without commas
r1 box -5000,-5000 0,5000 boundary=administrative admin_level=8 place=town name=Chinoz name:ru=Чиназ
r2 box 0,-5000 5000,5000 boundary=administrative admin_level=8 place=town name=Gulbahor name:ru=Гульбахор
w1 -3000,0 -2700,0 highway=residential name="Navoiy koʻchasi"
w2 3000,0 3300,0 highway=residential name="Navoiy koʻchasi"
w3 -3000,900 -2700,900 highway=residential name="Bobur koʻchasi"
search "navoiy chinoz"
  1. street "Navoiy koʻchasi" exact w1
search "chinoz navoiy"
  1. street "Navoiy koʻchasi" exact w1
search "Navoiy koʻchasi, Chinoz"
  1. street "Navoiy koʻchasi" exact w1
search "навои гульбахор"
  1. street "Navoiy koʻchasi" exact w2
search "gulbaxor navoi"
  1. street "Navoiy koʻchasi" exact w2
# One letter wrong in either.
search "navoiy chinos" limit=1
  1. street "Navoiy koʻchasi" fuzzy w1
search "nabvoiy gulbahor" limit=1
  1. street "Navoiy koʻchasi" trigram w2
# A town alone is the town, and no street is found by its town alone.
search "chinoz"
  1. place.town "Chinoz" exact r1
# A street that is not there.
search "bobur gulbahor"
  1. street "Bobur koʻchasi" trigram w3

map a place of that name stands before what needs an area
r1 box -5000,-5000 5000,5000 boundary=administrative admin_level=4 name=Zomin
n1 0,0 place=village name="Zomin Navoiy"
w1 0,900 900,900 highway=primary name=Navoiy
search "zomin navoiy"
  1. place.village "Zomin Navoiy" exact n1
  2. street "Navoiy" exact w1
search "navoiy zomin"
  1. street "Navoiy" exact w1
  2. place.village "Zomin Navoiy" exact n1

map the city alone, and the street that is named after it
r1 box -5000,-5000 5000,5000 boundary=administrative admin_level=6 place=city name=Toshkent name:ru=Ташкент population=2500000
w1 0,0 300,0 highway=residential name="Toshkent koʻchasi"
w2 0,900 300,900 highway=residential name="Toshkent yoʻli koʻchasi"
w3 0,1800 300,1800 highway=residential name="Bahor koʻchasi"
n1 100,100 shop=books name="Toshkent"
search "toshkent" limit=1
  1. place.city "Toshkent" exact r1
search "ташкент" limit=1
  1. place.city "Toshkent" exact r1
search "Toshkent koʻchasi"
  1. street "Toshkent koʻchasi" exact w1
  2. street "Toshkent yoʻli koʻchasi" exact w2
search "Toshkent shahri" limit=1
  1. place.city "Toshkent" exact r1

map a shop that is named like a street, and one along it
r1 box -5000,-5000 5000,5000 boundary=administrative admin_level=8 place=town name=Chinoz
w1 0,0 300,0 highway=residential name="Navoiy koʻchasi"
n1 2000,2000 shop=books name="Navoiy koʻchasi"
n2 150,20 shop=books name=Bahor
search "navoiy" limit=2
  1. street "Navoiy koʻchasi" exact w1
  2. shopping.books "Navoiy koʻchasi" exact n1
search "navoiy chinoz" limit=2
  1. street "Navoiy koʻchasi" exact w1
  2. shopping.books "Navoiy koʻchasi" exact n1
search "navoiy koʻchasi chinoz"
  1. street "Navoiy koʻchasi" exact w1
  2. shopping.books "Navoiy koʻchasi" exact n1

map tags of an address and is_in name areas too
n1 0,0 amenity=cafe name=Bahor addr:city=Chinoz
n2 9000,0 amenity=cafe name=Bahor is_in="Gulbahor, Zomin"
n3 20000,0 amenity=cafe name=Bahor addr:district="Yangi hayot"
search "bahor chinoz"
  1. food.cafe "Bahor" exact n1
search "bahor zomin"
  1. food.cafe "Bahor" exact n2
search "bahor yangi hayot"
  1. food.cafe "Bahor" exact n3

map the nearest village that is a point
n1 0,0 place=village name=Oqqoʻrgʻon
n2 20000,0 place=village name=Gulbahor
w1 1000,0 1300,0 highway=residential name="Navoiy koʻchasi"
w2 21000,0 21300,0 highway=residential name="Navoiy koʻchasi"
search "navoiy oqqorgon"
  1. street "Navoiy koʻchasi" exact w1
search "navoiy gulbahor"
  1. street "Navoiy koʻchasi" exact w2

map a house number, a street and a town
r1 box -5000,-5000 0,5000 boundary=administrative admin_level=8 place=town name=Chinoz
r2 box 0,-5000 5000,5000 boundary=administrative admin_level=8 place=town name=Gulbahor
w1 -3000,0 -2700,0 highway=residential name="Navoiy koʻchasi"
w2 3000,0 3300,0 highway=residential name="Navoiy koʻchasi"
n1 -2900,20 addr:street="Navoiy koʻchasi" addr:housenumber=12
n2 3100,20 addr:street="Navoiy koʻchasi" addr:housenumber=12
search "navoiy 12 chinoz"
  1. address "Navoiy koʻchasi, 12" address n1
  2. street "Navoiy koʻchasi" street w1
search "gulbahor, navoiy koʻchasi 12"
  1. address "Navoiy koʻchasi, 12" address n2
  2. street "Navoiy koʻchasi" street w2
search "12 navoiy, gulbahor"
  1. address "Navoiy koʻchasi, 12" address n2
  2. street "Navoiy koʻchasi" street w2
# The town is none of this map.
search "navoiy koʻchasi 12, Samarqand" limit=1
  1. address "Navoiy koʻchasi, 12" address n2

map words for a kind decide between equal names
w1 0,0 300,0 highway=residential name="Asaka koʻchasi"
w2 0,9000 300,9000 highway=primary name="Asaka tor koʻchasi"
n1 0,20000 place=city name=Samarqand population=500000
r1 box -90000,-90000 90000,90000 boundary=administrative admin_level=4 name="Samarqand viloyati" population=500000
r2 box 40000,40000 60000,60000 boundary=administrative admin_level=6 name="Samarqand tumani"
search "asaka koʻchasi"
  1. street "Asaka koʻchasi" exact w1
  2. street "Asaka tor koʻchasi" exact w2
search "asaka tor koʻchasi"
  1. street "Asaka tor koʻchasi" exact w2
  2. street "Asaka koʻchasi" exact w1
search "asaka" kinds=street
  1. street "Asaka tor koʻchasi" exact w2
  2. street "Asaka koʻchasi" exact w1
search "samarqand" limit=1
  1. place.city "Samarqand" exact n1
search "samarqand viloyati" limit=1
  1. place.region "Samarqand viloyati" exact r1
search "samarqand tumani" limit=1
  1. place.district "Samarqand tumani" exact r2
search "самарқанд шаҳри" limit=1
  1. place.city "Samarqand" exact n1

map a weak find does not hide the right one
n1 0,0 place=town name=Valletta
n2 9000,0 amenity=bank name="Bank of Valleta"
search "valleta"
  1. place.town "Valletta" fuzzy n1
  2. finance.bank "Bank of Valleta" exact n2
search "bank of valleta" limit=1
  intent finance.bank browse=false "Bank" icon=bank
  1. finance.bank "Bank of Valleta" exact n2

map a word for a kind of street decides between a street and a square of one name
w1 0,0 400,0 highway=residential name="Triq ir-Repubblika" name:en="Republic Street"
w2 0,90 400,90 highway=primary name="Misraħ ir-Repubblika" name:en="Republic Square" wikidata=Q1
search "republic street" limit=1
  intent street browse=false "Koʻcha" icon=street
  1. street "Triq ir-Repubblika" exact w1
search "republic square" limit=1
  intent leisure.park browse=false "Park" icon=park
  1. street "Misraħ ir-Repubblika" exact w2

map pieces of one street that lie apart: any of them may be the one that crosses
w1 0,0 400,0 highway=residential name="Davie Street"
w2 5000,0 5400,0 highway=residential name="Davie Street"
w3 5200,-300 5200,300 highway=residential name="Denman Street"
search "corner of davie and denman" limit=1
  1. address "Davie Street / Denman Street" intersection w2
search "davie street & denman street" limit=1
  intent street browse=false "Koʻcha" icon=street
  1. address "Davie Street / Denman Street" intersection w2

map a name along a street
w1 0,0 900,0 highway=residential name="Denman Street"
n1 100,50 amenity=cafe name=Bahor
n2 9000,0 amenity=cafe name=Bahor wikidata=Q1
n3 100,60 amenity=cafe name=Lola
n4 9000,900 shop=books name="Bahor on Davie"
search "bahor on denman street" limit=2
  intent street browse=false "Koʻcha" icon=street
  1. food.cafe "Bahor" exact n1
search "bahor on denman" limit=1
  1. food.cafe "Bahor" exact n1
search "бахор на denman" limit=1
  1. food.cafe "Bahor" fuzzy n1
# A connective that is part of a name, and a street that nothing of that name is on.
search "bahor on davie" limit=1
  1. shopping.books "Bahor on Davie" exact n4
search "bahor"
  1. food.cafe "Bahor" exact n2
  2. food.cafe "Bahor" exact n1
  3. shopping.books "Bahor on Davie" exact n4

map a name that ends in a category word is no place for a listing
r1 box -5000,-5000 5000,5000 boundary=administrative admin_level=8 place=town name="Oltin Bay"
w1 0,0 900,0 highway=primary name=Lola
n1 2000,0 natural=bay name="Lola Bay"
n2 3000,0 natural=bay name="Zumrad Bay"
search "lola bay"
  intent nature.bay browse=false "Koʻrfaz" icon=bay
  1. nature.bay "Lola Bay" exact n1
search "bay near lola" limit=1
  intent nature.bay browse=false "Koʻrfaz" icon=bay
  1. nature.bay "Lola Bay" category n1

map streets meet that have more words in their names
w1 0,0 600,0 highway=residential name="Granville Street"
w2 200,-300 200,300 highway=residential name="West Georgia Street"
w3 0,9000 600,9000 highway=primary name="Georgia Street"
search "granville & georgia" limit=1 show=point
  1. address "Granville Street / West Georgia Street" intersection w1 at=200,0
search "georgia" limit=1
  1. street "Georgia Street" exact w3

map a number is not looked for without the words that nothing is known of
n1 0,0 amenity=fast_food name="3*30"
w1 0,0 300,0 highway=residential name="улица Циолковского"
search "улица варварка дом 3"
  intent street browse=false "Koʻcha" icon=street
  nothing
search "первомайский пр-т 70"
  nothing
search "3*30"
  1. food.fast_food "3*30" exact n1

map shortened words for a kind of street
w1 0,0 600,0 highway=residential name="Первомайский проспект"
w2 0,900 600,900 highway=residential name="Цветной бульвар"
n1 100,20 addr:street="Первомайский пр-т" addr:housenumber=70
search "первомайский пр-т" limit=1
  1. street "Первомайский проспект" exact w1
search "первомайский пр-кт 70" limit=1
  1. address "Первомайский проспект, 70" address n1
search "цветной б-р" limit=1
  1. street "Цветной бульвар" exact w2
