import { createPdf, createPng } from '../../../../src/cli/seed/demo-files.js';
import { DrawingDesk } from './drawing-desk.js';
import { undecodablePicture, boxed, damaged, everGrowing, neverEnding, wrongTrees } from './generated/odd-pdf.js';

const letter = createPdf('Light', ['Soft light and hard light']);
/** A page, or a word for why there is none; anything else is a fault of ours. */
const TOLD = /^(\d+x\d+|damaged|wrong-type|empty|too-many-pages|too-slow|too-large|unsupported|locked|no-page)$/;

let desk: DrawingDesk;
beforeEach(() => {
  desk = new DrawingDesk();
});
afterEach(() => desk.close());

describe('what is drawn of documents that anybody may have made', () => {
  it('is told of each of twenty damaged ones, and nothing is left of them', async () => {
    const outcomes: string[] = [];
    for (let way = 0; way < 20; way++) outcomes.push(await desk.outcome(damaged(letter, way)));
    expect(outcomes.filter((outcome) => !TOLD.test(outcome))).toEqual([]);
    expect(outcomes).toContain('damaged');
    expect(outcomes).toContain('600x849');
    expect(await desk.outcome(letter)).toBe('600x849');
    expect(desk.leftOver()).toEqual([]);
  });

  it.each(Object.keys(wrongTrees))('is told of %s', async (name) => {
    expect(await desk.outcome(wrongTrees[name]!)).toMatch(TOLD);
    expect(await desk.outcome(letter)).toBe('600x849');
  });

  it.each([
    ['no byte', Buffer.alloc(0), 'empty'],
    ['a picture', createPng(10, 10, [0, 0, 0], [9, 9, 9]), 'wrong-type'],
    ['the word alone', Buffer.from('%PDF-1.7'), 'damaged'],
    ['a head and nothing that follows', Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(9000, 7)]), 'damaged'],
    ['a page that begins late', Buffer.concat([Buffer.alloc(500, 32), letter]), '600x849'],
    ['a page without an area', boxed('0 0 0 0'), /^(damaged|600x\d+)$/],
    ['a page of endless size', boxed('0 0 1e39 1e39'), /^(damaged|600x\d+)$/],
  ])('is told of %s', async (_name, bytes, outcome) => {
    expect(await desk.outcome(bytes)).toEqual(typeof outcome === 'string' ? outcome : expect.stringMatching(outcome));
  });

  it('is not more than there is: a page beyond the last one is none', async () => {
    const source = await desk.store(letter);
    await expect(desk.service.renderPage(source, 2, [600])).rejects.toMatchObject({ fault: 'no-page' });
    const pageless = await desk.store(wrongTrees['a page that is no object']!);
    await expect(desk.service.renderPage(pageless, 1, [600])).rejects.toMatchObject({ fault: 'damaged' });
  });

  it('costs a process when it never ends, and the next wish meets another one', async () => {
    const endless = await desk.store(neverEnding());
    await desk.service.openDocument(endless);
    const pid = desk.service.pid;
    desk.limits.pageTimeout = 500;
    expect(await desk.faultOf(() => desk.service.renderPage(endless, 1, [600]))).toBe('too-slow');
    desk.limits.pageTimeout = 120_000;
    expect(desk.service.pid).not.toBe(pid);
    expect(await desk.outcome(letter)).toBe('600x849');
  });

  it('does not end the engine by a picture that ended earlier builds', async () => {
    const source = await desk.store(undecodablePicture());
    await desk.service.openDocument(source);
    const pid = desk.service.pid;
    expect(await desk.service.renderPage(source, 1, [600])).toMatchObject([{ width: 600, height: 600 }]);
    expect(desk.service.pid).toBe(pid);
  });

  it('is not more than may be held in memory', async () => {
    desk.limits.maxBytes = 1000;
    expect(await desk.outcome(Buffer.concat([letter, Buffer.alloc(1000)]))).toBe('too-large');
    expect(desk.service.pid).toBeUndefined();
  });

  it('costs a process when it takes all memory, and the next wish meets another one', async () => {
    expect(await desk.outcome(everGrowing())).toBe('damaged');
    expect(await desk.outcome(letter)).toBe('600x849');
  });
});

describe('a document that wants more memory than is given', () => {
  beforeEach(async () => {
    await desk.close();
    desk = new DrawingDesk(256);
  });

  it('is told, and meets a process that has nothing else open before', async () => {
    const large = (megabytes: number) => desk.store(Buffer.concat([letter, Buffer.alloc(megabytes * 2 ** 20)]));
    await expect(desk.service.openDocument(await large(250))).rejects.toMatchObject({ fault: 'too-large' });
    // Each of them has room, and both together have not.
    const [one, other] = [await large(130), await large(131)];
    await desk.service.openDocument(one);
    const pid = desk.service.pid;
    expect(await desk.service.openDocument(other)).toMatchObject({ count: 1 });
    expect(desk.service.pid).not.toBe(pid);
  });
});
