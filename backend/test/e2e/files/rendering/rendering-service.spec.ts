import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { createPdf } from '../../../../src/cli/seed/demo-files.js';
import type { RenderSource } from '../../../../src/platform/rendering/rendering.service.js';
import { RenderingProcess, RenderingProcessEndedError } from '../../../../src/platform/rendering/rendering-process.js';
import { waitUntil } from '../../../support/wait-until.js';
import { RenderingFixture, isProcessRunning, suspendProcess } from './rendering-fixture.js';
import { pageWithBox, createEncryptedPdf, pdfWithPages } from './generated/pdf-samples.js';
import { createPdfWithPageEntries } from './generated/user-unit-pdf.js';

const sample = (name: string): Buffer =>
  readFileSync(fileURLToPath(new URL(`../../../support/samples/${name}`, import.meta.url)));

let fixture: RenderingFixture;
let good: RenderSource;

beforeEach(async () => {
  fixture = new RenderingFixture();
  good = await fixture.storeDocument(createPdf('Light', ['Soft light and hard light']));
});
afterEach(() => fixture.close());

/** The darkest value of an image: 255 if it is blank. */
const darkest = async (bytes: Buffer) => (await sharp(bytes).greyscale().stats()).channels[0]!.min;

describe('RenderingService', () => {
  it('reports page count and sizes and renders a page in several widths', async () => {
    expect(await fixture.service.openDocument(good)).toEqual({ count: 1, sizes: [[595, 842]], attachments: [] });
    const pages = await fixture.service.renderPage(good, 1, [600, 1200]);
    expect(pages.map(({ width, height }) => [width, height])).toEqual([
      [600, 849],
      [1200, 1698],
    ]);
    for (const { bytes, width } of pages) {
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width });
      expect(await darkest(bytes)).toBeLessThan(60);
    }
  });

  it('returns pixels without any metadata of the document', async () => {
    const title = 'Painted-by-somebody';
    const bytes = Buffer.from(
      pageWithBox('0 0 100 100').toString('latin1').replace('/Root 1 0 R', `/Root 1 0 R /Info << /Title (${title}) >>`),
    );
    const [page] = await fixture.service.renderPage(await fixture.storeDocument(bytes), 1, [600]);
    const { exif, xmp, icc, iptc } = await sharp(page!.bytes).metadata();
    expect([exif, xmp, icc, iptc]).toEqual([undefined, undefined, undefined, undefined]);
    expect(page!.bytes.includes(title)).toBe(false);
  });

  it('renders at most 2000 pixels wide, 16,383 high and 16 million pixels', async () => {
    const wide = await fixture.storeDocument(pageWithBox('0 0 14400 14400'));
    expect(await fixture.service.renderPage(wide, 1, [5000])).toMatchObject([{ width: 2000, height: 2000 }]);
    const high = await fixture.storeDocument(pageWithBox('0 0 10 14400'));
    expect(await fixture.service.renderPage(high, 1, [600, 2000])).toMatchObject([
      { width: 11, height: 16_383 },
      { width: 11, height: 16_383 },
    ]);
    const line = await fixture.storeDocument(pageWithBox('0 0 1 14400'));
    expect(await fixture.service.renderPage(line, 1, [600])).toMatchObject([{ width: 1, height: 16_383 }]);
    const large = await fixture.storeDocument(pageWithBox('0 0 2000 14400'));
    const { width, height } = (await fixture.service.renderPage(large, 1, [2000]))[0]!;
    expect(width * height).toBeLessThanOrEqual(16_010_000);
    expect(width * height).toBeGreaterThan(15_900_000);
  });

  it('renders a tall page in the requested width', async () => {
    const tall = await fixture.storeDocument(pageWithBox('0 0 612 5000'));
    expect(await fixture.service.renderPage(tall, 1, [600, 1200])).toMatchObject([
      { width: 600, height: 4902 },
      { width: 1200, height: 9804 },
    ]);
  });

  it('renders the tallest possible PDF page with more than one pixel per point', async () => {
    const tallest = await fixture.storeDocument(pageWithBox('0 0 612 14400'));
    expect(await fixture.service.renderPage(tallest, 1, [1200])).toMatchObject([{ width: 696, height: 16_383 }]);
  });

  it('counts the pages that exist, not those the file claims', async () => {
    const claims = (pages: string) =>
      Buffer.from(sample('count-99.pdf').toString('latin1').replace('/Count 99', pages), 'latin1');
    for (const pages of ['/Count 99', '/Count 20000'])
      expect(await fixture.service.openDocument(await fixture.storeDocument(claims(pages)))).toEqual({
        count: 2,
        sizes: [
          [300, 300],
          [300, 300],
        ],
        attachments: [],
      });
    await expect(
      fixture.service.renderPage(await fixture.storeDocument(claims('/Count 99')), 3, [600]),
    ).rejects.toMatchObject({
      failure: 'no-page',
    });
  });

  it('reports page sizes in points, whatever the user unit', async () => {
    const sizes = [
      [100, 200],
      [250, 500],
      [1000, 2000],
    ];
    for (const isPacked of [false, true])
      expect(
        (
          await fixture.service.openDocument(
            await fixture.storeDocument(createPdfWithPageEntries(['', '/UserUnit 2.5', '/UserUnit 10'], isPacked)),
          )
        ).sizes,
      ).toEqual(sizes);
    expect(
      (
        await fixture.service.openDocument(
          await fixture.storeDocument(createPdfWithPageEntries(['/UserUnit 0', '/UserUnit x', '/UserUnit -2'])),
        )
      ).sizes,
    ).toEqual(Array(3).fill([100, 200]));
  });

  it.each(['leadnl.pdf', 'junk-before.pdf'])('renders a PDF whose header is not at the beginning: %s', async (name) => {
    const [page] = await fixture.service.renderPage(await fixture.storeDocument(sample(name)), 1, [600]);
    expect(await darkest(page!.bytes)).toBeLessThan(100);
  });

  it('opens a locked document only with its password, even while another request has it open', async () => {
    const locked = await fixture.storeDocument(createEncryptedPdf('open me'), 'open me');
    const [page] = await fixture.service.renderPage(locked, 1, [600]);
    expect(await darkest(page!.bytes)).toBe(0);
    const { password: _, ...unlocked } = locked;
    await expect(fixture.service.renderPage(unlocked, 1, [600])).rejects.toMatchObject({ failure: 'locked' });
    await expect(fixture.service.renderPage({ ...locked, password: 'wrong' }, 1, [600])).rejects.toMatchObject({
      failure: 'locked',
    });
    expect(await fixture.service.renderPage(locked, 1, [600])).toHaveLength(1);
  });

  it('accepts 10,000 pages and rejects one more', async () => {
    const most = await fixture.storeDocument(pdfWithPages(10_000));
    const { count, sizes } = await fixture.service.openDocument(most);
    expect([count, sizes.length, sizes.at(-1)]).toEqual([10_000, 10_000, [100, 100]]);
    expect(await fixture.service.renderPage(most, 10_000, [600])).toMatchObject([{ width: 600, height: 600 }]);
    expect(await fixture.renderOutcome(pdfWithPages(10_001))).toBe('too-many-pages');
  });

  it('renders twenty concurrent requests one after the other in one process', async () => {
    const sources = await Promise.all(
      Array.from({ length: 20 }, (_, index) => fixture.storeDocument(createPdf(`Page ${index}`, ['Light']))),
    );
    const first = fixture.service.openDocument(good).then(() => fixture.service.pid);
    const pages = await Promise.all(sources.map((source) => fixture.service.renderPage(source, 1, [600])));
    expect(new Set(pages.map(([page]) => page!.bytes.toString('base64'))).size).toBe(20);
    expect(fixture.service.pid).toBe(await first);
    expect(fixture.listTempFiles()).toEqual([]);
  });

  it('rejects the 33rd request and completes the waiting ones', async () => {
    await fixture.service.openDocument(good);
    const pid = fixture.service.pid!;
    await suspendProcess(pid);
    const waiting = Array.from({ length: 32 }, () => fixture.service.renderPage(good, 1, [600]));
    await expect(fixture.service.renderPage(good, 1, [600])).rejects.toMatchObject({
      status: 503,
      code: 'DRAWING_BUSY',
    });
    process.kill(pid, 'SIGCONT');
    expect(await Promise.all(waiting)).toHaveLength(32);
    expect(fixture.service.pid).toBe(pid);
  });

  it('serves the least recent user next and drops requests of those with most of the queue', async () => {
    await fixture.service.openDocument(good);
    const pid = fixture.service.pid!;
    await suspendProcess(pid);
    fixture.scheduler.recordUsage(1, 600_000);
    const ended: string[] = [];
    const renderPage = (source: RenderSource, name: string) =>
      fixture.service.renderPage(source, 1, [600]).then(
        () => void ended.push(name),
        (error: { code: string }) => void ended.push(error.code),
      );
    const many = Array.from({ length: 32 }, () => renderPage(good, 'many'));
    const other = renderPage({ ...good, owner: 2 }, 'other');
    process.kill(pid, 'SIGCONT');
    await Promise.all([...many, other]);
    // The render in progress, then the other user's.
    expect(ended).toEqual(['DRAWING_BUSY', 'many', 'other', ...Array<string>(30).fill('many')]);
  });

  it('repeats a request whose process was killed', async () => {
    await fixture.service.openDocument(good);
    const pid = fixture.service.pid!;
    await suspendProcess(pid);
    const pages = fixture.service.renderPage(good, 1, [600]);
    process.kill(pid, 'SIGKILL');
    expect(await pages).toMatchObject([{ width: 600 }]);
    expect(fixture.service.pid).not.toBe(pid);
  });

  it('returns DRAWING_BUSY when the process got no CPU time', async () => {
    await fixture.service.openDocument(good);
    fixture.limits.pageTimeout = 50;
    await suspendProcess(fixture.service.pid!);
    await expect(fixture.service.renderPage(good, 1, [600])).rejects.toMatchObject({ code: 'DRAWING_BUSY' });
    fixture.limits.pageTimeout = 120_000;
    expect(await fixture.service.renderPage(good, 1, [600])).toHaveLength(1);
  });

  it('returns DRAWING_BUSY when the process is killed twice from outside', async () => {
    await fixture.service.openDocument(good);
    const open = jest
      .spyOn(RenderingProcess.prototype, 'request')
      .mockRejectedValue(new RenderingProcessEndedError('killed'));
    try {
      await expect(fixture.service.renderPage(good, 1, [600])).rejects.toMatchObject({ code: 'DRAWING_BUSY' });
    } finally {
      open.mockRestore();
    }
    expect(await fixture.service.renderPage(good, 1, [600])).toHaveLength(1);
  });

  it('retries after a timeout and fails with too-slow the second time', async () => {
    await fixture.service.openDocument(good);
    const original = RenderingProcess.prototype.request;
    const request = jest.spyOn(RenderingProcess.prototype, 'request');
    try {
      request.mockRejectedValueOnce(new RenderingProcessEndedError('late'));
      expect(await fixture.service.renderPage(good, 1, [600])).toHaveLength(1);
      request.mockImplementation(function (this: RenderingProcess, command, deadline) {
        return command.kind === 'render'
          ? Promise.reject(new RenderingProcessEndedError('late'))
          : original.call(this, command, deadline);
      } as typeof original);
      await expect(fixture.service.renderPage(good, 1, [600])).rejects.toMatchObject({ failure: 'too-slow' });
    } finally {
      request.mockRestore();
    }
  });

  it('returns DRAWING_BUSY when the process does not start', async () => {
    const start = jest.spyOn(RenderingProcess, 'start').mockRejectedValue(new RenderingProcessEndedError('late'));
    try {
      await expect(fixture.service.openDocument(good)).rejects.toMatchObject({ code: 'DRAWING_BUSY' });
    } finally {
      start.mockRestore();
    }
  });

  it('returns STORAGE_UNAVAILABLE and does not mark the document as failed', async () => {
    await expect(fixture.service.openDocument({ ...good, size: good.size + 1 })).rejects.toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
    });
    await fixture.storage.delete(good.objectKey);
    await expect(fixture.service.openDocument(good)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    expect(fixture.listTempFiles()).toEqual([]);
  });

  it('stops an idle process and starts another for the next request', async () => {
    fixture.limits.idleTimeout = 1;
    await fixture.service.openDocument(good);
    await waitForProcessEnd();
    expect(await fixture.service.renderPage(good, 1, [600])).toHaveLength(1);
    await waitForProcessEnd();
  });

  it('leaves nothing behind when closed during rendering', async () => {
    await fixture.service.openDocument(good);
    const pid = fixture.service.pid!;
    await suspendProcess(pid);
    const requests = [fixture.service.renderPage(good, 1, [600]), fixture.service.openDocument(good)].map((command) =>
      command.catch((e) => e.code),
    );
    await fixture.service.onModuleDestroy();
    expect(await Promise.all(requests)).toEqual(['DRAWING_BUSY', 'DRAWING_BUSY']);
    expect([isProcessRunning(pid), fixture.service.pid, fixture.listTempFiles()]).toEqual([false, undefined, []]);
    await expect(fixture.service.openDocument(good)).rejects.toMatchObject({ code: 'DRAWING_BUSY' });
  });

  it('passes its process no secrets or flags and disables core dumps', async () => {
    await fixture.service.openDocument(good);
    const readProcFile = (file: string) => readFileSync(`/proc/${fixture.service.pid}/${file}`, 'utf8');
    const names = readProcFile('environ')
      .split('\0')
      .filter(Boolean)
      .map((line) => line.split('=')[0]!);
    const known = ['PATH', 'TMPDIR', 'MALLOC_ARENA_MAX', 'NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE'];
    expect(names.filter((name) => !known.includes(name))).toEqual([]);
    expect(
      readProcFile('cmdline')
        .split('\0')
        .filter((word) => word.startsWith('-')),
    ).toEqual([]);
    expect(readProcFile('limits')).toMatch(/Max core file size +0 +0/);
    expect(readProcFile('limits')).toMatch(/Max cpu time +300 +300/);
  });
});

async function waitForProcessEnd(): Promise<void> {
  await waitUntil('the rendering process has ended', () => fixture.service.pid === undefined);
}
