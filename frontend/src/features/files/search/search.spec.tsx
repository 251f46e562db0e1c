import { act, screen, waitFor } from '@testing-library/react';
import { mockApi, errorResponse, makeUser, type MockResponse } from '../../../../test/api';
import { renderApp } from '../../../../test/render';
import { makeZone } from '../../../../test/zones';

const textSearchRoute = 'GET /api/zones/7/search/texts';
const nameSearchRoute = 'GET /api/zones/7/search';
const hit = { id: 5, name: 'Lights.pdf', zoneId: 7, zoneName: 'Studio', page: 3, pages: 81, path: [], around: 'soft' };
const noMatches: MockResponse = [200, [], { 'X-Total-Count': '0' }];
const namesOnlyText = /^We searched the names of files and folders, mirrors included\./;

function openSearch(q: string, more: Record<string, MockResponse> = {}) {
  const server = mockApi({
    'GET /api/user': [200, makeUser()],
    'GET /api/zones/7': [200, makeZone()],
    'GET /api/zones/8': [200, makeZone({ id: 8, name: 'Oil course' })],
    ...Object.fromEntries(
      [7, 8].flatMap((id) =>
        ['folders', 'files', 'join-requests'].map((part) => [
          `GET /api/zones/${id}/${part}`,
          [200, []] as MockResponse,
        ]),
      ),
    ),
    [nameSearchRoute]: noMatches,
    'GET /api/zones/8/search': noMatches,
    [textSearchRoute]: [200, { hits: [hit], isWhole: true, isReading: false }],
    ...more,
  });
  return renderApp(`/zones/7?q=${encodeURIComponent(q)}`).then((page) => ({ server, ...page }));
}

describe('Zone search', () => {
  beforeEach(() => localStorage.clear());

  it('searches documents for two characters of Chinese, Japanese or Korean', async () => {
    await openSearch('光源');
    const link = await screen.findByRole('link', { name: 'Lights.pdf' });
    expect(link).toHaveAttribute('href', `/zones/7/files/5?page=3&find=${encodeURIComponent('光源')}`);
  });

  it('does not show results of another zone', async () => {
    const { router } = await openSearch('softbox', {
      'GET /api/zones/8/search/texts': () => new Promise(() => undefined),
    });
    await screen.findByRole('link', { name: 'Lights.pdf' });
    await act(() => router.navigate('/zones/8?q=softbox'));
    await screen.findByRole('heading', { level: 1, name: 'Oil course' });
    expect(screen.queryByRole('link', { name: 'Lights.pdf' })).not.toBeInTheDocument();
  });

  it('reports no results only once the documents have been searched', async () => {
    const slow = Promise.withResolvers<MockResponse>();
    const { server } = await openSearch('nowhere', { [textSearchRoute]: () => slow.promise });
    await waitFor(() => expect(server.callsTo(textSearchRoute)).toHaveLength(1));
    expect(screen.queryByText(/^No results/)).not.toBeInTheDocument();
    slow.resolve([200, { hits: [], isWhole: true, isReading: false }]);
    expect(await screen.findByText('No results for “nowhere”')).toBeInTheDocument();
    expect(screen.getByText(/names of files and folders and the text of documents/)).toBeInTheDocument();
  });

  it('searches again while documents are being read', async () => {
    const { server } = await openSearch('softbox', {
      [textSearchRoute]: [200, { hits: [], isWhole: true, isReading: true }],
    });
    expect(await screen.findByText(/^Some documents are still being read\./)).toBeInTheDocument();
    server.setResponse(textSearchRoute, [200, { hits: [hit], isWhole: true, isReading: false }]);
    expect(await screen.findByRole('link', { name: 'Lights.pdf' }, { timeout: 20_000 })).toBeInTheDocument();
    expect(screen.queryByText(/^Some documents are still being read\./)).not.toBeInTheDocument();
  });

  it('explains that too short a query searches only names', async () => {
    const { server } = await openSearch('no');
    expect(await screen.findByText(namesOnlyText)).toHaveTextContent(
      /Type at least 3 letters to search inside documents\.$/,
    );
    expect(server.callsTo(textSearchRoute)).toEqual([]);
  });

  it('does not claim that documents were searched when that search failed', async () => {
    await openSearch('nowhere', { [textSearchRoute]: errorResponse(429, 'TOO_MANY_REQUESTS', 'Please wait.') });
    expect(await screen.findByText(namesOnlyText)).not.toHaveTextContent(/documents/);
    expect(screen.getByRole('alert')).toHaveTextContent('Couldn’t search the text of documents: Please wait.');
  });
});
