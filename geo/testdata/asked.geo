# Map contract 41.2 to 41.7: what people ask of towns that nobody had in mind, each case with
# a counter-case.

map a pair in brackets
w1 0,0 300,0 highway=residential name="Navoiy koʻchasi"
search "(41.3000, 69.2410)" show=point
  1. address "Navoiy koʻchasi" coordinate w1 at=84,0
search "(Navoiy)" limit=1
  1. street "Navoiy koʻchasi" exact w1

map a word that is half typed
w1 0,0 300,0 highway=residential name="Evergreen Street"
w2 0,900 300,900 highway=residential name="Strand Road"
n1 9000,0 place=town name="Yangi Nishon"
search "evergreen str" limit=1
  1. street "Evergreen Street" exact w1
search "yangi nishon sha" limit=1
  1. place.town "Yangi Nishon" exact n1
# It begins a name.
search "strand" limit=1
  1. street "Strand Road" exact w2
search "strand stra" limit=1
  1. street "Strand Road" exact w2

map a word for a kind with a letter wrong that begins a name
w1 0,0 300,0 highway=residential name="Bahor Street"
w2 0,900 300,900 highway=residential name="Stretham Court"
search "bahor stret" limit=1
  1. street "Bahor Street" exact w1
search "stret cour" limit=1
  1. street "Stretham Court" exact w2

map children's playgrounds where no name has the words
r1 box -2000,-2000 2000,2000 boundary=administrative admin_level=8 place=town name=Chinoz
n1 100,0 leisure=playground
n2 300,0 place=square name="Площадь Мира"
search "детская площадка чиноз" limit=1
  intent leisure.playground browse=false "Bolalar maydonchasi" icon=playground
  1. leisure.playground "Bolalar maydonchasi" category n1
# A word for a square that is declined.
search "на площади мира" limit=1
  1. services.landuse "Площадь Мира" exact n2

map roads that are numbered
w1 0,0 3000,0 highway=tertiary name="Autauga County 135"
w2 2000,-900 2000,900 highway=tertiary name="Autauga County 40"
n1 2020,500 addr:housenumber=12 addr:street="Autauga County 40"
search "autauga conty 135" limit=1
  1. street "Autauga County 135" fuzzy w1
search "autauga county 135 / autauga county 40" show=point limit=1
  1. address "Autauga County 135 / Autauga County 40" intersection w1 at=2000,0
# Numbers of houses.
search "autauga conty 40 12" limit=1
  1. address "Autauga County 40, 12" address n1
search "autauga county 12" limit=1
  1. address "Autauga County 40, 12" address n1

map an ordinal in front
w1 0,0 300,0 highway=residential name="7-й Полевой переулок"
w2 0,900 300,900 highway=residential name="2-й Полевой переулок"
n1 100,920 addr:housenumber=7 addr:street="2-й Полевой переулок"
search "7-й полевй переулок" limit=1
  1. street "7-й Полевой переулок" fuzzy w1
search "полевой переулок 7" limit=1
  1. address "2-й Полевой переулок, 7" address n1

map a misspelt word that ends as a place does
n1 0,0 amenity=place_of_worship religion=christian name="Bethesda Church"
n2 300,0 amenity=place_of_worship religion=christian name="Faith Church"
r1 box -2000,-2000 2000,2000 boundary=administrative admin_level=8 place=town name=Chinoz
search "betlesda church" limit=1
  intent religion.church browse=false "Cherkov" icon=church
  1. religion.church "Bethesda Church" trigram n1
search "chinozda cherkov" limit=1
  intent religion.church browse=false "Cherkov" icon=church
  1. religion.church "Bethesda Church" category n1

map da between the words of a name
w1 0,0 300,0 highway=residential name="Rua da Costa do Rio"
w2 100,-300 100,300 highway=residential name="Rua Pereira da Costa"
r1 box 20000,-2000 22000,2000 boundary=administrative admin_level=8 place=town name=Chinoz
n1 21000,20 amenity=pharmacy name=Shifo
search "r. da costa do rio" limit=1
  1. street "Rua da Costa do Rio" exact w1
search "chinoz da dorixona" limit=1
  intent health.pharmacy browse=false "Dorixona" icon=pharmacy
  1. health.pharmacy "Shifo" category n1

map of between the words of a name
w1 0,0 300,0 highway=residential name="Our Lady of Sorrow Street"
w2 100,-300 100,300 highway=residential name="Our Lady of Sorrows"
w3 200,-300 200,300 highway=residential name="Bahor Street"
search "our lady of sorrow street" limit=1
  intent street browse=false "Koʻcha" icon=street
  1. street "Our Lady of Sorrow Street" exact w1
search "our lady of sorrow street and bahor street" limit=1
  intent street browse=false "Koʻcha" icon=street
  1. address "Our Lady of Sorrow Street / Bahor Street" intersection w1

map the stop that is named after a street
w1 0,0 300,0 highway=residential name="Юбилейная улица"
n1 100,20 highway=bus_stop name="Юбилейная улица"
search "Юбилейная улица bekati" limit=1
  intent street browse=false "Koʻcha" icon=street
  1. transport.bus_stop "Юбилейная улица" exact n1
search "Юбилейная улица" limit=1
  intent street browse=false "Koʻcha" icon=street
  1. street "Юбилейная улица" exact w1

map a letter is a name's, у is a word
n1 0,0 amenity=bar name="U. Kaleva Bar"
n2 600,0 amenity=bar name="Milli Miglia"
n3 620,0 railway=station name=Kaleva
n4 3000,0 amenity=bar name="M Shop"
search "u. kaleva bar" limit=1
  intent food.bar browse=false "Bar" icon=bar
  1. food.bar "U. Kaleva Bar" exact n1
search "у калева бар" limit=1
  intent food.bar browse=false "Bar" icon=bar
  1. food.bar "U. Kaleva Bar" exact n1

map one of namesakes has something near
w1 0,0 300,0 highway=residential name="Surf Avenue"
w2 60000,0 60300,0 highway=residential name="Surf Avenue"
n1 60100,50 amenity=school name=Lola
n2 200000,0 amenity=school name=Nur
search "school near surf avenue" limit=1
  intent education.school browse=false "Maktab" icon=school
  1. education.school "Lola" category n1
search "bank near surf avenue" limit=1
  intent finance.bank browse=false "Bank" icon=bank
  1. street "Surf Avenue" trigram w2

map the nearest to a settlement without an outline
n1 0,0 place=village name=Rotenboden
n2 2600,0 tourism=hotel name=Lola
r1 box 20000,-2000 22000,2000 boundary=administrative admin_level=8 place=town name=Chinoz
n3 23500,0 tourism=hotel name=Nur
search "mehmonxona rotenboden" limit=1
  intent lodging.hotel browse=false "Mehmonxona" icon=hotel
  1. lodging.hotel "Lola" category n2
# One with an outline has none.
search "mehmonxona chinoz" limit=1
  intent lodging.hotel browse=false "Mehmonxona" icon=hotel
  1. place.town "Chinoz" trigram r1

map near a park, not near the areas that have its words
r1 box -9000,-9000 9000,9000 boundary=administrative admin_level=8 place=town name=Prattville
n0 8000,8000 place=neighbourhood name=Parkview
n1 0,0 leisure=park name="Pratt Park"
n2 200,0 leisure=park name="Newton Park"
n3 8100,8000 amenity=cafe name=Lola
n4 100,100 amenity=cafe name=Nur
search "cafe near pratt park" limit=1
  intent food.cafe browse=false "Kafe" icon=cafe
  1. food.cafe "Nur" category n4
search "cafe near prattville" limit=2
  intent food.cafe browse=false "Kafe" icon=cafe
  1. food.cafe "Nur" category n4
  2. food.cafe "Lola" category n3

map a town that is named twice
r1 box -3000,-3000 3000,3000 boundary=administrative admin_level=8 place=town name=Newark
n1 2000,2000 amenity=school name="Newark High School"
n2 100,0 amenity=school name=KinderCare
search "Newark High School Newark" limit=1
  intent education.school browse=false "Maktab" icon=school
  1. education.school "Newark High School" exact n1
search "school Newark" limit=1
  intent education.school browse=false "Maktab" icon=school
  1. education.school "KinderCare" category n2

map a letter with a stroke
w1 0,0 300,0 highway=residential name="Carrer del Puiet"
w2 100,-300 100,300 highway=residential name="Carrer Casamanya"
search "c/ del puiet" limit=1
  1. street "Carrer del Puiet" exact w1
search "casamanya / del puiet" limit=1
  1. address "Carrer Casamanya / Carrer del Puiet" intersection w2

map an initial
w1 0,0 300,0 highway=primary name="Adams Street"
w2 0,9000 300,9000 highway=residential name="East Adams Street"
search "e adams st" limit=1
  1. street "East Adams Street" exact w2
search "adams st" limit=1
  1. street "Adams Street" exact w1

map a shortened word of a name
w1 0,0 300,0 highway=residential name="Beth Manor Drive"
w2 0,900 300,900 highway=residential name="Beth Manor Court"
search "beth manor ct" limit=1
  1. street "Beth Manor Court" exact w2
search "beth manor dr" limit=1
  1. street "Beth Manor Drive" exact w1

map a generic word decides
w1 0,0 300,0 highway=primary name="Bell Lane"
n1 900,0 historic=manor name="Bell House"
search "bell house" limit=1
  1. culture.historic "Bell House" exact n1
search "bell lane" limit=1
  1. street "Bell Lane" exact w1

map the number of a house before that of a flat and its house
w1 0,0 900,0 highway=residential name="West Broadway"
n1 100,20 amenity=restaurant name=Dynasty addr:street="West Broadway" addr:housenumber="108-777"
n2 500,20 addr:street="West Broadway" addr:housenumber=505
search "West Broadway 505" limit=1
  1. address "West Broadway, 505" address n2
search "West Broadway 506" limit=1
  1. food.restaurant "Dynasty" address n1

map a named complex of buildings has an address
w1 0,0 900,0 highway=residential name="East 6th Avenue"
w2 box 100,20 160,60 building=apartments name="McLeod Apartments" addr:street="East 6th Avenue" addr:housenumber=148
n1 500,20 place=locality name=Joy addr:street="East 6th Avenue" addr:housenumber=150
search "148 East 6th Avenue" limit=1
  1. place.neighbourhood "McLeod Apartments" address w2
search "150 East 6th Avenue" limit=1
  1. street "East 6th Avenue" exact w1

map the word that is missing
w1 0,0 300,0 highway=primary name="Via del Lavoro"
w2 0,9000 300,9000 highway=residential name="Via Maestri del Lavoro"
n1 900,0 tourism=museum name="Natural History Museum"
n2 5000,0 shop=beauty name=Naturelle
search "via maetsri del lavoro" limit=1
  1. street "Via Maestri del Lavoro" trigram w2
search "natturelle" limit=1
  1. beauty.salon "Naturelle" fuzzy n2
search "natural" limit=1
  1. culture.museum "Natural History Museum" exact n1
search "via del lavoro" limit=1
  1. street "Via del Lavoro" exact w1

map a street with the word is none of the category
w1 0,0 300,0 highway=primary name="Bank Street"
n1 900,0 amenity=bank name=Lola
n2 1900,0 shop=books name=Bank
search "bank" limit=3
  intent finance.bank browse=true "Bank" icon=bank
  1. shopping.books "Bank" name n2
  2. finance.bank "Lola" category n1
  3. street "Bank Street" name w1
search "bank street" limit=1
  intent finance.bank browse=false "Bank" icon=bank
  1. street "Bank Street" exact w1
