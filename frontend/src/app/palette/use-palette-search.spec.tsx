import { screen, waitFor } from '@testing-library/react';
import { mockApi, errorResponse, makeUser, type MockResponse } from '../../../test/api';
import { renderApp } from '../../../test/render';

const hit = { id: 5, name: 'Lights.pdf', zoneId: 7, zoneName: 'Studio', page: 3, pages: 81, path: [] };
const around = 'the softbox stands left';

async function searchPalette(query: string, extraResponses: Record<string, MockResponse> = {}) {
  const server = mockApi({
    'GET /api/user': [200, makeUser()],
    'GET /api/zones': [200, []],
    'GET /api/shared-zones': [200, []],
    'GET /api/search': [200, []],
    'GET /api/search/texts': [200, { hits: [{ ...hit, around }], isWhole: true, isReading: false }],
    ...extraResponses,
  });
  const { user, address, unmount } = await renderApp('/settings');
  await user.keyboard('{Control>}k{/Control}');
  await user.type(await screen.findByRole('combobox', { name: 'Search or jump to…' }), query);
  return { server, user, address, unmount };
}

describe('Command palette search', () => {
  beforeEach(() => localStorage.clear());

  it('finds text in documents and opens the page with that search', async () => {
    const { user, address } = await searchPalette('softbox');
    const found = await screen.findByRole('option', { name: /Lights\.pdf/ });
    expect(screen.getByRole('group', { name: 'Inside documents' })).toContainElement(found);
    expect(found).toHaveTextContent('Page 3 · Studio · the softbox stands left');
    await user.click(found);
    expect(address()).toBe('/zones/7/files/5?page=3&find=softbox');
  });

  it('does not search documents for fewer than three letters', async () => {
    const { server } = await searchPalette('so');
    await screen.findByText('No results for “so”');
    expect(server.callsTo('GET /api/search/texts')).toEqual([]);
  });

  it('searches documents for two characters of Chinese, Japanese or Korean', async () => {
    const { server } = await searchPalette('光源');
    await screen.findByRole('option', { name: /Lights\.pdf/ });
    expect(server.callsTo('GET /api/search/texts').map(({ query }) => query.get('q'))).toEqual(['光源']);
  });

  it('hides results of a previous query', async () => {
    const { server, user } = await searchPalette('softbox');
    await screen.findByRole('option', { name: /Lights\.pdf/ });
    server.setResponse('GET /api/search/texts', () => new Promise(() => undefined));
    await user.keyboard('es');
    await waitFor(() => expect(server.callsTo('GET /api/search/texts').at(-1)?.query.get('q')).toBe('softboxes'));
    await waitFor(() => expect(screen.queryByRole('option', { name: /Lights\.pdf/ })).not.toBeInTheDocument());
  });

  it('searches documents for the first 200 characters', async () => {
    const { server, user } = await searchPalette('softbox');
    await user.paste(' softbox'.repeat(25));
    const query = `softbox${' softbox'.repeat(24)}`;
    await waitFor(() => expect(server.callsTo('GET /api/search/texts').at(-1)?.query.get('q')).toBe(query));
  });

  it('searches again while documents are being read', async () => {
    const { server } = await searchPalette('softbox', {
      'GET /api/search/texts': [200, { hits: [], isWhole: true, isReading: true }],
    });
    expect(await screen.findByText(/^Some documents are still being read\./)).toBeInTheDocument();
    server.setResponse('GET /api/search/texts', [200, { hits: [{ ...hit, around }], isWhole: true, isReading: false }]);
    expect(await screen.findByRole('option', { name: /Lights\.pdf/ }, { timeout: 20_000 })).toBeInTheDocument();
  });

  it('shows which documents could not be searched', async () => {
    const { unmount } = await searchPalette('softbox', {
      'GET /api/search/texts': errorResponse(429, 'TOO_MANY_REQUESTS', 'Please wait.'),
    });
    const failed = await screen.findByRole('alert');
    expect(failed).toHaveTextContent('Couldn’t search the text of documents: Please wait.');
    unmount();
    await searchPalette('softbox', { 'GET /api/search/texts': [200, { hits: [], isWhole: false, isReading: false }] });
    expect(await screen.findByText(/^Only the most recently changed documents were searched\./)).toBeInTheDocument();
  });
});
