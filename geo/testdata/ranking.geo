# Rules 3, 4 and 5: stages, text score, final score.
#
# Most cases weigh a better name that is far against a worse one that is near.
# With bias=1 the far one loses when 0.6 times the difference in text score
# falls below 0.35 x d/(scale + d); each case asks a little before that
# distance and a little behind it, so that a wrong weight changes the order.

map a whole name against one that begins with the query
# 1 + 0.06 + 0.12 against 0.8 + 0.15 x 5/10 + 0.06: equal at 2897 m
n1 0,0 amenity=cafe name=Bahoriston
n2 2800,0 amenity=cafe name=Bahor
n3 0,90000 amenity=cafe name=Gulshaniston
n4 3000,90000 amenity=cafe name=Gulshan
# 0.8 + 0.15 x 7/12 + 0.06 for the second pair: equal at 2718 m
search "bahor" near=0,0 bias=1 show=matched
  1. food.cafe "Bahor" exact n2 matched=["bahor"]
  2. food.cafe "Bahoriston" exact n1 matched=["bahor"]
search "gulshan" near=0,90000 bias=1
  1. food.cafe "Gulshaniston" exact n3
  2. food.cafe "Gulshan" exact n4

map an extra word costs 0.06, and the whole primary name gains 0.12
# 1.18 against 1.00: equal at 1785 m
n1 0,0 amenity=cafe name="Bahor Gulshan"
n2 1700,0 amenity=cafe name=Bahor
n3 0,90000 amenity=cafe name="Navroʻz Gulshan"
n4 1870,90000 amenity=cafe name=Navroʻz
search "bahor" near=0,0 bias=1 limit=2
  1. food.cafe "Bahor" exact n2
  2. food.cafe "Bahor Gulshan" exact n1
search "navroz" near=0,90000 bias=1 limit=2
  1. food.cafe "Navroʻz Gulshan" exact n3
  2. food.cafe "Navroʻz" exact n4

map the bonus for the whole name is for the primary name only
# Both begin with the query and are equal to it; only the second is called so.
n1 0,0 amenity=cafe name=Zumrad name:uz-Cyrl=Баҳор
n2 500,0 amenity=cafe name=Bahor
search "bahor"
  1. food.cafe "Bahor" exact n2
  2. food.cafe "Zumrad" exact n1

map extra words cost 0.18 at most
# three extra words and six: the nearer wins however little it is nearer
n1 0,0 amenity=cafe name="Bahor bir ikki uch tort besh olti"
n2 20,0 amenity=cafe name="Bahor bir ikki uch"
# two and three: 0.06, equal at 459 m
n3 0,90000 amenity=cafe name="Gulshan bir ikki uch"
n4 430,90000 amenity=cafe name="Gulshan bir ikki"
n5 0,180000 amenity=cafe name="Zumrad bir ikki uch"
n6 490,180000 amenity=cafe name="Zumrad bir ikki"
search "bahor" near=0,0 bias=1
  1. food.cafe "Bahor bir ikki uch tort besh olti" exact n1
  2. food.cafe "Bahor bir ikki uch" exact n2
search "gulshan" near=0,90000 bias=1
  1. food.cafe "Gulshan bir ikki" exact n4
  2. food.cafe "Gulshan bir ikki uch" exact n3
search "zumrad" near=0,180000 bias=1
  1. food.cafe "Zumrad bir ikki uch" exact n5
  2. food.cafe "Zumrad bir ikki" exact n6

map the first word of the name gains 0.06
n1 0,0 amenity=cafe name="Bahor Gulshan"
n2 430,0 amenity=cafe name="Gulshan Bahor"
n3 0,90000 amenity=cafe name="Bahor Zumrad"
n4 490,90000 amenity=cafe name="Zumrad Bahor"
search "gulshan" near=0,0 bias=1 limit=2
  1. food.cafe "Gulshan Bahor" exact n2
  2. food.cafe "Bahor Gulshan" exact n1
search "zumrad" near=0,90000 bias=1 limit=2
  1. food.cafe "Bahor Zumrad" exact n3
  2. food.cafe "Zumrad Bahor" exact n4

map the same skeleton against the beginning of one
# 0.72 + 0.06 against 0.55 + 0.1 x 3/6 + 0.06: equal at 1036 m
n1 0,0 amenity=cafe name=Bahoriston
n2 980,0 amenity=cafe name=Bahor
n3 0,90000 amenity=cafe name=Nahoriston
n4 1090,90000 amenity=cafe name=Nahor
search "baxar" near=0,0 bias=1
  1. food.cafe "Bahor" fuzzy n2
  2. food.cafe "Bahoriston" fuzzy n1
search "naxar" near=0,90000 bias=1
  1. food.cafe "Nahoriston" fuzzy n3
  2. food.cafe "Nahor" fuzzy n4

map scores of several words are averaged
# 1 + 0.06 + 0.12 against (1 + 0.875)/2 + 0.06: equal at 1806 m
n1 0,0 amenity=cafe name="Lola Bahoriston"
n2 1720,0 amenity=cafe name="Lola Bahor"
n3 0,90000 amenity=cafe name="Nargis Gulshaniston"
n4 1800,90000 amenity=cafe name="Nargis Gulshan"
# 0.8875 for the second pair: equal at 1716 m
search "lola bahor" near=0,0 bias=1
  1. food.cafe "Lola Bahor" exact n2
  2. food.cafe "Lola Bahoriston" exact n1
search "nargis gulshan" near=0,90000 bias=1
  1. food.cafe "Nargis Gulshaniston" exact n3
  2. food.cafe "Nargis Gulshan" exact n4

map each name variant is scored for itself
# The words of the other languages are no extra words.
n1 0,0 amenity=cafe name="Bahor Gulshan Lola" name:ru="Весна" name:en="Spring Garden Tulip"
n2 400,0 amenity=cafe name="Весна Сад Тюльпан"
search "весна"
  1. food.cafe "Bahor Gulshan Lola" exact n1
  2. food.cafe "Весна Сад Тюльпан" exact n2

map stages: the first that finds anything answers
n1 0,0 amenity=cafe name=Bahor
n2 600,0 amenity=cafe name=Baxir
# Both have the skeleton bhr, but the first stage is satisfied with one.
search "bahor"
  1. food.cafe "Bahor" exact n1
# Both sound so; one is a letter away as well.
search "bahar"
  1. food.cafe "Bahor" fuzzy n1
  2. food.cafe "Baxir" fuzzy n2

map stage mixed: each word by its letters or else by its skeleton
# tos begins Toshkent but its skeleton ts does not begin tShknt
n1 0,0 amenity=cafe name="Toshkent Gulhon"
search "tos gulxan" show=matched
  1. food.cafe "Toshkent Gulhon" mixed n1 matched=["tos" "gulxan"]
search "tos"
  1. food.cafe "Toshkent Gulhon" exact n1
search "tos gulhon"
  1. food.cafe "Toshkent Gulhon" exact n1

map stage trigram: at least 0.42 of the trigrams, and four characters
# kukeldash has 7 trigrams: 3 shared of 7 are 0.43, 3 shared of 8 are 0.40
n1 0,0 amenity=cafe name=Kukelmoro
n2 900,0 amenity=cafe name=Kukelmoron
search "kukeldash"
  1. food.cafe "Kukelmoro" trigram n1

map stage trigram: one word of the name is enough
n1 0,0 amenity=cafe name="Madrasai Kukeldash Oltin Yulduz"
search "kukelgash"
  1. food.cafe "Madrasai Kukeldash Oltin Yulduz" trigram n1
search "kukelgashi"
  1. food.cafe "Madrasai Kukeldash Oltin Yulduz" trigram n1

map stage trigram: three characters are too few
# qar is one of the two trigrams of Oqar: 0.67 would be enough.
n1 0,0 amenity=cafe name=Oqar
search "qar"
  nothing
search "qars"
  1. food.cafe "Oqar" trigram n1

map stage trigram: inside a word 0.5, an unrelated word its similarity
# bogiguliston holds guliston: 0.5, and the first words are related: 0.56.
# Gupiston shares 3 trigrams of 6 and 6: 0.5, and its word, which relates to
# none of the query, is an extra one: 0.44. Equal at 1036 m.
n1 0,0 amenity=cafe name=Gupiston
n2 980,0 amenity=cafe name=Bogʻiguliston
search "guliston" near=0,0 bias=1 show=matched
  1. food.cafe "Gupiston" trigram n1 matched=["guliston"]
  2. food.cafe "Bogʻiguliston" trigram n2 matched=["guliston"]

map stage trigram: the same a little farther apart
n1 0,0 amenity=cafe name=Gupiston
n2 1090,0 amenity=cafe name=Bogʻiguliston
search "guliston" near=0,0 bias=1
  1. food.cafe "Gupiston" trigram n1
  2. food.cafe "Bogʻiguliston" trigram n2

map a single letter among others restricts nothing
n1 0,0 place=town name="Amir Temur"
n2 20000,0 place=village name="Temur"
n3 40000,0 place=village name="Bobur Temur"
search "a temur" show=matched
  1. place.town "Amir Temur" exact n1 matched=["temur"]
  2. place.village "Temur" exact n2 matched=["temur"]
  3. place.village "Bobur Temur" exact n3 matched=["temur"]
search "temur b" show=matched
  1. place.town "Amir Temur" exact n1 matched=["temur"]
  2. place.village "Temur" exact n2 matched=["temur"]
  3. place.village "Bobur Temur" exact n3 matched=["temur"]
# alone it is a word like any other
search "t"
  1. place.town "Amir Temur" exact n1
  2. place.village "Temur" exact n2
  3. place.village "Bobur Temur" exact n3

map an unrelated word removes the entry
n1 0,0 amenity=cafe name="Bahor Gulshan"
# In the trigram stage an unrelated word counts the similarity of the whole
# instead (map contract 11), which must still reach 0.42.
search "bahor gulshan zumrad"
  1. food.cafe "Bahor Gulshan" trigram n1
search "gulshan mustaqillikning"
  nothing

map importance and kind decide between equal names
# 0.3 x rank + prior: trunk road 0.1612, locality 0.1452, street 0.1294, peak 0.1012, cave 0.0904,
# jeweller 0.0860, spring 0.0832, florist 0.0824
n1 0,0 shop=florist name=Bahor
n2 0,9000 natural=spring name=Bahor
n3 9000,0 shop=jewelry name=Bahor
n4 0,18000 natural=cave_entrance name=Bahor
n5 0,27000 natural=peak name=Bahor
w1 0,0 100,0 highway=residential name=Bahor
n6 18000,0 place=locality name=Bahor
w2 9000,900 9050,900 highway=trunk name=Bahor
search "bahor" show=rank
  1. street "Bahor" exact w2 rank=0.3375
  2. place.locality "Bahor" exact n6 rank=0.0840
  3. street "Bahor" exact w1 rank=0.2313
  4. nature.peak "Bahor" exact n5 rank=0.2040
  5. nature.cave "Bahor" exact n4 rank=0.1680
  6. shopping.jewelry "Bahor" exact n3 rank=0.1200
  7. nature.spring "Bahor" exact n2 rank=0.1440
  8. shopping.florist "Bahor" exact n1 rank=0.1080

map proximity: points of interest 4 km
n1 0,0 amenity=cafe name="Bahor Gulshan"
n2 1700,0 amenity=cafe name=Bahor
n3 0,90000 amenity=cafe name="Lola Gulshan"
n4 1870,90000 amenity=cafe name=Lola
search "bahor" near=0,0 bias=1
  1. food.cafe "Bahor" exact n2
  2. food.cafe "Bahor Gulshan" exact n1
search "lola" near=0,90000 bias=1
  1. food.cafe "Lola Gulshan" exact n3
  2. food.cafe "Lola" exact n4

map proximity: streets 12 km
# equal at 5355 m from the middle of the street
w1 -50,0 50,0 highway=residential name="Bahor Gulshan"
w2 5150,0 5250,0 highway=residential name=Bahor
w3 -50,90000 50,90000 highway=residential name="Lola Gulshan"
w4 5450,90000 5550,90000 highway=residential name=Lola
search "bahor" near=0,0 bias=1
  1. street "Bahor" exact w2
  2. street "Bahor Gulshan" exact w1
search "lola" near=0,90000 bias=1
  1. street "Lola Gulshan" exact w3
  2. street "Lola" exact w4

map proximity: places 25 km
# equal at 11157 m
n1 0,0 place=village name="Bahor Gulshan"
n2 10900,0 place=village name=Bahor
n3 0,90000 place=village name="Lola Gulshan"
n4 11500,90000 place=village name=Lola
search "bahor" near=0,0 bias=1
  1. place.village "Bahor" exact n2
  2. place.village "Bahor Gulshan" exact n1
search "lola" near=0,90000 bias=1
  1. place.village "Lola Gulshan" exact n3
  2. place.village "Lola" exact n4

map proximity: cities, towns, districts and regions 120 km, countries like other places 25 km
# equal at 53554 m and at 11157 m
n1 0,0 place=city name="Bahor Gulshan"
n2 52500,0 place=city name=Bahor
n3 0,500 place=city name="Lola Gulshan"
n4 54800,500 place=city name=Lola
n5 0,1000 place=town name="Zumrad Gulshan"
n6 52500,1000 place=town name=Zumrad
n7 0,1500 place=town name="Nargis Gulshan"
n8 54800,1500 place=town name=Nargis
n9 0,2000 place=district name="Navroʻz Gulshan"
n10 52500,2000 place=district name=Navroʻz
n11 0,2500 place=district name="Gulhon Gulshan"
n12 54800,2500 place=district name=Gulhon
n13 0,3000 place=region name="Anor Gulshan"
n14 52500,3000 place=region name=Anor
n15 0,3500 place=region name="Terak Gulshan"
n16 54800,3500 place=region name=Terak
n17 0,4000 place=country name="Chinor Gulshan"
n18 10900,4000 place=country name=Chinor
n19 0,4500 place=country name="Oltin Gulshan"
n20 11500,4500 place=country name=Oltin
search "bahor" near=0,0 bias=1 kinds=place
  1. place.city "Bahor" exact n2
  2. place.city "Bahor Gulshan" exact n1
search "lola" near=0,500 bias=1 kinds=place
  1. place.city "Lola Gulshan" exact n3
  2. place.city "Lola" exact n4
search "zumrad" near=0,1000 bias=1 kinds=place
  1. place.town "Zumrad" exact n6
  2. place.town "Zumrad Gulshan" exact n5
search "nargis" near=0,1500 bias=1 kinds=place
  1. place.town "Nargis Gulshan" exact n7
  2. place.town "Nargis" exact n8
search "navroz" near=0,2000 bias=1 kinds=place
  1. place.district "Navroʻz" exact n10
  2. place.district "Navroʻz Gulshan" exact n9
search "gulhon" near=0,2500 bias=1 kinds=place
  1. place.district "Gulhon Gulshan" exact n11
  2. place.district "Gulhon" exact n12
search "anor" near=0,3000 bias=1 kinds=place
  1. place.region "Anor" exact n14
  2. place.region "Anor Gulshan" exact n13
search "terak" near=0,3500 bias=1 kinds=place
  1. place.region "Terak Gulshan" exact n15
  2. place.region "Terak" exact n16
search "chinor" near=0,4000 bias=1 kinds=place
  1. place.country "Chinor" exact n18
  2. place.country "Chinor Gulshan" exact n17
search "oltin" near=0,4500 bias=1 kinds=place
  1. place.country "Oltin Gulshan" exact n19
  2. place.country "Oltin" exact n20

map proximity: natural features 60 km
# equal at 26777 m
n1 0,0 natural=peak name="Bahor Gulshan"
n2 26100,0 natural=peak name=Bahor
n3 0,500 natural=peak name="Lola Gulshan"
n4 27500,500 natural=peak name=Lola
search "bahor" near=0,0 bias=1
  1. nature.peak "Bahor" exact n2
  2. nature.peak "Bahor Gulshan" exact n1
search "lola" near=0,500 bias=1
  1. nature.peak "Lola Gulshan" exact n3
  2. nature.peak "Lola" exact n4

map bias: 0.5 unless given, 0 is not given, and it is not clamped
# equal at 6446 m with 0.5, at 730 m with 2
n1 0,0 amenity=cafe name="Bahor Gulshan"
n2 6200,0 amenity=cafe name=Bahor
n3 0,90000 amenity=cafe name="Lola Gulshan"
n4 6700,90000 amenity=cafe name=Lola
n5 0,180000 amenity=cafe name="Zumrad Gulshan"
n6 700,180000 amenity=cafe name=Zumrad
n7 0,270000 amenity=cafe name="Nargis Gulshan"
n8 760,270000 amenity=cafe name=Nargis
search "bahor" near=0,0
  1. food.cafe "Bahor" exact n2
  2. food.cafe "Bahor Gulshan" exact n1
search "lola" near=0,90000
  1. food.cafe "Lola Gulshan" exact n3
  2. food.cafe "Lola" exact n4
search "lola" near=0,90000 bias=0
  1. food.cafe "Lola Gulshan" exact n3
  2. food.cafe "Lola" exact n4
search "lola" near=0,90000 bias=0.5
  1. food.cafe "Lola Gulshan" exact n3
  2. food.cafe "Lola" exact n4
search "zumrad" near=0,180000 bias=2
  1. food.cafe "Zumrad" exact n6
  2. food.cafe "Zumrad Gulshan" exact n5
search "nargis" near=0,270000 bias=2
  1. food.cafe "Nargis Gulshan" exact n7
  2. food.cafe "Nargis" exact n8

map without a reference point there is no proximity and no distance
n1 0,0 amenity=cafe name="Bahor Gulshan"
n2 500,0 amenity=cafe name=Bahor
search "bahor" show=distance
  1. food.cafe "Bahor" exact n2 distance=0
  2. food.cafe "Bahor Gulshan" exact n1 distance=0
search "bahor" near=500,0 show=distance
  1. food.cafe "Bahor" exact n2 distance=0
  2. food.cafe "Bahor Gulshan" exact n1 distance=500

map an empty query and one of signs find nothing
n1 0,0 amenity=cafe name=Bahor
search ""
  nothing
search "   "
  nothing
search "?! - ,"
  nothing

map a name of single letters only is a name
n1 0,0 amenity=cafe name="V. O."
n2 900,0 amenity=cafe name="V. E."
search "V.O."
  1. food.cafe "V. O." exact n1

map a beginning that stands for more than 4000 words keeps the best 4000
# The summit ranks below every village: its word is cut off, until one more
# letter tells it from the others.
repeat 4200 40,0 n1000 0,0 place=village name=Ba$i
n1 0,500 natural=peak name=Bazor
search "ba" kinds=nature
  nothing
search "baz" kinds=nature
  1. nature.peak "Bazor" exact n1

map a beginning that stands for fewer keeps them all
repeat 3990 40,0 n1000 0,0 place=village name=Ba$i
n1 0,500 natural=peak name=Bazor
search "ba" kinds=nature
  1. nature.peak "Bazor" exact n1

map a query without consonants may stand inside another word of a name
# Its skeleton u begins that of uzum but is no relation; kuiea holds it. The
# twenty are more important and come first, and have words too many.
repeat 20 300,0 n100 0,0 amenity=cafe name="Uzum Kuieak$i bir ikki uch" wikidata=Q1
n1 9000,0 amenity=cafe name="Uzum Kuieab"
search "uiea" limit=1
  1. food.cafe "Uzum Kuieab" fuzzy n1
