package signals

// Classes of topics: what a message is about, and what may be wrong.
const (
	priceT   class = 1 << iota // prices
	payT                       // instalments, payment done
	stockT                     // is it there
	sizeT                      // sizes, colours
	shipT                      // delivery
	placeT                     // where to
	bookT                      // booking
	timeT                      // days and hours
	seatT                      // places, tables, persons
	orderT                     // orders that exist
	statusT                    // where, when, arrived
	paidT                      // paid, transferred
	faqT                       // address, hours, guarantee, payment methods
	greetT                     // greetings
	thanksT                    // thanks and goodbye
	okT                        // ok, understood
	chatT                      // small talk
	howMuchT                   // how much, alone
	arriveT                    // arrives, comes
	goT                        // set out, sent
	newT                       // new goods
	badT                       // bad by itself
	brokenT                    // broken
	failT                      // a negated verb is a fault
	lateT                      // late
	waitT                      // waits
	longT                      // for days, still
	wrongT                     // wrong, another
	gotT                       // sent, brought, arrived
	cheatT                     // cheated, rude
	refundT                    // money back
	moneyT                     // money
	nobodyT                    // nobody
	replyT                     // answers, picks up
	qualityT                   // quality, service
	noT                        // negation of a fault
	shootT                     // pictures
	changeT                    // cancel, change
	returnT                    // returns and exchange
	whenT                      // when
	whereT                     // where
	expectT                    // in the picture, promised
	whichT                     // how many days
	foreignT                   // what does not belong into goods
	foundT                     // was found in them
	takenT                     // money was taken
	overT                      // what a thing that works does not do
	flawT                      // a quality that goods must not have
	markT                      // a mark that is a fault
	praiseT                    // what is praised
	againT                     // again
	repairT                    // repaired
)

var topics = readTopics()

func readTopics() *lexicon {
	l := &lexicon{}
	for _, e := range []struct {
		class class
		list  string
	}{
		{priceT, "narx* нарх* nechpul necpul chegirma* skidka* цена* цену цены* цене ценой ценник* прайс* почем почём стоит стоимост* скидк* дешевл* дорог* дороговат* торг qimmat* arzon* рассрочк* rassrochk* price* pricing cost costs discount* expensive cheap* installment* tolash* bolib опт optom оптом бюджет* byudjet* budget turadi turad tushadi tushad somdan somga отдадите dollarda berasizmi pul акци* aksiya* stoit"},
		{payT, "рассрочк* bolib installment* kredit* кредит*"},
		{howMuchT, "qancha* kancha* сколько скок nech necha* neча much skolko skoka qanchadan*"},
		{stockT, "bor bormi bormidi bormikan mavjud* qoldi qoldimi qolgan* qolganmi есть наличи* налич* остал* остались осталось имеется имеются stock available availab* sotasiz* sotuvda продаете продаёте sell have carry topiladimi yest ostal* борми"},
		{sizeT, "razmer* размер* rang* цвет* size* color* colour* model* модел* qora* oq* qizil* kok* sariq* черн* бел* красн* син* white black red blue green XL gb talik"},
		{shipT, "yetkaz* etkaz* dostavka* доставк* достав* отправля* отправите отправка привез* привоз* ship* shipping deliver* kuryer* курьер* courier* pochta* почт* jonata* самовывоз* samoviz* чиқиб pickup"},
		{placeT, "toshkent* samarqand* buxoro* fargona* andijon* namangan* xorazm* nukus* qarshi* termiz* jizzax* navoiy* guliston* sirdaryo* urganch* qoqon* chilonzor* yunusobod* sergeli* olmazor* mirobod* viloyat* qoraqalpog* ташкент* самарканд* бухар* ферган* андижан* наманган* хорезм* карши термез* джизак* сергел* мирабад* область* tashkent samarkand bukhara fergana manzilim адрес подъезд* ворот*"},
		{bookT, "yozil* yozib yozing bron* брон* забронир* запиш* записат* запис* book booking appointment* reserv* slot* slots stol столик* столик navbat* очеред* korik* qabul* приём* прием* сеанс* seans*"},
		{timeT, "bugun* ertaga* indin* dushanba* seshanba* chorshanba* payshanba* juma* shanba* yakshanba* сегодня завтра послезавтра понедельник* вторник* сред* четверг* пятниц* суббот* воскресень* monday tuesday wednesday thursday friday saturday sunday tomorrow today morning evening soat* kun* утро* вечер* tonight weekend* выходн* sentyabr* январ* феврал* март* апрел* мая июн* июл* август* сентябр* октябр* ноябр* декабр*"},
		{seatT, "joy* мест* место жой* kishi* kishilik* человек* table seat* seats spot* стол столик* bosh свободн* free окошк* окно nomer номер* xona* room*"},
		{orderT, "buyurtma* zakaz* заказ* order* posilka* посылк* parcel* package* trek* трек* track* накладн* bron* savat* корзин* paket*"},
		{statusT, "qayerda* qaerda* где holat* статус* status keldi yetib etib chiqdi* kelyapti чиқди yolda пришел* приш* дошел* дошла дошл* отправили where arrived when когда qachon* yolga tayyor* готов*"},
		{paidT, "tolov* toladim tashladim tashadim otkazdim оплатил* оплати* оплачен* перевел* перевёл* перевод скинул* закинул* paid payment tushdimi otkazib чек chek chekni квитанци* shunga"},
		{faqT, "manzil* адрес* lokatsiya* локаци* address location vaqti vaqt* график* режим* работаете работает ишлайсизлар ishlaysiz* ishlaysila* open close* hours kafolat* гаранти* garanti* warranty guarantee qaytar* возврат* вернут* обмен* almashtir* return* exchange* refund klik* клик* payme uzcard humo visa mastercard наличн* картой terminal* acceptance accept dokon* магазин* филиал* filial* shop store sertifikat* сертификат* instagram сайт* sayt* telegramda tel kurs* курс* joylashgan находитес* находится закрывает* открывает* litsenziya* parkovka* парковк* instruksiya* инструкци* oflayn onlayn состав* tarkib* reklama obuna действует do'kon tashlab vakansiya* ваканси* ishga"},
		{greetT, "salom* assalom* assalomu alaykum aleykum здравств* здрасте привет* добрый доброе hello hi hey xayrli алло alo good приветик hayrli"},
		{thanksT, "rahmat* raxmat* спасибо спс благодар* thanks thank thx tashakkur* xayr* hayr* пока свидания bye goodbye minnatdor* сог sog"},
		{okT, "ok okey ок окей хорошо понял* понятно ясно ладно xop hop mayli boladi boldi tushundim tushunarli ha yaxshi yahshi да угу ага yes sure fine great отлично супер super zor qabul got understood"},
		{chatT, "yaxshimisiz qalaysiz yaxshimisizlar ishlar kayfiyat qandaysiz дела настроение doing qiziq* интересно yozavering rasskaz* рассказывай* davom продолжайт* нравит* yoqdi чудесно klass класс posted eshit* эшит* слушаю continue going"},
		{arriveT, "kel* keladi keldi* приш* придет придёт прибуд* приед* привез* поступ* arriv* come boradi yetib bor* дойдет"},
		{goT, "yolga chiqdi* отправили отправлен* выехал* shipped sent jonatildi* jonatdingiz*"},
		{newT, "yangi* partiya* янги* нов* парти* поступлен* new restock* arrivals белые"},
		{badT, "brak* брак* sifatsiz* yomon* rasvo* dahshat* sharmandalik sharmanda* bemaza* mazasiz* xafa* norozi* hafsala* ужас* кошмар* отврат* плох* хреново хренов* безобраз* бардак* разочаров* недовол* испорт* уронил* arzimaydi arzimas криво* переделыв* переделайте qiyshiq* qingʻir* achigan achib* aynib mogor* mogʻor* ahvol расстро* огорч* обидн* игнорир* неполн* недовес* недолож* недодал* missing incomplete жалоб* jaloba* shikoyat* претенз* мошенн* невкусн* позор* terrible awful horrible worst disappoint* unacceptable defect* damag* faulty stale rotten rude disgust* scam* poor bad complain* complaint* ugly aynigan* sasi* испорч* протух* тухл* вскрыт* overcharged некачеств* халтур* развод обман* xunuk* uyat* lanat* nomardlik* insofsiz* beparvo* masuliyatsiz* ahmoq* yaramas* tashlandiq* возмут* возмущ* хуже ужасно мерзк* грязн* отрав* zaharlan* poison* tasteless inedible засохш* гнил* просрочен* несвеж* черств* сырое сырой сырая подгорел* халатн* безответствен* негодн* дрян* фигня фигн* хлам барахло unprofessional mess ridiculous garbage trash crap sucks sloppy filthy dirty mold* expired spoiled regret hate unhappy dissatisf* upset angry furious lousy pathetic useless blurry размыт* нечетк* нечётк* помойк* свинарник* клоповник* achindim*"},
		{brokenT, "buzil* buzuq* buzuk* singan* sindi sinib sinik* siniq* yirt* yorilgan* yorilib* teshik* teshil* sokil* erib erigan ochib tirnal* ezilgan* pachoq* yoriq* yoril* uzil* uzilib* kuyib kuygan* eskirgan* dogi doglangan* eskirib sochil* chirigan* slomal* сломал* сломан* разби* порва* рвётся рвется треснул* трещин* поцарап* царапин* пятн* дыра дырка дырки дырк* вмятин* погнут* мятый мятая мятое помят* рассыпал* облез* сел села протек* протека* потек* течет течёт глючит глюч* зависает тормозит шатает* скрипит отвалил* отваливает* отклеил* сел выцвел* расклеил* развалил* оторвал* облупил* заржавел* потрескал* лопнул* перегорел* отпал* слинял* прокис* скис* осыпал* полиня* села сгорел* solib solgan* soligan* завял* увял* wilted слетает слетел* спустил* сдулс* заглох* воня* leaked smells stinks hidlanib broke broken breaks bent bend shattered stained faded peeled shrunk shrank cracked torn scratched leaking ripped dent dents dented hole holes ketdi ketib qoldi toxtab qotib"},
		{failT, "охлажд* cool* sovut* ishla* ишла* yoqilma* yonma* kel* yetma* yetib bor* kelish* zaryad* yoqmadi* tegma* ulanma* работ* включ* заряжа* приш* привез* достав* отвеча* отправи* подош* соответ* kotar* дозвон* закрыва* держит* открыва* греет* печата* показыва* грузит* запуска* turn* work* function* charg* arriv* came come deliver* fit answer* javob* chiq* tush* berma* mos*"},
		{lateT, "kechik* kechikt* опозда* опазд* задерж* просроч* late delayed delay"},
		{waitT, "kutib* kutyap* kutayap* kutvo* kutdi* kutgan* kutish* kutaman* kutamiz* kutamanmi жду ждем ждём ждать ждал* прождал* waiting wait waited"},
		{longT, "beri beridan buyon kundan soat haligacha hali haliyam halyam kundan haftadan oydan hafta oy yarim неделю недели недель день дня дней дни месяц* час часа часов сутки полдня полгода еще ещё сих уже week* day* month* hour* still yet already days ages forever"},
		{wrongT, "вместо чуж* birovning elses notogri* xato* hato* adash* boshqa* teskari* тот та те то той другой другая другое другие другую перепута* ошиб* wrong different instead mixed incorrect chalkash* almash* aralash* sovuq* холодн* остыв* cold"},
		{gotT, "посел* yetkazdi* yetkazib* chiqibdi chiqdi chiqqan yubor* kel* keldi kelibdi ber* beribsiz jonat* olib* tashla* прислал* пришл* пришел* пришёл* привез* дали положил* приехал* получил* отправил* доставил* sent got received delivered arrived came gave ordered order*"},
		{cheatT, "кричал* кричит кричат орет орёт alda* aldoq* yolgonchi* firib* qopol* qopollik* surbet* madaniyatsiz* baqir* обману* обманыв* обманщик* obmanshik* наебал* кинули нахам* хамло хамит хамят хамск* груб* нагруб* кинул* наглый нагл* дерзк* оскорб* накричал* орал* развели развод haqorat* sokdi* urish* mensimay* наглост* наглые rude rudely lied cheat* lying fake ripped fraud* thief* poddelka* подделк* fejk фейк*"},
		{refundT, "qaytar* верните вернёте вернете возврат* возвра* refund*"},
		{moneyT, "pul* pulim* деньги денег деньг* money cash"},
		{nobodyT, "hech kim никто nobody no-one noone ignore* ignored ignoring игнор* тишина silence молчат молчите молчок jim"},
		{replyT, "javob* отвеча* ответ* реагир* берет берёт трубк* снимает подним* pick* return* звонк* answer* respond* repl* kotar* oladi olmay* olmadi*"},
		{qualityT, "sifat* качеств* обслуж* сервис* xizmat* service quality servis*"},
		{noT, "не нет emas yoq not no never isnt doesnt didnt dont wont cant hasnt havent wasnt"},
		{shootT, "аватар* avatar* rasm* foto* фото* video* видео* pic pics picture* photo* расм*"},
		{changeT, "bekor отмен* otmen* cancel* ozgartir* toxtat* изменит* поменят* перенес* перенест* kochir* change reschedul* удалите remove убер* qo'sh* добав*"},
		{returnT, "qaytar* возврат* вернут* обмен* almashtir* return* exchange* refund"},
		{whenT, "qachon* когда when"},
		{whereT, "qayer* qaer* где where куда"},
		{expectT, "rasmda* rasmdagi* surat* suratdagi* фото фотке картинк* сайте обещал* vada* picture pictured photo description описани* promised advertised"},
		{foreignT, "suvarak* таракан* волос волосы soch sochi hasharot* насеком* qurt qurti qurtlar червь черви червяк* муха hair cockroach* worm* insect*"},
		{takenT, "oldinglar oldingiz oldilaring yechildi yechib yechilgan echildi списал* списан* сняли снялись забрали взяли charged took taken debited"},
		{overT, "греется перегрева* выключается выключилс* вырубается перезагружа* шумит гудит трещит лагает qiziydi qizib ochib ochadi ochadigan muzlaydi shovqin overheat* restarts freezes freezing lags shuts"},
		{foundT, "chiqdi chiqib chiqibdi chiqqan chiqti tushib tushibdi topdim topib нашел* нашёл* нашла нашли попал* попад* found"},
		{flawT, "muzdek* sovib sovigan xom iflos* eski sovuq* tor keng kalta uzun qattiq loyqa hidlan* hidlab sassiq achchiq nordon shor kuygan yirtiq dogli qimirla* yumshoq rangsiz xira холодн* черств* чёрств* мокр* сырой сырая сырое сырые сухой сухая сухое сухие старый старая старое кисл* горьк* жестк* жёстк* крив* мутн* вонюч* липк* пустой пустая пустое пустые узк* маленьк* мелк* большой большая большое велик* dry cold stale raw wet burnt soggy sour bitter hard soft small tight loose old used smelly cloudy crooked empty open opened sticky"},
		{markT, "разводы разводах полос* царапин* пятн* дыра дыры дырк* ошибк* опечатк* дефект* трещин* вмятин* брак* dogi doglar doglan* chiziq* tirnal* xato* nuqson* typo* error* mistake* scratch* stain* mistakes lines dent* bubbles волос* мусор* грязь"},
		{praiseT, "yaxshi* zor sifatli yoqdi yoqm* qoniq* mamnun* хорош* нрав* понрав* доволен довольн* устраива* устроил* good happy satisfied pleased like liked impressed great"},
		{againT, "yana опять снова again qaytadan ещё"},
		{repairT, "tuzat* remont* chinil* ремонт* почини* repair* fixed мойк* стирк* химчистк* печат*"},
		{whichT, "necha нечи сколько day* kunda дней"},
	} {
		l.add(e.class, e.list)
	}
	return l
}

// Scenario is what a message is about, as sellers' settings name it.
type Scenario string

// The scenarios of the settings (contract 11), and the rest.
const (
	FAQ          Scenario = "FAQ"
	Pricing      Scenario = "PRICING"
	Availability Scenario = "AVAILABILITY"
	Delivery     Scenario = "DELIVERY"
	Booking      Scenario = "BOOKING"
	OrderStatus  Scenario = "ORDER_STATUS"
	SmallTalk    Scenario = "SMALL_TALK"
	Other        Scenario = "OTHER"
)
