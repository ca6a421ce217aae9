import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { exportAddress } from '../export';
import { csvOf } from './Rejected';
import { cell, parse, pasted, peek, peekFile, separatorOf, textOf, understood, usernamesIn } from './sheet';
import { why } from './problems';
import { blankTerms, canReceive, ends, formOf, type Report } from './terms';

const report = {
  total: 10,
  valid: 7,
  duplicates: 1,
  invalid: 2,
  suppressed: 1,
  opted_out: 1,
  created: 0,
  updated: 0,
  by_consent: { OPTED_IN: 3, EXISTING_RELATIONSHIP: 1, UNKNOWN: 1, OPTED_OUT: 2 },
  issues: [],
  columns: [],
  dry_run: true,
} as unknown as Report;

describe('a sheet', () => {
  test.each([
    ['a;b,c;d\n', ';'],
    ['a,b\n', ','],
    ['a\tb\tc,d\n', '\t'],
    ['alone\n1;2', ','],
  ])('%j is separated', (text, want) => expect(separatorOf(text)).toBe(want));
  test('is read with quotes, empty lines and other line ends', () => {
    expect(parse('a,b\r\n"x, ""y""",2\r\n\r\n3,"four\nfive"', ',', 9)).toEqual([
      ['a', 'b'],
      ['x, "y"', '2'],
      ['3', 'four\nfive'],
    ]);
  });
  test('shows its header and its first rows, JSON none', () => {
    expect(peek('\uFEFFUsername ; Имя\nolga;Ольга\n')).toEqual({ header: ['Username', 'Имя'], rows: [['olga', 'Ольга']] });
    expect(peek(' [{"username":"olga"}]')).toBeNull();
  });
  test('columns are what the server made of them', () => {
    expect(understood(['user', '', 'city'], ['username', 'attributes.city'], {})).toEqual(['username', '', 'attributes.city']);
    expect(understood(['user', 'city'], ['username'], { city: '' })).toEqual(['username', '']);
    expect(understood(['user', 'city'], [], {})).toEqual(['', '']);
  });
  test('a column of usernames is known by what stands in it, when there is one', () => {
    const header = ['Ism', 'Telegram', 'Boss'];
    expect(
      usernamesIn({
        header,
        rows: [
          ['Aziz', '@aziz_k', ''],
          ['Lola', 'lola_1', '-'],
          ['Anvar', 'https://t.me/anvar', ''],
        ],
      }),
    ).toBe('Telegram');
    expect(
      usernamesIn({
        header,
        rows: [
          ['Aziz', '@aziz_k', '@boss'],
          ['Lola', '@lola_1', '@boss'],
        ],
      }),
    ).toBeUndefined();
    expect(usernamesIn({ header, rows: [['Aziz', 'aziz_k', '']] })).toBeUndefined();
  });
  test('no cell of a download is a formula', () => {
    expect([cell('=1+1'), cell('a"b'), cell(-5), cell(null)]).toEqual(["'=1+1", '"a""b"', '-5', '']);
  });
});

describe('a pasted text', () => {
  test('of names and numbers gets its header', async () => {
    expect(await pasted('@olga_k\n\n123456789\nhttps://t.me/anvar').text()).toBe(
      'username,messenger_id\n@olga_k,\n,123456789\nhttps://t.me/anvar,',
    );
  });
  test('with a header, or of JSON, stays as it is', async () => {
    expect(await pasted('username\nolga_k').text()).toBe('username\nolga_k');
    expect(pasted('[{"username":"olga_k"}]').type).toContain('json');
  });
});

test('the ends of a report are all of its rows', () => {
  expect(ends(report).map((e) => [e.end, e.count])).toEqual([
    ['imported', 5],
    ['optedOut', 2],
    ['duplicates', 1],
    ['invalid', 2],
  ]);
  expect(canReceive(report)).toBe(4);
});

test('the form says what the person chose, and no list that was not', () => {
  const f = new File(['username\nolga'], 'people.csv');
  const form = formOf(
    f,
    { ...blankTerms, consent: 'OPTED_IN', tags: ['a', 'b'], list: 'new', listId: 'lst_1', newList: ' Spring ' },
    { Ник: 'username' },
    true,
  );
  expect([...form.keys()].sort()).toEqual(['default_consent', 'dry_run', 'file', 'mapping', 'new_list_name', 'tags']);
  expect([form.get('tags'), form.get('new_list_name'), form.get('mapping')]).toEqual(['a;b', 'Spring', '{"Ник":"username"}']);
});

test('an export has the filter of the list, days as moments, and no page', () => {
  const q = new URL(exportAddress('?page=3&tag=a&tag=b&q=x&created_to=2026-05-01', { list_id: 'lst_1' }), 'http://x').searchParams;
  expect([q.getAll('tag'), q.get('page'), q.get('q'), q.get('list_id'), q.get('format')]).toEqual([['a', 'b'], null, null, 'lst_1', 'csv']);
  expect(q.get('created_to')).toBe(new Date('2026-05-02T00:00:00').toISOString());
});

test('a row is explained by its field, a duplicate by the row that counts', () => {
  const t = ((key: string, o?: { row?: string }) => `${key} ${o?.row ?? ''}`.trim()) as never;
  expect(why(t, { row: 5, kind: 'DUPLICATE', field: null, value: null, message: 'The same person stands in row 3, which counts.' })).toBe(
    'import.issue.DUPLICATE 3',
  );
  expect(why(t, { row: 5, kind: 'SUPPRESSED', field: null, value: null, message: '' })).toBe('import.issue.SUPPRESSED');
  expect(why(t, { row: 5, kind: 'INVALID', field: 'attributes.x', value: '1', message: 'is too long' })).toBe('Is too long.');
});

/** An archive of these parts, packed as spreadsheets pack them. */
async function archive(parts: Record<string, string>): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const list: Uint8Array<ArrayBuffer>[] = [];
  let at = 0;
  const number = (n: number, size: number) => Uint8Array.from({ length: size }, (_, i) => (n >>> (8 * i)) & 255);
  const joined = (all: readonly Uint8Array[]) => Uint8Array.from(all.flatMap((b) => [...b]));
  for (const [name, text] of Object.entries(parts)) {
    const bytes = new TextEncoder().encode(text);
    const packed = new Uint8Array(deflateRawSync(bytes));
    const label = new TextEncoder().encode(name);
    const common = joined([
      number(20, 2),
      number(0, 2),
      number(8, 2),
      number(0, 4),
      number(0, 4),
      number(packed.length, 4),
      number(bytes.length, 4),
      number(label.length, 2),
      number(0, 2),
    ]);
    const local = joined([number(0x04034b50, 4), common, label, packed]);
    list.push(
      joined([number(0x02014b50, 4), number(20, 2), common, number(0, 2), number(0, 2), number(0, 2), number(0, 4), number(at, 4), label]),
    );
    chunks.push(local);
    at += local.length;
  }
  const directory = joined(list);
  const end = joined([
    number(0x06054b50, 4),
    number(0, 4),
    number(list.length, 2),
    number(list.length, 2),
    number(directory.length, 4),
    number(at, 4),
    number(0, 2),
  ]);
  return new Blob([...chunks, directory, end]);
}

describe('a file that is chosen', () => {
  test('of a workbook shows the first sheet, with shared texts and empty cells at their places', async () => {
    const file = await archive({
      'xl/workbook.xml': '<workbook><sheets><sheet name="Mijozlar" sheetId="1" r:id="rId7"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="rId7" Target="worksheets/people.xml"/></Relationships>',
      'xl/sharedStrings.xml': '<sst><si><t>Имя</t></si><si><r><t>Oʻ</t></r><r><t xml:space="preserve">ktam &amp; Co</t></r></si></sst>',
      'xl/worksheets/people.xml':
        '<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c>' +
        '<c r="B1"/><c r="C1" t="inlineStr"><is><t>username</t></is></c></row>' +
        '<row r="2"></row><row r="3"><c r="A3" t="s"><v>1</v></c><c r="C3"><v>42</v></c></row></sheetData></worksheet>',
    });
    expect(await peekFile(file)).toEqual({ header: ['Имя', '', 'username'], rows: [['Oʻktam & Co', '', '42']] });
  });
  test('of a text is read in the encoding that it has', () => {
    expect(textOf(Uint8Array.from([0xc8, 0xec, 0xff, 0x3b]))).toBe('Имя;'); // Windows-1251
    expect(textOf(Uint8Array.from([0xff, 0xfe, 0x18, 0x04]))).toBe('И');
    expect(textOf(new TextEncoder().encode('Имя').slice(0, 5))).toMatch(/^Им/); // cut within a character
  });
  test('and rows that were fixed are a file again', () => {
    expect(csvOf(['username', 'note'], [['olga', '=1,"x"']])).toBe('username,note\r\nolga,"=1,""x"""');
  });
});
