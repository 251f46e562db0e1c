import sharp from 'sharp';
import type { PageText } from '../../../../src/platform/rendering/rendering-protocol.js';
import { RenderingFixture } from './rendering-fixture.js';
import {
  pageWithBox,
  damageFile,
  pdfWithPages,
  buildPdf,
  pdfStream,
  invalidPageTrees,
} from './generated/pdf-samples.js';
import {
  FIRST_EXTRA_OBJECT,
  FIRST_PAGE_OBJECT,
  textLines,
  createNumberedPages,
  encodeWithCodes,
  createTextPdf,
} from './generated/text-pdf.js';

let fixture: RenderingFixture;
beforeEach(() => {
  fixture = new RenderingFixture();
});
afterEach(() => fixture.close());

const read = async (bytes: Buffer, page = 1): Promise<PageText> =>
  fixture.service.extractText(await fixture.storeDocument(bytes), page);
const texts = async (bytes: Buffer) => (await read(bytes)).words.map(([text]) => text);
const outline = async (bytes: Buffer) => fixture.service.readOutline(await fixture.storeDocument(bytes));
const link = (rest: string, y = 600) => `<< /Type /Annot /Subtype /Link /Rect [60 ${y} 160 ${y + 20}] ${rest} >>`;
const outside = (url: string) => link(`/A << /S /URI /URI (${url}) >>`);
const linked = (...links: string[]) =>
  createTextPdf({
    pages: [textLines('One'), textLines('Two')],
    pageEntries: `/Annots [${links.map((_, index) => `${FIRST_EXTRA_OBJECT + index} 0 R`).join(' ')}]`,
    extraObjects: links,
  });

/** The painted area of a page, in thousandths. */
async function painted(bytes: Buffer): Promise<number[]> {
  const [picture] = await fixture.service.renderPage(await fixture.storeDocument(bytes), 1, [2000]);
  const { data, info } = await sharp(picture!.bytes).greyscale().raw().toBuffer({ resolveWithObject: true });
  const dark: [number, number][] = [];
  for (let index = 0; index < data.length; index++)
    if (data[index]! < 100) dark.push([index % info.width, Math.floor(index / info.width)]);
  const [xs, ys] = [0, 1].map((axis) => dark.map((point) => point[axis]!));
  const of = (values: number[], side: number) =>
    [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))].map((at) => (at * 1000) / side);
  return [of(xs!, info.width), of(ys!, info.height)].flat();
}

describe('Text of a page', () => {
  it('consists of words in order, each with its position in thousandths', async () => {
    const { words, links } = await read(createTextPdf({ pages: [textLines('Soft light', 'and hard light')] }));
    expect(words.map(([text]) => text)).toEqual(['Soft', 'light', 'and', 'hard', 'light']);
    const [, x, y, width, height] = words[0]!;
    expect([x, Math.round(width)]).toEqual([100, 59]);
    expect([y < 110 && y > 90, y + height > 125 && y + height < 140]).toEqual([true, true]);
    expect(words[2]![2]).toBeGreaterThan(y);
    expect(links).toEqual([]);
  });

  it('decodes letters of all languages and expands ligatures', async () => {
    const { codes, content } = encodeWithCodes('İıŞşĞğ ﬁﬄ çöü 😀');
    expect(await texts(createTextPdf({ pages: [content], codes }))).toEqual(['İıŞşĞğ', 'fiffl', 'çöü', '😀']);
  });

  it('contains no NUL, lone surrogate or control character', async () => {
    const codes = { 61: 'd83d', 62: '0000', 63: '0041', 64: 'de00', 65: 'fffe', 66: '0007' };
    expect(await texts(createTextPdf({ pages: [textLines('abcdef', 'bdf', 'ccc')], codes }))).toEqual(['A', 'AAA']);
  });

  it('marks words that continue in the next line', async () => {
    expect(await texts(createTextPdf({ pages: [textLines('an exam-', 'ple of it')] }))).toEqual([
      'an',
      'exam\u00ad',
      'ple',
      'of',
      'it',
    ]);
  });

  it('is read column by column, as it was written', async () => {
    const column = (x: number, one: string, two: string) =>
      `BT /F1 12 Tf ${x} 700 Td (${one}) Tj 0 -14 Td (${two}) Tj ET`;
    const two = createTextPdf({
      pages: [`${column(60, 'Left one', 'left two')} ${column(320, 'Right one', 'right two')}`],
    });
    expect((await texts(two)).join(' ')).toBe('Left one left two Right one right two');
  });

  it.each([
    ['without changes', '', textLines('HHHHH')],
    ['rotated to the right', '/Rotate 90', textLines('HHHHH')],
    ['upside down', '/Rotate 180', textLines('HHHHH')],
    ['rotated to the left', '/Rotate 270', textLines('HHHHH')],
    ['cut', '/CropBox [50 400 350 780]', textLines('HHHHH')],
    ['cropped and rotated', '/CropBox [50 400 350 780] /Rotate 90', textLines('HHHHH')],
    ['away from its corner', '/MediaBox [-100 -200 500 900]', textLines('HHHHH')],
    ['with rotated letters', '', 'BT /F1 20 Tf 0 1 -1 0 300 300 Tm (HHHHH) Tj ET'],
  ])('is positioned where it is painted on a page %s', async (_name, page, content) => {
    const bytes = createTextPdf({ pages: [content], pageEntries: page });
    const [left, right, top, bottom] = await painted(bytes);
    const { words } = await read(bytes);
    expect(words).toHaveLength(1);
    const [, x, y, width, height] = words[0]!;
    // The text box covers the painted area and a line's height, with a small margin on all sides.
    for (const more of [left! - x, x + width - right!, top! - y, y + height - bottom!]) {
      expect(more).toBeGreaterThan(-1.5);
      expect(more).toBeLessThan(30);
    }
    const [across, along] = [width / (right! - left!), height / (bottom! - top!)];
    expect(Math.min(across, along)).toBeLessThan(1.2);
    expect(Math.max(across, along)).toBeLessThan(2);
  });

  it('omits text cropped from the page', async () => {
    const bytes = createTextPdf({
      pages: [`${textLines('Inside')} BT /F1 20 Tf 60 100 Td (Outside) Tj ET`],
      pageEntries: '/CropBox [0 400 600 800]',
    });
    expect(await texts(bytes)).toEqual(['Inside']);
  });

  it('is empty on pages without text', async () => {
    expect(await read(pageWithBox('0 0 100 100'))).toEqual({ words: [], links: [], hasHidden: false });
    expect(await read(pdfWithPages(3), 3)).toEqual({ words: [], links: [], hasHidden: false });
    await expect(read(pdfWithPages(3), 4)).rejects.toMatchObject({ failure: 'no-page' });
    await expect(read(invalidPageTrees['a page that is no object']!)).rejects.toMatchObject({ failure: 'damaged' });
  });

  it('is limited to 20,000 words of 200 letters', async () => {
    const large = '/MediaBox [0 0 14400 14400]';
    const many = createTextPdf({
      pages: [textLines(...Array.from({ length: 25 }, () => 'a b '.repeat(410)))],
      pageEntries: large,
    });
    expect((await read(many)).words).toHaveLength(20_000);
    const long = await texts(createTextPdf({ pages: [textLines('x'.repeat(500))], pageEntries: large }));
    expect(long.map(({ length }) => length)).toEqual([200, 200, 100]);
  }, 60_000);

  it('is extracted in one process for all pages of a document', async () => {
    const source = await fixture.storeDocument(createNumberedPages(60, 'Page'));
    await fixture.service.extractText(source, 1);
    const { pid } = fixture.service;
    for (let page = 1; page <= 60; page++)
      expect((await fixture.service.extractText(source, page)).words.map(([text]) => text)).toEqual([
        'Page',
        String(page),
      ]);
    expect(fixture.service.pid).toBe(pid);
  });
});

describe('Links of a page', () => {
  it('lead to its pages and outside', async () => {
    const bytes = linked(
      link(`/Dest [${FIRST_PAGE_OBJECT + 2} 0 R /Fit]`),
      link(`/A << /S /GoTo /D [${FIRST_PAGE_OBJECT} 0 R /Fit] >>`),
      outside('https://example.org/a?b=1'),
      outside('mailto:somebody@example.org'),
    );
    const { links } = await read(bytes);
    const rectangle = { x: 100, y: 225, w: 166.7, h: 25 };
    expect(links).toEqual([
      { ...rectangle, page: 2 },
      { ...rectangle, page: 1 },
      { ...rectangle, url: 'https://example.org/a?b=1' },
      { ...rectangle, url: 'mailto:somebody@example.org' },
    ]);
  });

  it.each([
    ['a javascript: URL', outside('javascript:alert\\(1\\)')],
    ['a disguised javascript: URL', outside(' JaVa\\tScRiPt:alert\\(1\\)')],
    ['data', outside('data:text/html,hello')],
    ['a file', outside('file:///etc/passwd')],
    ['an invalid URL', outside('somewhere')],
    ['a very long URL', outside(`https://example.org/${'x'.repeat(3000)}`)],
    ['a program to launch', link('/A << /S /Launch /F (calc.exe) >>')],
    ['a script of the document', link('/A << /S /JavaScript /JS (app.alert\\(1\\)) >>')],
    ['a missing page', link('/Dest [99 /Fit]')],
    ['another document', link('/A << /S /GoToR /F (other.pdf) /D [0 /Fit] >>')],
  ])('leave out targets that are %s', async (_name, target) => {
    expect((await read(linked(target, outside('https://example.org/')))).links).toEqual([
      expect.objectContaining({ url: 'https://example.org/' }),
    ]);
  });

  it('include URLs written in the text, once each', async () => {
    const bytes = createTextPdf({ pages: [textLines('see www.example.org/x and a@example.org')] });
    expect((await read(bytes)).links.map(({ url }) => url)).toEqual([
      'http://www.example.org/x',
      'mailto:a@example.org',
    ]);
    const over =
      '<< /Type /Annot /Subtype /Link /Rect [60 690 500 720] /A << /S /URI /URI (https://example.org/made) >> >>';
    const pdf = createTextPdf({
      pages: [textLines('see www.example.org/x')],
      pageEntries: `/Annots [${FIRST_EXTRA_OBJECT} 0 R]`,
      extraObjects: [over],
    });
    expect((await read(pdf)).links.map(({ url }) => url)).toEqual(['https://example.org/made']);
  });
});

describe('Outline of a document', () => {
  const referenceTo = (number: number) => `${FIRST_EXTRA_OBJECT + number} 0 R`;
  const outlined = (...entries: string[]) =>
    createTextPdf({
      pages: [textLines('One'), textLines('Two')],
      catalogueEntries: `/Outlines ${referenceTo(0)}`,
      extraObjects: [`<< /Type /Outlines /First ${referenceTo(1)} >>`, ...entries],
    });
  const to = (page: number) => `/Dest [${FIRST_PAGE_OBJECT + 2 * (page - 1)} 0 R /Fit]`;

  it('is read from the top, with the page of each entry', async () => {
    const bytes = outlined(
      `<< /Title (First) ${to(1)} /Next ${referenceTo(3)} /First ${referenceTo(2)} >>`,
      `<< /Title (Inside\\nit) /A << /S /GoTo /D [${FIRST_PAGE_OBJECT + 2} 0 R /Fit] >> >>`,
      `<< /Title <FEFF0130006B0069D83D> /A << /S /URI /URI (https://example.org/) >> >>`,
    );
    expect(await outline(bytes)).toEqual([
      { title: 'First', page: 1, level: 1 },
      { title: 'Inside it', page: 2, level: 2 },
      { title: expect.stringMatching(/^İki/), page: null, level: 1 },
    ]);
    expect(await outline(pageWithBox('0 0 100 100'))).toEqual([]);
  });

  it('stops at a cycle', async () => {
    const bytes = outlined(
      `<< /Title (First) ${to(1)} /Next ${referenceTo(2)} /First ${referenceTo(1)} >>`,
      `<< /Title (Second) ${to(2)} /Next ${referenceTo(1)} /First ${referenceTo(2)} >>`,
    );
    expect((await outline(bytes)).map(({ title, level }) => [title, level])).toEqual([
      ['First', 1],
      ['Second', 1],
    ]);
  });

  it('is limited to 2,000 entries of 200 letters and eight levels', async () => {
    const deep = Array.from(
      { length: 12 },
      (_, level) => `<< /Title (L${level + 1}) /First ${referenceTo(level + 2)} >>`,
    );
    expect((await outline(outlined(...deep))).map(({ level }) => level)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    const wide = Array.from(
      { length: 3000 },
      (_, n) => `<< /Title (${'x'.repeat(300)}) /Next ${referenceTo(n + 2)} >>`,
    );
    const entries = await outline(outlined(...wide));
    expect([entries.length, entries[0]!.title.length]).toEqual([2000, 200]);
  });
});

describe('Text of untrusted documents', () => {
  const KNOWN_OUTCOMES =
    /^(read|damaged|wrong-type|empty|too-many-pages|too-slow|too-large|unsupported|locked|no-page)$/;
  const outcome = async (bytes: Buffer) => {
    try {
      const source = await fixture.storeDocument(bytes);
      await fixture.service.extractText(source, 1);
      await fixture.service.readOutline(source);
      return 'read';
    } catch (error) {
      return (error as { failure?: string }).failure ?? String(error);
    }
  };
  const whole = linked(link(`/Dest [${FIRST_PAGE_OBJECT} 0 R /Fit]`), outside('https://example.org/'));

  it('reports an outcome for each of twenty damaged documents and leaves no temp files', async () => {
    const outcomes: string[] = [];
    for (let seed = 0; seed < 20; seed++) outcomes.push(await outcome(damageFile(whole, seed)));
    expect(outcomes.filter((outcome) => !KNOWN_OUTCOMES.test(outcome))).toEqual([]);
    expect(outcomes).toContain('read');
    expect(outcomes).toContain('damaged');
    expect(await outcome(whole)).toBe('read');
    expect(fixture.listTempFiles()).toEqual([]);
  });

  it('kills the process of an endless page, and the next request starts another', async () => {
    const endless = await fixture.storeDocument(endlessText());
    await fixture.service.openDocument(endless);
    const { pid } = fixture.service;
    fixture.limits.pageTimeout = 100;
    expect(await fixture.findFault(() => fixture.service.extractText(endless, 1))).toBe('too-slow');
    fixture.limits.pageTimeout = 120_000;
    expect(fixture.service.pid).not.toBe(pid);
    expect(await outcome(whole)).toBe('read');
  });
});

/** A page that paints a form ten times, which paints another form ten times, and so on, with a letter in the last. */
function endlessText(): Buffer {
  const DEEP = 7;
  const form = (at: number): Buffer => {
    const isLast = at === DEEP - 1;
    const content = isLast ? 'BT /F1 9 Tf (a) Tj ET' : '/F Do '.repeat(10);
    const resources = isLast ? '/Font << /F1 5 0 R >>' : `/XObject << /F ${at + 7} 0 R >>`;
    return pdfStream(content, `/Type /XObject /Subtype /Form /BBox [0 0 100 100] /Resources << ${resources} >>`);
  };
  const page =
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R /Resources << /XObject << /F 6 0 R >> >> >>';
  return buildPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    page,
    pdfStream('/F Do'),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...Array.from({ length: DEEP }, (_, index) => form(index)),
  ]);
}
