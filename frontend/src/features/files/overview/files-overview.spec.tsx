import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { mockApi, makeUser, type MockResponse } from '../../../../test/api';
import { makeDashboardStats } from '../../../../test/dashboard-stats';
import { renderApp } from '../../../../test/render';
import { makeZone } from '../../../../test/zones';

const file = (id: number, name: string, download = true, folderId: number | null = null) => ({
  id,
  originalName: name,
  size: 2048,
  zoneId: 7,
  folderId,
  createdAt: '2026-11-20T10:00:00.000Z',
  can: { download },
});
const stats = makeDashboardStats({
  totalZones: 1,
  totalFiles: 3,
  totalMembers: 0,
  totalDownloads: 0,
  totalStorage: 1536,
});

function mockServer(more: Record<string, MockResponse> = {}) {
  return mockApi({
    'GET /api/user': [200, makeUser()],
    'GET /api/dashboard/stats': [200, stats],
    'GET /api/zones': [200, [makeZone()]],
    'GET /api/zones/7/all-files': [200, [file(1, 'Lesson.pdf', true, 3), file(2, 'Secret.pdf', false)]],
    ...more,
  });
}

describe('Files overview', () => {
  it('shows the total size and lists the newest files of each zone', async () => {
    const server = mockServer();
    await renderApp('/files');
    const figures = await screen.findByLabelText('Statistics');
    expect(await within(figures).findByText('1.5 KB')).toBeInTheDocument();
    const zone = within(await screen.findByRole('region', { name: 'Watercolour course' }));
    expect(await zone.findByRole('link', { name: 'View Lesson.pdf' })).toHaveAttribute('href', '/zones/7/files/1');
    expect(zone.getByRole('link', { name: 'View Secret.pdf' })).toHaveAttribute('href', '/zones/7/files/2');
    expect(zone.getByRole('link', { name: 'Download Lesson.pdf' })).toHaveAttribute('href', '/api/files/1/download');
    expect(zone.queryByRole('link', { name: 'Download Secret.pdf' })).not.toBeInTheDocument();
    expect(zone.queryByRole('button', { name: /Show more/i })).not.toBeInTheDocument();
    expect(server.callsTo('GET /api/zones/7/all-files')[0]?.query.get('limit')).toBe('5');
  });

  it('requests no files for an empty zone', async () => {
    const server = mockServer({ 'GET /api/zones': [200, [makeZone({ fileCount: 0 })]] });
    await renderApp('/files');
    expect(await screen.findByText('No files yet')).toBeInTheDocument();
    expect(server.callsTo('GET /api/zones/7/all-files')).toHaveLength(0);
  });

  it('loads more files of a zone on request', async () => {
    const server = mockServer({
      'GET /api/zones/7/all-files': ({ url }) =>
        new URL(url).searchParams.get('cursor') === 'abc'
          ? [200, [file(3, 'Third.pdf')]]
          : [200, [file(1, 'Lesson.pdf')], { Link: '</api/zones/7/all-files?limit=5&cursor=abc>; rel="next"' }],
    });
    await renderApp('/files');
    await userEvent.click(await screen.findByRole('button', { name: 'Show more files of Watercolour course' }));
    expect(await screen.findByText('Third.pdf')).toBeVisible();
    expect(screen.getByText('Lesson.pdf')).toBeVisible();
    expect(screen.queryByRole('button', { name: /Show more/i })).not.toBeInTheDocument();
    expect(server.callsTo('GET /api/zones/7/all-files').map(({ query }) => query.get('limit'))).toEqual(['5', '50']);
  });

  it('links to the zones when there are none', async () => {
    mockServer({ 'GET /api/zones': [200, []] });
    await renderApp('/files');
    expect(await screen.findByRole('link', { name: 'Go to My Zones' })).toHaveAttribute('href', '/zones');
  });
});
