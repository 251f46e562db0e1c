import { createQueryClient, usageKey } from '../../../../shared/api/query-client';
import { Upload } from '../../../../../test/tus';
import { uploadsOf } from './uploads';

jest.mock('tus-js-client', () => jest.requireActual<object>('../../../../../test/tus'));

beforeEach(() => {
  localStorage.clear();
  Upload.reset();
});
afterEach(() => jest.useRealTimers());

/** Too large to go together with others. */
const files = (count: number) =>
  Array.from({ length: count }, (_, at) => new File([new Uint8Array(2 ** 20 + 1)], `${at}.bin`));
const isUsage = (key: unknown) => JSON.stringify(key) === JSON.stringify(usageKey);

/** Lets what is due happen, with the clock standing, until it is so. */
async function until(isSo: () => boolean): Promise<void> {
  for (let turn = 0; turn < 100 && !isSo(); turn++) await jest.advanceTimersByTimeAsync(0);
  expect(isSo()).toBe(true);
}

it('asks for the usage once for files that arrive together, and once more after the last', async () => {
  // However long the machine takes for twelve files, they arrive within the same second.
  jest.useFakeTimers();
  const queries = createQueryClient();
  const asked: unknown[] = [];
  jest.spyOn(queries, 'invalidateQueries').mockImplementation((filters) => {
    asked.push(filters?.queryKey);
    return Promise.resolve();
  });
  const queue = uploadsOf(queries);
  queue.add({ zoneId: 7, folderId: null }, files(12));
  for (let at = 0; at < 12; at++) {
    await until(() => Upload.all.length > at);
    await Upload.all[at]!.arrive();
  }
  await until(() => queue.snapshot().every(({ state }) => state === 'completed'));
  expect(asked.filter(isUsage)).toHaveLength(1);
  await jest.advanceTimersByTimeAsync(1000);
  expect(asked.filter(isUsage)).toHaveLength(2);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(asked.filter(isUsage)).toHaveLength(2);
});
