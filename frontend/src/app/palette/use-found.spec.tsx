import { screen } from '@testing-library/react';
import { pretendApi, someone } from '../../../test/api';
import { renderProduct } from '../../../test/render';

const hit = { id: 5, name: 'Lights.pdf', zoneId: 7, zoneName: 'Studio', page: 3, pages: 81, path: [] };
const around = 'the softbox stands left';

async function search(words: string) {
  const server = pretendApi({
    'GET /api/user': [200, someone()],
    'GET /api/zones': [200, []],
    'GET /api/shared-zones': [200, []],
    'GET /api/search': [200, []],
    'GET /api/search/texts': [200, { hits: [{ ...hit, around }], isWhole: true }],
  });
  const { user, address } = await renderProduct('/settings');
  await user.keyboard('{Control>}k{/Control}');
  await user.type(await screen.findByRole('combobox', { name: 'Search or jump to…' }), words);
  return { server, user, address };
}

describe('the palette', () => {
  beforeEach(() => localStorage.clear());

  it('finds what documents say, and opens the page with that search', async () => {
    const { user, address } = await search('softbox');
    const found = await screen.findByRole('option', { name: /Lights\.pdf/ });
    expect(screen.getByRole('group', { name: 'Inside documents' })).toContainElement(found);
    expect(found).toHaveTextContent('Page 3 · the softbox stands left · Studio');
    await user.click(found);
    expect(address()).toBe('/zones/7/files/5?page=3&find=softbox');
  });

  it('does not ask documents for less than three letters', async () => {
    const { server } = await search('so');
    await screen.findByText('Nothing found for “so”');
    expect(server.callsOf('GET /api/search/texts')).toEqual([]);
  });
});
