package signals

// Classes of lemmas. A class is what its words have in common for the rules, in all three
// languages; an entry of the lists below covers its inflected forms.
const (
	not          class = 1 << iota // negates what follows
	emas                           // negates what stands before
	adverb                         // stands between a negation and its verb
	need                           // is needed
	unneeded                       // is not needed, in one word
	want                           // wants
	receive                        // receives
	more                           // more, again, ever: an end for good
	when                           // limits in time
	cease                          // stops doing something
	remove                         // takes out
	leavesOff                      // unsubscribes
	cancel                         // cancels
	talk                           // messages, advertising
	list                           // lists of people
	number                         // numbers of people
	self                           // the person who writes
	write                          // writes
	send                           // sends
	bother                         // bothers
	calm                           // peace, alone
	leave                          // leaves
	goAway                         // go away
	anger                          // is fed up
	block                          // blocks, reports
	order                          // orders, parcels, bookings, parts of them
	goods                          // goods whose names have the words of stopping
	priceAsk                       // asks for a price
	stockAsk                       // asks for stock
	asking                         // words that ask at the beginning of a sentence
	askingUz                       // words that ask anywhere
	polite                         // words without meaning for a bare message
	people                         // people who answer for a business
	anyone                         // a person, somebody
	live                           // alive, real
	reach                          // speaks with, connects to, calls somebody
	answer                         // answers
	phoneCall                      // a telephone call
	callMe                         // call me, in one word
	does                           // qil-, ber-: what makes a noun a verb
	machine                        // bots, robots, models
	you                            // the one who is written to
	thisIs                         // this is, here
	speaks                         // speaks, writes, answers: now
	product                        // what makes a machine or a person a thing that is sold
	job                            // work, salary
	perHead                        // per person
	hypothetical                   // if, in case
	policy                         // conditions
	exits                          // leaves a list or a subscription
	carrier                        // who brings the goods
	inscribed                      // what an inscription stands on
	measure                        // measures of goods
)

var words = readWords()

func readWords() *lexicon {
	l := &lexicon{}
	for _, e := range []struct {
		class class
		list  string
	}{
		{not, "не ни ne dont don't never no not doesnt cannot нельзя"},
		{emas, "emas emasman emasmiz emasdi emasmi emes"},
		{adverb, "мне нам вы больше bolshe вообще никогда пожалуйста просто уже please pls longer ever to be me a an any сюда ко"},
		{need, "kerak kerek kere kerakmi lozim shart hojat* keragi* ehtiyoj* надо нужн* нужен need needed"},
		{unneeded, "kerakmas* keremas* kerakmasku kerakmayd* keraksiz* ненужн* unwanted"},
		{want, "xohla+ hohla+ ista+ хочу хотим хотел* желаю желани* want wanna interested wish интерес* интересно qiziqish*"},
		{receive, "olmoqchi* olishni* olishim* olgim* korishni* korgim* oqigim* qabul* получ* видеть читать receiv* get getting see hear"},
		{more, "boshqa bosha qaytib endi qayta umuman hech boshqayam bolshe больше никогда вообще again anymore more ever never further"},
		{when, "hozir* hozr* bugun* kechqurun* ertaga* ertalab* keyin* kechroq* birozdan tushdan kechasi* kechga* ishdaman band bandman majlis* darsda* uxla* yoldaman пока сейчас щас сегодня завтра вечер* позже попозже ночью утром потом совещани* занят* работе now today tomorrow tonight later yet until till busy meeting night morning evening"},
		{cease, "toxtat+ tuxtat+ toxta+ tuxta+ bas yetar yetadi tugat+ yakunla+ tiy+ yigishtir+ хватит прекрат* прекращ* перестан* перестав* остановит* останови останавлива* завязыва* завяжите кончай* кончайте закончите заканчива* угомон* довольно харе хорош stop стоп ceas* quit enough stopping halt"},
		{remove, "ochir+ uchir+ chiqar+ chikar+ удал* стер* стир* снимите снять убер* убир* исключ* вычеркн* сотрите сотри выкин* выпиш* отключ* remov* delet* erase"},
		{leavesOff, "отпис* отпиш* unsubscrib* otpish* otpis* unsub optout desubscribe"},
		{cancel, "bekor отмен* аннулир* cancel* otmen* расторг* отказ отказываюсь отказался отказалась отказаться откажусь закройте закрой"},
		{talk, "xabar* habar* soobsh* eslatma* yangilik* xat xatlar* sms* смс* эсэмэс* reklama* реклам* spam* спам* rassil* рассыл* obuna* подписк* уведомл* сообщени* сообщен* bildirishnoma* message* msg* texts ads ad advert* email* emails newsletter* mailing* notification* promo* subscription* письма писем письм* спамит* спамить оповещ* напоминан* messaging texting mails mail communication* outreach"},
		{list, "royxat* ruyxat* ruyhat* royhat* baza* список* списк* спис* базы базу базе база list lists database mailing* kontakt* контакт* contacts"},
		{number, "raqam* nomer* номер* telefon* телефон* number phone contact"},
		{self, "men meni menga mening mendan mani manga mandan biz bizga bizni меня мне мой мою моего моем мои моём мной нас нам me my mine us raqamim* nomerim* nomirim* kontaktim* telefonim* ismim*"},
		{write, "yoz+ пиш* писа* напиш* напис* пис pish* pisat* writ* text texting message messaging contact contacting ping"},
		{send, "yubor+ yubar+ jonat+ junat+ yolla+ yulla+ tashla+ tasha+ tashle+ tashe+ шл* слать слал* сла присыл* пришл* отправ* высыл* кидай* кидать скидыв* закидыв* send sending sends prisilay* prislat*"},
		{bother, "беспоко* тревож* трогай* доставай* донима* bother* disturb* harass* bezovta bezofta bezobta надоеда* приставай* докучай* достава* pester* nag hassle nagging"},
		{calm, "tinch tinchgina покое покой alone peace"},
		{leave, "qoy+ quy+ оставь* остави* leave let"},
		{goAway, "отстань отстаньте отстаньт отстан отвали отвалите отвалитесь отвяж* отцеп* отъеб* исчезни исчезните yoqol+ yoqolin* daf"},
		{anger, "jonim* tegdi tegdila* bezor* bezdir* charchadim* charchatdi* zerik* kalla* надоел* достал* задолбал* заколебал* замучил* утомил* бесит бесите annoy* sick tired fed бесят раздража* осточерт* замуч* sharmanda*"},
		{block, "blok* bloklay* заблок* заблакир* блокир* блок block* пожалуюс* report* shikoyat* жалобу"},
		{order, "buyurtma* zakaz* bron* posilka* savat* paket* yetkaz* kuryer* tovar* заказ* брон* посылк* корзин* позици* доставк* курьер* товар* запис* order* booking* reserv* parcel* package* cart* basket* item* deliver* courier* appointment*"},
		{goods, "belgi* kran* signal* chiroq* chirog* kadr* soat* kamera* tugma* lampa* кран* сигнал* кадр* фонар* лента линия belgisi sign signs light lights watch* button* frame* motion valve door bus pit nonstop block* кнопк* знак*"},
		{priceAsk, "narx* qancha* kancha* nech necha* nechi* nechpul turadi chegirma* skidka* сколько скок скоко цена цену цены цене ценой ценам ценник* прайс* стоит стоимост* почем почём скидк* price* cost* much discount* expensive cheap* skolko stoit"},
		{stockAsk, "bor bormi bormidi bormikan barmi borku mavjud* qoldimi qolganmi qolganmidi sotasiz* есть yest наличии продаете продаёте have sell stock available"},
		{askingUz, "kim nima nimaga qanday qanaqa qanaqasiga qachon qayer* qaer* qaysi nega nechchi* nechi necha qancha ли"},
		{asking, "как какой какая какие каким где когда почему зачем кто что сколько куда откуда можно how what where when why who which"},
		{polite, "iltimos iltmos iltimoos пожалуйста пожалуста плиз pojaluysta please pls plz rahmat raxmat спасибо thanks thank you thx salom assalomu alaykum aleykum здравствуйте здрасте привет hello hi hey xop hop mayli ok ок aka opa uka brat брат друг"},
		{people, "maslahatchi* operator* оператор* apirator* aperator* menejer* menedjer* menejr* menedj* менеджер* менежер* админ* admin* konsultant* консультант* consultant* sotuvchi* продавец* продавц* mutaxassis* специалист* xodim* сотрудник* agent* representative* manager* supervisor* boss direktor* директор* director* rahbar* boshliq* boshlig* начальник* руковод* старш* egasi хозяин* владелец* владельц* owner staff employee* specialist* salesperson sales support отдел отдела отделом отделу otdel* поддержк* техподдержк* master* мастер* usta ustangiz* ustaga ustani ustalar* vrach* shifokor* врач* доктор* doktor* doctor* bugalter* бухгалтер* yurist* юрист* masul*"},
		{anyone, "odam* одам* inson* bironta birorta biror kishi kishini kishiga человек* людьми людей люди человеч* human* person someone somebody anybody anyone people chelovek* кто-нибудь кто-то нибудь birov* kimdir birortangiz biror-kim"},
		{live, "jonli* tirik* tirk haqiqiy* жив* реальн* настоящ* real live actual zhiv*"},
		{reach, "gaplash+ gaplashtir+ gapir+ gaplash* yozish+ kelish+ uchrash+ ula+ ulan+ bogla+ boglan+ boglash+ chaqir+ suhbatlash+ maslahat* поговор* обсуд* пообщ* общат* соедин* позов* позват* пригласи* вызов* вызвать переключ* перевед* свяж* связат* связь подключ* контакт направьте передайте соеден* speak talk connect transfer chat soedin* svyaj* pozov* escalat* forward hand pass put"},
		{exits, "chiqmoqchi* chiqay chiqaman kechmoqchi* kechsam kechaman uzmoqchi* uzaman выйти выхожу"},
		{carrier, "kuryer* курьер* courier* haydovchi* водител* driver* доставщик* yetkazuvchi* pochtachi* почтальон*"},
		{inscribed, "tort* торт* cake* otkritka* открытк* card cards gift yozuv* надпис* имя имени ism ismi ismini ismim* quti* коробк* label receipt chek* чек* ценник* qogoz* накладн* nakladn* упаковк* qadoq*"},
		{measure, "штук* шт пар пары пару двух трех трёх одного одной кило кг литр* kilo dona"},
		{answer, "javob javobi javoblar javobingiz ответ* answer* respond* repl*"},
		{phoneCall, "qongiroq* kongirok* qunguroq* qungiroq* qongiroqla+ qongroq* qungroq* kongroq* qogiroq* qongirog* zvon telefon tel звонок звонк* zvonok call"},
		{callMe, "перезвон* позвон* наберит* набери наберёте созвон* дозвон* perezvon* pozvon* qongiroqlasa qongiroqlash* звоните звони"},
		{does, "попросите попроси qil+ kil+ ber+ bering qivor+ kel+ сделай* дайте может могут можно можете могли want need give get let kerak нужен нужна нужно пусть please пускай"},
		{machine, "bot bota botu botom botam boti botlar botmi* botmisan botmisiz* botsiz* botku бот бота боту ботом боты botga botman chatbot* чатбот* robot* робот* neyroset* нейросет* нейронк* intellekt* интеллект* ai gpt chatgpt чатгпт автоответ* avtojavob* chatgpt* gpt* чатгпт* automated autoresponder* avtomat* автомат* machine* computer* автоматич*"},
		{you, "siz sen san sizlar sizla вы ты вам тебе вами тобой vi ti you u ur youre"},
		{thisIs, "bu mana это эт this that it here тут здесь eto"},
		{speaks, "gapir+ gaplash+ yoz+ javob suhbat+ говор* разговар* общаю* общаем* пиш* перепис* отвеча* talk* chat* speak* writ* typing texting answer* respond* repl*"},
		{product, "changyutgich* pilesos* пылесос* oyinchoq* игрушк* toy* vacuum* kurs* курс* kursi kreslo* кресло* стул* stul* костюм* куртк* форм* shim* kostyum* course* wig* hair soch* kosilka* газонокосил* kofe* кофе* программирован* dasturlash* ботинк* botinka* korobka* каробк* коробк* transmis* cleaner* mop kit"},
		{job, "ish ishiga ishchi* ishla+ maosh* oylik* vakansiya* ваканси* работу зарплат* job* salary hiring vacancy rezyume* резюме*"},
		{perHead, "boshiga kishilik* kishi kishiga per каждого одного двоих за"},
		{hypothetical, "agar если вдруг if agarda unless"},
		{policy, "shart* tartib* qoida* условия услови* правил* policy polic* terms qanday можно bolad* bo'ladi"},
	} {
		l.add(e.class, e.list)
	}
	return l
}
