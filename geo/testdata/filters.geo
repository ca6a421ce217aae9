# Rule 9: kinds, category and bbox are applied before scoring.

map filters let in what ranks far behind
repeat 60 6000,0 n100 0,0 place=village name=Bahor
n1 0,300 amenity=cafe name="Bahor bir ikki uch"
n2 0,600 amenity=pharmacy name="Bahor bir ikki uch"
search "bahor" limit=1 kinds=poi
  1. food.cafe "Bahor bir ikki uch" exact n1
search "bahor" limit=1 category=health.pharmacy
  1. health.pharmacy "Bahor bir ikki uch" exact n2
search "bahor" limit=2 category=group:food
  1. food.cafe "Bahor bir ikki uch" exact n1
search "bahor" limit=1 bbox=-100,200,100,400
  1. food.cafe "Bahor bir ikki uch" exact n1
search "bahor" limit=1 bbox=-100,200,100,400 kinds=place
  nothing
search "bahor" category=food.bar
  nothing

map a stage whose finds are all filtered away found nothing
n1 0,0 place=village name=Bahor
n2 100,0 amenity=cafe name=Baxir
search "bahor"
  1. place.village "Bahor" exact n1
search "bahor" kinds=poi
  1. food.cafe "Baxir" fuzzy n2
