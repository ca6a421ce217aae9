package signals

import (
	"strings"
	"testing"
)

// TestCommonWords: no common word of a language says anything alone, although the keys of
// several languages meet: Uzbek ham and Russian хам, рекламы and the particle -mi.
func TestCommonWords(t *testing.T) {
	for _, w := range strings.Fields(`va uchun yoq qancha kerak ham ҳам bilan emas shu biz ular nima qanday qachon qayerda necha qilib edi ekan yoki lekin agar hozir bugun ertaga kecha yana faqat juda kop oz katta
		kichik yaxshi rahmat iltimos mumkin bering beraman kuni narxi puli togri mayli aka opa uka bolib menga sizga boshqa hamma nega qaysi uni buni mani oldim keldi keldimi keyin oldin ichida haqida mana ana salom joy yil oy hafta
		soat shanba ish vaqti arzon qimmat manzil bitta birinchi rangi qora oq qizil tez sekin kuting quti qutisi kutubxona kurtka dentist
		не что есть сколько для на как по это или да нет уже ещё когда где какой можно нужно очень спасибо привет стоит цена был будет тут там так при под после без почему кто ну вот всё рекламы суммы формы сегодня завтра потом больше
		лучше хорошо понятно адрес деньги человек обмен
		the is you for how to of and in it have can could my your we are with at this that what when where who much many please not no yes will price order size there here if from any some now old today tomorrow week
		which delivery available color white black card number phone email time people real dental`) {
		s := Read(w, nil)
		if s.Complaint || s.Person || s.Stop.Certainty != No {
			t.Errorf("%q: %+v", w, s)
		}
	}
	for _, text := range []string{"men ham olmoqchiman", "menga ham bitta bering", "akamga ham kerak", "dentistga yozilmoqchiman", "bir qutisi 3 kunga yetadi"} {
		if s := Read(text, nil); s.Complaint {
			t.Errorf("%q is read as a complaint", text)
		}
	}
}

// TestRules: what the rules are for, and what looks like it.
func TestRules(t *testing.T) {
	const certain, likely, person, complaint, asksAI = "s", "l", "h", "c", "a"
	for what, list := range map[string][]string{
		// The verbs "go on" and "at once" stand between stem and negation; a negation may be
		// written in one with its verb.
		certain: {
			"xabar jo'natavermang", "ro'yxatdan chiqarvoring", "yozavermang menga", "непишите мне", "nepishite mne bolshe", "sizdan xabar olgim kelmayapti",
			"take my number off your list", "obunadan chiqmoqchiman", "please cease all communication", "отключите рекламу",
			"menga yozmang, не надо мне рекламы", "не надо больше рекламы", "menga hech qanday taklif jo'natmang",
			"nega har kuni xabar yozasizlar? to'xtatinglar", "сколько можно слать эту рекламу, отключите", "yozmay qo'ying menga", "e yozmasangchi boshqa",
			"прошу исключить мой номер из рассылки", "пожалуйста, больше никаких сообщений", "get me off your list", "bo'ldi qiling shu xabarlarni", "i want to stop receiving these",
			// Endings as they are spoken; a borrowed word with an Uzbek verb; a limit in time that is
			// said of those who write, or threatened, limits nothing.
			"reklama yubormen boshqa", "raqamimni ochirib tashlen bazadan", "raqamni delete qilib tashlang ro'yxatdan", "rassilkani to'xtatib qo'yila", "menga reklama kelmasin",
			"kechasi soat 3 da reklama yuborasiz, raqamimni bazadan o'chiring", "hozir bloklayman, bas qiling smslarni", "хорош писать мне рекламу", "obunadan voz kechmoqchiman",
			"xabar yubormay qo'ya qoling", "yuboravermang reklama", "tashavermela sms", "bazadan o'chirishingizni so'rayman raqamimni", "reklamaga qiziqishim yo'q", "xabarlarga hojat yo'q", "forget my number", "забудьте мой номер", "i no longer want your messages", "i want out of this list", "obunani uzmoqchiman", "spamga tashlayman hozir, yozmang", "отпишите мой номер, когда вернётесь", "требую не писать мне",
		},
		likely: {"хватит уже", "\"stop\" deb yozdim ku sizga", "жена сказала не писать вам", "telegramga yozmang, watsapga yozing",
			// What shall not be written or sent is named; a message is deleted, another number takes the place.
			"не пишите капсом", "удалите сообщение пожалуйста", "eski raqamga yozmang, yangisini yozib oling"},
		person: {
			"men odam bilan yozishmoqchiman", "bog'laning men bilan telefon orqali", "хочу общаться с человеком", "свяжитесь со мной по телефону", "закажите мне обратный звонок",
			"could you connect me to sales", "tirik odam bormi u yerda", "menejeringiz menga yozsin", "есть кто живой?", "попросите мастера мне позвонить", "can a human help me",
			"menga qo'ngroq qiling", "operatorga chiqarib bering", "odam bormi u yoqda gaplashadigan", "telefon qilvorila", "вызовите мастера", "есть там кто-нибудь из сотрудников?", "переключите на живого", "kim bo'lsayam odam javob bersin", "tel qilib tushuntirib bering", "хочу обсудить с менеджером", "свяжите с отделом продаж", "menga operator chiqarib bering", "menejer menga aloqaga chiqsin", "qo'ng'iroq qila olasizmi", "ustangizni bering, gaplashib olay", "кто-нибудь может мне позвонить?", "kimdir gaplashadimi men bilan, gaplashaylik", "can a real person answer me", "could you get your supervisor",
		},
		complaint: {
			"алдоқчилар экансизлар", "rasmdagidek emas ekan", "ichidan suvarak chiqdi", "в еде нашла волос", "it stopped working after two days",
			"еда приехала холодная", "ko'tarmadingiz telefonni", "ovqatdan zaharlandim", "phone stopped charging after a day", "телефон перестал заряжаться", "yuborgan kiyimi kichkina chiqdi", "вместо красного пришло синее",
			"не хватает одной позиции", "yangi olgan soatim yurmayapti", "это не то, что я заказывала", "you charged me twice", "umuman mazasi yo'q ekan tortning", "больше не закажу у вас", "заказ неполный", "bu nima degan gap, pulimni qaytaring", "yetkazib berish juda sekin", "не могу дозвониться", "bir haftadan beri va'da berasizlar", "no one picks up the phone",
			"idish singan holda keldi, bu nima", "pulni yechib oldinglar, tovar yo'q", "обещали утром, до сих пор тишина", "besh kundan beri javob yo'q", "kuryer kech keldi", "в супе таракан", "вы испортили платье",
			"купил у вас плиту, перегревается", "aytgan kuningizda kelmadingiz", "xizmatingiz past", "kecha olgandim, qizib ketyapti", "цвет не как на картинке", "юбка села после стирки", "bir hafta deb edingiz, ikki hafta bo'ldi", "qiyshiq tikilgan ekan", "kuryer ko'p oldi", "сделали криво", "опять перепутали адрес", "не могу до вас дозвониться", "muzqaymoq erib keldi",
			// What was found to be as it must not be, praise that is denied, and what was promised, is still
			// missing, or was taken twice.
			"tort ichi xom chiqdi", "хлеб был чёрствый", "the soup was cold", "mashina ichi iflos qolibdi", "sifati yaxshi emas ekan", "нам не понравилось", "came with scratches",
			"экран после ремонта с полосами", "tuzatgandan keyin yana o'chib qolyapti", "обещали скидку, а её нет", "va'da qilgan edingiz, qani?", "ikki hafta bo'ldi hali tayyor emas",
			"still no refund", "сняли деньги два раза", "kop pul oldingiz", "nobody picks up",
			"gullar so'ligan holda keldi", "pitsa muzdek keldi", "вы потеряли мой заказ", "официант не извинился", "кольцо оказалось не серебряным", "деньги взяли, чек не дали", "обещали перезвонить и пропали", "uchinchi kun kutyapman", "pulni qaytarmayapsizlar nega", "кондиционер не охлаждает", "tugmasi tushib qoldi", "they hung up on me",
			"tozalagandan keyin dog'lar qolibdi", "divan hali ham hidlanyapti", "vazamni sindirib ketishdi", "деньги за тур не вернули", "ковёр вернули мокрым", "интернет постоянно отваливается", "отель оказался помойкой", "испортили диван, кто будет платить", "has been out of order for a week",
			"bir hafta bo'ldi suratlar yo'q", "цепь слетает каждые пять минут", "photos are blurry", "продали старый под видом нового",
			"pompa ishdan chiqdi", "стиралка вышла из строя", "telefonni ko'tarmaysizlar", "заплатил за завтрак, а его не было", "пулим қайтмади", "ждал 40 минут", "должны были вчера привезти",
			"крем вызвал раздражение", "the cream gave me a rash", "вода пахнет хлоркой", "курьер бросил посылку у двери", "прислали чужой заказ", "администратор кричала на меня", "cancelled without telling us",
		},
		asksAI: {"chatgpt misiz", "is it an automated reply?", "r u a bot", "это бот или человек отвечает", "are you real", "sen kimsan, robotmisan", "odam bormi o'zi bu yerda yoki robotmi", "javoblar avtomatikmi",
			"kim bilan gaplashyapman", "с кем я переписываюсь", "who am i talking to", "odammisiz yoki dasturmi", "вы живой или программа?", "ChatGPTmisiz", "это ИИ?", "bot emasmisiz", "bot bo'lsangiz kerak", "со мной программа переписывается?", "am i texting an ai", "bot gapiryaptimi", "я с живым человеком говорю?", "is there a human on the other side?"},
		"": {
			"старый кондиционер не охлаждает, нужна чистка", "стрижка испорчена в другом месте, исправите?", "i lost my receipt, can i still return it?", "цветы быстро вянут?", "menga uchinchi kun to'g'ri keladi", "takes the money not the card?",
			"разводы на окнах убираете?", "dog' ketmasa nima bo'ladi", "интернет постоянно нужен", "деньги верну завтра", "не вернули ещё ключи?", "эта полоса отвалится?",
			"цепь часто слетает у этой модели?", "bir hafta bo'ldi oldim, zo'r ekan",
			"у меня собака хромает", "плохо вижу вдаль, нужна проверка", "my zipper is broken, can you replace it", "sorry i'm running late", "вкусно пахнет", "аллергию вызывает?", "крем от раздражения", "ждать 40 минут?", "suhbat kursi qiyin edi",
			"заплатил, чек отправить?", "bugun yetkazish kerak edi, olib kelasizmi", "eski kitoblar bormi", "a cold drink please", "холодный чай есть?", "non yangi chiqdimi", "у вас есть ремонт с полосами?", "yaxshi emasmi", "царапины после мойки убираете?", "sms kelmadi, kodni qayta yuboring",
			"eskisi ishlamayapti, yangisini olmoqchiman", "my car is dirty, can i come now", "не присылайте курьера до шести, меня не будет", "could you get your price list",
			"menga qizilini yubormang, ko'kini yuboring", "don't send the red one, send the blue", "qora rangini yubormang iltimos", "не пишите имя на торте",
			"please don't write the price on the gift card", "хватит двух штук", "stop qilmang", "yozmay qo'ydingiz", "bas, tushundim. manzil qayerda edi?",
			"kuryer kelishdan oldin qo'ng'iroq qilsin", "qo'ng'iroq qilsam bo'ladimi", "operatorlik ishiga odam kerakmi", "человек на аватарке это вы?",
			"how many people fit in this room", "men odamman", "вы реально доставите завтра?", "ремонт разбитого экрана сколько стоит",
			"yomg'irda ham yetkazasizlarmi", "я не получил смс с кодом", "менеджер мне уже ответил, спасибо", "is one person enough to lift it", "плохо видно на фото, пришлите другое",
			"is it bad for children", "juda ko'p yubordingiz, bittasi yetadi", "не надо доставку, сам заберу", "у вас есть замена экрана на разбитый айфон", "ro'yxatdan o'chirdi", "tortga hech narsa yozmang", "odamlar nima deyapti bu haqida", "у меня сломался телефон, вы чините?", "kartaga o'tkazaman, obuna bo'laman",
			"это не то чтобы срочно", "возврат денег как оформить?", "pulni qaytarish mumkinmi", "direktorimiz uchun sovg'a kerak", "нужен подарок для директора", "menejeringiz bilan kelishgan edik",
			"chekni yubormang", "narxini yozmang qutiga", "yozmang, hozir majlisdaman", "больше не надо, двух пар хватит", "kim bilan gaplashsam bo'ladi", "кто пишет музыку", "программа лояльности есть?",
			"eski choynagim sindi, yangisi kerak", "muzlatgich to'xtab qoldi, ustangizni yuboring", "kecha yozgandim hali javob yo'q shu haqida so'ragandim", "javobni tushunmadim", "утюг греется быстро?", "товар хорош", "telefonim o'chib qoldi", "usta o'zi keladimi", "bugun yozmang, ertaga yozing", "shamollatish tugmasi yo'q", "nega kelmadingiz?", "сел и еду к вам", "отпишите в телеграм, когда приедет курьер", "больше не буду опаздывать", "men kechikyapman, kutib turing", "men u yerda ishlamayman", "kim javob beradi", "а криво не будет стоять?", "kompyuter kerak", "перепутал размер, можно обменять?", "отдел детской одежды где?", "могу дозвониться до вас вечером?",
		},
	} {
		for _, text := range list {
			s, got := Read(text, nil), ""
			switch s.Stop.Certainty {
			case Certain:
				got = certain
			case Likely:
				got = likely
			}
			for sign, found := range map[string]bool{person: s.Person, complaint: s.Complaint, asksAI: s.AsksAI} {
				if found && (what != certain && what != likely || sign != complaint) {
					got += sign
				}
			}
			if got != what {
				t.Errorf("%q is %q, want %q", text, got, what)
			}
		}
	}
}
