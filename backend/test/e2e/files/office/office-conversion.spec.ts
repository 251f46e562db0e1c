import { existsSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import sharp from 'sharp';
import { RenderingFixture } from '../rendering/rendering-fixture.js';
import { solidColour } from '../rendering/generated/image-samples.js';
import { sandboxModes, describeWithOffice, OfficeFixture } from './office-fixture.js';
import {
  cell,
  docx,
  fieldCode,
  linkedObjects,
  odp,
  ods,
  odt,
  paragraph,
  rtf,
  pictureShape,
  withMacro,
  withUserFunction,
  xlsx,
  createZip,
} from './office-samples.js';

let fixture: OfficeFixture;
let renderer: RenderingFixture;

function open(mayBeApart = true): void {
  fixture = new OfficeFixture(undefined, mayBeApart);
  // Created second, so that it is closed first.
  renderer = new RenderingFixture();
}
async function close(): Promise<void> {
  await renderer.close();
  await fixture.close();
}

/** The words of all pages, and the pages as images. */
async function read(pdf: Buffer) {
  const source = await renderer.storeDocument(pdf);
  const { count } = await renderer.service.openDocument(source);
  const words: string[] = [];
  const pictures: Buffer[] = [];
  for (let page = 1; page <= count; page++) {
    words.push(...(await renderer.service.extractText(source, page)).words.map(([word]) => word));
    pictures.push((await renderer.service.renderPage(source, page, [600]))[0]!.bytes);
  }
  return { words, pictures };
}

/** Whether any pixel is blue. */
async function isBlue(picture: Buffer): Promise<boolean> {
  const { data, info } = await sharp(picture).raw().toBuffer({ resolveWithObject: true });
  for (let at = 0; at < data.length; at += info.channels)
    if (data[at + 2]! > 150 && data[at]! < 90 && data[at + 1]! < 90) return true;
  return false;
}

describeWithOffice('Conversion by LibreOffice', () => {
  beforeEach(() => open());
  afterEach(close);

  it.each([
    ['docx', () => docx('Işık ağaç')],
    ['odt', () => odt(paragraph('Işık ağaç'))],
    ['ods', () => ods('Işık', 'ağaç')],
    ['odp', () => odp('Işık ağaç')],
    ['xlsx', () => xlsx([cell('Işık ağaç')])],
    ['rtf', () => rtf('I\\u351?\\u305?k a\\u287?a\\u231?')],
    ['txt', () => Buffer.from('Işık ağaç')],
  ])('produces readable text: %s', async (extension, make) => {
    const { words } = await read(await fixture.convertToPdf(make(), extension));
    expect(words).toContain('ağaç');
    expect(renderer.listTempFiles()).toEqual([]);
  });

  it('takes a text file literally, even if it looks like HTML or formulas', async () => {
    const page = '<html><body><b>Light</b></body></html>';
    const { words } = await read(await fixture.convertToPdf(Buffer.from(`${page}\n=1+1;two\n`), 'txt'));
    expect(words).toEqual([page, '=1+1;two']);
  });

  // LibreOffice 7.4 runs no macros when converting to PDF, whatever the settings; `office-macros.spec.ts` tests the
  // settings.
  it.each([
    ['when it is opened', 'odt', withMacro],
    ['in a cell', 'ods', withUserFunction],
  ])('runs no macro of a document %s', async (_when, extension, make) => {
    const mark = fixture.pathOf('mark');
    const { words } = await read(await fixture.convertToPdf(make('Light', mark), extension));
    expect(words).toContain('Light');
    expect(words).not.toContain('Changed');
    expect(existsSync(mark)).toBe(false);
  });

  it('rejects other archives and truncated documents', async () => {
    expect(await fixture.convertOutcome(createZip({ 'a.txt': 'Light' }), 'docx')).toBe('damaged');
    const bytes = odt(paragraph('Light'));
    bytes.fill(0, 60, bytes.length - 250);
    expect(await fixture.convertOutcome(bytes, 'odt')).toMatch(/^(damaged|pdf)$/);
    expect(renderer.listTempFiles()).toEqual([]);
  });

  it('converts a sheet of 100,000 rows or fails with a reason, leaving no processes', async () => {
    fixture.limits.officeTimeout = 60_000;
    const rows = Array.from({ length: 100_000 }, (_, index) => cell(`Row ${index}`));
    expect(await fixture.convertOutcome(xlsx(rows), 'xlsx')).toMatch(/^(pdf|too-slow)$/);
    expect(fixture.listProcesses()).toEqual([]);
    expect(fixture.listTempFiles().filter((name) => name.startsWith('zonary-office'))).toEqual([]);
  });
});

describeWithOffice.each(sandboxModes)('External references of documents with a LibreOffice sandbox: %s', (isApart) => {
  let host: Server;
  let calls = 0;
  let picture: Buffer;
  beforeEach(async () => {
    open(isApart);
    picture = await solidColour('#0000d8').png().toBuffer();
    writeFileSync(fixture.pathOf('secret.png'), picture);
    writeFileSync(fixture.pathOf('secret.txt'), 'never told');
    calls = 0;
    host = createServer((socket) => {
      calls++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    await new Promise((resolve) => host.close(resolve));
    await close();
  });

  const kinds: readonly (readonly [name: string, make: (address: string) => Buffer, extension: string])[] = [
    ['an open text', (address) => odt(paragraph('Light') + linkedObjects(address)), 'odt'],
    ['a document of Word', (address) => docx('Light', pictureShape('p'), [['p', 'image', address, true]]), 'docx'],
    ['a field with a picture', (address) => docx('Light', fieldCode(`INCLUDEPICTURE "${address}" \\d`)), 'docx'],
    ['a field with a text', (address) => docx('Light', fieldCode(`INCLUDETEXT "${address}"`)), 'docx'],
    ['a sheet', (address) => xlsx([`${cell('Light')}<c><f>'${address}'#$One.A1</f></c>`]), 'xlsx'],
    ['RTF', (address) => rtf(`Light {\\field{\\*\\fldinst INCLUDEPICTURE "${address}"}{\\fldrslt}}`), 'rtf'],
  ];

  it.each(kinds)('are neither shown nor requested: %s', async (_name, make, extension) => {
    const { port } = host.address() as AddressInfo;
    const addresses = [
      ...['secret.png', 'secret.txt'].map((name) => `file://${fixture.pathOf(name)}`),
      `http://127.0.0.1:${port}/secret.png`,
    ];
    for (const address of addresses) {
      if (!isApart) {
        expect(await fixture.convertOutcome(make(address), extension)).toBe('outside');
        continue;
      }
      const pdf = await fixture.convertToPdf(make(address), extension);
      const { words, pictures } = await read(pdf);
      expect(words).toContain('Light');
      expect(words).not.toContain('never');
      expect(pdf.includes(picture.subarray(8, 60))).toBe(false);
      expect(await Promise.all(pictures.map(isBlue))).not.toContain(true);
    }
    expect(calls).toBe(0);
  });

  it('are not confused with embedded pictures, which are shown', async () => {
    const document = docx('Light', pictureShape('p'), [['p', 'image', 'media/a.png']], { 'word/media/a.png': picture });
    const { words, pictures } = await read(await fixture.convertToPdf(document, 'docx'));
    expect(words).toContain('Light');
    expect(await isBlue(pictures[0]!)).toBe(true);
  });
});
