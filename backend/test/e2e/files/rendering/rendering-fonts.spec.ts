import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { RenderingFixture } from './rendering-fixture.js';
import { pdfWithUnembeddedFont, pdfWithUnembeddedGlyph } from './generated/unembedded-pdf.js';

const sample = (name: string): Buffer =>
  readFileSync(fileURLToPath(new URL(`../../../support/samples/${name}`, import.meta.url)));
const [WIDTH, HEIGHT] = [600, 909];
/** Layout of the letters in the sample, in points, and the number of columns. */
const [LEFT, TOP, COLUMN, ROW, COLUMNS] = [4, 2, 32, 40, 8];
/** Similarity of letters drawn from the same font; two different letters of a row are less similar. */
const SAME = 0.9;

/** Debian's fonts; tests that need them are skipped on machines without them. */
const hasLatin = existsSync('/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf');
const hasArabic = existsSync('/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf');
const hasCjk = existsSync('/usr/share/fonts/truetype/wqy/wqy-microhei.ttc');
const when = (isThere: boolean) => (isThere ? describe : describe.skip);

let fixture: RenderingFixture;
beforeEach(() => {
  fixture = new RenderingFixture();
});
afterEach(() => fixture.close());

async function render(pdf: Buffer): Promise<Buffer> {
  const [page] = await fixture.service.renderPage(await fixture.storeDocument(pdf), 1, [WIDTH]);
  return page!.bytes;
}

/** The ink of each letter of a row, slightly blurred, because renderers antialias differently. */
async function extractLetters(picture: Buffer, row: number): Promise<number[][]> {
  const { data } = await sharp(picture)
    .greyscale()
    .resize(WIDTH, HEIGHT, { fit: 'fill' })
    .blur(3)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const pixels = (points: number) => Math.round((points * WIDTH) / 264);
  return Array.from({ length: COLUMNS }, (_, column) => {
    const ink: number[] = [];
    for (let y = pixels(TOP + row * ROW); y < pixels(TOP + (row + 1) * ROW); y++)
      for (let x = pixels(LEFT + column * COLUMN); x < pixels(LEFT + (column + 1) * COLUMN); x++)
        ink.push(255 - data[y * WIDTH + x]!);
    return ink;
  });
}

const product = (one: number[], other: number[]) => one.reduce((sum, value, index) => sum + value * other[index]!, 0);
/** Cosine similarity of two images: 1 if identical, 0 if one is blank. */
const similarity = (one: number[], other: number[]) =>
  product(one, other) / (Math.sqrt(product(one, one) * product(other, other)) || 1);

describe('Glyphs of fonts that are not embedded in a PDF', () => {
  const reference = sample('unembedded-letters-poppler.png');
  const rows = [
    { script: 'Turkish', isThere: hasLatin },
    { script: 'Polish', isThere: hasLatin },
    { script: 'Cyrillic', isThere: hasLatin },
    { script: 'Greek', isThere: hasLatin },
    { script: 'Arabic', isThere: hasArabic },
    { script: 'simplified Chinese', isThere: hasCjk },
    { script: 'traditional Chinese', isThere: hasCjk },
    { script: 'Japanese', isThere: hasCjk },
    { script: 'Korean', isThere: hasCjk },
  ];

  for (const [row, { script, isThere }] of rows.entries())
    when(isThere)(script, () => {
      it('match the rendering of Poppler', async () => {
        const ours = await extractLetters(await render(sample('unembedded-letters.pdf')), row);
        const theirs = await extractLetters(reference, row);
        for (const [index, letter] of ours.entries()) expect(similarity(letter, theirs[index]!)).toBeGreaterThan(SAME);
      });
    });

  when(hasLatin)('in form fields', () => {
    /** The ink in the columns of a field's text, from the first non-empty column to the last. */
    const inkOf = async (value: string) => {
      const text = `FEFF${Buffer.from(value, 'utf16le').swap16().toString('hex')}`;
      const form = sample('form-turkish.pdf')
        .toString('latin1')
        .replace(/FEFF[0-9a-f]+/, text);
      const picture = sharp(await render(Buffer.from(form, 'latin1')));
      const { data, info } = await picture
        .extract({ left: 100, top: 40, width: 280, height: 16 })
        .greyscale()
        .raw()
        .toBuffer({ resolveWithObject: true });
      return data.reduce((sum, value_, index) => sum + (255 - value_) * Number(index % info.channels === 0), 0) / 255;
    };

    it.each([...'ŞşąęłśżźńćőűЖшΩψש'])('renders %s in a value without an appearance stream', async (letter) => {
      const [blank, one, two] = [await inkOf('o'), await inkOf(`o${letter}`), await inkOf(`o${letter}${letter}`)];
      expect(one - blank).toBeGreaterThan(2);
      expect(two - one).toBeGreaterThan(2);
    });
  });

  when(hasLatin && hasArabic)('that a general font lacks', () => {
    it.each([
      ['by the name of the glyph', () => pdfWithUnembeddedFont('Arial', 'afii57416')],
      ['by its Unicode value', () => pdfWithUnembeddedGlyph('ArialMT', 901, 'ب')],
    ])('come from a fallback font: Arabic in Arial %s', async (_how, pdf) => {
      const [letter] = await extractLetters(await render(pdf()), 0);
      const [, reference] = await extractLetters(await render(sample('unembedded-letters.pdf')), 4);
      expect(product(letter!, letter!)).toBeGreaterThan(product(reference!, reference!) / 2);
    });
  });

  when(hasLatin)('by the name of the font', () => {
    it.each(['Arial', 'Helvetica', 'Calibri', 'SomethingUnknown', 'ABCDEF+Arial'])('renders Ş of %s', async (font) => {
      const [letter] = await extractLetters(await render(pdfWithUnembeddedFont(font, 'Scedilla')), 0);
      expect(product(letter!, letter!)).toBeGreaterThan(0);
    });

    it('renders the same glyph by its glyph number, with or without a Unicode mapping', async () => {
      const [named] = await extractLetters(await render(pdfWithUnembeddedFont('Arial', 'H')), 0);
      for (const pdf of [pdfWithUnembeddedGlyph('ArialMT', 43), pdfWithUnembeddedGlyph('ArialMT', 43, 'H')])
        expect(similarity((await extractLetters(await render(pdf), 0))[0]!, named!)).toBeGreaterThan(SAME);
    });

    it('renders bold glyphs darker', async () => {
      const ink = async (font: string) =>
        (await extractLetters(await render(pdfWithUnembeddedFont(font, 'Scedilla')), 0))[0]!.reduce(
          (sum, value) => sum + value,
          0,
        );
      expect(await ink('Arial,Bold')).toBeGreaterThan((await ink('Arial')) * 1.15);
      expect(await ink('Calibri-Bold')).toBeGreaterThan((await ink('Calibri')) * 1.15);
    });
  });
});
