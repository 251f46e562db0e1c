import { act, screen, within } from '@testing-library/react';
import { renderComponent } from '../../../../test/render';
import { ApiError } from '../../../shared/api/api-error';
import type { UploadItem } from './sending/upload-item';
import { getUploadQueue } from './sending/page-uploads';
import { UploadTray } from './upload-tray';

const size = 2 ** 20;
const file = (name: string) => ({ name, size, type: '', lastModified: 1 });
const item = (id: number, changes: Partial<UploadItem> = {}): UploadItem => ({
  id,
  groupId: 1,
  file: file(`note ${id}.txt`),
  target: { zoneId: 7, folderId: null },
  state: 'pending',
  sent: 0,
  onConflict: 'refuse',
  ...changes,
});
const getRows = () => within(screen.getByRole('list', { name: /^(Uploads|Yüklemeler)$/ })).getAllByRole('listitem');
const tooManyRequests = new ApiError(429, 'TOO_MANY_REQUESTS', 'Too many requests.');
const unavailable = new ApiError(503, 'HTTP_503', 'The server is away.');

afterEach(() => jest.useRealTimers());

describe('Upload group in the tray', () => {
  it('shows one row with file count, size and errors, expandable to its files', async () => {
    const failed: Partial<UploadItem> = {
      state: 'error',
      error: new ApiError(403, 'PLAN_LIMIT', 'Your storage is full.'),
    };
    const arrived: Partial<UploadItem> = { state: 'completed', sent: 1 };
    const items = [item(1, arrived), item(2, { state: 'uploading', sent: 0.5 }), item(3), item(4, failed)];
    const { user } = await renderComponent(<UploadTray items={items} />);
    expect(getRows()).toHaveLength(1);
    const [row] = getRows();
    expect(row).toHaveTextContent('note 1.txt and 3 more');
    expect(row).toHaveTextContent('1 of 4 files · 1.50 of 3.00 MB');
    expect(row).toHaveTextContent('1 file wasn’t uploaded');
    expect(row).not.toHaveTextContent('Your storage is full.');
    await user.click(screen.getByRole('button', { name: 'Show the files of note 1.txt and 3 more' }));
    // Uploads that need attention come first.
    expect(getRows().map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('note 1.txt and 3 more'),
      expect.stringContaining('note 4.txtUpload Failed: Your storage is full.'),
      expect.stringContaining('note 2.txt'),
      expect.stringContaining('note 3.txt'),
      expect.stringContaining('note 1.txt'),
    ]);
    await user.click(screen.getByRole('button', { name: 'Hide the files of note 1.txt and 3 more' }));
    expect(getRows()).toHaveLength(1);
  });

  it('shows a single file without a group row and keeps separate drops apart', async () => {
    const items = [item(1, { groupId: 1 }), item(2, { groupId: 2 }), item(3, { groupId: 2 })];
    await renderComponent(<UploadTray items={items} />);
    expect(getRows().map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^note 1\.txt/),
      expect.stringMatching(/^note 2\.txt and 1 more/),
    ]);
  });

  it('pauses, resumes, retries and cancels all files of the group', async () => {
    const failed: Partial<UploadItem> = { state: 'error', error: unavailable };
    const items = [item(1), item(2, failed), item(3, { state: 'paused' }), item(4, { groupId: 2 })];
    const { user, queries } = await renderComponent(<UploadTray items={items} />);
    const queue = getUploadQueue(queries);
    const calls = (['pause', 'resume', 'retry', 'cancel'] as const).map((name) =>
      jest.spyOn(queue, name).mockImplementation(() => undefined),
    );
    for (const name of ['Pause', 'Resume', 'Retry', 'Cancel']) {
      await user.click(screen.getByRole('button', { name: `${name} upload of note 1.txt and 2 more` }));
    }
    for (const call of calls) expect(call).toHaveBeenCalledWith([1, 2, 3]);
  });

  it.each([
    ['en', 'Too many requests. Resuming in 12 s.', 'Resuming in 3 s.', 'Too many requests. Resuming automatically…'],
    [
      'tr',
      'Too many requests. 12 sn sonra devam edecek.',
      '3 sn sonra devam edecek.',
      'Too many requests. Otomatik olarak devam edecek…',
    ],
  ] as const)('counts down to the automatic retry (%s)', async (language, first, later, last) => {
    jest.useFakeTimers();
    const resumesAt = Date.now() + 12_000;
    const waiting: Partial<UploadItem> = { state: 'uploading', waitReason: tooManyRequests };
    const items = [item(1, { ...waiting, resumesAt }), item(2, { ...waiting, resumesAt: null }), item(3)];
    await renderComponent(<UploadTray items={items} />, { language });
    expect(getRows()[0]).toHaveTextContent(first);
    await act(() => jest.advanceTimersByTimeAsync(9000));
    expect(getRows()[0]).toHaveTextContent(later);
    await act(() => jest.advanceTimersByTimeAsync(4000));
    expect(getRows()[0]).toHaveTextContent(last);
  });

  it('shows no wait while another file of the group is uploading', async () => {
    const items = [
      item(1, { state: 'uploading', waitReason: unavailable, resumesAt: null }),
      item(2, { state: 'uploading', sent: 0.1 }),
    ];
    await renderComponent(<UploadTray items={items} />);
    expect(getRows()[0]).not.toHaveTextContent('The server is away.');
  });
});
