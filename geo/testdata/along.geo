# Map contract 41.4, 41.6, 41.7, 41.11: names along streets, numbers in two numerals, and
# words in the order in which people write them.

map a name along a street, without a word between
w1 0,0 3000,0 highway=residential name="Davie Street"
w2 0,9000 3000,9000 highway=residential name="Oak Street"
n1 1500,100 amenity=cafe name=Starbucks
n2 1500,9100 amenity=cafe name=Starbucks
n3 1500,5000 amenity=cafe name="Blenz Davie"
search "starbucks davie" limit=1
  1. food.cafe "Starbucks" exact n1
search "davie street starbucks" limit=1
  intent street browse=false "Koʻcha" icon=street
  1. food.cafe "Starbucks" exact n1
search "starbucks oak" limit=1
  1. food.cafe "Starbucks" exact n2
# What all words are the name of stands first, and two streets are none along the other.
search "blenz davie" limit=1
  1. food.cafe "Blenz Davie" exact n3
search "davie oak"
  1. street "Davie Street" trigram w1
  2. food.cafe "Blenz Davie" trigram n3

map numbers in both numerals
w1 0,0 3000,0 highway=residential name="Avenue Albert II"
n1 100,20 addr:street="Avenue Albert II" addr:housenumber=2
n2 900,20 addr:street="Avenue Albert II" addr:housenumber=25
n3 5000,0 amenity=cafe name="Louis XIV"
n4 6000,0 amenity=cafe name="Congress 22"
search "25 avenue albert 2" limit=1
  1. address "Avenue Albert II, 25" address n2
search "avenue albert ii 2" limit=1
  1. address "Avenue Albert II, 2" address n1
search "louis 14"
  1. food.cafe "Louis XIV" exact n3
search "congress XXII"
  1. food.cafe "Congress 22" exact n4

map what is written so comes first
n1 0,0 amenity=cafe name="Albert II"
n2 100,0 amenity=cafe name="Albert 2"
n3 300,0 amenity=cafe name="Louis V"
search "albert 2"
  1. food.cafe "Albert 2" exact n2
search "albert ii"
  1. food.cafe "Albert II" exact n1
  2. food.cafe "Albert 2" exact n2
search "louis 5"
  1. food.cafe "Louis V" exact n3
search "congress xxi"
  nothing

map a number before the word for a street is its name
w1 0,0 3000,0 highway=residential name="East 7th Avenue"
w2 0,900 3000,900 highway=residential name="East 70th Avenue"
w3 0,1800 3000,1800 highway=residential name="East Avenue"
n1 900,1820 addr:street="East Avenue" addr:housenumber=7
search "east 7 avenue" limit=1
  1. street "East 7th Avenue" exact w1
# In front it is a house.
search "7 east avenue" limit=1
  1. address "East Avenue, 7" address n1

map crossings with a stroke or a plain and
w1 0,0 600,0 highway=residential name="Navoiy koʻchasi"
w2 200,-300 200,300 highway=residential name="Bobur koʻchasi"
w3 500,-300 500,300 highway=residential name="Temur koʻchasi"
n1 5000,0 amenity=cafe name="Navoiy va Temur"
n2 100,20 addr:street="Navoiy koʻchasi" addr:housenumber=39A/B
search "Navoiy / Bobur" show=point
  1. address "Navoiy koʻchasi / Bobur koʻchasi" intersection w1 at=200,0
search "Navoiy/Bobur" show=point
  1. address "Navoiy koʻchasi / Bobur koʻchasi" intersection w1 at=200,0
search "Навоий ва Бобур" show=point
  1. address "Navoiy koʻchasi / Bobur koʻchasi" intersection w1 at=200,0
search "navoiy and bobur" show=point
  1. address "Navoiy koʻchasi / Bobur koʻchasi" intersection w1 at=200,0
# A name is a name, and the stroke of a number belongs to it.
search "navoiy va temur" limit=1
  1. food.cafe "Navoiy va Temur" exact n1
search "navoiy 39a/b" limit=1
  1. address "Navoiy koʻchasi, 39A/B" address n2

map a near-word behind the category
w1 0,0 3000,0 highway=residential name="Bobur koʻchasi"
n1 1500,100 amenity=cafe name=Lola
n2 1500,9000 amenity=cafe name=Bahor
n3 1500,9100 amenity=pharmacy name=Shifo
search "kafe yaqinida bobur koʻchasi"
  intent food.cafe browse=false "Kafe" icon=cafe
  1. food.cafe "Lola" category n1
search "bobur koʻchasi yaqinida kafe"
  intent food.cafe browse=false "Kafe" icon=cafe
  1. food.cafe "Lola" category n1
# Both are categories: the first says where.
search "dorixona yaqinida kafe" limit=1
  intent food.cafe browse=false "Kafe" icon=cafe
  1. food.cafe "Bahor" category n2

map near a street is farther than along it
w1 0,0 3000,0 highway=residential name="улица Есенина"
n1 1500,900 amenity=pharmacy name=Shifo
search "аптека рядом с улицей есенина" lang=ru
  intent health.pharmacy browse=false "Аптека" icon=pharmacy
  1. health.pharmacy "Shifo" category n1
search "аптека на улице есенина" lang=ru
  intent health.pharmacy browse=false "Аптека" icon=pharmacy
  1. street "улица Есенина" trigram w1

map what only sounds like a name of one kind does not hide another kind
n1 0,0 place=town name=Gazli
n2 9000,0 place=village name=Goʻzal
n3 20000,0 place=village name=Bahor
n4 40000,0 place=town name=Bahor
search "поселок Газли" limit=1
  intent place.village browse=false "Qishloq" icon=village
  1. place.town "Gazli" exact n1
search "поселок Гоʻзал" limit=1
  intent place.village browse=false "Qishloq" icon=village
  1. place.village "Goʻzal" exact n2
search "qishloq Bahor" limit=1
  intent place.village browse=false "Qishloq" icon=village
  1. place.village "Bahor" exact n3

map a city that is a point, its municipality, and a quarter that begins like it
n1 0,0 place=city name=Monaco name:ru=Монако
r1 box -2000,-2000 2000,2000 boundary=administrative admin_level=8 place=town name=Monaco name:it=Monaco name:de=Monaco
r2 box -300,-300 300,300 boundary=administrative admin_level=10 place=suburb name="Monaco-Ville"
r3 box 500,500 1500,1500 boundary=administrative admin_level=10 place=suburb name="La Condamine"
n2 1000,1000 amenity=pharmacy name=Marsan
n3 100,100 amenity=pharmacy name=Ferry
n4 9000,0 amenity=pharmacy name=Lola
search "pharmacy monaco"
  intent health.pharmacy browse=false "Dorixona" icon=pharmacy
  1. health.pharmacy "Ferry" category n3
  2. health.pharmacy "Marsan" category n2
search "pharmacy monaco ville"
  intent health.pharmacy browse=false "Dorixona" icon=pharmacy
  1. health.pharmacy "Ferry" category n3

map a word that nothing bears, beside a category and a place
r1 box -2000,-2000 2000,2000 boundary=administrative admin_level=8 place=town name=Chinoz
n1 100,0 amenity=embassy name="Ambassade de France"
n2 900,0 office=company name="Methode Electronics Chinoz"
n3 300,0 shop=electronics name="Digital Magic"
n4 9000,0 amenity=cafe name="French Corner"
search "french embassy chinoz"
  intent services.embassy browse=false "Elchixona" icon=embassy
  1. food.cafe "French Corner" trigram n4
search "methode electronics chinoz" limit=1
  intent shopping.electronics browse=false "Elektronika doʻkoni" icon=electronics
  1. office.company "Methode Electronics Chinoz" exact n2

map the beginning of a name is no name along a street
w1 0,0 300,0 highway=residential name="Place du Palais"
n1 100,100 highway=bus_stop name="Princesse Stéphanie"
n2 900,100 tourism=attraction name="Palais Princier de Monaco"
search "palais du prince" limit=1
  1. culture.attraction "Palais Princier de Monaco" fuzzy n2

map other words for one kind of street
w1 0,0 3000,0 highway=residential name="Pacific Boulevard"
w2 0,9000 3000,9000 highway=residential name="Pacific Highway"
n1 900,20 addr:street="Pacific Boulevard" addr:housenumber=1209
search "1209 pacific blvd" limit=1
  1. address "Pacific Boulevard, 1209" address n1
search "pacific blvd" limit=1
  1. street "Pacific Boulevard" exact w1
search "pacific hwy" limit=1
  1. street "Pacific Highway" exact w2

map along all pieces of a street
w1 0,0 3000,0 highway=residential name="West Broadway"
w2 3300,0 6000,0 highway=residential name="East Broadway"
w3 90000,0 93000,0 highway=track name="Old Broadway Farm Road"
n1 1500,100 amenity=cafe name=Lola
n2 5000,100 amenity=fast_food name=Wendys
n4 4500,300 amenity=cafe name=Nur
n3 91000,100 amenity=cafe name=Bahor
search "kafe broadway"
  intent food.cafe browse=false "Kafe" icon=cafe
  1. food.cafe "Lola" category n1
  2. food.cafe "Nur" category n4
search "wendys broadway" limit=1
  1. food.fast_food "Wendys" exact n2

map a category beside what is no area
n1 0,0 railway=station name=Carnolès
n2 300,0 amenity=fuel name=Total
n3 9000,0 amenity=fuel name=Esso
r1 box 20000,-2000 22000,2000 boundary=administrative admin_level=8 place=town name=Chinoz
n4 22500,0 amenity=fuel name=Agip
search "carnoles yoqilgʻi shoxobchasi" limit=1
  intent auto.fuel browse=false "Yoqilgʻi shoxobchasi" icon=fuel
  1. auto.fuel "Total" category n2
search "fuel carnoles"
  intent auto.fuel browse=false "Yoqilgʻi shoxobchasi" icon=fuel
  1. auto.fuel "Total" category n2
  2. transport.train_station "Carnolès" trigram n1
search "fuel chinoz"
  intent auto.fuel browse=false "Yoqilgʻi shoxobchasi" icon=fuel
  1. place.town "Chinoz" trigram r1

map a member whose name has the words among others
n1 0,0 place=city name=Monaco
n2 900,0 amenity=post_office name="Bureau de Monaco Fontvieille"
n3 1000,500 amenity=post_office name="Bureau de Monaco Herculis"
search "monaco herculis post office" limit=1
  intent services.post browse=false "Pochta" icon=post
  1. services.post "Bureau de Monaco Herculis" exact n3

map a name near a street is first one along it
w1 0,0 3000,0 highway=residential name="Commercial Drive"
n1 2900,100 amenity=restaurant name="Britannia Sushi"
n2 1500,900 amenity=restaurant name="Sushi Nanaimo"
n3 1500,1000 amenity=restaurant name="Bahor"
search "sushi near commercial drive"
  1. food.restaurant "Britannia Sushi" exact n1
  2. street "Commercial Drive" trigram w1
search "bahor near commercial drive"
  1. food.restaurant "Bahor" exact n3
