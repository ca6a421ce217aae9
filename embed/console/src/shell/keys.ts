type Key = Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>;

/**
 * The key that was pressed, as commands name it: a small Latin letter, "/", or what the
 * event says. Where the layout writes other letters (Russian, Uzbek Cyrillic) its place on
 * the keyboard counts; "/" writes a full stop there.
 */
export function keyOf({ key, code, shiftKey }: Key): string {
  if (/^[a-z]$/i.test(key)) return key.toLowerCase();
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  return letter?.toLowerCase() ?? (code === 'Slash' && !shiftKey ? '/' : key);
}
