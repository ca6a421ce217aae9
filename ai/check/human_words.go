package check

import "svc/ai/phrase"

// Classes of the words by which a text claims to be written by a person.
const (
	hMachine  phrase.Mask = 1 << iota // bot, program, artificial intelligence
	hPerson                           // person, human
	hGender                           // woman, guy
	hTrade                            // a trade, a post in a shop
	hReal                             // real, actual
	hLiving                           // living, made of flesh
	hNot                              // not, isn't
	hNotMe                            // Uzbek emasman: I am not
	hI                                // I, men, я
	hMy                               // my, mening, мой
	hSelf                             // o'zim, сам, myself
	hAm                               // am, I'm
	hArticle                          // a, the, your, our
	hFamily                           // husband, children
	hBody                             // hands, eyes
	hFamilyMy                         // Uzbek with the possessive: bolalarim
	hBodyAct                          // I wear, I tried it on, I will meet you
	hPersonal                         // a biography by itself: замужем, tug'ilganman
	hYears                            // лет, years, yil
	hAge                              // yoshdaman, years old
	hOrg                              // shop, company, warranty: what else has years
	hChildren                         // children as those for whom goods are
	hWork                             // I work, работаю
	hSpeaks                           // talks with you, writes to you
	hTo                               // to, for, with: a phrase of its own begins
	hVerb                             // verbs after which a noun is not the subject's
	hFiller                           // simply, really: between subject and noun
	hHands                            // hand over, call, ask: a person as the object
	hHas                              // has, есть, bor
	hTradeAct                         // what people of a trade do, in the first person
)

var humanWords = phrase.NewLexicon(
	phrase.Class{Bit: hMachine, Words: `bot+ chatbot+ robot+ ai sun'iy intellekt+ su'niy artificial automated avtomat+ автомат+ автоматическ*
		program+ programma+ программ+ dastur+ mashina+ машина машиной машины machine machines computer+ kompyuter+ компьютер+ нейросет+ neyroset+
		neural искусственн+ интеллект+ virtual виртуальн+ algoritm+ алгоритм+ algorithm+ avtojavob* автоответчик+ raqamli цифров+ digital
		yordamchi+ yordamchiman assistant+ ассистент+ помощник+ помощниц+ чатбот+ gpt model модель`},
	phrase.Class{Bit: hPerson, Words: `odam+ inson+ kishi+ shaxs+ odamzod+ человек человеком person human people human being chelovek chelovekom
		люди`},
	phrase.Class{Bit: hGender, Words: `ayol+ erkak+ qiz+ yigit+ juvon+ девушка девушкой женщина женщиной мужчина мужчиной парень парнем
		woman man girl guy lady boy`},
	phrase.Class{Bit: hTrade, Words: `sotuvchi+ usta+ menejer+ menedjer+ manager+ менеджер менеджером operator+ оператор оператором admin+ administrator+
		админ админом администратор администратором maslahatchi+ konsultant+ consultant консультант консультантом shifokor+ doktor+ doctor врач врачом
		доктор доктором o'qituvchi+ muallim+ ustoz+ teacher учитель учителем учительница преподаватель преподавателем sartarosh+ hairdresser парикмахер
		kosmetolog+ косметолог косметологом dizayner+ designer дизайнер дизайнером haydovchi+ driver водитель водителем kuryer+ courier курьер
		курьером tikuvchi+ oshpaz+ povar+ повар поваром cook chef muhandis+ engineer инженер инженером hamshira+ nurse медсестра buxgalter+ accountant
		бухгалтер direktor+ director директор директором xodim+ hodim+ сотрудник сотрудником сотрудница сотрудницей employee xo'jayin+ egasiman hozyain
		хозяин хозяйка хозяйкой владелец владельцем владелица owner yurist+ advokat+ lawyer юрист юристом trener+ trainer тренер тренером coach
		mutaxassis+ specialist специалист специалистом ekspert+ expert эксперт экспертом продавец продавцом продавщица продавщицей seller salesperson
		salesman saleswoman guide гид гидом экскурсовод florist+ флорист флористом barista barber+ мастер мастером стилист стилистом stilist+ stylist manikyurchi+ мастерица студент студентом студентка
		student talaba+ rahbar+ boshliq+ руководитель руководителем representative cashier kassir+ кассир кассиром kolleg+
		tarbiyachi+ воспитатель воспитательница pedagog+ педагог педагогом veterinar+ ветеринар ветеринаром vet instruktor+ инструктор инструктором instructor qandolatchi+ кондитер кондитером
		пекарь пекарем baker novvoy+ notarius+ нотариус нотариусом notary fotograf+ фотограф фотографом photographer масажист массажист массажистом massajist+ massajchi+ механик механиком mexanik+
		mechanic стоматолог стоматологом stomatolog+ dentist швея швеей tailor bog'bon+ sozanda+ музыкант музыкантом musician tarjimon+ переводчик переводчиком translator агроном консьерж
		портье receptionist qabulxona+ bug'alter+ logoped+ логопед логопедом psixolog+ психолог психологом psychologist риелтор риелтором realtor`},
	phrase.Class{Bit: hReal, Words: `real haqiqiy xaqiqiy chinakam настоящ+ реальн+ actual genuine oddiy обычн+ ordinary`},
	phrase.Class{Bit: hLiving, Words: `tirik jonli жив+ живой живая живые живым living flesh`},
	phrase.Class{Bit: hNot, Words: `emas не net нет not isnt arent never без никак`},
	phrase.Class{Bit: hNotMe, Words: `emasman emasmiz emaman emismiz`},
	phrase.Class{Bit: hI, Words: `men man я i im ive`},
	phrase.Class{Bit: hMy, Words: `my mening мой моя мое моё мои моего моей моих моим мою`},
	phrase.Class{Bit: hSelf, Words: `o'zim o'zimiz сам сама сами myself personally лично shaxsan`},
	phrase.Class{Bit: hAm, Words: `am im`},
	phrase.Class{Bit: hArticle, Words: `a an the your our one`},
	phrase.Class{Bit: hFamily, Words: `husband wife kids children child son daughter mother father mom mum dad family sister brother boyfriend girlfriend
		муж мужем мужа жена женой жены дети детей сын сына сыном дочь дочка дочки дочери дочерью мама мамой мамы папа папой семья семьи семью сестра
		брат бабушка внуки er xotin bola+ farzand+ o'g'il qiz ota ona oila+`},
	phrase.Class{Bit: hBody, Words: `hand hands eyes feet body face hair skin руки руками рук глаза глазами ноги тело лицо волосы кожа`},
	phrase.Class{Bit: hFamilyMy, Words: `erim xotinim turmush o'rtog'im bolam bolalarim farzandim farzandlarim o'g'lim o'g'illarim qizlarim onam otam oilam
		singlim ukam akam opam nabiram qo'lim qo'llarim ko'zim ko'zlarim`},
	phrase.Class{Bit: hBodyAct, Words: `olaman olib boraman beraman kiydim kiyganman kiyaman ishlatganman ishlataman ishlatib ko'rganman ko'rdim tatib sinab
		yetkazaman yetkazib kutib kutaman ношу носила носил пользуюсь пользовалась пользовался пробовала пробовал попробовала примеряла примерял примерила
		привезу доставлю встречу упакую сошью приготовила приготовлю купила купил видела видел трогала wear wearing use bought tried tasted meet
		deliver bring packed sew made cooked`},
	phrase.Class{Bit: hPersonal, Words: `tug'ilganman tug'ilgan turmushga uylanganman uylangan oilaliman oilali замужем женат родился родилась родом married
		born divorced разведен разведена yashayman устала устал заболела заболел charchadim charchaganman kasalman обедаю проголодалась hungry tired`},
	phrase.Class{Bit: hYears, Words: `лет год года years year yil+ yildan`},
	phrase.Class{Bit: hAge, Words: `yoshdaman yoshda yoshli yashar yasharman yoshim yoshimda возраст`},
	phrase.Class{Bit: hOrg, Words: `do'kon+ magazin+ магазин+ shop+ store kompaniya+ компани+ company firma+ фирм+ brend+ бренд+ brand kafolat+ гаранти+
		warranty guarantee bozor+ рынк* рынок market zavod+ завод+ фабрик+ сеть салон+ salon+ markaz+ центр+ center centre школа maktab+ kurs+ курс+
		ресторан+ restoran+ мы biz we klinik+ клиник+ клуб+ работаем ishlaymiz team jamoa+ команд+ бизнес+ biznes+ business`},
	phrase.Class{Bit: hChildren, Words: `bolalar+ bolajon+ chaqaloq+ детей детям детск* kids kid's children от до старше gacha katta uchun для for from ages aged`},
	phrase.Class{Bit: hWork, Words: `ishlayman ishlab kelyapman ishlaganman работаю проработала проработал worked working work тружусь shug'ullanaman
		tajribam tajribaga стаж опыт experience`},
	phrase.Class{Bit: hSpeaks, Words: `общаетесь общается разговариваете говорите пишет переписываетесь отвечает консультирует связи вами talking speaking chatting
		texting gaplashyapsiz gaplashyapti yozyapti yozishyapsiz suhbatlashyapsiz javob`},
	phrase.Class{Bit: hTo, Words: `to for with from at by of who that if when whether и а но что чтобы к у для с от если когда va lekin agar`},
	phrase.Class{Bit: hFiller, Words: `же тут здесь просто действительно правда тоже такой такая самый самая сам сама ваш ваша наш наша это есть являюсь
		and really actually definitely just also still indeed truly only chindan ham axir oddiy rostdan shu yerda тоже конечно точно обычный как сейчас`},
	phrase.Class{Bit: hHands, Words: `передам позову соединю переключу переведу подключу спрошу уточню pass connect transfer ask call hand forward bring put
		ulayman chaqiraman so'rayman bog'layman yo'naltiraman topshiraman beraman`},
	phrase.Class{Bit: hTradeAct, Words: `пеку шью лечу стригу чиню готовлю преподаю обучаю учу крашу фотографирую ремонтирую мою леплю вяжу варю жарю массирую вожу
		o'qitaman o'rgataman davolayman tikaman pishiraman tuzataman bo'yayman yuvaman haydayman tayyorlayman
		teach bake sew cook drive heal cure repair paint knit sing brew treat`},
	phrase.Class{Bit: hHas, Words: `have has есть bor имеется got`},
)
