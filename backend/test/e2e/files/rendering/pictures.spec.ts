import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import type { RenderFormat } from '../../../../src/platform/rendering/rendering-protocol.js';
import { RenderingFixture } from './rendering-fixture.js';
import {
  dominantColour,
  tiffClaimingHugePage,
  heicPhoto,
  heicClaimingSize,
  solidColour,
  pngClaimingSize,
  createTiffScan,
  createSvg,
} from './generated/image-samples.js';

let fixture: RenderingFixture;
beforeEach(() => {
  fixture = new RenderingFixture();
});
afterEach(() => fixture.close());

const store = (bytes: Buffer, format: RenderFormat) => fixture.storeDocument(bytes, undefined, format);
/** The colour of a page rendered 600 pixels wide. */
const colour = async (bytes: Buffer, format: RenderFormat, page = 1) =>
  dominantColour((await fixture.service.renderPage(await store(bytes, format), page, [600]))[0]!.bytes);

describe('Picture rendering', () => {
  it.each(['png', 'jpeg', 'webp', 'avif', 'gif'] as const)(
    'treats a picture as a document of one page: %s',
    async (format) => {
      const source = await store(await solidColour('#d80000', 900, 600).toFormat(format).toBuffer(), 'picture');
      expect(await fixture.service.openDocument(source)).toEqual({ count: 1, sizes: [[900, 600]], attachments: [] });
      const pages = await fixture.service.renderPage(source, 1, [600, 1200]);
      expect(pages).toMatchObject([
        { width: 600, height: 400 },
        { width: 900, height: 600 },
      ]);
      expect(await dominantColour(pages[0]!.bytes)).toBe('red');
      expect(await fixture.service.extractText(source, 1)).toEqual({ words: [], links: [], hasHidden: false });
      expect(await fixture.service.readOutline(source)).toEqual([]);
      await expect(fixture.service.renderPage(source, 2, [600])).rejects.toMatchObject({ failure: 'no-page' });
      await expect(fixture.service.extractText(source, 2)).rejects.toMatchObject({ failure: 'no-page' });
    },
  );

  it('applies the orientation and strips metadata', async () => {
    const right = await solidColour('#0000d8', 150, 100).png().toBuffer();
    const turned = await solidColour('#d80000', 300, 100)
      .composite([{ input: right, left: 150, top: 0 }])
      .withExif({ IFD0: { Copyright: 'secret place' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const source = await store(turned, 'picture');
    expect((await fixture.service.openDocument(source)).sizes).toEqual([[100, 300]]);
    const [page] = await fixture.service.renderPage(source, 1, [600]);
    const { width, height, exif, icc } = await sharp(page!.bytes).metadata();
    expect([width, height, exif, icc]).toEqual([100, 300, undefined, undefined]);
    const half = async (top: number) =>
      dominantColour(await sharp(page!.bytes).extract({ left: 10, top, width: 80, height: 100 }).toBuffer());
    expect([await half(20), await half(180)]).toEqual(['red', 'blue']);
  });

  it('shows the first frame of an animation and puts transparency on white', async () => {
    const frames = await Promise.all(['#d80000', '#00d800'].map((each) => solidColour(each).png().toBuffer()));
    const gif = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    expect((await fixture.service.openDocument(await store(gif, 'picture'))).count).toBe(1);
    expect(await colour(gif, 'picture')).toBe('red');
    const clear = {
      create: { width: 30, height: 20, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    } as const;
    expect(await colour(await sharp(clear).png().toBuffer(), 'picture')).toBe('white');
  });

  it('has a page for each image of a scan', async () => {
    const bytes = await createTiffScan('#d80000', '#00d800', '#0000d8');
    const source = await store(bytes, 'tiff');
    expect(await fixture.service.openDocument(source)).toEqual({
      count: 3,
      sizes: [1, 2, 3].map(() => [300, 200]),
      attachments: [],
    });
    for (const [index, name] of ['red', 'green', 'blue'].entries())
      expect(await colour(bytes, 'tiff', index + 1)).toBe(name);
    for (const kind of ['rgb16', 'b-w', 'cmyk'])
      expect(
        await fixture.renderOutcome(await solidColour('#0000d8').toColourspace(kind).tiff().toBuffer(), 'tiff'),
      ).toBe('300x200');
  });

  it('reads a scan except for a page that claims to be enormous', async () => {
    const bytes = tiffClaimingHugePage(await createTiffScan('#d80000', '#00d800', '#0000d8'), 2);
    const source = await store(bytes, 'tiff');
    const sizes = [
      [300, 200],
      [0, 0],
      [300, 200],
    ];
    expect(await fixture.service.openDocument(source)).toEqual({ count: 3, sizes, attachments: [] });
    await expect(fixture.service.renderPage(source, 2, [600])).rejects.toMatchObject({ failure: 'damaged' });
    expect(await colour(bytes, 'tiff', 3)).toBe('blue');
    const all = [1, 2, 3].reduce(tiffClaimingHugePage, bytes);
    expect(await fixture.renderOutcome(all, 'tiff')).toBe('too-large');
  });

  it('decodes phone photos, even on repeated requests', async () => {
    const source = await store(heicPhoto, 'heic');
    expect(await fixture.service.openDocument(source)).toEqual({ count: 1, sizes: [[640, 480]], attachments: [] });
    const [page] = await fixture.service.renderPage(source, 1, [600]);
    const half = (left: number) =>
      sharp(page!.bytes).extract({ left, top: 50, width: 200, height: 300 }).toBuffer().then(dominantColour);
    expect([page!.width, page!.height, await half(50), await half(350)]).toEqual([600, 450, 'red', 'blue']);
    expect(await fixture.service.renderPage(source, 1, [1200, 480])).toMatchObject([{ width: 640 }, { width: 480 }]);
  });

  it('renders vector images sharply in each width', async () => {
    const source = await store(createSvg('<rect width="300" height="200" fill="#d80000"/>'), 'svg');
    expect(await fixture.service.openDocument(source)).toEqual({ count: 1, sizes: [[300, 200]], attachments: [] });
    const pages = await fixture.service.renderPage(source, 1, [2000, 600]);
    expect(pages).toMatchObject([
      { width: 2000, height: 1333 },
      { width: 600, height: 400 },
    ]);
    expect(await dominantColour(pages[0]!.bytes)).toBe('red');
    const boxed = await store(createSvg('', 'viewBox="0 0 30 20"'), 'svg');
    expect(await fixture.service.renderPage(boxed, 1, [600])).toMatchObject([{ width: 600, height: 400 }]);
  });
});

describe('Rendering of untrusted pictures', () => {
  const truncate = (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length * 0.6));

  it.each([
    ['a PNG of 30,000 by 30,000', 'picture', () => pngClaimingSize(30_000), 'too-large'],
    ['a photograph of 65,535 by 65,535', 'heic', () => heicClaimingSize(65_535), 'too-large'],
    ['an SVG of 100,000 by 100,000', 'svg', () => createSvg('', 'width="100000" height="100000"'), 'too-large'],
    ['an SVG of five megabytes', 'svg', () => createSvg(' '.repeat(5 * 2 ** 20)), 'too-large'],
    [
      'a truncated picture',
      'picture',
      async () => truncate(await solidColour('#d80000', 900, 600).jpeg().toBuffer()),
      'damaged',
    ],
    ['a truncated photograph', 'heic', () => truncate(heicPhoto), 'damaged'],
    ['a truncated scan', 'tiff', async () => truncate(await solidColour('#d80000').tiff().toBuffer()), 'damaged'],
    ['a truncated SVG', 'svg', () => truncate(createSvg('<rect width="30" height="20"/>')), 'damaged'],
    ['an SVG without an area', 'svg', () => createSvg('', 'width="0" height="0"'), 'damaged'],
    ['words', 'heic', () => Buffer.from('only words'), 'damaged'],
    ['no bytes', 'picture', () => Buffer.alloc(0), 'empty'],
  ] as const)('reports the expected outcome for %s', async (_name, format, make, outcome) => {
    expect(await fixture.renderOutcome(await make(), format)).toBe(outcome);
    const pid = fixture.service.pid;
    expect(await colour(createSvg('<rect width="300" height="200" fill="#0000d8"/>'), 'svg')).toBe('blue');
    if (pid !== undefined) expect(fixture.service.pid).toBe(pid);
    expect(fixture.listTempFiles()).toEqual([]);
  });

  it('ignores what a vector image references: a file, a host, an entity, itself', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'zonary-named-'));
    const file = join(folder, 'secret.png');
    writeFileSync(file, await solidColour('#0000d8').png().toBuffer());
    let count = 0;
    const host = createServer((socket) => {
      count++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
    const { port } = host.address() as AddressInfo;
    const named = [`file://${file}`, file, `http://127.0.0.1:${port}/a.png`, `//127.0.0.1:${port}/a.png`];
    try {
      for (const address of named) {
        const image = `<image width="300" height="200" xlink:href="${address}"/><image width="300" height="200" href="${address}"/>`;
        const style = `<style>@import url("${address}"); rect { fill: url("${address}#a") }</style>`;
        expect(await colour(createSvg(style + image), 'svg')).toBe('white');
        const entity = `<!DOCTYPE svg [<!ENTITY a SYSTEM "${address}">]>${createSvg('<text y="20">&a;</text>').toString()}`;
        expect(await fixture.renderOutcome(Buffer.from(entity), 'svg')).toMatch(/^(damaged|600x400)$/);
      }
      expect(await colour(createSvg('<g id="a"><use href="#a"/></g>'), 'svg')).toBe('white');
      expect(count).toBe(0);
    } finally {
      await new Promise((resolve) => host.close(resolve));
      rmSync(folder, { recursive: true });
    }
  });
});
