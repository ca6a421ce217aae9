import i18next from 'i18next';

/** How the server begins a sentence about a setting that is surely not meant, and which of our words say the same. */
const kinds: readonly (readonly [start: RegExp, key: string])[] = [
  [/^map is empty/, 'map'],
  [/^require-key is on but keys is empty/, 'keys'],
  [/^usage is set but keys is empty/, 'usage'],
  [/^messenger-driver is mtproto but/, 'messenger'],
  [/^public-url is https but trusted-proxies is empty/, 'proxy'],
  [/^metrics and listen are the same/, 'metrics'],
  [/^environment variable (?<name>\w+) sets nothing/, 'variable'],
];

/** What a warning of the server is about; null when we have no words for it. */
export function warningKind(sentence: string): { key: string; name: string } | null {
  for (const [start, key] of kinds) {
    const found = start.exec(sentence);
    if (found) return { key, name: found.groups?.name ?? '' };
  }
  return null;
}

/** A warning in the language of the person; one that we have no words for as the server says it. */
export function warningText(sentence: string): string {
  const kind = warningKind(sentence);
  return kind ? i18next.t(`system.warning.${kind.key}` as never, { ns: 'admin', name: kind.name }) : sentence;
}
