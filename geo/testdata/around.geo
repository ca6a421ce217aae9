# /api/lookup and /api/nearby.

map lookup: words are compared by sound, in every variant of the name
n1 0,0 amenity=cafe name="Bahor Gulshan" name:ru="Весна"
lookup "Bahor" 0,10
  food.cafe "Bahor Gulshan" lookup n1 distance=10
lookup "baxor gulxan" 0,10
  food.cafe "Bahor Gulshan" lookup n1 distance=10
lookup "vesna" 0,10
  food.cafe "Bahor Gulshan" lookup n1 distance=10
lookup "zumrad" 0,10
  null

map lookup: share of the words before everything else
n1 0,0 amenity=cafe name="Bahor Gulshan"
n2 100,0 amenity=cafe name="Bahor"
lookup "bahor gulshan" 90,0
  food.cafe "Bahor Gulshan" lookup n1 distance=90

map lookup: then closeness, 0.3/(1 + d/30)
n1 0,0 amenity=cafe name=Bahor
n2 60,0 amenity=cafe name=Bahor
lookup "bahor" 29,0
  food.cafe "Bahor" lookup n1 distance=29
lookup "bahor" 31,0
  food.cafe "Bahor" lookup n2 distance=29

map lookup: importance x 0.2
# Wikidata and two languages make 0.06 of rank, 0.012 of score.
n1 0,0 amenity=cafe name=Bahor
n2 60,0 amenity=cafe name=Bahor wikidata=Q1 name:ru=Б name:en=B
lookup "bahor" 29,0
  food.cafe "Bahor" lookup n2 distance=31
lookup "bahor" 26,0
  food.cafe "Bahor" lookup n1 distance=26

map lookup: points of interest, places and nature are preferred by 0.1
w1 0,0 1,0 highway=residential name=Bahor
n1 30,0 amenity=bus_stop name=Bahor highway=bus_stop
lookup "bahor" 10,0
  transport.bus_stop "Bahor" lookup n1 distance=20
lookup "bahor" 0,0
  street "Bahor" lookup w1 distance=0

map lookup: a street underfoot against a stop a few steps away
# 0.3 + 0.2 x 0.224 against 0.3/(1 + d/30) + 0.2 x 0.06 + 0.1: equal at 8.7 m
w1 0,0 1,0 highway=residential name=Bahor
n1 8.5,0 highway=bus_stop name=Bahor
w2 0,90000 1,90000 highway=residential name=Gulshan
n2 10.5,90000 highway=bus_stop name=Gulshan
lookup "bahor" 0.5,0
  transport.bus_stop "Bahor" lookup n1 distance=8
lookup "gulshan" 0.5,90000
  street "Gulshan" lookup w2 distance=0

map lookup: nothing beyond the radius, which has no bound
n1 125,0 amenity=cafe name=Bahor
lookup "bahor" 0,0
  null
lookup "bahor" 0,0 radius=130
  food.cafe "Bahor" lookup n1 distance=125
lookup "bahor" 0,90000 radius=100000
  food.cafe "Bahor" lookup n1 distance=90000

map lookup: an empty name finds the nameless only
n1 0,0 amenity=cafe name=Bahor
n2 50,0 amenity=cafe
lookup "" 0,0
  food.cafe "Kafe" lookup n2 distance=50
lookup "" 0,0 radius=40
  null

map lookup: an address is found by its street
w1 0,300 100,300 highway=residential name=Navoiy
n1 0,0 addr:street=Navoiy addr:housenumber=5
lookup "navoiy 5" 0,0
  address "Navoiy, 5" lookup n1 distance=0

map lookup: the number of an address is part of its name
w1 0,300 100,300 highway=residential name=Navoiy
n1 0,0 addr:street=Navoiy addr:housenumber=5
n2 10,0 addr:street=Navoiy addr:housenumber=7
lookup "navoiy 5" 8,0
  address "Navoiy, 5" lookup n1 distance=8
lookup "navoiy" 8,0
  address "Navoiy, 7" lookup n2 distance=2

map nearby: importance x 0.4 + 0.6/(1 + d/300)
# A supermarket leads a café by 0.04 x 0.6 x 0.4 = 0.0096: equal at 4.9 m
n1 0,0 amenity=cafe name=Bahor
n2 0,4 shop=supermarket name=Gulshan
n3 0,90000 amenity=cafe name=Lola
n4 0,90006 shop=supermarket name=Zumrad
nearby 0,0
  1. shopping.supermarket "Gulshan" n2 distance=4
  2. food.cafe "Bahor" n1 distance=0
nearby 0,90000
  1. food.cafe "Lola" n3 distance=0
  2. shopping.supermarket "Zumrad" n4 distance=6

map nearby: kinds, categories, groups, radius, limit
n1 0,0 amenity=cafe name=Bahor
n2 20,0 amenity=bar name=Gulshan
n3 40,0 amenity=pharmacy name=Shifo
n4 495,0 amenity=cafe name=Chekka
n5 505,0 amenity=cafe name=Tashqari
w1 0,30 100,30 highway=residential name=Navoiy
nearby 0,0
  1. food.cafe "Bahor" n1 distance=0
  2. food.bar "Gulshan" n2 distance=20
  3. health.pharmacy "Shifo" n3 distance=40
  4. food.cafe "Chekka" n4 distance=495
nearby 0,0 kinds=street
  1. street "Navoiy" w1 distance=58
nearby 0,0 kinds=street,poi limit=2
  1. food.cafe "Bahor" n1 distance=0
  2. food.bar "Gulshan" n2 distance=20
nearby 0,0 category=food.cafe
  1. food.cafe "Bahor" n1 distance=0
  2. food.cafe "Chekka" n4 distance=495
nearby 0,0 category=group:food
  1. food.cafe "Bahor" n1 distance=0
  2. food.bar "Gulshan" n2 distance=20
  3. food.cafe "Chekka" n4 distance=495
nearby 0,0 category=food
  nothing
nearby 0,0 category=street
  nothing
nearby 0,0 radius=30
  1. food.cafe "Bahor" n1 distance=0
  2. food.bar "Gulshan" n2 distance=20
nearby 0,0 limit=1
  1. food.cafe "Bahor" n1 distance=0
nearby 0,0 limit=0
  1. food.cafe "Bahor" n1 distance=0
  2. food.bar "Gulshan" n2 distance=20
  3. health.pharmacy "Shifo" n3 distance=40
  4. food.cafe "Chekka" n4 distance=495

map nearby: repeats are taken out before the limit
n1 0,0 amenity=cafe name=Bahor
n2 100,0 amenity=cafe name=Bahor
n3 200,0 amenity=cafe name=Lola
nearby 0,0 limit=2
  1. food.cafe "Bahor" n1 distance=0
  2. food.cafe "Lola" n3 distance=200
