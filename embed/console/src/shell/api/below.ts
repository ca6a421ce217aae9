/** Whether a path is one of these, or stands below one. */
export function isBelow(path: unknown, prefixes: readonly string[]): boolean {
  return typeof path === 'string' && prefixes.some((p) => path === p || path.startsWith(`${p}/`));
}
