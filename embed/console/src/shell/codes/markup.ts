import type { Table } from './table';

/** What is wrong with formatting, behind the place where it is. */
export const markup: Table = [
  [/^the tag <(?<tag>[^>]*)> is never closed/, 'unclosed'],
  [/^messengers do not know the tag <(?<tag>[^>]*)>; use (?<list>.+), or write/, 'unknownTag'],
  [/^the < begins a tag that has no >/, 'openAngle'],
  [/^the tag <\/(?<tag>[^>]*)> closes nothing/, 'closesNothing'],
  [/^the tag <\/(?<tag>[^>]*)> stands where <\/(?<other>[^>]*)> should/, 'crossed'],
  [/^an attribute has no name/, 'attribute'],
  [/^there are no tags inside code/, 'inCode'],
  [/^of <span> messengers know only/, 'span'],
  [/^a quotation cannot stand inside another/, 'quoteInQuote'],
  [/^a link cannot stand inside another/, 'linkInLink'],
  [/^the tag <a> needs an address/, 'noHref'],
  [/^the link has no address that messengers open/, 'badLink'],
  [/^the \[ begins a link/, 'bracket'],
  [/^(?:the .+ begins code that is never closed|the code is never closed)/, 'codeOpen'],
  [/^the address of the link has no \)/, 'linkOpen'],
  [/^there is a character that no messenger shows/, 'hidden'],
  [/^the \{\{ has no \}\}/, 'braceOpen'],
  [/^there is no name between/, 'braceEmpty'],
  [/^the name of a variable has at most (?<n>\d+) characters/, 'longName'],
  [/^the text behind \S+ in a variable has at most (?<n>\d+) characters/, 'longDefault'],
  [/^the text has (?<n>\d+) characters \(UTF-16 units\) and may have (?<most>\d+)/, 'tooLong'],
  [/^there is no format /, 'format'],
];
