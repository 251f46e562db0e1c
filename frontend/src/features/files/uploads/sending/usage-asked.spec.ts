import { waitFor } from '@testing-library/react';
import { createQueryClient, usageKey } from '../../../../shared/api/query-client';
import { Upload } from '../../../../../test/tus';
import { uploadsOf } from './uploads';

jest.mock('tus-js-client', () => jest.requireActual<object>('../../../../../test/tus'));

beforeEach(() => {
  localStorage.clear();
  Upload.reset();
});

/** Too large to go together with others. */
const files = (count: number) =>
  Array.from({ length: count }, (_, at) => new File([new Uint8Array(2 ** 20 + 1)], `${at}.bin`));
const isUsage = (key: unknown) => JSON.stringify(key) === JSON.stringify(usageKey);

it('asks for the usage once for files that arrive together, and once more after the last', async () => {
  const queries = createQueryClient();
  const asked: unknown[] = [];
  jest.spyOn(queries, 'invalidateQueries').mockImplementation((filters) => {
    asked.push(filters?.queryKey);
    return Promise.resolve();
  });
  const queue = uploadsOf(queries);
  queue.add({ zoneId: 7, folderId: null }, files(12));
  for (let at = 0; at < 12; at++) {
    await waitFor(() => expect(Upload.all.length).toBeGreaterThan(at));
    await Upload.all[at]!.arrive();
  }
  await waitFor(() => expect(queue.snapshot().every(({ state }) => state === 'completed')).toBe(true));
  expect(asked.filter(isUsage)).toHaveLength(1);
  await waitFor(() => expect(asked.filter(isUsage)).toHaveLength(2), { timeout: 3000 });
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(asked.filter(isUsage)).toHaveLength(2);
});
