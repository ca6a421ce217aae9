import type { Lang } from '../client/types';

/** What the search box and the markers say; the rest of their text comes from the server. */
export interface Words {
  placeholder: string;
  none: string;
  found: (n: number) => string;
  failed: string;
  retry: string;
  list: string;
  close: string;
  start: string;
  end: string;
  minutes: string;
  metres: string;
  kilometres: string;
  zoomIn: string;
  zoomOut: string;
  compass: string;
  locate: string;
  noLocation: string;
  attribution: string;
  map: string;
  /** Before the server's own reason, which is English. */
  refused: string;
  /** The server is there but has no styles. */
  unstyled: string;
}

const uz: Words = {
  placeholder: 'Joy, koʻcha yoki manzil',
  none: 'Hech narsa topilmadi',
  found: (n) => `${n} ta natija`,
  failed: 'Server javob bermadi',
  retry: 'Qayta urinish',
  list: 'Takliflar',
  close: 'Yopish',
  start: 'Boshlanish nuqtasi',
  end: 'Manzil nuqtasi',
  minutes: 'daq',
  metres: 'm',
  kilometres: 'km',
  zoomIn: 'Yaqinlashtirish',
  zoomOut: 'Uzoqlashtirish',
  compass: 'Shimolga burish',
  locate: 'Mening joylashuvim',
  noLocation: 'Joylashuvni aniqlab boʻlmadi',
  attribution: 'Manbalar',
  map: 'Xarita',
  refused: 'Xaritani koʻrsatib boʻlmaydi',
  unstyled: 'Serverda xarita uslublari yoʻq',
};

const ru: Words = {
  placeholder: 'Место, улица или адрес',
  none: 'Ничего не найдено',
  found: (n) => `Найдено: ${n}`,
  failed: 'Сервер не ответил',
  retry: 'Повторить',
  list: 'Подсказки',
  close: 'Закрыть',
  start: 'Начальная точка',
  end: 'Конечная точка',
  minutes: 'мин',
  metres: 'м',
  kilometres: 'км',
  zoomIn: 'Приблизить',
  zoomOut: 'Отдалить',
  compass: 'Повернуть на север',
  locate: 'Моё местоположение',
  noLocation: 'Не удалось определить местоположение',
  attribution: 'Источники',
  map: 'Карта',
  refused: 'Карту нельзя показать',
  unstyled: 'На сервере нет стилей карты',
};

const en: Words = {
  placeholder: 'Place, street or address',
  none: 'Nothing found',
  found: (n) => (n === 1 ? '1 result' : `${n} results`),
  failed: 'The server did not answer',
  retry: 'Try again',
  list: 'Suggestions',
  close: 'Close',
  start: 'Start',
  end: 'Destination',
  minutes: 'min',
  metres: 'm',
  kilometres: 'km',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  compass: 'Turn north up',
  locate: 'My location',
  noLocation: 'Your location cannot be found',
  attribution: 'Sources',
  map: 'Map',
  refused: 'The map cannot be shown',
  unstyled: 'The server has no map styles',
};

/** The words of each language; names in Cyrillic Uzbek come with Latin words around them. */
export const words: Record<Lang, Words> = { uz, ru, en, 'uz-Cyrl': uz };

/** The tag for numbers. Uzbek groups and points as Russian does, and browsers often lack it. */
function numbers(lang: Lang): string {
  return lang === 'en' ? 'en-GB' : 'ru';
}

/** A distance for people: `340 m`, `1.2 km`, `57 km`. */
export function distanceText(metres: number, lang: Lang): string {
  const w = words[lang];
  const number = (n: number, digits: number) => new Intl.NumberFormat(numbers(lang), { maximumFractionDigits: digits }).format(n);
  if (metres < 950) {
    const step = metres < 100 ? 1 : 10;
    return `${number(Math.round(metres / step) * step, 0)} ${w.metres}`;
  }
  return `${number(metres / 1000, metres < 9950 ? 1 : 0)} ${w.kilometres}`;
}
