# Address queries (map contract 41.6 and 8.5).

map the number exact, then as a beginning, then the street
w1 0,0 400,0 highway=residential name="Navoiy koʻchasi"
n1 50,20 addr:street="Navoiy koʻchasi" addr:housenumber=12
n2 60,20 addr:street="Navoiy koʻchasi" addr:housenumber=12A
n3 70,20 addr:street="Navoiy koʻchasi" addr:housenumber=121
n4 80,20 addr:street="Navoiy koʻchasi" addr:housenumber=13
search "navoiy 12" show=matched,label
  1. address "Navoiy koʻchasi, 12" address n1 matched=["navoiy" "12"] label="Manzil"
  2. street "Navoiy koʻchasi" street w1 matched=["navoiy"] label="Koʻcha"
search "Навои 13"
  1. address "Navoiy koʻchasi, 13" address n4
  2. street "Navoiy koʻchasi" street w1
# Nothing has the number: the street stands in.
search "navoiy 77"
  1. street "Navoiy koʻchasi" street w1

map points of interest with a number take part, nameless ones last
w1 0,0 400,0 highway=residential name="Navoiy koʻchasi"
n1 50,20 addr:street="Navoiy koʻchasi" addr:housenumber=12
n2 60,20 amenity=cafe name=Bahor addr:street="Navoiy koʻchasi" addr:housenumber=12
n3 70,20 amenity=cafe addr:street="Navoiy koʻchasi" addr:housenumber=12
n4 80,20 amenity=cafe name="Navoiy 12 yonida"
search "navoiy 12"
  1. food.cafe "Bahor" address n2
  2. address "Navoiy koʻchasi, 12" address n1
  3. food.cafe "Kafe" address n3
  4. street "Navoiy koʻchasi" street w1

map street and number together: text x 0.7 + number x 0.3 + 0.1
# Navoiy 12A: 1.18 x 0.7 + 0.75 x 0.3 = 1.051; Navoiy Gulshan 12: 1 x 0.7 + 0.3.
# With bias=1 they are equal at 383 m.
w1 -100,-30 100,-30 highway=residential name="Navoiy Gulshan"
n1 0,0 addr:street="Navoiy Gulshan" addr:housenumber=12
n2 360,0 addr:street="Navoiy" addr:housenumber=12A
w2 -100,89970 100,89970 highway=residential name="Bobur Gulshan"
n3 0,90000 addr:street="Bobur Gulshan" addr:housenumber=12
n4 405,90000 addr:street="Bobur" addr:housenumber=12A
search "navoiy 12" near=0,0 bias=1 kinds=address
  1. address "Navoiy Gulshan, 12" address n1
  2. address "Navoiy, 12A" street n2
search "bobur 12" near=0,90000 bias=1 kinds=address
  1. address "Bobur Gulshan, 12" address n3
  2. address "Bobur, 12A" street n4

map the kind of an address adds nothing, and half its closeness is left at 4 km
# A café leads by its rank, 0.3 x (0.202 - 0.0224), and 0.05: equal at 1685 m.
n1 0,0 addr:street=Navoiy addr:housenumber=12
n2 1600,0 amenity=cafe name=Lola addr:street=Navoiy addr:housenumber=12
n3 0,90000 addr:street=Bobur addr:housenumber=12
n4 1780,90000 amenity=cafe name=Lola addr:street=Bobur addr:housenumber=12
# A whole number leads by 0.6 x 0.075: equal at 590 m.
n5 0,180000 addr:street=Temur addr:housenumber=12A
n6 560,180000 addr:street=Temur addr:housenumber=12
n7 0,270000 addr:street=Cholpon addr:housenumber=12A
n8 620,270000 addr:street=Cholpon addr:housenumber=12
search "navoiy 12" near=0,0 bias=1
  1. food.cafe "Lola" address n2
  2. address "Navoiy, 12" address n1
search "bobur 12" near=0,90000 bias=1
  1. address "Bobur, 12" address n3
  2. food.cafe "Lola" address n4
search "temur 12" near=0,180000 bias=1
  1. address "Temur, 12" address n6
search "cholpon 12" near=0,270000 bias=1
  1. address "Cholpon, 12" address n8

map a street of little resemblance is no fallback
# Only a text score above 0.7 lets a street in: the skeleton gives 0.72 + 0.06,
# a beginning of it less.
w1 0,0 400,0 highway=residential name="Bahor koʻchasi"
w2 0,900 400,900 highway=residential name="Nahoriston koʻchasi"
search "baxar 5"
  1. street "Bahor koʻchasi" street w1
search "naxar 5"
  1. street "Nahoriston koʻchasi" fuzzy w2

map writings of a number
w1 0,0 400,0 highway=residential name="Navoiy koʻchasi"
n1 10,20 addr:street="Navoiy koʻchasi" addr:housenumber="12-uy"
n2 300,20 addr:street="Navoiy koʻchasi" addr:housenumber="д. 14"
n3 350,320 addr:street="Navoiy koʻchasi" addr:housenumber="16/3"
n4 400,20 addr:street="Navoiy koʻchasi" addr:housenumber="18 б"
search "navoiy 12" limit=1
  1. address "Navoiy koʻchasi, 12-uy" address n1
search "navoiy 14-uy" limit=1
  1. address "Navoiy koʻchasi, д. 14" address n2
search "navoiy 16/3" limit=1
  1. address "Navoiy koʻchasi, 16/3" address n3
search "navoiy 16" limit=1
  1. street "Navoiy koʻchasi" street w1
search "navoiy 18b" limit=1
  1. address "Navoiy koʻchasi, 18 б" address n4
search "навои 18 б" limit=1
  1. address "Navoiy koʻchasi, 18 б" address n4

map a list of numbers is one entry for each
w1 0,0 400,0 highway=residential name="Navoiy koʻchasi"
n1 50,20 addr:street="Navoiy koʻchasi" addr:housenumber="2;4, 6"
report
  entries=4 areas=0
  categories address=3 street=1
search "navoiy 2" limit=1
  1. address "Navoiy koʻchasi, 2" address n1
search "navoiy 4" limit=1
  1. address "Navoiy koʻchasi, 4" address n1
search "navoiy 6" limit=1
  1. address "Navoiy koʻchasi, 6" address n1

map a range is one entry that has every number in it
w1 0,0 400,0 highway=residential name="Navoiy koʻchasi"
n1 50,20 addr:street="Navoiy koʻchasi" addr:housenumber="1-5"
search "navoiy 1" limit=1
  1. address "Navoiy koʻchasi, 1-5" address n1
search "navoiy 3" limit=1
  1. address "Navoiy koʻchasi, 1-5" address n1
search "navoiy 5" limit=1
  1. address "Navoiy koʻchasi, 1-5" address n1
search "navoiy 1-5" limit=1
  1. address "Navoiy koʻchasi, 1-5" address n1
search "navoiy 6" limit=1
  1. street "Navoiy koʻchasi" street w1

map interpolation: even numbers, evenly along the way
w1 0,0 400,0 highway=residential name="Navoiy koʻchasi"
n1 0,20 addr:street="Navoiy koʻchasi" addr:housenumber=2
n2 300,20 addr:street="Navoiy koʻchasi" addr:housenumber=8
w2 n1 n2 addr:interpolation=even
report
  entries=5 areas=0
  categories address=4 street=1
search "navoiy 4" limit=1 show=point,rank
  1. address "Navoiy koʻchasi, 4" address w2 at=100,20 rank=0.0200
search "navoiy 6" limit=1 show=point
  1. address "Navoiy koʻchasi, 6" address w2 at=200,20
search "navoiy 5" limit=1
  1. street "Navoiy koʻchasi" street w1
place w2
  address "Navoiy koʻchasi, 4" w2 kind=address group=address icon=address category_label="Manzil"
  label "Manzil" full_address "Navoiy koʻchasi, 4"
  address {housenumber="4" street="Navoiy koʻchasi"}
  names {}
  tags {interpolated="even"}
  details {}
  mapsrc w2 population=0 admin_level=0

map interpolation: odd, all, alphabetic, a step, and downward
w1 0,0 400,0 highway=residential name="Navoiy koʻchasi"
n1 0,20 addr:street="Navoiy koʻchasi" addr:housenumber=1
n2 300,20 addr:street="Navoiy koʻchasi" addr:housenumber=5
w2 n1 n2 addr:interpolation=odd
n3 0,40 addr:street="Navoiy koʻchasi" addr:housenumber=23
n4 300,40 addr:street="Navoiy koʻchasi" addr:housenumber=20
w3 n3 n4 addr:interpolation=all
n5 0,60 addr:street="Navoiy koʻchasi" addr:housenumber=30a
n6 300,60 addr:street="Navoiy koʻchasi" addr:housenumber=30d
w4 n5 n6 addr:interpolation=alphabetic
n7 0,80 addr:street="Navoiy koʻchasi" addr:housenumber=40
n8 300,80 addr:street="Navoiy koʻchasi" addr:housenumber=60
w5 n7 n8 addr:interpolation=10
# Even between odd numbers is a mistake: nothing is added.
n9 0,100 addr:street="Navoiy koʻchasi" addr:housenumber=71
n10 300,100 addr:street="Navoiy koʻchasi" addr:housenumber=75
w6 n9 n10 addr:interpolation=even
report
  entries=17 areas=0
  categories address=16 street=1
search "navoiy 3" limit=1 show=point
  1. address "Navoiy koʻchasi, 3" address w2 at=150,20
search "navoiy 22" limit=1 show=point
  1. address "Navoiy koʻchasi, 22" address w3 at=100,40
search "navoiy 21" limit=1 show=point
  1. address "Navoiy koʻchasi, 21" address w3 at=200,40
search "navoiy 30b" limit=1 show=point
  1. address "Navoiy koʻchasi, 30b" address w4 at=100,60
search "navoiy 30c" limit=1 show=point
  1. address "Navoiy koʻchasi, 30c" address w4 at=200,60
search "navoiy 50" limit=1 show=point
  1. address "Navoiy koʻchasi, 50" address w5 at=150,80
search "navoiy 73" limit=1
  1. street "Navoiy koʻchasi" street w1

map interpolation adds at most a thousand numbers
w1 0,0 400,0 highway=residential name="Navoiy koʻchasi"
n1 0,20 addr:street="Navoiy koʻchasi" addr:housenumber=1
n2 300,20 addr:street="Navoiy koʻchasi" addr:housenumber=9000
w2 n1 n2 addr:interpolation=all
report
  entries=1003 areas=0
  categories address=1002 street=1

map the street of an address is the nearest of its name within 500 m
w1 0,0 300,0 highway=residential name="Navoiy koʻchasi" name:ru="улица Навои"
w2 0,900 300,900 highway=residential name="Navoiy koʻchasi" name:ru="Далёкая улица"
n1 100,400 addr:street="улица Навои" addr:housenumber=1
n2 100,-450 addr:street="Navoiy kuchasi" addr:housenumber=2
n3 100,-550 addr:street="Navoiy koʻchasi" addr:housenumber=3
# The name of an address follows the language through its street.
search "navoiy 1" limit=1 lang=ru show=address
  1. address "улица Навои, 1" address n1 address={housenumber="1" street="Navoiy koʻchasi"}
search "navoiy 2" limit=1 lang=ru
  1. address "улица Навои, 2" address n2
# Too far: the words of the tag itself.
search "navoiy 3" limit=1 lang=ru
  1. address "Navoiy koʻchasi, 3" address n3

map a street and a lane of one name stay two
w1 0,0 300,0 highway=residential name="улица Пушкина"
w2 0,200 300,200 highway=residential name="переулок Пушкина"
n1 100,150 addr:street="улица Пушкина" addr:housenumber=7
n2 100,50 addr:street="пер. Пушкина" addr:housenumber=7
reverse 100,150
  label "улица Пушкина, 7" short "улица Пушкина, 7"
  address {housenumber="7" street="улица Пушкина"}
  street "переулок Пушкина" w2 distance=50 at=100,200
  place address "улица Пушкина, 7" n1 distance=0
reverse 100,50
  label "переулок Пушкина, 7" short "переулок Пушкина, 7"
  address {housenumber="7" street="переулок Пушкина"}
  street "улица Пушкина" w1 distance=50 at=100,0
  place address "переулок Пушкина, 7" n2 distance=0

map a place instead of a street
n1 0,0 addr:place="Bogʻishamol" addr:housenumber=5
search "bogishamol 5" show=address,label
  1. address "Bogʻishamol, 5" address n1 address={housenumber="5" neighbourhood="Bogʻishamol"} label="Manzil, Bogʻishamol"
place n1
  address "Bogʻishamol, 5" n1 kind=address group=address icon=address category_label="Manzil"
  label "Manzil, Bogʻishamol" full_address "Bogʻishamol"
  address {housenumber="5" neighbourhood="Bogʻishamol"}
  names {}
  tags {addr:housenumber="5" addr:place="Bogʻishamol"}
  details {}
  mapsrc n1 population=0 admin_level=0

map a house number without a digit is no address
n1 0,0 addr:street=Navoiy addr:housenumber=bb
n2 100,0 place=village name=Bahor
report
  entries=1 areas=0
  categories place.village=1

map words of all languages of a street find its addresses
w1 0,0 300,0 highway=residential name="Mustaqillik koʻchasi" name:ru="улица Независимости" name:en="Independence Street"
n1 100,20 addr:street="Mustaqillik koʻchasi" addr:housenumber=7
search "независимости 7" limit=1 lang=ru
  1. address "улица Независимости, 7" address n1
search "independence 7" limit=1 lang=en
  1. address "Independence Street, 7" address n1

map only addresses and points of interest have house numbers
w1 0,0 400,0 highway=residential name="Navoiy koʻchasi"
n1 50,20 natural=spring name=Buloq addr:street="Navoiy koʻchasi" addr:housenumber=12
n2 60,20 place=locality name=Joy addr:street="Navoiy koʻchasi" addr:housenumber=12
n3 70,20 amenity=cafe name=Bahor addr:street="Navoiy koʻchasi" addr:housenumber=12
search "navoiy 12"
  1. food.cafe "Bahor" address n3
  2. street "Navoiy koʻchasi" street w1

map a range may begin with what is asked for
w1 0,0 400,0 highway=residential name="Navoiy koʻchasi"
n1 50,20 addr:street="Navoiy koʻchasi" addr:housenumber="31-35"
search "navoiy 3"
  1. street "Navoiy koʻchasi" street w1
  2. address "Navoiy koʻchasi, 31-35" street n1

map every house of a number counts, however many streets share the name
repeat 600 5000,0 w100 0,0 100,0 highway=residential name=Navoiy
repeat 600 5000,0 n1000 50,10 addr:street=Navoiy addr:housenumber=1
search "navoiy 1" near=50,10 bias=1 limit=1
  1. address "Navoiy, 1" address n1000
search "navoiy 1" near=2300050,10 bias=1 limit=1
  1. address "Navoiy, 1" address n1460
search "navoiy 1" near=2600050,10 bias=1 limit=1
  1. address "Navoiy, 1" address n1520

map numbers of five digits
w1 0,0 3000,0 highway=primary name="Coastal Highway"
n1 600,20 addr:housenumber=19068 addr:street="Coastal Highway"
n2 1600,20 addr:housenumber=19070 addr:street="Coastal Highway"
search "19070 Coastal Highway" limit=1
  1. address "Coastal Highway, 19070" address n2
search "Coastal Highway 19068" limit=1
  1. address "Coastal Highway, 19068" address n1
# One that is not there may be a postcode of elsewhere.
search "Coastal Highway 19901" limit=1
  1. street "Coastal Highway" trigram w1
