# Rule 2: what is taken out of a query before names are searched.

map a number behind the name is a house number
w1 0,0 300,0 highway=residential name="Navoiy koʻchasi"
n1 100,20 addr:street="Navoiy koʻchasi" addr:housenumber=12
n2 150,20 addr:street="Navoiy koʻchasi" addr:housenumber=12A
n3 9000,0 shop=books name="12 oy"
n4 9000,9000 amenity=school name="Navoiy 12345-maktab"
search "navoiy 12" show=matched
  1. address "Navoiy koʻchasi, 12" address n1 matched=["navoiy" "12"]
  2. street "Navoiy koʻchasi" street w1 matched=["navoiy"]
search "navoiy 12a" show=matched
  1. address "Navoiy koʻchasi, 12A" address n2 matched=["navoiy" "12a"]
  2. street "Navoiy koʻchasi" street w1 matched=["navoiy"]
search "12-uy navoiy" show=matched
  1. address "Navoiy koʻchasi, 12" address n1 matched=["navoiy" "12"]
  2. street "Navoiy koʻchasi" street w1 matched=["navoiy"]
# The first token is never a house number.
search "12 oy" show=matched
  1. shopping.books "12 oy" exact n3 matched=["12" "oy"]
# Five digits are none.
search "navoiy 12345" show=matched
  1. education.school "Navoiy 12345-maktab" exact n4 matched=["navoiy" "12345"]

map a number behind a number is no house number
w1 0,0 300,0 highway=residential name="Navoiy 5"
n1 100,20 addr:street="Navoiy 5" addr:housenumber=12
search "navoiy 5 12" show=matched
  1. address "Navoiy 5, 12" address n1 matched=["navoiy" "5" "12"]
  2. street "Navoiy 5" street w1 matched=["navoiy" "5"]

map a category word sets the intent
n1 0,0 amenity=pharmacy name=Bahor
n2 400,0 amenity=cafe name=Bahor
n3 800,0 amenity=pharmacy name=Gulshan
# In any language and script; the word is removed and filters the rest.
search "dorixona bahor"
  intent health.pharmacy browse=false "Dorixona" icon=pharmacy
  1. health.pharmacy "Bahor" exact n1
search "аптека bahor" lang=ru
  intent health.pharmacy browse=false "Аптека" icon=pharmacy
  1. health.pharmacy "Bahor" exact n1
search "bahor pharmacy" lang=en
  intent health.pharmacy browse=false "Pharmacy" icon=pharmacy
  1. health.pharmacy "Bahor" exact n1
# Only the category word: a browse.
search "аптека"
  intent health.pharmacy browse=true "Dorixona" icon=pharmacy
  1. health.pharmacy "Gulshan" category n3
  2. health.pharmacy "Bahor" category n1
# The label follows lang; for uz-Cyrl it is the English one.
search "apteka" lang=uz-Cyrl
  intent health.pharmacy browse=true "Pharmacy" icon=pharmacy
  1. health.pharmacy "Gulshan" category n3
  2. health.pharmacy "Bahor" category n1
# A group.
search "sogʻliqni saqlash"
  intent group:health browse=true "Sogʻliqni saqlash" icon=health
  1. health.pharmacy "Gulshan" category n3
  2. health.pharmacy "Bahor" category n1

map the longest run of words counts
n1 0,0 shop=mall name=Bahor
n2 400,0 amenity=marketplace name=Bahor
search "savdo markazi bahor"
  intent shopping.mall browse=false "Savdo markazi" icon=mall
  1. shopping.mall "Bahor" exact n1
search "bozor bahor"
  intent shopping.marketplace browse=false "Bozor" icon=marketplace
  1. shopping.marketplace "Bahor" exact n2

map whole words only
n1 0,0 amenity=pharmacy name=Bahor
search "dorixonachi"
  nothing
search "dorixon"
  nothing

map when the filtered search finds nothing every word is a name
n1 0,0 shop=furniture name="Dorixona Gulshan"
search "dorixona gulshan"
  intent health.pharmacy browse=false "Dorixona" icon=pharmacy
  1. shopping.furniture "Dorixona Gulshan" exact n1
search "gulshan"
  1. shopping.furniture "Dorixona Gulshan" exact n1

map a school by its number is a name before it is a browse
n1 0,0 amenity=school name="12-maktab"
n2 500,0 amenity=school name="13-maktab"
search "maktab 12"
  intent education.school browse=false "Maktab" icon=school
  1. education.school "12-maktab" exact n1
search "12-maktab"
  intent education.school browse=false "Maktab" icon=school
  1. education.school "12-maktab" exact n1
search "школа 13" lang=ru
  intent education.school browse=false "Школа" icon=school
  1. education.school "13-maktab" exact n2

map a letter is mended when nothing at all is found
n1 0,0 place=village name=Nelson
search "nelzon"
  1. place.village "Nelson" fuzzy n1
search "nlezon"
  nothing

map a number stays in its place when the category word behind it goes
n1 0,0 amenity=cafe name="Navoiy 12"
n2 3000,0 amenity=cafe name="12 Navoiy"
search "navoiy 12 kafe" limit=1
  intent food.cafe browse=false "Kafe" icon=cafe
  1. food.cafe "Navoiy 12" exact n1
search "kafe navoiy 12" limit=1
  intent food.cafe browse=false "Kafe" icon=cafe
  1. food.cafe "Navoiy 12" exact n1
