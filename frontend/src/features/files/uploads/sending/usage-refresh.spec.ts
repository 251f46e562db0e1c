import { createQueryClient, usageKey } from '../../../../shared/api/query-client';
import { Upload } from '../../../../../test/tus-client-mock';
import { getUploadQueue } from './page-uploads';

jest.mock('tus-js-client', () => jest.requireActual<object>('../../../../../test/tus-client-mock'));

beforeEach(() => {
  localStorage.clear();
  Upload.reset();
});
afterEach(() => jest.useRealTimers());

/** Too large to be sent in a batch. */
const largeFiles = (count: number) =>
  Array.from({ length: count }, (_, index) => new File([new Uint8Array(2 ** 20 + 1)], `${index}.bin`));
const isUsageKey = (key: unknown) => JSON.stringify(key) === JSON.stringify(usageKey);

/** Runs due timers without advancing the clock until the condition holds. */
async function waitUntil(condition: () => boolean): Promise<void> {
  for (let turn = 0; turn < 100 && !condition(); turn++) await jest.advanceTimersByTimeAsync(0);
  expect(condition()).toBe(true);
}

it('refreshes the usage once for files that arrive together and once after the last', async () => {
  // With fake timers twelve files arrive within the same second, however slow the machine is.
  jest.useFakeTimers();
  const queries = createQueryClient();
  const invalidatedKeys: unknown[] = [];
  jest.spyOn(queries, 'invalidateQueries').mockImplementation((filters) => {
    invalidatedKeys.push(filters?.queryKey);
    return Promise.resolve();
  });
  const queue = getUploadQueue(queries);
  queue.add({ zoneId: 7, folderId: null }, largeFiles(12));
  for (let index = 0; index < 12; index++) {
    await waitUntil(() => Upload.instances.length > index);
    await Upload.instances[index]!.simulateSuccess();
  }
  await waitUntil(() => queue.getSnapshot().every(({ state }) => state === 'completed'));
  expect(invalidatedKeys.filter(isUsageKey)).toHaveLength(1);
  await jest.advanceTimersByTimeAsync(1000);
  expect(invalidatedKeys.filter(isUsageKey)).toHaveLength(2);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(invalidatedKeys.filter(isUsageKey)).toHaveLength(2);
});
