package lang

import (
	"math"
	"strings"

	"svc/geo/text/script"
)

// The small words of each language: pronouns, particles, question words, forms of the
// commonest verbs, greetings. Those that two of them share are left out.
const (
	smallUzbek = `va uchun bor yoq qancha kerak ham bilan emas bu shu men siz sen biz ular nima nimaga qanday qanaqa qachon qayerda qaerda qayer qayerga kim necha nech neча qilib qildim qilish qiling qilasiz
		edi ekan bormi yoki yo lekin agar chunki hozir bugun ertaga kecha endi yana faqat juda kop oz katta kichik yaxshi yomon assalomu alaykum rahmat raxmat iltimos mumkin mumkinmi boladi boladimi bolsa
		bolsin kelsa kelsam olsa olsam bering berasiz beraman yozing ayting tashang tashlang kuni narxi narx nechpul nechi puli pul deb togri kerakmas xop hop mayli ha aka opa uka bolib menga sizga meni sizni sizda sizlarda mening
		bizga boshqa hamma hech nega qaysi qaysisi uni shuni buni unga shunga manga mani mandan mendan sizdan bizdan yoqmi qani xohlayman hohlayman istayman kelaman olaman olmoqchiman qilaman deyapti aytdi dedi oldim oldi keldi keldimi ketdi
		qoldi qoldimi qolgan yetkazib berish keyin oldin ichida ustida haqida kerakmi borku mana ana qara xayr salom joy odam yil oy hafta kun soatda soat shanba yakshanba dushanba ish vaqti sifatli arzon qimmat chegirma manzil manzilingiz
		bitta ikkita uchta beshta birinchi rangi rang qora oq qizil kok yashil dokon xabar yozmang yubormang tolov toladim buyurtma qaytarib olib kelib borib tezroq tez sekin ozi oʻzi oziz sizmi odammi kimdir hozircha gaplashamiz kuting ga ni dan ta
		yaxshimisiz qalaysiz bopti boldi bas tushundim tushunarli kursni dars telefonim raqamim nomerim nomeri olasizmi ishlaysiz kafolat neçta mavjud mavjudmi uyga uyda shuni ozgina yozib berasizlarmi borasizmi kelasizmi qayta ` + hurriedUzbek

	// hurriedUzbek are small words as people write them without ў, қ, ғ, ҳ, and as they say them.
	hurriedUzbek = `kancha kanday kanaka kachon kaerda kayerda kaysi kilib kilaman kilasiz kilasizlar kiling kildim yuk yukmi buladi buladimi bulsa bulsin bulib kup turt xozir xop xammasi xech kolgan koldi koldimi kolganmi
		kimmat kizil tulov tuladim tuxtat tuxtating yuboring tashen tashela tashlen tashavoring qivoring bervoring obering opkeling qilvoring kere keremas kerakmidi yoʻqku boʻmidi boʻmasa nechida nechchi nechchida qale qalesiz yaxwi rahmatt raxmatt bormikan
		ekanmi deysiz uje mi miya borib ketdim oʻshani oʻsha anavi manavi bunaqa shunaqa qanaqasi hamma hammasi birorta biror unaqa eng yaxshimi yomonmi qimmatmi arzonmi sizlar bizlar ularni boʻladi boʻladimi`
	smallRussian = `не что есть сколько для на как по это я вы мы он она они мне меня вас вам ваш ваша ваши мой моя мои моего у от до из за или но да нет уже ещё еще когда где какой какая какие каким какое можно нужно
		надо хочу хотел хотела буду если чтобы только очень спасибо здравствуйте привет добрый день пожалуйста стоит цена цену был была было были будет тут там так же ли бы при про под над через после перед без к с в и о а
		почему зачем кто чем чего куда откуда ну вот всё все этот эта эти того тот то себя нас нам их его её сейчас сегодня завтра вчера потом тогда тоже больше меньше лучше хорошо понял понятно ладно ок скажите подскажите дайте
		скиньте пришлите покажите напишите позвоните перезвоните запишите привезите отправьте верните есть_ли работаете продаете делаете доставляете могу можете могли мог хотите нет_ли нужен нужна почем почём скок щас дешевле дорого
		адрес здесь рублей сумов человек деньги товар большое вечер утро здрасте алло пока давайте спс нужны других другой другая какого какую которая который которые сколькo осталась остался остались есть ваc вашей вашем вашу моему мою день недели`
	smallEnglish = `the is you for how i a an to of and in it do does have has can could my your me we are am be with at this that what when where who much many please thanks thank hello hi hey not no yes will would want need
		price order size there here if from any some get got im its dont cant isnt didnt was were been they he she them his her our us or but so just about more than then also too very good great nice ok okay
		send sent call back buy sell open close long take make was new old today tomorrow morning evening day week still waiting which why looking delivery shipping available stock discount color colour black white red blue cost card number
		phone email address shop store time book table person people real human bot list message messages don won lol pls u ur thx am pm only two three four five one out up off by as all per free slot friday monday tuesday wednesday thursday saturday sunday
		broken wrong refund return policy money item product parcel package late never ever again remove unsubscribe r gonna wanna lemme gotta cuz tho btw asap tmrw brb idk omg hru wyd yep nope yeah guys bro dude hows whats thats theres youre`
)

// commonUzbek and its kin are words of shops beyond the small ones, from which, with the
// small ones, the triples of letters are counted. Words that Uzbek took from Russian are in
// both.
const (
	commonUzbek = `kurtka koylak shim poyabzal etik krossovka tufli kiyim gilam mebel stol stul divan karavot shkaf muzlatgich televizor telefon noutbuk kompyuter naushnik zaryadlovchi gʻilof oyinchoq kitob daftar qalam sumka hamyon
		uzuk sirgʻa soat parfyum atir krem shampun sovun dori tort non gosht sut meva sabzavot osh somsa palov manti shirinlik choy qahva ichimlik xona uy kvartira ijara avtomobil mashina gʻildirak ehtiyot qism ustaxona tamirlash
		sotuvchi sotib olish oling olmoqchi yetkazish yetkazib yuborish yuboring yubordingiz joʻnatish joʻnatdingiz kelyapti ketyapti chiqdimi kutyapman kutyapmiz ishlamayapti buzilgan singan almashtirish qaytarish pulimni qaytaring
		aldadingiz shikoyat norozi xafa operator menejer bogʻlaning gaplashmoqchiman qoʻngʻiroq telefonda javob bermayapsiz kechikdi muddatli toʻlash boʻlib oyiga foiz kredit karta naqd plastik oʻtkazma hisob chek kafolat muddat
		yangi eski sifatli chiroyli zoʻr ajoyib kattaroq kichikroq qimmatroq arzonroq oʻlcham razmer model rangdagi rasmini rasmda videosini koʻrsating koʻrsam koʻrish tanlash maslahat yordam savol javob bering darslar oʻqituvchi
		oʻquv markaz guruh imtihon sertifikat boshlanadi davomiyligi navbat qabul shifokor tish koʻrik massaj sartarosh soch tirnoq bandlov bron qilmoqchi joylashgan moʻljal metro yonida filial viloyat shahar tuman koʻcha qavat
		toshkent samarqand buxoro namangan andijon fargʻona xorazm lokatsiya ertalab kechqurun tushlik yakshanba bayram dam olish ishlaysizlarmi yopiq ochiq reklama obuna spam bezovta toʻxtating oʻchiring roʻyxatdan chiqaring yozmanglar yubormanglar`
	commonRussian = `куртка платье брюки обувь сапоги кроссовки туфли одежда ковёр мебель стол стул диван кровать шкаф холодильник телевизор телефон ноутбук компьютер наушники зарядка чехол игрушка книга тетрадь ручка сумка кошелёк
		кольцо серьги часы духи крем шампунь мыло лекарство торт хлеб мясо молоко фрукты овощи плов сладости чай кофе напиток комната дом квартира аренда автомобиль машина колесо запчасти мастерская ремонт продавец купить покупка
		доставка доставите привезти отправка отправили прислали получил пришёл пришла едет жду ждём работает сломался разбитый замена обменять возврат вернуть обманули жалоба недоволен оператор менеджер свяжитесь поговорить звонок ответить отвечаете
		опоздал рассрочка оплата месяц процент кредит карта наличные перевод счёт чек гарантия срок новый старый качественный красивый отличный большой маленький дорогая дешёвая размер модель цвета фотографии видео посмотреть выбрать совет помощь
		вопрос ответ курсы уроки преподаватель учебный центр группа экзамен сертификат начинается длительность очередь приём врач зуб осмотр массаж парикмахер волосы ногти забронировать находится ориентир метро рядом филиал область город район улица этаж
		ташкент самарканд бухара локация утром вечером обед воскресенье праздник выходной закрыто открыто реклама подписка рассылка спам беспокоить прекратите удалите списка отпишите хватит писать сообщения прайс скидка скидки заказ заказать размеры
		посоветуете бюджет студентам статус посылку номер почту проверьте перевёл общаюсь нейросетью настоящий живой отвечает приехать подъезд ворота курьер останавливается`
	commonEnglish = `jacket dress pants shoes boots sneakers clothes carpet furniture table chair sofa bed fridge television phone laptop computer headphones charger case toy book pen bag wallet ring earrings watch perfume cream shampoo soap
		medicine cake bread meat milk fruit vegetables sweets tea coffee drink room house apartment rent car wheel spare parts workshop repair seller purchase delivering bring shipping received arrived coming working broke replacement exchange
		returned cheated write writes name box on into note deliver delivers deliver complaint unhappy operator manager contact speak talking calling answer reply installment payment month percent credit cash transfer account receipt warranty period beautiful quality bigger smaller expensive cheaper cheap
		models colors pictures videos show see choose advice help question lessons teacher training center group exam certificate starts duration queue appointment doctor dentist checkup massage hair nails reservation located landmark metro near branch
		region city district street floor location afternoon lunch holiday weekend closed advertising subscription spam bother remove number database texting writing contacting tickets weather battery camera screen shipping tracking`
)

// loans are words of Russian that Uzbek uses as its own.
const loans = `доставка заказ скидка размер модель телефон оператор менеджер магазин курьер рассрочка кредит процент карта номер адрес гарантия оплата товар опт прайс акция фото видео реклама спам рассылка смс куртка мебель диван
	стол стул шкаф телевизор холодильник машина ремонт метро массаж маникюр салон курсы группа курс центр сертификат экзамен бот робот админ директор консультант качество брак возврат обмен подписка база локация склад филиал чек терминал
	наличка пластик сумка кроссовка кофе чай торт пицца бургер шампунь крем видеокарта ноутбук компьютер принтер самовывоз почта посылка такси бронь столик стоп сигнал`

// unborrowed are words in Latin letters that say that their language is in a text, even alone:
// nobody says them in another one.
var unborrowed = readUnborrowed()

func readUnborrowed() map[string]Lang {
	all := map[string]Lang{}
	for l, list := range [...]string{
		Uzbek:   `qancha narxi narxini bormi kerak yozmang yuboring yubormang tashlang iltimos qachon qayerda menga rasmini boʻladi`,
		English: `hello please thanks thank price want need send when where what which how can could you your the are my`,
	} {
		for _, w := range script.Tokens(list) {
			all[w] = Lang(l)
		}
	}
	return all
}

// smallWords are the small words as script.Tokens writes them, by language.
var smallWords = readSmall()

func readSmall() map[string]Lang {
	all := map[string]Lang{}
	seen := map[string]int{}
	for l, list := range [...]string{Uzbek: smallUzbek, Russian: smallRussian, English: smallEnglish} {
		own := map[string]bool{}
		for _, w := range script.Tokens(list) {
			if own[w] {
				continue
			}
			own[w] = true
			seen[w]++
			all[w] = Lang(l)
		}
	}
	for w, n := range seen {
		if n > 1 {
			delete(all, w)
		}
	}
	return all
}

// common are the words of shops that only one language has, and shared those that Uzbek
// took from Russian, which say nothing but that they are words.
var common, shared = readCommon()

func readCommon() (common map[string]Lang, shared map[string]bool) {
	common, shared = map[string]Lang{}, map[string]bool{}
	for _, w := range script.Tokens(loans) {
		shared[w] = true
	}
	for l, list := range [...]string{Uzbek: commonUzbek, Russian: commonRussian, English: commonEnglish} {
		for _, w := range script.Tokens(list) {
			if was, ok := common[w]; ok && was != Lang(l) {
				shared[w] = true
			}
			common[w] = Lang(l)
		}
	}
	for w := range shared {
		delete(common, w)
	}
	return common, shared
}

// endingsBy are the endings of inflection, as script.Tokens writes them.
var endingsBy, longestEnding = readEndings()

func readEndings() (map[string][]ending, int) {
	all := map[string][]ending{}
	longest := 0
	add := func(l Lang, weight float64, verb bool, list string) {
		for _, w := range strings.Fields(list) {
			e := strings.Join(script.Tokens(w), "")
			all[e] = append(all[e], ending{e, l, weight, verb})
			longest = max(longest, len(e))
		}
	}
	add(Uzbek, 3, true, `yapti yapman yapmiz yapsiz yapsizlar yapmadi mayapti mayapman moqchi moqchiman moqchimiz moqchimisiz adimi aman amiz asiz asizmi asizlar asizlarmi dimi dingiz dingizlar dinglar
		ibsiz ibsizlar ibdi ganman gansiz ganmi ganim sangiz sangizlar ingiz ingizlar inglar manglar mang sinlar arkan ishga ishni ishdan aver maysiz maydi maymiz mayman mayapsiz mabdi ladimi ldimi ardim gandim vomman voman votti votman vossiz
		aylik ingchi tiring tirdim gansizlar gansila yapsila asila ysila asizla lsam tsam ysam vsam zsam shsam ersam arsam orsam irsam`)
	add(Uzbek, 2.5, false, `angiz angizni angizdan larni larga lardan larning larda lari laringiz laringizni larimiz ingizni ingizdan ingizga ingizda imizni imizga misiz misan misanlar misizlar mislar mikan mikin ining sining ini siga sida sidan imga imni imdan lik likmi roqmi roq
		moqda lar llimi mi dan ning dagi digan gacha larmi cha chasi`)
	add(Uzbek, 2.5, true, `adim idim ladim tdim ldim rdim adik ldik rdik tdik yapti vering yvering avering asan olmadi olmayap emasman olmayman voring voringlar vorila vorasizmi vorsangiz vordim vordi vormang`)
	add(Uzbek, 1.2, false, `ni ga da di dim dik siz man miz im ib gan kan sa chi si ish ing`)
	add(Russian, 2.5, true, `ите йте ете ешь ишь ют ует уют ает яет ают ился илась ались лись лась лся ться тся ивать ывать овать ировать ировали ил ила или али ал ала ял яла ели ел`)
	add(Russian, 2.2, false, `ого его ому ему ая яя ую юю ое ее ые ие ых их ыми ими ение ения ении ание ания ость ости ий ый ой ами ями ях ция ции ство ского ской ский тель ником`)
	add(Russian, 1.2, false, `ать ять ить еть уть ом ем ам ям ов ев ей ах ки ку ка ке ы ия ию ии ник ость ть ут ит ат`)
	add(English, 2.5, true, `ould ight ought`)
	add(English, 2.2, false, `tion tions ness ment ments able ible ful less ity ies ally ously ck ee oo gh wh`)
	add(English, 1.2, false, `ing ed ly er es est y ch sh ts ll ss rd nd nt`)
	return all, longest
}

// grams are the counted triples of letters of each language.
var grams = readGrams()

type gramTable struct {
	count map[[3]byte]float32 // logarithm of the share
	rest  float64             // of a triple that was never seen
}

func readGrams() (all [4]gramTable) {
	for l, list := range [...]string{Uzbek: smallUzbek + commonUzbek, Russian: smallRussian + commonRussian, English: smallEnglish + commonEnglish} {
		if list == "" {
			continue
		}
		counts, total := map[[3]byte]float64{}, 0.0
		for _, w := range script.Tokens(list) {
			eachTriple(w, func(t [3]byte) { counts[t]++; total++ })
		}
		const smooth = 0.3
		room := total + smooth*4000
		t := gramTable{count: make(map[[3]byte]float32, len(counts)), rest: math.Log(smooth / room)}
		for k, n := range counts {
			t.count[k] = float32(math.Log((n + smooth) / room))
		}
		all[l] = t
	}
	return all
}

func eachTriple(w string, do func([3]byte)) {
	t := [3]byte{' ', ' ', ' '}
	for i := range len(w) {
		t[0], t[1], t[2] = t[1], t[2], w[i]
		if i > 0 {
			do(t)
		}
	}
	do([3]byte{t[1], t[2], ' '})
}

// triples is how likely the word is in each language, as logarithms, an average of its
// triples times at most five.
func triples(w string) (uz, ru, en float64) {
	n := 0.0
	var sum [4]float64
	eachTriple(w, func(t [3]byte) {
		n++
		for l := Uzbek; l <= English; l++ {
			if v, ok := grams[l].count[t]; ok {
				sum[l] += float64(v)
			} else {
				sum[l] += grams[l].rest
			}
		}
	})
	f := math.Min(n, 5) / n
	return sum[Uzbek] * f, sum[Russian] * f, sum[English] * f
}
