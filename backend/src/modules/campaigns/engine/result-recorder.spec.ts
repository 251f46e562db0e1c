import type { CampaignCounts, DeliveryResult } from './delivery.policy.js';
import { ResultRecorder } from './result-recorder.js';

const result = (id: number, campaignId = 1): DeliveryResult => ({
  id,
  campaignId,
  state: 'delivered',
  smtpCode: null,
  reason: null,
  bounceCause: null,
  runAt: new Date(),
});

const noFailures = { tried: 0, senderRejections: 0, results: 0, missingMailboxes: 0 };

/** Creates a recorder whose writes the test completes one by one. */
function createRecorder() {
  const writes: { ids: number[]; end: (error?: Error) => void }[] = [];
  const errors: unknown[] = [];
  const write = (id: number, results: DeliveryResult[]) =>
    new Promise<CampaignCounts>((resolve, reject) => {
      const end = (error?: Error) => (error ? reject(error) : resolve({ id, isDone: false, ...noFailures }));
      writes.push({ ids: results.map((delivery) => delivery.id), end });
    });
  const followedUp: number[] = [];
  const recorder = new ResultRecorder(
    write,
    async (counts) => void followedUp.push(counts!.id),
    (error) => errors.push(error),
  );
  return { recorder, writes, errors, followedUp };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('ResultRecorder', () => {
  it('resolves results only once written and batches those that arrive meanwhile', async () => {
    const { recorder, writes } = createRecorder();
    const ended: number[] = [];
    for (const id of [1, 2, 3]) void recorder.record(result(id)).then(() => ended.push(id));
    expect(writes.map(({ ids }) => ids)).toEqual([[1]]);
    expect(ended).toEqual([]);
    writes[0]!.end();
    await settled();
    expect(ended).toEqual([1]);
    expect(writes.map(({ ids }) => ids)).toEqual([[1], [2, 3]]);
    writes[1]!.end();
    await settled();
    expect(ended).toEqual([1, 2, 3]);
  });

  it('is idle when results and follow-ups are done, and starts again afterwards', async () => {
    const { recorder, writes, followedUp } = createRecorder();
    for (const id of [1, 2]) {
      const written = recorder.record(result(id));
      const all = recorder.flush().then(() => followedUp.push(0));
      await settled();
      expect(followedUp).not.toContain(0);
      writes[id - 1]!.end();
      await written;
      await all;
      expect(followedUp.splice(0)).toEqual([1, 0]);
    }
    await recorder.flush();
  });

  it('writes the results of several campaigns separately', async () => {
    const { recorder, writes, followedUp } = createRecorder();
    const all = Promise.all([
      recorder.record(result(1)),
      recorder.record(result(2, 7)),
      recorder.record(result(3)),
      recorder.record(result(4, 7)),
    ]);
    for (let index = 0; index < 3; index++) {
      writes[index]!.end();
      await settled();
    }
    await all;
    expect(writes.map(({ ids }) => ids)).toEqual([[1], [2, 4], [3]]);
    expect(followedUp).toEqual([1, 7, 1]);
  });

  it('retries a failed write, logs it once and reports being behind meanwhile', async () => {
    const { recorder, writes, errors } = createRecorder();
    const written = recorder.record(result(1));
    writes[0]!.end(new Error('The database is away.'));
    await settled();
    expect(recorder.isBehind).toBe(true);
    while (writes.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(writes[1]!.ids).toEqual([1]);
    writes[1]!.end();
    await written;
    expect(recorder.isBehind).toBe(false);
    expect(errors).toHaveLength(1);
  });
});
