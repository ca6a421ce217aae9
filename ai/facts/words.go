package facts

import "svc/ai/phrase"

// Classes of words that say what a sentence does with a fact.
const (
	cNot         phrase.Mask = 1 << iota // not, no, yo'q
	cUnsure                              // asks somebody first, is not certain
	cYes                                 // is there, in stock
	cGone                                // sold out
	cOrder                               // on order, in advance
	cDelivery                            // delivery
	cFree                                // free of charge
	cGift                                // as a gift
	cDiscount                            // discount, cheaper
	cGuarantee                           // guarantee
	cRefund                              // return, exchange
	cInstallment                         // by instalments
	cNoInterest                          // without interest, without a first payment
	cBooked                              // you are booked
	cPlaced                              // your order is placed
	cOpen                                // works, is open
	cDayOff                              // day off, closed
	cEvery                               // every day
	cBudget                              // budget
	cCompare                             // cheaper, more than, instead
	cWait                                // wait, a colleague answers
	cLeft                                // left, in the store room
	cPrice                               // costs, price
	cCome                                // come, visit
	cBook                                // appointment, booking
	cLesson                              // lesson, course
	cService                             // installation, fitting, consultation, diagnosis
	cCan                                 // possible, may
	cFrom                                // from, since
	cUntil                               // up to, until
	cAt                                  // at, soat
	cEvening                             // in the evening, pm
	cMorning                             // in the morning, am
	cNext                                // next, coming
	cThis                                // this
	cWithout                             // without
	cStarts                              // begins
	cAgree                               // we give it for, agreed
	cYour                                // your, of the customer
	cRoundClock                          // around the clock
	cIfYou                               // if you buy: a condition
	cGoods                               // goods in general: colour, size, model
	cTotal                               // together, in total
)

var words = phrase.NewLexicon(
	phrase.Class{Bit: cNot, Words: `yo'q yoq yo'qmiz emas emasmiz emasman не нет ни no not dont doesnt isnt arent cant wont never cannot нельзя нету none hech никаких
		yo'qdir emasdir didnt hasnt havent mumkinmas bo'lmaydi невозможн*`},
	phrase.Class{Bit: cUnsure, Words: `уточн* спрошу узнаю проверю уточняю aniqlashtir* aniqlab so'rab so'rayman bilib tekshirib tekshiraman check verify confirm ask hamkasb*
		коллег* colleague* ma'lumotim ma'lumot информаци* sure знаю bilmayman know unsure menejer+ менеджер* manager balki ehtimol возможно maybe`},
	phrase.Class{Bit: cYes, Words: `bor borku mavjud mavjuddir есть имеется наличии наличие наличию available stock have sotuvda остал* осталось имеются бор topiladi доступн*
		продаже bordir tayyor готов готова готово готовы ready свободна свободен`},
	phrase.Class{Bit: cGone, Words: `qolmagan qolmadi tugagan tugadi tugab закончил* кончил* sold распродан* раскупил* gone unavailable sotilgan sotildi sotilib`},
	phrase.Class{Bit: cOrder, Words: `oldindan предзаказ* preorder pre буюртма buyurtma+ заказ заказу backorder предварительн*`},
	phrase.Class{Bit: cDelivery, Words: `yetkaz* etkaz* eltib eltamiz dostavka+ доставк* достав* довез* привез* отправ* delivery deliver delivered delivering ship shipping ships yubor* jo'nat*
		kuryer+ курьер* courier pochta+ почт* shipped`},
	phrase.Class{Bit: cFree, Words: `bepul tekin tekinga бесплатн* free даром bepulga pulsiz gratis`},
	phrase.Class{Bit: cGift, Words: `sovg'a+ подар* gift gifts bonus+ бонус* hadya+ сюрприз*`},
	phrase.Class{Bit: cDiscount, Words: `chegirma+ skidka+ скидк* discount* aksiya+ акци* sale off arzonlash* уступ* скин* распродаж* promo+ промокод* promokod+ cashback keshbek+ кешбэк* кэшбэк*
		купон* coupon`},
	phrase.Class{Bit: cGuarantee, Words: `kafolat* гаранти* warranty guarantee* garantiya+ guaranteed`},
	phrase.Class{Bit: cRefund, Words: `qaytar* qaytib almashtir* возврат* верн* возвращ* обмен* поменя* замен* return returns refund* exchange* returned replace money-back`},
	phrase.Class{Bit: cInstallment, Words: `bo'lib рассрочк* rassrochka+ installment* instalment* nasiya+ кредит* kredit+ credit muddatli`},
	phrase.Class{Bit: cNoInterest, Words: `foizsiz беспроцентн* ustamasiz`},
	phrase.Class{Bit: cBooked, Words: `забронирован* записал* записаны записан записана booked reserved бронировал* забронировал* band yozildingiz yozdim yozib`},
	phrase.Class{Bit: cPlaced, Words: `оформлен* оформил* принят принята rasmiylashtirildi rasmiylashtirdim rasmiylashtirdik placed confirmed подтвержд* qabul tasdiqlandi tasdiqladim processed`},
	phrase.Class{Bit: cOpen, Words: `ishlaymiz ishlaydi ishlaymizmi ochiq ochiqmiz ochilamiz ochiladi yopilamiz yopiladi yopilish работа* открыт* откро* закры* режим график open opens close
		closes working hours ish vaqti часы ishlash запись принимаем qabul`},
	phrase.Class{Bit: cDayOff, Words: `выходн* yopiq yopiqmiz закрыт* closed off dam bayram ishlamaymiz ishlamaydi`},
	phrase.Class{Bit: cEvery, Words: `har ежедневн* кажд* every daily everyday kuni doim всегда always`},
	phrase.Class{Bit: cBudget, Words: `byudjet* budjet* бюджет* budget* cho'ntag* doirasida пределах within сумму summaga`},
	phrase.Class{Bit: cCompare, Words: `arzon arzonroq qimmat qimmatroq дешевле дороже cheaper dearer less more меньше больше kam ko'p oshiq oshiqroq farq* разниц* difference вместо instead
		o'rniga emas ниже выше yuqori past than ko'proq kamroq expensive ortiq oshsa oshganda oshib above over`},
	phrase.Class{Bit: cWait, Words: `kuting kutib kutsangiz kutasiz подожд* ждите жд* wait hamkasb* коллег* colleague* operator+ оператор* ulanadi менеджер* menejer+ manager javob ответ* reply daqiqada hozir сейчас
		секунд* sekund* moment`},
	phrase.Class{Bit: cLeft, Words: `qoldi qolgan qolgandi остал* left remaining skladda omborda складе warehouse last oxirgi последн* донада`},
	phrase.Class{Bit: cPrice, Words: `narx* baho* qiymat* цен* сто* стоимост* price* cost* turadi bo'ladi обойд* выйдет итого jami всего total сумма to'lov оплат* pay summa+ sotiladi sotamiz sotilyapti`},
	phrase.Class{Bit: cCome, Words: `kel* приезж* приход* заезж* ждём ждем come visit tashrif o'tib заход* загляд* drop`},
	phrase.Class{Bit: cBook, Words: `band bron+ yozil* yozib запис* брон* book* appointment slot slots bo'sh свободн* taklif предлага* propose offer reserve uchrashuv vaqt+ окно`},
	phrase.Class{Bit: cLesson, Words: `dars+ урок* занят* lesson* class classes kurs+ курс* course* guruh+ групп* group* mashg'ulot+ trial sinov+ пробн*`},
	phrase.Class{Bit: cService, Words: `o'rnat* установ* install* kiyib примерк* fitting konsultatsiya+ консультац* consultation diagnostika+ диагностик* diagnos* sozlash настройк* setup parking парковк*
		avtoturargoh wifi qadoqlash упаковк* wrapping montaj монтаж* tuzatish ремонт* repair`},
	phrase.Class{Bit: cCan, Words: `mumkin можно можете сможете can may oladi olasiz bo'ladi possible имеете`},
	phrase.Class{Bit: cFrom, Words: `dan от с from since boshlab начиная между between`},
	phrase.Class{Bit: cUntil, Words: `gacha до till until to по through`},
	phrase.Class{Bit: cAt, Words: `soat в at к by около`},
	phrase.Class{Bit: cEvening, Words: `kechqurun kechki kech вечера вечером pm evening дня afternoon peshindan`},
	phrase.Class{Bit: cMorning, Words: `ertalab ertalabki утра утром am morning`},
	phrase.Class{Bit: cNext, Words: `kelasi keyingi kelgusi следующ* next будущ* coming`},
	phrase.Class{Bit: cThis, Words: `shu bu эт* this текущ*`},
	phrase.Class{Bit: cWithout, Words: `без without siz siz-siz`},
	phrase.Class{Bit: cStarts, Words: `boshlan* начн* начина* старт* starts start begins`},
	phrase.Class{Bit: cAgree, Words: `отда* уступ* beramiz beraman mayli хорошо ладно договорились kelishdik deal give agreed`},
	phrase.Class{Bit: cYour, Words: `ваш* sizning raqamingiz your you siz sizda вас вам вами`},
	phrase.Class{Bit: cRoundClock, Words: `круглосуточн* sutka kecha-yu around-the-clock nonstop`},
	phrase.Class{Bit: cIfYou, Words: `olsangiz xarid покупк* купите buying buy purchase при агар agar если if oshsa`},
	phrase.Class{Bit: cGoods, Words: `rang+ цвет* colour* color* razmer+ размер* size* o'lcham+ xotira+ памят* memory material+ материал* mato+ ткан*`},
	phrase.Class{Bit: cTotal, Words: `jami итого всего вместе total together hammasi umumiy`},
)
