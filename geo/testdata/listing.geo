# Map contract 41.7: a category in, along and near a place.

map in an area, wherever the words stand
r1 box -5000,-5000 0,5000 boundary=administrative admin_level=8 place=town name=Chinoz name:ru=Чиназ
r2 box 0,-5000 5000,5000 boundary=administrative admin_level=8 place=town name=Gulbahor name:ru=Гульбахор
n1 -2500,100 amenity=pharmacy name=Shifo
n2 -4500,0 amenity=pharmacy name=Lola
n3 100,0 amenity=pharmacy name=Nur
n4 2500,0 amenity=cafe name=Bahor
search "dorixona chinoz"
  intent health.pharmacy browse=false "Dorixona" icon=pharmacy
  1. health.pharmacy "Shifo" category n1
  2. health.pharmacy "Lola" category n2
search "chinoz dorixona"
  intent health.pharmacy browse=false "Dorixona" icon=pharmacy
  1. health.pharmacy "Shifo" category n1
  2. health.pharmacy "Lola" category n2
search "pharmacy in chinoz" lang=en
  intent health.pharmacy browse=false "Pharmacy" icon=pharmacy
  1. health.pharmacy "Shifo" category n1
  2. health.pharmacy "Lola" category n2
search "аптеки в чиназе" lang=ru
  intent health.pharmacy browse=false "Аптека" icon=pharmacy
  1. health.pharmacy "Shifo" category n1
  2. health.pharmacy "Lola" category n2
search "Chinozdagi dorixona"
  intent health.pharmacy browse=false "Dorixona" icon=pharmacy
  1. health.pharmacy "Shifo" category n1
  2. health.pharmacy "Lola" category n2
search "Chinoz ichida dorixona"
  intent health.pharmacy browse=false "Dorixona" icon=pharmacy
  1. health.pharmacy "Shifo" category n1
  2. health.pharmacy "Lola" category n2
search "pharmacies gulbahor"
  1. health.pharmacy "Nur" category n3
# There is none: the names that have the word.
search "kafe chinoz"
  intent food.cafe browse=false "Kafe" icon=cafe
  nothing

map a member that bears the name of the place comes first
r1 box -5000,-5000 0,5000 boundary=administrative admin_level=8 place=town name=Chinoz
n1 -2500,100 amenity=pharmacy name=Shifo
n2 9000,0 amenity=pharmacy name=Chinoz
search "chinoz dorixona"
  intent health.pharmacy browse=false "Dorixona" icon=pharmacy
  1. health.pharmacy "Chinoz" exact n2
  2. health.pharmacy "Shifo" category n1

map along a street, 400 m from its line
w1 0,0 3000,0 highway=residential name="улица Есенина"
n1 2900,300 amenity=pharmacy name=Shifo
n2 1500,390 amenity=pharmacy name=Lola
n3 1500,430 amenity=pharmacy name=Nur
search "аптека на есенина"
  intent health.pharmacy browse=false "Dorixona" icon=pharmacy
  1. health.pharmacy "Shifo" category n1
  2. health.pharmacy "Lola" category n2
search "аптека есенина"
  intent health.pharmacy browse=false "Dorixona" icon=pharmacy
  1. health.pharmacy "Shifo" category n1
  2. health.pharmacy "Lola" category n2
search "аптека на улице есенина"
  intent health.pharmacy browse=false "Dorixona" icon=pharmacy
  1. health.pharmacy "Shifo" category n1
  2. health.pharmacy "Lola" category n2
search "dorixona yesenina koʻchasida"
  intent health.pharmacy browse=false "Dorixona" icon=pharmacy
  1. health.pharmacy "Shifo" category n1
  2. health.pharmacy "Lola" category n2

map near a place, 1500 m from it, and nearer first
n1 0,0 place=square name="площадь Ленина" tourism=attraction
n2 1400,0 amenity=cafe name=Bahor
n3 300,0 amenity=cafe name=Lola
n4 1600,0 amenity=cafe name=Nur
search "кафе рядом с площадью ленина"
  intent food.cafe browse=false "Kafe" icon=cafe
  1. food.cafe "Lola" category n3
  2. food.cafe "Bahor" category n2
search "cafe near lenina"
  intent food.cafe browse=false "Kafe" icon=cafe
  1. food.cafe "Lola" category n3
  2. food.cafe "Bahor" category n2
search "lenina yaqinida kafe"
  intent food.cafe browse=false "Kafe" icon=cafe
  1. food.cafe "Lola" category n3
  2. food.cafe "Bahor" category n2
search "kafe lenina yaqinida"
  intent food.cafe browse=false "Kafe" icon=cafe
  1. food.cafe "Lola" category n3
  2. food.cafe "Bahor" category n2

map near a category, and where there is nothing so near
n1 0,0 railway=station name=Shimoliy
n2 900,0 tourism=hotel name=Bahor
n3 4000,0 amenity=pharmacy name=Shifo
search "hotel near train station"
  intent lodging.hotel browse=false "Mehmonxona" icon=hotel
  1. lodging.hotel "Bahor" category n2
search "гостиница у вокзала"
  intent lodging.hotel browse=false "Mehmonxona" icon=hotel
  1. lodging.hotel "Bahor" category n2
search "аптека у вокзала"
  intent health.pharmacy browse=false "Dorixona" icon=pharmacy
  1. health.pharmacy "Shifo" category n3

map a name near a place
r1 box -5000,-5000 0,5000 boundary=administrative admin_level=8 place=town name=Chinoz
n1 -2500,100 shop=supermarket name=Korzinka
n2 9000,0 shop=supermarket name=Korzinka
search "korzinka near chinoz"
  1. shopping.supermarket "Korzinka" exact n1
search "korzinka"
  1. shopping.supermarket "Korzinka" exact n2
  2. shopping.supermarket "Korzinka" exact n1

map connectives in names are words of them
n1 0,0 shop=books name="Shop in the Garden"
n2 900,0 amenity=pub name="At the Bridge"
r1 box -5000,-5000 5000,5000 boundary=administrative admin_level=8 place=city name="Ростов-на-Дону"
search "shop in the garden" limit=1
  intent shopping.shop browse=false "Doʻkon" icon=shop
  1. shopping.books "Shop in the Garden" exact n1
search "at the bridge" limit=1
  1. food.bar "At the Bridge" exact n2
search "ростов на дону" limit=1
  1. place.city "Ростов-на-Дону" exact r1

# The category word may be a part of the name of the town; elsewhere it is none.
map a town that has a category word in its name
r1 box -5000,-5000 0,5000 boundary=administrative admin_level=8 place=town name="Rehoboth Beach"
r2 box 0,-5000 5000,5000 boundary=administrative admin_level=8 place=town name=Gulbahor
w1 -3000,0 -2700,0 highway=residential name="Stockley Street"
w2 3000,0 3300,0 highway=residential name="Stockley Street"
n1 -2900,100 natural=beach name=Lola
n2 3100,100 natural=beach name=Nur
search "Stockley Street, Rehoboth Beach" limit=1
  intent nature.beach browse=false "Sohil" icon=beach
  1. street "Stockley Street" name w1
search "rehoboth beach stockley street" limit=1
  intent street browse=false "Koʻcha" icon=street
  1. street "Stockley Street" exact w1
search "beach gulbahor" limit=1
  intent nature.beach browse=false "Sohil" icon=beach
  1. nature.beach "Nur" category n2
search "beach stockley street gulbahor" limit=1
  intent nature.beach browse=false "Sohil" icon=beach
  1. nature.beach "Nur" category n2

map the place that has the words for its kind, not its namesake
r1 box -9000,-9000 9000,9000 boundary=administrative admin_level=4 name=Delaware population=900000
n1 6000,6000 place=village name="Delaware City"
n2 0,100 amenity=restaurant name=Lola
n3 6100,6000 amenity=restaurant name=Nur
search "restaurant near Delaware City" limit=1
  intent food.restaurant browse=false "Restoran" icon=restaurant
  1. food.restaurant "Nur" category n3
search "restaurant near Delaware" limit=1
  intent food.restaurant browse=false "Restoran" icon=restaurant
  1. food.restaurant "Lola" category n2
