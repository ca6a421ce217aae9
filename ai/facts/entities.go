package facts

import "svc/ai/phrase"

// entityKind is what a word names by itself.
type entityKind uint8

const (
	eNone     entityKind = iota
	eHalfUnit            // half of a unit in one word: полчаса
	eCurrency            // id
	ePercent
	eUnit // of a duration: value is how many of id
	eMeasure
	eMonth
	eWeekday
	eDay // relative: value is the days from today
	eColor
	eMaterial
	ePlace
	ePayment
	eGood
)

type entity struct {
	kind  entityKind
	id    string
	value float64
	end   string // the inflection behind the word
}

func lookUp(key string) entity {
	e, n, ok := entities.Lookup(key)
	if !ok {
		return entity{}
	}
	e.end = key[n:]
	return e
}

func named(k entityKind, id, w string) phrase.Row[entity] {
	return phrase.Row[entity]{Value: entity{kind: k, id: id, value: 1}, Words: w}
}

func valued(k entityKind, id string, v float64, w string) phrase.Row[entity] {
	return phrase.Row[entity]{Value: entity{kind: k, id: id, value: v}, Words: w}
}

// The units in which durations are counted: hours, days and weeks in minutes, years in
// months. A month is no fixed number of days.
const (
	unitMinute = "minute"
	unitMonth  = "month"
	unitPiece  = "piece"
)

var entities = phrase.NewTable(
	valued(eHalfUnit, unitMinute, 30, "полчаса получаса"), valued(eHalfUnit, unitMonth, 6, "полгода полугода"),
	named(eCurrency, "UZS", "so'm+ sum сум сумов сума суму сўм+ uzs som сомов sumga sumdan sumgacha sums soums soum"), named(eCurrency, "USD", "dollar* доллар* usd bucks dollars долл уе ye"),
	named(eCurrency, "EUR", "yevro+ evro+ euro+ евро eur euros"), named(eCurrency, "RUB", "rubl+ рубл* руб rub rubles"), named(eCurrency, "KZT", "tenge+ тенге kzt"),
	named(ePercent, "", "foiz+ процент+ percent prosent+ процентов"),
	valued(eUnit, unitMinute, 1, "daqiqa+ minut+ минут+ минута мин min minute minutes mins minutlik daqiqalik минутн*"), valued(eUnit, unitMinute, 60, "soat+ час+ часа ч hour hours hr hrs soatlik часов*"),
	valued(eUnit, unitMinute, 1440, "kun+ день дня дней дню днём днем дн сутки суток sutka+ day days kunlik дневн* kunda kunni"), valued(eUnit, unitMinute, 10080, "hafta+ недел* week weeks haftalik"),
	valued(eUnit, unitMonth, 1, "oy+ месяц+ мес month months oylik месячн* месяцев"), valued(eUnit, unitMonth, 12, "yil+ год года лет годом году годов year years yillik летн* годичн*"),
	named(eMeasure, unitPiece, "ta taga tasi tadan tani dona+ штук* шт piece pieces pcs item items таси"), named(eMeasure, "person", "kishi+ человек+ человека людей people person persons o'quvchi+ учеников ученика students student odam+ гостей guests mijoz+ клиент* customers"),
	named(eMeasure, "time", "marta+ раз раза times"), named(eMeasure, "gb", "gb гб gigabayt+ гигабайт* gigabyte* gbli gblik гбли"), named(eMeasure, "tb", "tb тб terabayt+ терабайт*"), named(eMeasure, "mb", "mb мб мбит mbps"),
	named(eMeasure, "kg", "kg кг kilo+ килограмм* kilogram+ kilogramm+"), named(eMeasure, "g", "gr гр gramm+ грамм* gram grams g г"), named(eMeasure, "l", "litr+ литр* liter liters litre litres l л"),
	named(eMeasure, "ml", "ml мл"), named(eMeasure, "cm", "sm см cm santimetr+ сантиметр*"), named(eMeasure, "mm", "mm мм"), named(eMeasure, "m", "metr+ метр* meter meters metre metres"), named(eMeasure, "km", "km км kilometr+ километр*"),
	named(eMeasure, "inch", "dyuym+ дюйм* inch inches"), named(eMeasure, "watt", "vatt+ вт ватт* watt watts"), named(eMeasure, "mah", "mah мач"), named(eMeasure, "mp", "mp мп megapiksel+ мегапиксел*"), named(eMeasure, "hz", "hz гц gers"),
	named(eMeasure, "room", "xona+ xonali комнат* комнатн* rooms bedroom"), named(eMeasure, "floor", "qavat+ qavatda этаж* floor floors"), named(eMeasure, "lesson", "dars+ урок* занят* lesson lessons"),
	named(eMeasure, "size", "razmer+ размер* size sizes o'lcham+"), named(eMeasure, "star", "yulduz+ звезд* star stars"), named(eMeasure, "branch", "filial+ филиал* branch branches"),
	named(eMeasure, "house", "uy uyda дом дома kvartal+ квартал* daha pavilion+ павильон* dokon ofis+ офис* office building kv"),
	valued(eMonth, "", 1, "yanvar+ январ* january jan"), valued(eMonth, "", 2, "fevral+ феврал* february feb"), valued(eMonth, "", 3, "mart+ март* march"), valued(eMonth, "", 4, "aprel+ апрел* april apr"),
	valued(eMonth, "", 5, "may май мая мае mayda maygacha maydan"), valued(eMonth, "", 6, "iyun+ июн* june"), valued(eMonth, "", 7, "iyul+ июл* july"), valued(eMonth, "", 8, "avgust+ август* august aug"),
	valued(eMonth, "", 9, "sentabr+ sentyabr+ сентябр* september sept"), valued(eMonth, "", 10, "oktabr+ oktyabr+ октябр* october oct"), valued(eMonth, "", 11, "noyabr+ ноябр* november nov"), valued(eMonth, "", 12, "dekabr+ декабр* december dec"),
	valued(eWeekday, "", 1, "dushanba+ понедельник* monday mondays"), valued(eWeekday, "", 2, "seshanba+ вторник* tuesday tuesdays"), valued(eWeekday, "", 3, "chorshanba+ сред+ среду wednesday wednesdays"),
	valued(eWeekday, "", 4, "payshanba+ четверг* thursday thursdays"), valued(eWeekday, "", 5, "juma+ пятниц* friday fridays"), valued(eWeekday, "", 6, "shanba+ суббот* saturday saturdays"), valued(eWeekday, "", 7, "yakshanba+ bozor-kuni воскресень* sunday sundays"),
	valued(eDay, "", 0, "bugun+ сегодня today tonight bugunoq"), valued(eDay, "", 1, "ertaga+ завтра tomorrow ertagayoq"), valued(eDay, "", 2, "indin+ indinga послезавтра"),
	named(eColor, "red", "qizil+ красн* red"), named(eColor, "black", "qora+ черн* чёрн* black qoradan"), named(eColor, "white", "oq oqi oqini бел+ белый white белого белая белые белую"), named(eColor, "blue", "ko'k+ син+ синий blue синего moviy+ голуб*"),
	named(eColor, "green", "yashil+ зелен* зелён* green"), named(eColor, "yellow", "sariq+ желт* жёлт* yellow"), named(eColor, "brown", "jigarrang+ коричнев* brown"), named(eColor, "grey", "kulrang+ сер+ серый серого gray grey"),
	named(eColor, "pink", "pushti+ розов* pink"), named(eColor, "purple", "binafsha+ siyohrang+ фиолетов* purple violet"), named(eColor, "orange", "to'qsariq+ оранжев* orange"), named(eColor, "beige", "bej+ бежев* beige"),
	named(eColor, "gold", "tillarang+ золотист* gold golden oltinrang+"), named(eColor, "silver", "kumushrang+ серебрист* silver"), named(eColor, "burgundy", "to'qqizil+ bordo+ бордов* burgundy"),
	named(eMaterial, "leather", "charm+ teri+ teridan кож* кожан* leather"), named(eMaterial, "cotton", "paxta+ paxtali хлоп* cotton"), named(eMaterial, "wool", "jun+ jundan шерст* wool woolen woollen"), named(eMaterial, "silk", "ipak+ шёлк* шелк* silk"),
	named(eMaterial, "linen", "zig'ir+ лён льнян* linen"), named(eMaterial, "velvet", "baxmal+ бархат* velvet"), named(eMaterial, "suede", "zamsh+ замш* suede"), named(eMaterial, "polyester", "poliester+ полиэстер* polyester"), named(eMaterial, "denim", "denim деним*"),
	named(ePlace, "tashkent", "toshkent* ташкент* tashkent"), named(ePlace, "samarkand", "samarqand* самарканд* самарқанд* samarkand"), named(ePlace, "bukhara", "buxoro* бухар* bukhara"), named(ePlace, "andijan", "andijon* андижан* андижон* andijan"),
	named(ePlace, "fergana", "farg'ona* ферган* fergana"), named(ePlace, "namangan", "namangan* наманган*"), named(ePlace, "khorezm", "xorazm* urganch* xiva хорезм* ургенч* khorezm urgench khiva"), named(ePlace, "karshi", "qashqadaryo* qarshi* кашкадар* карши karshi"),
	named(ePlace, "termez", "surxondaryo* termiz* сурхандар* термез* termez"), named(ePlace, "navoi", "navoiyda navoiyga навои"), named(ePlace, "jizzakh", "jizzax* джизак* jizzakh"), named(ePlace, "gulistan", "sirdaryo* guliston* сырдар* гулистан*"),
	named(ePlace, "nukus", "nukus* qoraqalpog'iston* нукус* каракалпак*"), named(ePlace, "kokand", "qo'qon* коканд* kokand"), named(ePlace, "regions", "viloyat* область области областям областей регион* region regions вилоят* shaharlararo provinces"),
	named(ePlace, "country", "o'zbekiston* узбекистан* ўзбекистон* uzbekistan respublika+ республик* nationwide countrywide"), named(ePlace, "abroad", "xorij* заграниц* рубеж abroad россию россии rossiya* казахстан* qozog'iston* moskva* москв* moscow almaty алматы"),
	named(ePayment, "click", "click клик"), named(ePayment, "payme", "payme пейми"), named(ePayment, "uzum", "uzum узум"), named(ePayment, "paynet", "paynet пайнет"), named(ePayment, "visa", "visa виза"), named(ePayment, "mastercard", "mastercard мастеркард"),
	named(ePayment, "uzcard", "uzcard узкард"), named(ePayment, "humo", "humo хумо"), named(ePayment, "paypal", "paypal пэйпал"), named(ePayment, "crypto", "kripto* крипт* bitcoin биткоин* crypto usdt"),
	named(eGood, "shirt", "ko'ylak+ рубаш* shirt shirts"), named(eGood, "dress", "плать* dress dresses libos+"), named(eGood, "jacket", "kurtka+ курт* jacket jackets"), named(eGood, "coat", "palto+ пальто coat coats"), named(eGood, "jeans", "jinsi+ джинс* jeans"),
	named(eGood, "trousers", "shim+ брюк* штан* trousers pants"), named(eGood, "sweater", "sviter+ свитер* sweater sweaters"), named(eGood, "tshirt", "futbolka+ футболк* t-shirt tshirt"), named(eGood, "skirt", "yubka+ юбк* skirt"),
	named(eGood, "shoes", "poyabzal+ tufli+ туфл* обув* shoes krossovka+ кроссовк* sneakers etik+ сапог* ботин* boots"), named(eGood, "bag", "sumka+ сумк* сумок bag bags"), named(eGood, "phone", "telefon+ телефон* phone phones smartfon+ смартфон* smartphone"),
	named(eGood, "earphones", "naushnik+ quloqchin+ наушник* earphones headphones earbuds"), named(eGood, "laptop", "noutbuk+ ноутбук* laptop laptops"), named(eGood, "tv", "televizor+ телевизор* tv"), named(eGood, "manicure", "manikyur+ маникюр* manicure"),
	named(eGood, "haircolor", "bo'yash+ окраш* покрас* coloring colouring"), named(eGood, "haircut", "soch-turmak стриж* haircut"), named(eGood, "english", "ingliz+ английск* english"), named(eGood, "iphone", "iphone айфон+ ayfon+"), named(eGood, "redmi", "redmi редми"),
	named(eGood, "airpods", "airpods эйрподс*"), named(eGood, "samsung", "samsung самсунг+"),
)
