// What a browser says of itself, in the words of people.

const browsers: readonly [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/YaBrowser\//, 'Yandex Browser'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
  [/^curl\//, 'curl'],
];
const systems: readonly [RegExp, string][] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

const first = (table: readonly [RegExp, string][], text: string) => table.find(([of]) => of.test(text))?.[1];

/** "Chrome · Windows"; undefined when nothing is known. */
export function deviceOf(userAgent: string | null): string | undefined {
  const text = userAgent ?? '';
  return [first(browsers, text), first(systems, text)].filter(Boolean).join(' · ') || undefined;
}

export const isPhone = (userAgent: string | null): boolean => /Android|iPhone|iPad|Mobile/.test(userAgent ?? '');
