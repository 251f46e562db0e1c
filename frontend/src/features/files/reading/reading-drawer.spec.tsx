import { screen, within } from '@testing-library/react';
import { errorResponse, makeUser, mockApi, type MockResponse } from '../../../../test/api';
import { renderComponent } from '../../../../test/render';
import type { Schema } from '../../../shared/api/client';
import type { StoredFile } from '../entries';
import { ReadingDrawer } from './reading-drawer';

const figures: Schema<'FileReadingDto'> = {
  version: 2,
  isRecorded: true,
  pageCount: 5,
  readers: 2,
  completed: 1,
  completion: 0.7,
  ms: 90_000,
  pages: [
    { page: 1, readers: 2, ms: 20_000, stops: 0 },
    { page: 2, readers: 1, ms: 70_000, stops: 1 },
  ],
  days: [],
};
const reader = {
  userId: 4,
  name: 'Rosa Luz',
  email: 'rosa@example.org',
  firstAt: '2026-11-28T10:03:00.000Z',
  lastAt: '2026-11-28T10:03:00.000Z',
  ms: 80_000,
  pagesRead: 2,
  lastPage: 2,
  joinedByLink: true,
  linkId: 3,
  linkName: 'Newsletter',
};

const renderDrawer = async (response: MockResponse) => {
  const server = mockApi({
    'GET /api/user': [200, makeUser({ timeZone: 'UTC' })],
    'GET /api/files/5/reading': response,
    'GET /api/files/5/reading/readers': [200, [reader]],
  });
  const file = { id: 5, originalName: 'Plan.pdf' } as StoredFile;
  return { server, ...(await renderComponent(<ReadingDrawer file={file} onClose={() => undefined} />)) };
};

describe('Reading figures of a file', () => {
  it('show readers, completion, the time for each page and where people stop', async () => {
    await renderDrawer([200, figures]);
    const table = within(await screen.findByRole('table', { name: 'Time for Each Page' }));
    const rows = table.getAllByRole('row').map((row) => within(row).queryAllByRole('cell'));
    expect(rows.map((cells) => cells.map(({ textContent }) => textContent))).toEqual([
      [],
      ['10 sec', '2', '0'],
      ['1 min 10 sec', '1', '1'],
    ]);
    const summary = screen.getByLabelText('Summary');
    expect(
      within(summary)
        .getAllByRole('definition')
        .map(({ textContent }) => textContent),
    ).toEqual(['2', '1', '70%', '1 min 30 sec']);
    expect(await screen.findByText('2 of 5 pages · 1 min 20 sec · last page 2 · joined by “Newsletter”')).toBeVisible();
    expect(screen.getByText('rosa@example.org')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Download CSV' })).toHaveAttribute('href', '/api/files/5/reading.csv');
    expect(screen.queryByRole('note')).not.toBeInTheDocument();
  });

  it('say that nothing was read, and that the zone no longer records reading', async () => {
    const { server } = await renderDrawer([200, { ...figures, isRecorded: false, readers: 0, pages: [] }]);
    expect(await screen.findByText('No reading has been recorded yet.')).toBeVisible();
    expect(screen.getByRole('note')).toHaveTextContent('This zone no longer records reading.');
    expect(server.callsTo('GET /api/files/5/reading/readers')).toEqual([]);
  });

  it('can be requested again after an error', async () => {
    const { server, user } = await renderDrawer(errorResponse(500, 'INTERNAL', 'Broken'));
    await screen.findByText('Couldn’t load the reading figures');
    server.setResponse('GET /api/files/5/reading', [200, figures]);
    await user.click(screen.getByRole('button', { name: 'Try Again' }));
    expect(await screen.findByRole('table', { name: 'Time for Each Page' })).toBeVisible();
  });
});
