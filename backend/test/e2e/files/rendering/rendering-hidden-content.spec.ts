import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { RenderingFixture } from './rendering-fixture.js';
import { encryptedByRevision6, encryptedWithPlainStrings } from './generated/encrypted-pdf.js';
import { pageWithBox, buildPdf, pdfStream } from './generated/pdf-samples.js';
import { createObjectStreamPdf, DEFLATE } from './generated/object-stream-pdf.js';
import { FIRST_EXTRA_OBJECT, textLines, createTextPdf } from './generated/text-pdf.js';
import { createSvg } from './generated/image-samples.js';

let fixture: RenderingFixture;
beforeEach(() => {
  fixture = new RenderingFixture();
});
afterEach(() => fixture.close());

const sample = (name: string) => readFileSync(new URL(`../../../support/samples/${name}`, import.meta.url));
const read = async (bytes: Buffer, password?: string) =>
  fixture.service.extractText(await fixture.storeDocument(bytes, password), 1);
const words = async (bytes: Buffer, password?: string) => (await read(bytes, password)).words.map(([text]) => text);
/** Share of dark pixels of a page or a part of its width (`from` and `to`, 0 to 1). */
async function dark(bytes: Buffer, format: 'pdf' | 'svg' = 'pdf', from = 0, to = 1): Promise<number> {
  const [picture] = await fixture.service.renderPage(await fixture.storeDocument(bytes, undefined, format), 1, [600]);
  const { data, info } = await sharp(picture!.bytes).greyscale().raw().toBuffer({ resolveWithObject: true });
  let [seen, found] = [0, 0];
  for (let index = 0; index < data.length; index++) {
    const x = (index % info.width) / info.width;
    if (x < from || x >= to) continue;
    seen++;
    if (data[index]! < 100) found++;
  }
  return found / seen;
}

/** Text in a layer. */
const layered = (layer: string, text: string, y: number) =>
  `/OC /${layer} BDC BT /F1 20 Tf 60 ${y} Td (${text}) Tj ET EMC`;
const OFF = FIRST_EXTRA_OBJECT;
const ON = FIRST_EXTRA_OBJECT + 1;
const EITHER = FIRST_EXTRA_OBJECT + 2;
const FORM = FIRST_EXTRA_OBJECT + 3;
/** Layers of the same name, one of which is hidden, a group of them, and a form that belongs to it. */
const withLayers = (pages: readonly string[]) =>
  createTextPdf({
    pages,
    catalogueEntries: `/OCProperties << /OCGs [${OFF} 0 R ${ON} 0 R] /D << /OFF [${OFF} 0 R] >> >>`,
    pageEntries: `/Resources << /Font << /F1 3 0 R >> /XObject << /Form ${FORM} 0 R >>
      /Properties << /Off ${OFF} 0 R /On ${ON} 0 R /Group ${EITHER} 0 R >> >>`,
    extraObjects: [
      '<< /Type /OCG /Name (Prices) >>',
      '<< /Type /OCG /Name (Prices) >>',
      `<< /Type /OCMD /OCGs [${OFF} 0 R] /P /AllOn >>`,
      pdfStream(
        'BT /F1 20 Tf 60 500 Td (InForm) Tj ET',
        `/Type /XObject /Subtype /Form /BBox [0 0 600 800]
        /Resources << /Font << /F1 3 0 R >> >> /OC ${OFF} 0 R`,
      ).toString('latin1'),
    ],
  });

const inHexadecimal = (content: Buffer) => Buffer.from(`${content.toString('hex')}>`);
const padDocument = (content: Buffer) => Buffer.concat([content, Buffer.alloc(17 * 1024 * 1024, ' ')]);

describe('Text in layers', () => {
  it.each([
    ['is omitted in a layer that is off', [layered('Off', 'Secret https://example.org/secret', 600)], ['Seen']],
    ['is extracted in a layer that is on, whatever its name', [layered('On', 'Shown', 600)], ['Seen', 'Shown']],
    ['is omitted in a group of layers that are off', [layered('Group', 'Secret', 600)], ['Seen']],
    ['is omitted in a form that belongs to a layer that is off', ['/Form Do'], ['Seen']],
    [
      'is omitted in a layer that is off within one that is on',
      [`/OC /On BDC ${layered('Off', 'Secret', 600)} EMC`],
      ['Seen'],
    ],
    [
      'is extracted where it is invisible over a scan',
      [layered('On', 'Scanned', 600).replace('/F1 20 Tf', '3 Tr /F1 20 Tf')],
      ['Seen', 'Scanned'],
    ],
  ])('%s', async (_what, contents, expected) => {
    const page = await read(withLayers([[textLines('Seen'), ...contents].join('\n')]));
    expect(page.words.map(([text]) => text)).toEqual(expected);
    expect(page.links).toEqual([]);
    expect(page.hasHidden).toBe(expected.length === 1);
  });

  it('is left out when its hidden layer first appears behind another on a later page', async () => {
    const [first, second] = [`${textLines('Seen')} ${layered('Off', 'Secret', 600)}`, layered('On', 'Shown', 500)];
    const source = await fixture.storeDocument(withLayers([first, `${second} ${layered('Off', 'Secret', 600)}`]));
    const texts = [await fixture.service.extractText(source, 1), await fixture.service.extractText(source, 2)];
    expect(texts.map(({ words: each }) => each.map(([text]) => text))).toEqual([['Seen'], ['Shown']]);
    expect(texts.map(({ hasHidden }) => hasHidden)).toEqual([true, true]);
  });

  const nested = (depth: number) =>
    createTextPdf({
      pages: [`${textLines('Seen')} /OC /Off BDC /Form Do EMC /OC /On BDC /Shown Do EMC`],
      catalogueEntries: `/OCProperties << /OCGs [${OFF} 0 R ${ON} 0 R] /D << /OFF [${OFF} 0 R] >> >>`,
      pageEntries: `/Resources << /Font << /F1 3 0 R >> /XObject << /Form ${FORM} 0 R /Shown ${FORM + depth} 0 R >>
        /Properties << /Off ${OFF} 0 R /On ${ON} 0 R >> >>`,
      extraObjects: [
        '<< /Type /OCG /Name (Off) >>',
        '<< /Type /OCG /Name (On) >>',
        'null',
        ...['Secret', 'Shown'].flatMap((word, which) =>
          Array.from({ length: depth }, (_, index) =>
            pdfStream(
              index === depth - 1 ? `BT /F1 20 Tf 60 ${500 - 50 * which} Td (${word}) Tj ET` : '/Inner Do',
              `/Type /XObject /Subtype /Form /BBox [0 0 600 800]
              /Resources << /Font << /F1 3 0 R >> /XObject << /Inner ${FORM + which * depth + index + 1} 0 R >> >>`,
            ).toString('latin1'),
          ),
        ),
      ],
    });
  it.each([8, 12, 25])('is left out at a depth of %i nested forms', async (depth) => {
    expect(await words(nested(depth))).toEqual(['Seen', 'Shown']);
  });

  const page = [
    '<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [5 0 R] /D << /OFF [5 0 R] >> >> >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 600 800] >>',
    '<< /Type /Page /Parent 2 0 R /Contents 6 0 R /Resources << /Font << /F1 4 0 R >> /Properties << /Off 5 0 R >> >> >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    '<< /Type /OCG /Name (Off) >>',
    pdfStream(`${textLines('Seen')} ${layered('Off', 'Secret', 600)}`),
  ];
  const empty = (number: number) =>
    `${number} 0 obj\n<< /Type /ObjStm /N 0 /First 0 /Length 0 >>\nstream\n\nendstream\nendobj\n`;
  it.each([
    ['deflated', DEFLATE],
    ['with a rare compression', { ...DEFLATE, pack: inHexadecimal, entries: '/Filter /ASCIIHexDecode' }],
    [
      'larger uncompressed than the limit',
      { ...DEFLATE, pack: (content: Buffer) => deflateSync(padDocument(content)) },
    ],
    [
      'after many others',
      { ...DEFLATE, before: Array.from({ length: 501 }, (_, index) => empty(index + 100)).join('') },
    ],
    ['after an unterminated object', { ...DEFLATE, before: '99 0 obj\n<<>>\nstream\n\nendstream\n' }],
  ])('is left out when the list of layers is in an object stream: %s', async (_how, packing) => {
    expect(await words(createObjectStreamPdf(page, packing))).toEqual(['Seen']);
  });

  it('is left out in a file written by another program', async () => {
    expect(await words(sample('hidden/layer.pdf'))).toEqual(['VISIBLE']);
  });
});

describe('Form values', () => {
  const FIELD = FIRST_EXTRA_OBJECT;
  const form = (field: string) =>
    createTextPdf({
      pages: [textLines('Name:')],
      pageEntries: `/Annots [${FIELD} 0 R]`,
      catalogueEntries: `/AcroForm << /Fields [${FIELD} 0 R] /NeedAppearances true /DA (/F1 18 Tf 0 g) /DR << /Font << /F1 3 0 R >> >> >>`,
      extraObjects: [`<< /Type /Annot /Subtype /Widget /T (name) /Rect [60 600 400 640] /F 4 ${field} >>`],
    });

  it('are extracted where they are rendered', async () => {
    const page = await read(form('/FT /Tx /V (Soft light)'));
    expect(page.words.map(([text]) => text)).toEqual(['Name:', 'Soft', 'light']);
    const [, x, y, , height] = page.words[1]!;
    expect([x > 95 && x < 120, y > 195 && y + height < 255]).toEqual([true, true]);
    // The page is rendered unchanged.
    expect(await dark(form('/FT /Tx /V (Soft light)'))).toBeGreaterThan(0.001);
  });

  it('are extracted in the letters of their language', async () => {
    expect(await words(sample('form-turkish.pdf'))).toEqual(['Name:', 'Şişli', 'İstanbul', 'dağ']);
  });

  /** How far a field's value reaches to the right, in pixels of a page 600 pixels wide. */
  async function reachOf(field: string): Promise<number> {
    const [picture] = await fixture.service.renderPage(await fixture.storeDocument(form(field)), 1, [600]);
    const { data, info } = await sharp(picture!.bytes).greyscale().raw().toBuffer({ resolveWithObject: true });
    const columns = Array.from({ length: info.width }, (_, x) => x).filter((x) =>
      // Below the page's own text, within the field.
      Array.from({ length: 38 }, (_row, row) => data[(row + 161) * info.width + x]!).some((grey) => grey < 128),
    );
    return columns.at(-1)!;
  }
  const inUtf16 = (text: string) => `<FEFF${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`;
  it.each([
    ['Turkish', 'İıİıİıĞğĞğ', 'IiIiIiGgGg', ''],
    ['Latvian', 'ķēģīņš', 'kegins', ''],
    ['Vietnamese', 'ằắịọừ', 'aaiou', ''],
    ['Turkish, in several lines', 'İıİıİıĞğĞğ\nı', 'IiIiIiGgGg\ni', '/Ff 4096'],
  ])('are rendered with all their letters: %s', async (_language, value, plain, more) => {
    const [reach, expected] = [
      await reachOf(`/FT /Tx /V ${inUtf16(value)} ${more}`),
      await reachOf(`/FT /Tx /V (${plain}) ${more}`),
    ];
    expect(expected).toBeGreaterThan(80);
    // Diacritics make letters a little wider; a missing letter would take ten pixels away.
    expect(Math.abs(reach - expected)).toBeLessThanOrEqual(9);
  });

  it('are rendered repeatedly with their colour and alignment', async () => {
    const bytes = form(`/FT /Tx /Q 2 /DA (/F1 18 Tf 1 0 0 rg) /V ${inUtf16('Ağrı')}`);
    const source = await fixture.storeDocument(bytes);
    const [first] = await fixture.service.renderPage(source, 1, [600]);
    const [second] = await fixture.service.renderPage(source, 1, [600]);
    expect(second).toEqual(first);
    const part = { left: 340, top: 161, width: 60, height: 38 };
    const { channels } = await sharp(await sharp(first!.bytes).extract(part).png().toBuffer()).stats();
    expect(channels[0]!.min).toBeGreaterThan(200);
    expect(channels[1]!.min).toBeLessThan(60);
  });

  it('are rendered as far as there is room for their lines', async () => {
    const darkRows = async (value: string) => {
      const field = `/FT /Tx /Ff 4096 /V ${inUtf16(value)}`;
      const [picture] = await fixture.service.renderPage(await fixture.storeDocument(form(field)), 1, [600]);
      const { data, info } = await sharp(picture!.bytes).greyscale().raw().toBuffer({ resolveWithObject: true });
      return Array.from({ length: info.height }, (_, row) => row).filter((row) =>
        data.subarray(row * info.width, (row + 1) * info.width).some((grey) => grey < 128),
      );
    };
    const [few, many] = [await darkRows('İI\nİI'), await darkRows('İI\n'.repeat(200))];
    expect(many).toEqual(few);
    // The first one is shown however little space there is.
    expect((await darkRows('İI')).length).toBeGreaterThan((await darkRows(' ')).length);
  });

  it.each([
    ['a password', '/FT /Tx /Ff 8192 /V (secret)'],
    ['a field that is hidden', '/FT /Tx /F 2 /V (secret)'],
  ])('are not extracted from %s', async (_what, field) => {
    expect((await words(form(field))).join(' ')).not.toContain('secret');
  });
});

describe('Hidden annotations', () => {
  const [FREE_TEXT, FIELD, HIDDEN, SHOWN, GROUP, PICTURE] = [0, 1, 2, 3, 4, 5].map((at) => FIRST_EXTRA_OBJECT + at);
  /** A page with a field, an annotation, and layers, one of them hidden. */
  const annotated = (annotation: string, layers = `/D << /OFF [${HIDDEN} 0 R] >>`, group = '') =>
    createTextPdf({
      pages: [textLines('Seen')],
      pageEntries: `/Annots [${FREE_TEXT} 0 R ${FIELD} 0 R]`,
      catalogueEntries: `/OCProperties << /OCGs [${HIDDEN} 0 R ${SHOWN} 0 R] ${layers} >>
        /AcroForm << /Fields [${FREE_TEXT} 0 R ${FIELD} 0 R] /DA (/F1 18 Tf 0 g) /DR << /Font << /F1 3 0 R >> >> >>`,
      extraObjects: [
        `<< /Type /Annot /Rect [60 500 400 540] ${annotation} >>`,
        '<< /Type /Annot /Subtype /Widget /FT /Tx /T (field) /V (Field) /Rect [60 400 400 440] /F 4 >>',
        '<< /Type /OCG /Name (One (of \\) two)) >>',
        '<< /Type /OCG /Name (Two) >> % a comment',
        `<< /Type /OCMD ${group} >>`,
        pdfStream(
          'BT /F1 20 Tf 10 10 Td (Secret) Tj ET',
          '/Type /XObject /Subtype /Form /BBox [0 0 340 40] /Resources << /Font << /F1 3 0 R >> >>',
        ).toString('latin1'),
      ],
    });
  const freeText = `/Subtype /FreeText /AP << /N ${PICTURE} 0 R >>`;
  const field = (value: string) => `/Subtype /Widget /FT /Tx /T (secret) /V ${value}`;
  const TURKISH = '<FEFF015E0069015F006C0069>';
  const off = `/OC ${HIDDEN} 0 R`;

  it.each([
    ['an annotation that is only printed', `${freeText} /F 32`],
    ['a field that is only printed', `${field('(Secret)')} /F 32`],
    ['a note of a layer that is off', `${freeText} ${off}`],
    ['a field of a layer that is off', `${field('(Secret)')} ${off}`],
    ['a field of such a layer with letters that are rendered separately', `${field(TURKISH)} ${off}`],
    ['a note where layers are off by default', `${freeText} ${off}`, '/D << /BaseState /OFF >>'],
    ['a note of a group', `${freeText} /OC ${GROUP} 0 R`, undefined, `/OCGs ${HIDDEN} 0 R`],
    ['a group of all', `${freeText} /OC ${GROUP} 0 R`, undefined, `/OCGs [${HIDDEN} 0 R ${SHOWN} 0 R] /P /AllOn`],
    ['an expression', `${freeText} /OC ${GROUP} 0 R`, undefined, `/VE [/Not [/Or ${SHOWN} 0 R ${HIDDEN} 0 R]]`],
  ])('are neither rendered nor extracted: %s', async (_what, annotation, layers?: string, group?: string) => {
    const bytes = annotated(annotation, layers, group);
    expect(await words(bytes)).toEqual(['Seen', 'Field']);
    expect(await dark(bytes)).toBe(await dark(annotated(`${freeText} /F 2`)));
  });

  it.each([
    ['a note', freeText],
    ['a note of a layer that is on', `${freeText} /OC ${SHOWN} 0 R`],
    ['a field of a layer that is on', `${field('(Secret)')} /OC ${SHOWN} 0 R`],
    ['a note of a layer that cannot be found', `${freeText} /OC 999 0 R`],
    ['a note of a group', `${freeText} /OC ${GROUP} 0 R`, `/OCGs [${HIDDEN} 0 R ${SHOWN} 0 R]`],
    ['an expression', `${freeText} /OC ${GROUP} 0 R`, `/VE [/And ${SHOWN} 0 R [/Not ${HIDDEN} 0 R]]`],
  ])('do not include visible ones: %s', async (_what, annotation, group?: string) => {
    const bytes = annotated(annotation, undefined, group);
    expect((await words(bytes)).sort()).toEqual(['Field', 'Secret', 'Seen']);
    expect(await dark(bytes)).toBeGreaterThan(await dark(annotated(`${freeText} /F 2`)));
  });

  const link = (address: string, more = '') =>
    `<< /Type /Annot /Subtype /Link /Rect [60 500 400 540] /A << /S /URI /URI (https://${address}.example/) >> ${more} >>`;
  it.each([
    ['on a page without fields', 'null'],
    ['on a page with a field', '<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /Rect [60 400 400 440] >>'],
  ])('do not contribute their links: %s', async (_what, last) => {
    const bytes = createTextPdf({
      pages: [textLines('Seen')],
      pageEntries: `/Annots [${[0, 1, 2, 3].map((at) => `${FIRST_EXTRA_OBJECT + 2 + at} 0 R`).join(' ')}]`,
      catalogueEntries: `/OCProperties << /OCGs [${OFF} 0 R ${ON} 0 R] /D << /OFF [${OFF} 0 R] >> >>`,
      extraObjects: [
        ...['<< /Type /OCG /Name (One) >>', '<< /Type /OCG /Name (Two) >>'],
        ...[link('hidden', `/OC ${OFF} 0 R`), link('printed', '/F 32'), link('shown', `/OC ${ON} 0 R`), last],
      ],
    });
    const { links } = await read(bytes);
    expect(links.map((each) => ('url' in each ? each.url : each.page))).toEqual(['https://shown.example/']);
  });
});

describe('Document passwords', () => {
  it.each([
    ['normalised by the encrypting program', encryptedByRevision6('SaSLprep'), 'S\u00aaSL\u00adprep'],
    ['as it was typed', encryptedByRevision6('SaSLprep'), 'SaSLprep'],
    ['of a document whose strings are not encrypted', encryptedWithPlainStrings('Hello'), 'Hello'],
  ])('open a document: %s', async (_what, bytes, password) => {
    expect(await words(bytes, password)).toEqual(['Light']);
    const wrong = fixture.service.openDocument(await fixture.storeDocument(bytes, 'SaSLprap'));
    await expect(wrong).rejects.toMatchObject({ failure: 'locked' });
  });
});

describe('Content that PDFium does not show', () => {
  it('is reported for a dynamic form', async () => {
    expect(await fixture.renderOutcome(sample('hidden/xfa.pdf'))).toBe('dynamic-form');
  });

  const annotated = (annotation: string) =>
    createTextPdf({
      pages: [''],
      pageEntries: `/Annots [${FIRST_EXTRA_OBJECT} 0 R]`,
      extraObjects: [`<< /Type /Annot /Rect [100 100 500 700] /C [0 0 0] ${annotation} >>`],
    });
  it.each([
    ['a line', '/Subtype /Line /L [100 100 500 700] /Border [0 0 20]'],
    ['a polygon', '/Subtype /Polygon /Vertices [100 100 500 100 500 700] /IC [0 0 0]'],
    ['a polyline', '/Subtype /PolyLine /Vertices [100 100 500 100 500 700] /Border [0 0 20]'],
  ])('is rendered for %s without an appearance stream', async (_what, annotation) => {
    expect(await dark(annotated(annotation))).toBeGreaterThan(0.02);
    expect(await dark(annotated(`${annotation} /F 2`))).toBe(0);
  });

  const scanned = (content: string, filter = 'JBIG2Decode') => {
    const image = `/Type /XObject /Subtype /Image /Width 64 /Height 64 /ColorSpace /DeviceGray /BitsPerComponent ${filter === 'JBIG2Decode' ? 1 : 8} /Filter /${filter}`;
    return buildPdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R /Resources << /XObject << /I 5 0 R >> >> >>',
      pdfStream(`${content} 100 0 0 100 0 0 cm /I Do`),
      pdfStream(Buffer.from('this is no picture'), image),
    ]);
  };
  it('is reported for a scan that cannot be decoded unless the page has other content', async () => {
    for (const filter of ['JBIG2Decode', 'JPXDecode', 'DCTDecode'])
      expect(await fixture.renderOutcome(scanned('', filter))).toBe('damaged');
    expect(await fixture.renderOutcome(scanned('0 g 0 0 50 50 re f'))).toBe('600x600');
    expect(await fixture.renderOutcome(pageWithBox('0 0 100 100', ''))).toBe('600x600');
  });

  it('includes attached files, which are listed and extracted', async () => {
    const source = await fixture.storeDocument(sample('hidden/portfolio.pdf'));
    expect((await fixture.service.openDocument(source)).attachments).toEqual(['a.txt']);
    let path = '';
    const attachment = await fixture.service.withAttachment(source, 1, async (file) => {
      path = file.path;
      return { ...file, path: await readFile(path, 'utf8') };
    });
    expect(attachment).toEqual({ name: 'a.txt', size: 5, path: 'hello' });
    expect(existsSync(path)).toBe(false);
    await expect(fixture.service.withAttachment(source, 2, () => Promise.resolve())).rejects.toMatchObject({
      failure: 'no-page',
    });
  });
});

describe('Small vector images', () => {
  it.each(['4cm', '4mm', '4pt', '0.4in', '4px'])('fill their page: %s', async (side) => {
    const unit = side.replace(/^[\d.]+/, '');
    const part = (share: number) => `${Number.parseFloat(side) * share}${unit}`;
    const rect = `<rect x="${part(0.1)}" y="${part(0.1)}" width="${part(0.8)}" height="${part(0.8)}"/>`;
    const bytes = createSvg(rect, `width="${side}" height="${side}"`);
    expect(await dark(bytes, 'svg')).toBeCloseTo(0.64, 1);
    expect(await dark(bytes, 'svg', 0.85, 0.95)).toBeGreaterThan(0.3);
    const [large] = await fixture.service.renderPage(await fixture.storeDocument(bytes, undefined, 'svg'), 1, [2000]);
    expect(large).toMatchObject({ width: 2000, height: 2000 });
  });
});
