import { act, screen, within } from '@testing-library/react';
import { renderPiece } from '../../../../test/render';
import { ApiError } from '../../../shared/api/api-error';
import type { UploadItem } from './sending/upload-item';
import { uploadsOf } from './sending/uploads';
import { UploadTray } from './upload-tray';

const size = 2 ** 20;
const file = (name: string) => ({ name, size, type: '', lastModified: 1 });
const item = (id: number, changes: Partial<UploadItem> = {}): UploadItem => ({
  ...{ id, drop: 1, file: file(`note ${id}.txt`), target: { zoneId: 7, folderId: null } },
  ...{ state: 'pending', sent: 0, rename: false },
  ...changes,
});
const rows = () => within(screen.getByRole('list', { name: /^(Uploads|Yüklemeler)$/ })).getAllByRole('listitem');
const busy = new ApiError(429, 'TOO_MANY_REQUESTS', 'Too many requests.');
const away = new ApiError(503, 'HTTP_503', 'The server is away.');

afterEach(() => jest.useRealTimers());

describe('a drop in the tray', () => {
  it('is one row with its count, its bytes and what went wrong, and opens to its files', async () => {
    const failed: Partial<UploadItem> = {
      state: 'error',
      error: new ApiError(403, 'PLAN_LIMIT', 'Your storage is full.'),
    };
    const arrived: Partial<UploadItem> = { state: 'completed', sent: 1 };
    const items = [item(1, arrived), item(2, { state: 'uploading', sent: 0.5 }), item(3), item(4, failed)];
    const { user } = await renderPiece(<UploadTray items={items} />);
    expect(rows()).toHaveLength(1);
    const [row] = rows();
    expect(row).toHaveTextContent('note 1.txt and 3 more');
    expect(row).toHaveTextContent('1 of 4 files · 1.50 of 3.00 MB');
    expect(row).toHaveTextContent('1 file wasn’t uploaded');
    expect(row).not.toHaveTextContent('Your storage is full.');
    await user.click(screen.getByRole('button', { name: 'Show the files of note 1.txt and 3 more' }));
    // What needs a look stands first.
    expect(rows().map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('note 1.txt and 3 more'),
      expect.stringContaining('note 4.txtUpload Failed: Your storage is full.'),
      expect.stringContaining('note 2.txt'),
      expect.stringContaining('note 3.txt'),
      expect.stringContaining('note 1.txt'),
    ]);
    await user.click(screen.getByRole('button', { name: 'Hide the files of note 1.txt and 3 more' }));
    expect(rows()).toHaveLength(1);
  });

  it('is no row of its own for a file that came alone, and stands apart from another drop', async () => {
    const items = [item(1, { drop: 1 }), item(2, { drop: 2 }), item(3, { drop: 2 })];
    await renderPiece(<UploadTray items={items} />);
    expect(rows().map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^note 1\.txt/),
      expect.stringMatching(/^note 2\.txt and 1 more/),
    ]);
  });

  it('is paused, resumed, tried again and taken away as one', async () => {
    const failed: Partial<UploadItem> = { state: 'error', error: away };
    const items = [item(1), item(2, failed), item(3, { state: 'paused' }), item(4, { drop: 2 })];
    const { user, queries } = await renderPiece(<UploadTray items={items} />);
    const queue = uploadsOf(queries);
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
  ] as const)('counts down to when it goes on (%s)', async (language, first, later, last) => {
    jest.useFakeTimers();
    const goesOnAt = Date.now() + 12_000;
    const waits: Partial<UploadItem> = { state: 'uploading', waitsFor: busy };
    const items = [item(1, { ...waits, goesOnAt }), item(2, { ...waits, goesOnAt: null }), item(3)];
    await renderPiece(<UploadTray items={items} />, { language });
    expect(rows()[0]).toHaveTextContent(first);
    await act(() => jest.advanceTimersByTimeAsync(9000));
    expect(rows()[0]).toHaveTextContent(later);
    await act(() => jest.advanceTimersByTimeAsync(4000));
    expect(rows()[0]).toHaveTextContent(last);
  });

  it('says nothing of a wait while a part of it moves', async () => {
    const items = [
      item(1, { state: 'uploading', waitsFor: away, goesOnAt: null }),
      item(2, { state: 'uploading', sent: 0.1 }),
    ];
    await renderPiece(<UploadTray items={items} />);
    expect(rows()[0]).not.toHaveTextContent('The server is away.');
  });
});
