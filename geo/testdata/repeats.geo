# Rule 8: what is one to a reader is shown once. Each pair stands a little
# within the radius of its kind, or a little outside.

map points of interest 250 m
n1 0,0 amenity=cafe name=Bahor
n2 240,0 amenity=cafe name="Баҳор"
n3 0,90000 amenity=cafe name=Gulshan
n4 260,90000 amenity=cafe name=Gulshan
search "bahor"
  1. food.cafe "Bahor" exact n1
search "gulshan"
  1. food.cafe "Gulshan" exact n3
  2. food.cafe "Gulshan" exact n4

map addresses 250 m
w1 0,0 400,0 highway=residential name=Navoiy
n1 0,10 addr:street=Navoiy addr:housenumber=1
n2 240,10 addr:street=Navoiy addr:housenumber=1
n3 10,10 addr:street=Navoiy addr:housenumber=2
n4 270,10 addr:street=Navoiy addr:housenumber=2
search "navoiy 1" kinds=address
  1. address "Navoiy, 1" address n1
search "navoiy 2" kinds=address
  1. address "Navoiy, 2" address n3
  2. address "Navoiy, 2" address n4

map streets and small places 3 km
w1 0,0 100,0 highway=residential name=Bahor
w2 2900,0 3000,0 highway=residential name=Bahor
w3 0,90000 100,90000 highway=residential name=Gulshan
w4 3100,90000 3200,90000 highway=residential name=Gulshan
n1 0,0 place=village name=Lola
n2 2900,0 place=village name=Lola
n3 0,90000 place=village name=Zumrad
n4 3100,90000 place=village name=Zumrad
search "bahor"
  1. street "Bahor" exact w2
search "gulshan"
  1. street "Gulshan" exact w4
  2. street "Gulshan" exact w3
search "lola"
  1. place.village "Lola" exact n2
search "zumrad"
  1. place.village "Zumrad" exact n4
  2. place.village "Zumrad" exact n3

map natural features 5 km
n1 0,0 natural=peak name=Bahor
n2 4900,0 natural=peak name=Bahor
n3 0,90000 natural=peak name=Gulshan
n4 5100,90000 natural=peak name=Gulshan
search "bahor"
  1. nature.peak "Bahor" exact n2
search "gulshan"
  1. nature.peak "Gulshan" exact n4
  2. nature.peak "Gulshan" exact n3

map towns 15 km
# A town is its own city; two of one name are one city.
n1 0,0 place=town name=Bahor
n2 14700,0 place=town name=Bahor
n3 0,90000 place=town name=Gulshan
n4 15300,90000 place=town name=Gulshan
search "bahor"
  1. place.town "Bahor" exact n2
search "gulshan"
  1. place.town "Gulshan" exact n4
  2. place.town "Gulshan" exact n3

map cities and districts 40 km
n1 0,0 place=city name=Bahor
n2 39300,0 place=city name=Bahor
n3 0,90000 place=city name=Gulshan
n4 41000,90000 place=city name=Gulshan
n5 0,500 place=district name=Lola
n6 39300,500 place=district name=Lola
n7 0,90500 place=district name=Zumrad
n8 41000,90500 place=district name=Zumrad
search "bahor"
  1. place.city "Bahor" exact n2
search "gulshan"
  1. place.city "Gulshan" exact n4
  2. place.city "Gulshan" exact n3
search "lola"
  1. place.district "Lola" exact n6
search "zumrad"
  1. place.district "Zumrad" exact n8
  2. place.district "Zumrad" exact n7

map regions and countries 250 km
n1 0,0 place=region name=Bahor
n2 244000,0 place=region name=Bahor
n3 0,500 place=country name=Gulshan
n4 258000,500 place=country name=Gulshan
n5 0,1000 place=region name=Lola
n6 258000,1000 place=region name=Lola
n7 0,1500 place=country name=Zumrad
n8 244000,1500 place=country name=Zumrad
search "lola"
  1. place.region "Lola" exact n6
  2. place.region "Lola" exact n5
search "zumrad"
  1. place.country "Zumrad" exact n8
search "bahor"
  1. place.region "Bahor" exact n2
search "gulshan"
  1. place.country "Gulshan" exact n4
  2. place.country "Gulshan" exact n3

map another kind, another city or another word keeps both
n1 0,0 amenity=cafe name=Bahor
n2 20,0 natural=spring name=Bahor
n3 40,0 amenity=cafe name="Bahor plus"
r1 box 60,-500 1000,500 boundary=administrative admin_level=8 place=town name=Chinoz
n4 80,0 amenity=cafe name=Bahor
search "bahor"
  1. food.cafe "Bahor" exact n1
  2. food.cafe "Bahor" exact n4
  3. nature.spring "Bahor" exact n2
  4. food.cafe "Bahor plus" exact n3

map улица and переулок are other words here
w1 0,0 300,0 highway=residential name="улица Пушкина"
w2 0,200 300,200 highway=residential name="переулок Пушкина"
search "пушкина"
  1. street "улица Пушкина" exact w1
  2. street "переулок Пушкина" exact w2

map the nameless are never the same
n1 0,0 amenity=cafe
n2 20,0 amenity=cafe
search "kafe"
  intent food.cafe browse=true "Kafe" icon=cafe
  1. food.cafe "Kafe" category n1
  2. food.cafe "Kafe" category n2

map repeats are taken out before the limit is reached
repeat 30 5,0 n100 0,0 amenity=cafe name=Bahor
n1 5000,0 amenity=cafe name="Bahor uzoq joy"
search "bahor" limit=2
  1. food.cafe "Bahor" exact n100
  2. food.cafe "Bahor uzoq joy" exact n1
