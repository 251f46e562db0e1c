import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toByteSource, readEntries, readEntry } from '../../../../src/platform/rendering/office/zip-archive.js';
import { requiredOpenFormat, removeHiddenContent } from '../../../../src/platform/rendering/office/hidden-content.js';
import { assertNoExternalReferences } from '../../../../src/platform/rendering/office/external-references.js';
import { MIB } from '../../../../src/platform/text/byte-units.js';
import { xlsx, createZip } from './office-samples.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'zonary-archives-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function stored(name: string, bytes: Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

/** Long enough that a pattern with catastrophic backtracking would never finish. */
const repeated = (chunk: string) => chunk.repeat((2 * MIB) / chunk.length);
/** Incompressible padding, so that an archive may decompress to 200 times as much without exceeding the limit. */
const padding = { padding: randomBytes(MIB) };

describe('Search for hidden content in Office documents', () => {
  const HIDDEN = '<sheet name="One" state="hidden"/>';
  it.each([
    ['xlsx', 'xl/workbook.xml', '<sheet '],
    ['xlsx', 'xl/workbook.xml', '<sheet "'],
    ['xlsx', 'xl/workbook.xml', '<!-- '],
    ['xlsx', 'xl/workbook.xml', `${HIDDEN}<definedName `, '<definedName '],
    ['xlsx', 'xl/workbook.xml', `${HIDDEN}<definedName>`, '<definedName>'],
    ['odt', 'content.xml', '<text:tracked-changes>'],
    ['odt', 'content.xml', '<text:tracked-changes '],
    ['ods', 'content.xml', '<table:table '],
    ['ods', 'content.xml', '<style:style>          '],
  ])('runs in linear time: %s, %s, %s', async (type, part, first, chunk = first) => {
    const path = stored(`document.${type}`, createZip({ [part]: first + repeated(chunk), ...padding }));
    const sheets = Number(first.includes('hidden'));
    expect(await removeHiddenContent(path)).toEqual(sheets === 0 ? null : { sheets, deletions: false });
  });

  it('parses the XML as office programs do', async () => {
    const workbook = `<!-- <sheet/> --><x:sheets xmlns:x="x"><x:sheet name=">" state='visible' /><x:sheet state="veryHidden"></x:sheet></x:sheets>
      <x:definedName name="_xlnm.Print_Area" localSheetId="0">One</x:definedName><x:definedName localSheetId="1" name="_xlnm.Print_Area">Two</x:definedName>
      <x:definedName name="_xlnm.Print_Area" localSheetId="1"/><x:definedName name="Other" localSheetId="1">Three</x:definedName>`;
    const path = stored('document.xlsx', createZip({ 'xl/workbook.xml': workbook, other: 'stays' }));
    expect(await removeHiddenContent(path)).toEqual({ sheets: 1, deletions: false });
    const written = toByteSource(readFileSync(path));
    const [entry] = await readEntries(written);
    const after = (await readEntry(written, entry!, MIB)).toString();
    expect(after).toContain('>One</x:definedName>');
    expect(after).toContain('>Three</x:definedName>');
    expect(after).not.toContain('Two');
    expect(after).not.toContain('localSheetId="1"/>');
  });

  it.each([
    ['xlsx', { 'xl/workbook.xml': Buffer.alloc(65 * MIB) }],
    ['xlsx', { '_rels/.rels': Buffer.alloc(2 * MIB) }],
    ['odt', { 'content.xml': Buffer.alloc(33 * MIB), 'styles.xml': Buffer.alloc(33 * MIB) }],
    ['docx', { 'word/document.xml': Buffer.alloc(65 * MIB) }],
  ])('rejects parts that are too large: %s', async (type, parts) => {
    const path = stored(`document.${type}`, createZip({ ...parts, ...padding }));
    const searching = type === 'docx' ? requiredOpenFormat(path) : removeHiddenContent(path);
    await expect(searching).rejects.toMatchObject({ failure: 'too-large' });
  });
});

describe('Office archives', () => {
  it('are damaged when their directory lists the same bytes repeatedly', async () => {
    const once = createZip({ 'content.xml': '', ...padding });
    const [end, at] = [once.length - 22, once.readUInt32LE(once.length - 6)];
    const list = once.subarray(at, end);
    const lines = Buffer.concat(Array.from({ length: 1000 }, () => list));
    const ending = Buffer.from(once.subarray(end));
    ending.writeUInt32LE(lines.length, 12);
    // Its central directory claims a small size.
    const claimed = Buffer.concat([once.subarray(0, at), lines, ending]);
    for (let line = at; line < at + lines.length; line += 46 + claimed.readUInt16LE(line + 28))
      claimed.writeUInt32LE(0, line + 24);
    await expect(readEntries(toByteSource(claimed))).rejects.toMatchObject({ failure: 'damaged' });
  });

  it('are damaged by a stored entry longer than it claims', async () => {
    const path = stored('document.odt', createZip({ mimetype: 'long', 'content.xml': '' }, 0));
    const bytes = toByteSource(readFileSync(path));
    const [entry] = await readEntries(bytes);
    await expect(readEntry(bytes, entry!, MIB)).rejects.toMatchObject({ failure: 'damaged' });
  });

  it('keep file names that are not UTF-8', async () => {
    const long = 'A'.repeat(30_000);
    const zip = createZip({ 'content.xml': '<tracked-changes></tracked-changes>', [long]: '' });
    const foreign = Buffer.from(zip.toString('latin1').replaceAll(long, '\xff'.repeat(long.length)), 'latin1');
    const path = stored('document.odt', foreign);
    expect(await removeHiddenContent(path)).toEqual({ sheets: 0, deletions: false });
    const [, entry] = await readEntries(toByteSource(readFileSync(path)));
    expect(entry!.nameBytes.equals(Buffer.alloc(long.length, 0xff))).toBe(true);
  });
});

describe('References to external documents', () => {
  const padded = { padding: padding.padding.toString('base64') };
  const formula = (text: string) => assertNoExternalReferences(toByteSource(xlsx([`<c><f>${text}</f></c>`], padded)));
  it.each(['[', '[a', '[:', "'", "'a", "':"])('are searched in linear time: %s', async (chunk) => {
    await expect(formula(repeated(chunk))).resolves.toBeUndefined();
  });
  it('are searched in linear time after a quotation mark', async () => {
    await expect(formula(`'${repeated(':')}`)).resolves.toBeUndefined();
  });

  it.each(['[C:\\data.xlsx]Sheet!A1', '[https://a.example/b.xlsx]Sheet!A1', "'C:\\[data.xlsx]Sheet'!A1"])(
    'are rejected: %s',
    (text) => expect(formula(text)).rejects.toMatchObject({ failure: 'outside' }),
  );
  it.each(['[1]Sheet!A1', "'My sheet'!A1:B2", 'A1:B2', "SUM(A1:B2)/'Other'!A1"])(
    'do not include internal references: %s',
    (text) => expect(formula(text)).resolves.toBeUndefined(),
  );
});

describe('Binary Office documents', () => {
  /** Only the file type is checked: the streams may be anywhere. */
  const compound = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(8 * MIB, 0xff)]);
  it.each([
    ['doc', 'odt'],
    ['xls', 'ods'],
    ['ppt', null],
  ])('are assigned an open format by type, whatever their size: %s', async (type, expected) => {
    expect(await requiredOpenFormat(stored(`document.${type}`, compound))).toBe(expected);
  });

  it('are not converted when they only have the extension', async () => {
    expect(await requiredOpenFormat(stored('document.xls', Buffer.from('<html></html>')))).toBeNull();
  });
});
