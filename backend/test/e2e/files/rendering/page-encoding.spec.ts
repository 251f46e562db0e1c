import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { createPdf } from '../../../../src/cli/seed/demo-files.js';
import { RenderingFixture } from './rendering-fixture.js';

interface RenderedPage {
  readonly width: number;
  readonly bytes: Buffer;
}
interface OpenPdf {
  renderPage(page: number, widths: readonly number[]): Promise<RenderedPage[]>;
  close(): void;
}

/** The WebP's chunk type: `VP8L` is lossless, `VP8 ` is lossy. */
const chunkTypeOf = (webp: Buffer) => webp.toString('latin1', 12, 16);

const [WIDTH, HEIGHT] = [600, 400];
const PIXELS = WIDTH * HEIGHT;

/** An image from the colour of each pixel. */
const createImage = (colour: (at: number) => readonly number[]) =>
  sharp(Buffer.from(Array.from({ length: PIXELS }, (_, index) => colour(index)).flat()), {
    raw: { width: WIDTH, height: HEIGHT, channels: 3 },
  });

/** The same pseudorandom numbers at every run. */
function pseudorandom(below: number): () => number {
  let random = 1;
  return () => {
    random = (random * 48_271) % 2_147_483_647;
    return (random >> 8) % below;
  };
}

const LINES = Array.from({ length: 30 }, (_, index) => `${index} soft light and hard light, and what lies between`);

describe('Encoding of a rendered page', () => {
  let fixture: RenderingFixture;
  beforeEach(() => {
    fixture = new RenderingFixture();
  });
  afterEach(() => fixture.close());

  const render = async (picture: ReturnType<typeof createImage>) => {
    const stored = await fixture.storeDocument(await picture.png().toBuffer(), undefined, 'picture');
    return (await fixture.service.renderPage(stored, 1, [WIDTH]))[0]!.bytes;
  };

  it('is lossless for text, which takes less space', async () => {
    for (const { bytes } of await fixture.service.renderPage(
      await fixture.storeDocument(createPdf('Light', LINES)),
      1,
      [600, 1200],
    )) {
      expect(chunkTypeOf(bytes)).toBe('VP8L');
      const lossy = await sharp(bytes).webp({ quality: 82, effort: 2 }).toBuffer();
      expect(bytes.length * 2).toBeLessThan(lossy.length);
    }
  });

  it.each([
    [1024, 'VP8L'],
    [1025, 'VP8 '],
  ])('is lossless up to 1,024 colours: with %i it is %s', async (colours, expected) => {
    // Small without loss, so that only the number of colours decides.
    const stripes = createImage((at) => {
      const colour = Math.floor((at * colours) / PIXELS);
      return [colour >> 4, 0, (colour & 15) * 16];
    });
    expect(chunkTypeOf(await render(stripes))).toBe(expected);
  });

  it('tries lossy only above 0.04 bytes per pixel', async () => {
    // Almost identical greys, as of an old scanner: with loss they are a fiftieth of the size.
    const grey = (rows: number) => {
      const next = pseudorandom(2);
      return createImage((at) => Array<number>(3).fill(at < rows * WIDTH ? 200 + next() : 200));
    };
    const sizeWithout = async (rows: number) =>
      (await grey(rows).webp({ lossless: true, effort: 2 }).toBuffer()).length / PIXELS;
    expect(await sizeWithout(100)).toBeLessThan(0.04);
    expect(chunkTypeOf(await render(grey(100)))).toBe('VP8L');
    expect(await sizeWithout(200)).toBeGreaterThan(0.04);
    expect(chunkTypeOf(await render(grey(200)))).toBe('VP8 ');
  });

  it('stays lossless above that when it takes less space', async () => {
    // Random black pixels, which lossy compression can't make smaller.
    const next = pseudorandom(2);
    const dots = createImage(() => Array<number>(3).fill(next() * 255));
    const size = (await dots.clone().webp({ lossless: true, effort: 2 }).toBuffer()).length;
    expect(size / PIXELS).toBeGreaterThan(0.04);
    expect(chunkTypeOf(await render(dots))).toBe('VP8L');
  });
});

describe('Widths of a rendered page', () => {
  let folder: string;
  let opened: OpenPdf;
  /** CPU time of rendering, in milliseconds. */
  let used = 0;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'zonary-encoding-'));
    const path = join(folder, 'document.pdf');
    writeFileSync(path, createPdf('Light', LINES));
    // As the rendering process does it, but in this process, so that its CPU time can be measured.
    const renderer = new URL('../../../../src/platform/rendering/pdf/pdf-renderer.mjs', import.meta.url);
    const { openPdf } = (await import(renderer.href)) as { openPdf: (path: string) => OpenPdf };
    opened = openPdf(path);
    jest.spyOn(process, 'cpuUsage').mockImplementation(() => ({ user: used * 1000, system: 0 }));
  });
  afterAll(() => {
    jest.restoreAllMocks();
    opened.close();
    rmSync(folder, { recursive: true });
  });

  it.each([
    ['rendered separately', 'up to half a second', 500, true],
    ['scaled down from the widest', 'more than half a second', 501, false],
  ])('are %s for a page that took %s', async (_how, _time, milliseconds, isSeparate) => {
    used = milliseconds;
    const [narrow, wide] = await opened.renderPage(1, [600, 1200]);
    expect([narrow!.width, wide!.width]).toEqual([600, 1200]);
    const [alone] = await opened.renderPage(1, [600]);
    expect(narrow!.bytes.equals(alone!.bytes)).toBe(isSeparate);
    const [widest] = await opened.renderPage(1, [1200]);
    expect(wide!.bytes.equals(widest!.bytes)).toBe(true);
  });
});
