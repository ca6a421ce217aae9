# Rule 7: listing a category.

map without a reference point: by importance, nameless ones lose 0.1
n1 0,0 amenity=cafe name=Bahor wikidata=Q1
n2 100,0 amenity=cafe name=Gulshan
n3 200,0 amenity=cafe
search "kafe" show=rank
  intent food.cafe browse=true "Kafe" icon=cafe
  1. food.cafe "Bahor" category n1 rank=0.2520
  2. food.cafe "Gulshan" category n2 rank=0.1920
  3. food.cafe "Kafe" category n3 rank=0.0960
search "" category=food.cafe
  1. food.cafe "Bahor" category n1
  2. food.cafe "Gulshan" category n2
  3. food.cafe "Kafe" category n3
# A category of the parameter overrides the one in the words; intent tells of the words.
n4 300,0 amenity=pharmacy name=Shifo
search "kafe" category=health.pharmacy
  intent food.cafe browse=true "Kafe" icon=cafe
  1. health.pharmacy "Shifo" category n4
search "" category=group:food
  1. food.cafe "Bahor" category n1
  2. food.cafe "Gulshan" category n2
  3. food.cafe "Kafe" category n3
search "" category=group:nothing
  nothing
search "" category=food.soup
  nothing

map with a reference point: half importance, half closeness at 2500 m
# rank x 0.5 + 0.5/(1 + d/2500). Bahor leads by 0.05 of rank: 0.025, equal at 132 m
n1 0,0 amenity=cafe name=Gulshan
n2 120,0 amenity=cafe name=Bahor wikidata=Q1
n3 0,300000 amenity=cafe name=Lola
n4 170,300000 amenity=cafe name=Zumrad wikidata=Q1
search "kafe" near=0,0 limit=2 show=rank
  intent food.cafe browse=true "Kafe" icon=cafe
  1. food.cafe "Bahor" category n2 rank=0.2520
  2. food.cafe "Gulshan" category n1 rank=0.1920
search "kafe" near=0,300000 limit=2
  intent food.cafe browse=true "Kafe" icon=cafe
  1. food.cafe "Lola" category n3
  2. food.cafe "Zumrad" category n4

map with a reference point the nameless lose 0.1 too
# 0.048 + 0.5 - 0.1 against 0.096 + 0.5/(1 + d/2500): equal at 1051 m
n1 0,0 amenity=cafe
n2 1000,0 amenity=cafe name=Bahor
n3 0,90000 amenity=cafe
n4 1100,90000 amenity=cafe name=Gulshan
search "kafe" near=0,0 limit=2
  intent food.cafe browse=true "Kafe" icon=cafe
  1. food.cafe "Bahor" category n2
  2. food.cafe "Kafe" category n1
search "kafe" near=0,90000 limit=2
  intent food.cafe browse=true "Kafe" icon=cafe
  1. food.cafe "Kafe" category n3
  2. food.cafe "Gulshan" category n4

map the names beside a listing: 0.15 more, only from 0.95 on, members left out
n1 0,0 amenity=cafe name=Bahor
n2 400,0 leisure=park name=Kafe
n3 800,0 leisure=park name="Kafelot"
n4 1200,0 amenity=cafe name=Kafe
search "kafe"
  intent food.cafe browse=true "Kafe" icon=cafe
  1. leisure.park "Kafe" name n2
  2. food.cafe "Kafe" category n4
  3. food.cafe "Bahor" category n1

map at most five names stand beside a listing
n1 0,0 amenity=cafe name=Bahor
repeat 8 2000,0 n10 0,3000 shop=books name=Kafe
search "kafe" limit=20
  intent food.cafe browse=true "Kafe" icon=cafe
  1. shopping.books "Kafe" name n12
  2. shopping.books "Kafe" name n11
  3. shopping.books "Kafe" name n13
  4. shopping.books "Kafe" name n14
  5. shopping.books "Kafe" name n16
  6. food.cafe "Bahor" category n1

map cells around the reference point grow until there are enough
# A cell is 0.01 degree: 835 m here from west to east. limit=2 wants six
# members: two stand in the first ring, four more in the second. Oltin, which
# would be first, stands just behind the second: with limit=3, nine are wanted,
# and no ring has so many.
n1 1600,0 amenity=cafe name=Bahor1
n2 1600,300 amenity=cafe name=Bahor2
repeat 4 0,300 n10 2400,0 amenity=cafe name=Gulshan$i
n20 2600,0 amenity=cafe name=Oltin wikidata=Q1 wikipedia=uz:Oltin phone=1 website=x opening_hours=24/7 name:ru=Алтын name:en=Gold name:kk=A name:tg=B name:uz=Oltin name:de=Gold
search "kafe" near=0,0 limit=2
  intent food.cafe browse=true "Kafe" icon=cafe
  1. food.cafe "Bahor1" category n1
  2. food.cafe "Bahor2" category n2
search "kafe" near=0,0 limit=3
  intent food.cafe browse=true "Kafe" icon=cafe
  1. food.cafe "Oltin" category n20
  2. food.cafe "Bahor1" category n1
  3. food.cafe "Bahor2" category n2

map with too few around the whole map is the area
n1 100,0 amenity=cafe name=Bahor
n2 90000,0 amenity=cafe name=Gulshan
search "kafe" near=0,0
  intent food.cafe browse=true "Kafe" icon=cafe
  1. food.cafe "Bahor" category n1
  2. food.cafe "Gulshan" category n2

map a box replaces the cells
n1 100,0 amenity=cafe name=Bahor
n2 9000,0 amenity=cafe name=Gulshan
search "kafe" near=0,0 bbox=8000,-500,10000,500
  intent food.cafe browse=true "Kafe" icon=cafe
  1. food.cafe "Gulshan" category n2

map kinds filter the listing and the names beside it
n1 0,0 amenity=cafe name=Bahor
n2 400,0 natural=peak name=Kafe
search "kafe"
  intent food.cafe browse=true "Kafe" icon=cafe
  1. nature.peak "Kafe" name n2
  2. food.cafe "Bahor" category n1
search "kafe" kinds=poi
  intent food.cafe browse=true "Kafe" icon=cafe
  1. food.cafe "Bahor" category n1
search "kafe" kinds=nature
  intent food.cafe browse=true "Kafe" icon=cafe
  1. nature.peak "Kafe" name n2
