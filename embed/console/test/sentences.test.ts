// Every sentence of the service that names values has words in the three languages.
import { describe, expect, test } from 'vitest';
import { reasons } from '../src/kit/seller/reasons';
import { markup } from '../src/shell/codes/markup';
import { said } from '../src/shell/codes/said';
import { wrong } from '../src/shell/codes/wrong';
import { all, block, sample, sources } from './server';
import { haveWords, words } from './words';

describe('sentences that name values', () => {
  const matches = (table: typeof said, text: string) => table.some(([sign]) => sign.test(text));
  // The general sentence of their code says the same, or a program alone meets them.
  const general = [
    /^abc\.?$|^The (body|form|field|upload)|^Send |^This needs the permission|^To preview for|^That is too large|endpoint\.$/,
    /^The Authorization header|^A restricted account is resumed|^Another page|^The request took|^This needs a signed-in/,
  ];
  test('in the place of a code', () => {
    const found = all(sources('app', 'web/apiv1'), /\.WithMessage\(\s*"((?:[^"\\]|\\.)*)"/g).map(sample);
    expect(found.length).toBeGreaterThan(40);
    expect(found.filter((s) => !matches(said, s) && !general.some((g) => g.test(s)))).toEqual([]);
  });
  // Where values of rows are read.
  const rows = ['app/recipient/field', 'app/account/line', 'app/business/price', 'app/business/pricelist'];
  test('about fields', () => {
    const code = sources('app');
    const found = [
      ...all(code, /\bWrong\([^,]+,\s*"((?:[^"\\]|\\.)*)"/g),
      ...all(code, /\bwrong\["[^"]*"\] = (?:fmt\.Sprintf\()?"((?:[^"\\]|\\.)*)"/g),
      ...all(sources(...rows), /errors\.New\("((?:[^"\\]|\\.)*)"\)/g),
      ...all(block(sources('app/api'), 'func init() {'), /:\s+"((?:[^"\\]|\\.)*)"/g),
    ]
      .map((s) => sample(s).replace(/(than|least|most|of) abc$/, '$1 12'))
      .filter((s) => !/^abc( abc)?$|^"x" abc$|^must be from (1 to )?$/.test(s));
    expect(found.length).toBeGreaterThan(120);
    // What is wrong with a file has words in the import; what the library checks by a pattern has none to name.
    const files = [
      /^is no JSON|^must be a list of records|^goes on behind|^is empty; (send|the first)|^is not in UTF-8|^cannot be read as CSV/,
      /^has (a quotation|\d+ col|no column|more than \d+ rows)|^two columns|^must be abc$|^must match abc$|^abc is needed beside/,
    ];
    expect(found.filter((s) => !matches(wrong, s) && !files.some((sign) => sign.test(s)))).toEqual([]);
  });
  test('about formatting', () => {
    const found = all(sources('app/content/markup'), /\.wrong\([^"\n]+, "((?:[^"\\]|\\.)*)"/g).map(sample);
    expect(found.length).toBeGreaterThan(15);
    expect(found.filter((s) => !matches(markup, s))).toEqual([]);
  });
  test('about why a person is needed', () => {
    const code = sources('app/seller', 'app/inbox');
    const found = [
      ...all(code, /\bReason: +"((?:[^"\\]|\\.)*)"/g),
      ...all(code, /(?:handAmbiguity|handOver|a\.person|s\.give|toPerson)\([^"\n]*"((?:[^"\\]|\\.)*)"\)/g),
      ...all(code, /\bno(?:Model|Budget) += "((?:[^"\\]|\\.)*)"/g),
      ...all(block(code, 'var failures = map[calendar.Code]string{'), /"((?:[^"\\]|\\.)*)",/g),
    ].filter((s) => s !== 'JEV'); // a step of an execution
    expect(found.length).toBeGreaterThan(20);
    expect(found.filter((s) => !matches(reasons, s))).toEqual([]);
    haveWords(
      reasons.map(([, key]) => key),
      ['kit'],
      (k) => `reason.${k}`,
    );
  });
  test('each pattern has words, and each word a pattern', () => {
    for (const [group, table] of Object.entries({ said, wrong, markup })) {
      haveWords(
        table.map(([, key]) => key),
        ['shell/codes'],
        (k) => `${group}.${k}`,
      );
      const asked = new Set(table.map(([, key]) => `${group}.${key}`));
      expect([...words('shell/codes', 'en')].filter((k) => k.startsWith(`${group}.`) && k !== 'markup.at' && !asked.has(k))).toEqual([]);
    }
  });
});
