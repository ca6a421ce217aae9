/** An amount in US dollars; a small one with as many digits as say something. */
export function money(usd: number, locale: string): string {
  const digits = usd === 0 || usd >= 1 ? 2 : usd >= 0.01 ? 4 : 9;
  return `$${new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: digits }).format(usd)}`;
}
