// How a reply sounds by a communication profile. It is in the language of a customer, which is not that of the console: the
// texts of all three are here.
import type { Communication, Language } from './types';

export type Style = Pick<Communication, 'formality' | 'address' | 'emoji' | 'sentence_length' | 'max_questions'>;

interface Texts {
  question: string;
  asksAI: string;
  answer: string;
  greeting: Record<Style['formality'], string>;
  price: Record<Style['sentence_length'], string>;
  /** By how the customer is addressed. */
  more: Record<Style['address'], string>;
  ask: Record<Style['address'], string>;
  askMore: Record<Style['address'], string>;
}

export const texts: Record<Language, Texts> = {
  uz: {
    question: 'Atirgullar qancha turadi?',
    asksAI: 'Siz botmisiz?',
    answer: 'Atirgul donasi 12 000 soʻm.',
    greeting: { FORMAL: 'Assalomu alaykum.', NEUTRAL: 'Salom.', FRIENDLY: 'Salom! Savolingizdan xursandmiz!' },
    price: {
      SHORT: 'Donasi 12 000 soʻm.',
      MEDIUM: 'Qizil atirgul donasi 12 000 soʻm, bugun bor.',
      LONG: 'Qizil atirgul donasi 12 000 soʻm turadi va bugun bizda bor. 15 tadan ortiq olinsa, bezatish narxga kiradi.',
    },
    more: { POLITE_YOU: 'Xohlasangiz, guldasta suratini yuboramiz.', INFORMAL_YOU: 'Xohlasang, guldasta suratini yuboramiz.' },
    ask: { POLITE_YOU: 'Sizga nechta kerak?', INFORMAL_YOU: 'Senga nechta kerak?' },
    askMore: { POLITE_YOU: 'Qaysi kunga yetkazib beraylik sizga?', INFORMAL_YOU: 'Qaysi kunga yetkazib beraylik senga?' },
  },
  ru: {
    question: 'Сколько стоят розы?',
    asksAI: 'Вы бот?',
    answer: 'Роза стоит 12 000 сум.',
    greeting: { FORMAL: 'Здравствуйте.', NEUTRAL: 'Добрый день.', FRIENDLY: 'Привет! Рады вопросу!' },
    price: {
      SHORT: '12 000 сум за штуку.',
      MEDIUM: 'Красная роза стоит 12 000 сум, сегодня есть.',
      LONG: 'Красная роза стоит 12 000 сум за штуку, и сегодня они у нас есть. Если взять больше 15, оформление входит в цену.',
    },
    more: { POLITE_YOU: 'Если хотите, пришлём вам фото букета.', INFORMAL_YOU: 'Если хочешь, пришлём тебе фото букета.' },
    ask: { POLITE_YOU: 'Сколько вам нужно?', INFORMAL_YOU: 'Сколько тебе нужно?' },
    askMore: { POLITE_YOU: 'На какой день вам доставить?', INFORMAL_YOU: 'На какой день тебе доставить?' },
  },
  en: {
    question: 'How much are the roses?',
    asksAI: 'Are you a bot?',
    answer: 'A rose is 12,000 UZS.',
    greeting: { FORMAL: 'Good afternoon.', NEUTRAL: 'Hello.', FRIENDLY: 'Hi there! Glad you asked!' },
    price: {
      SHORT: '12,000 UZS each.',
      MEDIUM: 'A red rose is 12,000 UZS, and we have them today.',
      LONG: 'A red rose is 12,000 UZS, and we have them in stock today. If you take more than 15, the wrapping is part of the price.',
    },
    more: { POLITE_YOU: 'If you like, we will send a photo of the bouquet.', INFORMAL_YOU: 'Want a photo of the bouquet?' },
    ask: { POLITE_YOU: 'How many would you like?', INFORMAL_YOU: 'How many do you want?' },
    askMore: { POLITE_YOU: 'Which day shall we deliver?', INFORMAL_YOU: 'Which day do you want them?' },
  },
};

const marks = ['🌸', '✨', '🙂', '💐', '🚚'];

/** A reply to the question of the sample in this style. */
export function sampleOf(s: Style, language: Language): string {
  const x = texts[language];
  const sentences = [
    x.greeting[s.formality],
    x.price[s.sentence_length],
    ...(s.sentence_length === 'LONG' ? [x.more[s.address]] : []),
    x.ask[s.address],
    ...(s.max_questions > 1 ? [x.askMore[s.address]] : []),
  ];
  const last = sentences.length - 1;
  return sentences
    .map((text, i) => (s.emoji === 'MANY' || (s.emoji === 'FEW' && i === last) ? `${text} ${marks[i % marks.length]}` : text))
    .join(' ');
}
