import { screen, within } from '@testing-library/react';
import { pretendApi, someone, type Answer } from '../../../test/api';
import { someStats } from '../../../test/figures';
import { renderProduct } from '../../../test/render';
import { someZone } from '../../../test/zones';

const file = (id: number, name: string, download = true) => ({
  id,
  originalName: name,
  size: 2048,
  zoneId: 7,
  createdAt: '2026-11-20T10:00:00.000Z',
  can: { download },
});
const stats = someStats({ totalZones: 1, totalFiles: 3, totalMembers: 0, totalDownloads: 0, totalStorage: 1536 });

function serve(more: Record<string, Answer> = {}) {
  return pretendApi({
    'GET /api/user': [200, someone()],
    'GET /api/dashboard/stats': [200, stats],
    'GET /api/zones': [200, [someZone()]],
    'GET /api/zones/7/files': [200, [file(1, 'Lesson.pdf'), file(2, 'Secret.pdf', false)]],
    ...more,
  });
}

describe('the overview of all files', () => {
  it('tells the real sum of bytes and lists the newest files of each zone', async () => {
    const server = serve();
    await renderProduct('/files');
    const figures = await screen.findByLabelText('Figures');
    expect(await within(figures).findByText('1.5 KB')).toBeInTheDocument();
    const zone = within(await screen.findByRole('region', { name: 'Watercolour course' }));
    expect(await zone.findByRole('link', { name: 'View Lesson.pdf' })).toHaveAttribute('href', '/zones/7?preview=1');
    expect(zone.getByRole('link', { name: 'Download Lesson.pdf' })).toHaveAttribute('href', '/api/files/1/download');
    expect(zone.queryByRole('link', { name: 'Download Secret.pdf' })).not.toBeInTheDocument();
    expect(zone.getByRole('link', { name: /More in this zone/ })).toHaveAttribute('href', '/zones/7');
    expect(server.callsOf('GET /api/zones/7/files')[0]?.query.get('limit')).toBe('5');
  });

  it('asks for no files of an empty zone', async () => {
    const server = serve({ 'GET /api/zones': [200, [someZone({ fileCount: 0 })]] });
    await renderProduct('/files');
    expect(await screen.findByText('No files yet')).toBeInTheDocument();
    expect(server.callsOf('GET /api/zones/7/files')).toHaveLength(0);
  });

  it('leads into the folders of a zone whose files all lie in folders', async () => {
    const folder = { id: 3, name: 'Lessons', zoneId: 7, fileCount: 2, folderCount: 0 };
    serve({ 'GET /api/zones/7/files': [200, []], 'GET /api/zones/7/folders': [200, [folder]] });
    await renderProduct('/files');
    expect(await screen.findByRole('link', { name: 'Lessons' })).toHaveAttribute('href', '/zones/7/folders/3');
    expect(screen.getByText('All files of this zone are in folders.')).toBeVisible();
    expect(screen.getByText('2 files')).toBeVisible();
  });

  it('leads to the zones when there are none', async () => {
    serve({ 'GET /api/zones': [200, []] });
    await renderProduct('/files');
    expect(await screen.findByRole('link', { name: 'Go to My Zones' })).toHaveAttribute('href', '/zones');
  });
});
