import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCsvText } from './csv-text.js';
import { CsvParseError, parseCsvRecords } from './csv-records.js';
import { parseImportRows } from './import-rows.js';

const given = (name: string) => readFileSync(join(import.meta.dirname, '../../../../test/support/csv', name));
async function read(text: string, delimiter = ','): Promise<unknown[]> {
  const records: unknown[] = [];
  for await (const { fields, record, line } of parseCsvRecords(text, delimiter))
    records.push([record, line, ...fields]);
  return records;
}

async function errorOf(text: string): Promise<object> {
  try {
    await read(text);
  } catch (error) {
    if (error instanceof CsvParseError) return { record: error.record, line: error.line, reason: error.reason.en };
    throw error;
  }
  return {};
}

const notClosed = "a quotation mark isn't closed";
const afterQuote = 'there is text after a closing quotation mark';
const tooLong = "a record is too long, perhaps because a quotation mark isn't closed";

describe('CSV records', () => {
  it.each([
    [
      'a field with line breaks',
      'a,b\n"x\ny\nz",2\n3,4\n',
      [
        [1, 1, 'a', 'b'],
        [2, 2, 'x\ny\nz', '2'],
        [3, 5, '3', '4'],
      ],
    ],
    [
      'empty lines',
      '\n\na\r\n\r\n \r\nb\r\n',
      [
        [1, 3, 'a'],
        [2, 6, 'b'],
      ],
    ],
    [
      'carriage returns as line ends',
      'a\rb\r"c\rd"\re',
      [
        [1, 1, 'a'],
        [2, 2, 'b'],
        [3, 3, 'c\rd'],
        [4, 5, 'e'],
      ],
    ],
    [
      'quotation marks in fields',
      'a "b" c,"d ""e"" f"\n5",x"',
      [
        [1, 1, 'a "b" c', 'd "e" f'],
        [2, 2, '5"', 'x"'],
      ],
    ],
    ['spaces', ' a ,  "  b " , c', [[1, 1, 'a', '  b ', 'c']]],
    [
      'records without values',
      ',\na,',
      [
        [1, 1, '', ''],
        [2, 2, 'a', ''],
      ],
    ],
    ['no line end after the last record', 'a,', [[1, 1, 'a', '']]],
    ['nothing', '', []],
  ])('numbers records with the lines where they start: %s', async (_, text, records) =>
    expect(await read(text)).toEqual(records),
  );

  it('distinguishes tab delimiters from spaces', async () => {
    expect(await read('\t\n a \t\tb', '\t')).toEqual([
      [1, 1, '', ''],
      [2, 2, 'a', '', 'b'],
    ]);
  });

  it('numbers records correctly across read chunks', async () => {
    const records = await read(`${'ş,"1\n2"\r\n\r\n'.repeat(20_000)}end`);
    expect(records).toHaveLength(20_001);
    expect(records[9_999]).toEqual([10_000, 29_998, 'ş', '1\n2']);
    expect(records.at(-1)).toEqual([20_001, 60_001, 'end']);
  });

  it('accepts mixed line endings', async () => {
    expect(await read('a\r\nb\nc\rd')).toEqual([
      [1, 1, 'a'],
      [2, 2, 'b'],
      [3, 3, 'c'],
      [4, 4, 'd'],
    ]);
  });

  it.each([
    ['that is not closed', 'a\nb\nc,"d\ne\nf\n', { record: 3, line: 3, reason: notClosed }],
    ['after a field with line breaks', 'a\n"b\nc","d\ne', { record: 2, line: 2, reason: notClosed }],
    ['that closes before the end of the field', 'a\n\nb,"c" d\ne', { record: 2, line: 3, reason: afterQuote }],
    ['that swallows the next lines', 'a\n"b,1\nc,2\n"d",3', { record: 2, line: 2, reason: afterQuote }],
    ['followed by too much text', `a\n"${'b\n'.repeat(60_000)}"`, { record: 2, line: 2, reason: tooLong }],
  ])('rejects a quotation mark %s', async (_, text, error) => expect(await errorOf(text)).toEqual(error));

  it('rejects a record that is too long', async () => {
    expect(await errorOf(`a\n${'b'.repeat(100_100)}`)).toEqual({ record: 2, line: 2, reason: tooLong });
  });
});

describe('CSV rows', () => {
  const rows = async (bytes: Buffer) => {
    const found = [];
    for await (const row of parseImportRows(readCsvText(bytes))) found.push(row);
    return found;
  };

  it('numbers records and lines separately when a field has line breaks', async () => {
    expect(await rows(given('multiline-field.csv'))).toMatchObject([
      { record: 2, row: 2, email: 'ann@example.com' },
      { record: 3, row: 5, email: 'bad address' },
    ]);
  });

  it('counts the line of a sep= hint, which is not a record', async () => {
    expect(await rows(Buffer.from('sep=;\r\nemail;firstName\r\na@example.com;Ada\r\n'))).toMatchObject([
      { record: 2, row: 3 },
    ]);
    await expect(rows(Buffer.from('sep=;\nemail\n"a'))).rejects.toThrow('record 2 on line 3');
  });

  it('reports an unclosed quotation mark with its position, however far from the end', async () => {
    await expect(rows(given('unclosed-quote-line3.csv'))).rejects.toThrow('record 3 on line 3');
  });

  it('truncates names between graphemes and reports it', async () => {
    expect(await rows(given('half-emoji.csv'))).toMatchObject([
      { firstName: `${'A'.repeat(49)}😀`, lastName: 'C', cut: ['firstName'] },
      { firstName: '👩‍👩‍👧‍👦'.repeat(5), lastName: 'X', cut: [] },
    ]);
    const long = `email,firstName,lastName\na@example.com,${'👩‍👩‍👧‍👦'.repeat(8)},${'é'.repeat(51)}\n`;
    expect(await rows(Buffer.from(long))).toMatchObject([
      { firstName: '👩‍👩‍👧‍👦'.repeat(7), lastName: 'é'.repeat(50), cut: ['firstName', 'lastName'] },
    ]);
  });
});
