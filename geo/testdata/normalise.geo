# Rule 1 of "Matching and ranking": how names and queries become comparable.

map case, script and apostrophes do not matter
n1 0,0 place=town name="Gʻallaorol"
n2 9000,0 place=town name=Янгийўл
n3 0,9000 place=town name="Oʻzgarish"
search "GʻALLAOROL"
  1. place.town "Gʻallaorol" exact n1
search "g'allaorol"
  1. place.town "Gʻallaorol" exact n1
search "gallaorol"
  1. place.town "Gʻallaorol" exact n1
search "Галлаорол"
  1. place.town "Gʻallaorol" exact n1
search "Ғаллаорол"
  1. place.town "Gʻallaorol" exact n1
search "yangiyoʻl"
  1. place.town "Янгийўл" exact n2
search "yangiyol"
  1. place.town "Янгийўл" exact n2
search "o`zgarish"
  1. place.town "Oʻzgarish" exact n3
search "ўзгариш"
  1. place.town "Oʻzgarish" exact n3
search "Ozgarısh"
  1. place.town "Oʻzgarish" exact n3

map a phonetic skeleton matches other spellings of a sound
# x, kh and h are one sound, so are q and k, w and v; vowels may be wrong.
n1 0,0 place=town name=Buxoro
n2 9000,0 place=town name=Qoʻqon
n3 0,9000 place=town name=Navoiy
search "Bukhara"
  1. place.town "Buxoro" fuzzy n1
search "Бухара"
  1. place.town "Buxoro" fuzzy n1
search "Kokand"
  nothing
search "Kokan"
  1. place.town "Qoʻqon" fuzzy n2
search "Коканд"
  nothing
search "Nawoi"
  1. place.town "Navoiy" fuzzy n3
search "Navai"
  1. place.town "Navoiy" fuzzy n3

map generic words are dropped from names and queries
w1 0,0 300,0 highway=residential name="Navoiy koʻchasi"
n1 5000,0 place=village name="Navoiy qishlogʻi"
search "улица Навои"
  intent street browse=false "Koʻcha" icon=street
  1. street "Navoiy koʻchasi" exact w1
search "navoiy street"
  intent street browse=false "Koʻcha" icon=street
  1. street "Navoiy koʻchasi" exact w1
search "навоий"
  1. place.village "Navoiy qishlogʻi" exact n1
  2. street "Navoiy koʻchasi" exact w1

map generic words count when the whole query consists of them
w1 0,0 300,0 highway=residential name="Koʻcha"
w2 0,5000 300,5000 highway=residential name="Bahor koʻchasi"
search "koʻcha"
  intent street browse=true "Koʻcha" icon=street
  1. street "Koʻcha" category w1
  2. street "Bahor koʻchasi" category w2
search "улица"
  intent street browse=true "Koʻcha" icon=street
  1. street "Koʻcha" category w1
  2. street "Bahor koʻchasi" category w2
search "bahor koʻcha"
  intent street browse=false "Koʻcha" icon=street
  1. street "Bahor koʻchasi" exact w2

map several values of one name are several names
n1 0,0 place=town name=Shahrisabz alt_name="Kesh;Shahar-i Sabz" old_name=Keshk
search "kesh" show=matched
  1. place.town "Shahrisabz" exact n1 matched=["kesh"]
search "sabz"
  1. place.town "Shahrisabz" exact n1

map letters of the neighbours
n1 0,0 place=town name=Нөкис name:kaa=Nókis
n2 9000,0 place=town name=Хуҷанд name:tg=Хуҷанд
n3 0,9000 place=town name=Түркістан name:kk=Түркістан
search "nokis"
  1. place.town "Нөкис" exact n1
search "nukus"
  1. place.town "Нөкис" fuzzy n1
search "xujand"
  1. place.town "Хуҷанд" exact n2
search "Худжанд"
  1. place.town "Хуҷанд" trigram n2
search "turkistan"
  1. place.town "Түркістан" exact n3
search "Туркестан"
  1. place.town "Түркістан" fuzzy n3
