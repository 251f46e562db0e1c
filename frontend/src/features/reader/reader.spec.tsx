import { fireEvent, screen } from '@testing-library/react';
import { pretendApi, refusal, someone, type Answer } from '../../../test/api';
import { renderProduct } from '../../../test/render';
import { someZone } from '../../../test/zones';

const can = { view: true, download: true, rename: false, allowDownload: false };
const file = (id: number, originalName: string, changes: object = {}) => ({
  ...{ id, originalName, size: 2048, zoneId: 7, folderId: 3, mimeType: 'application/pdf', viewable: true, can },
  ...{ createdAt: '2026-11-20T10:00:00.000Z', updatedAt: '2026-11-20T10:00:00.000Z', ...changes },
});
const ready = (count: number) => ({
  ...{ state: 'ready', failure: null, count },
  pages: Array.from({ length: count }, () => ({ width: 595, height: 842 })),
});

function serve(more: Record<string, Answer> = {}) {
  return pretendApi({
    'GET /api/user': [200, someone()],
    'GET /api/zones/7': [200, someZone()],
    'GET /api/files/12': [200, file(12, 'Course.pdf')],
    'GET /api/files/12/pages': [200, ready(30)],
    'GET /api/zones/7/files': [200, [file(11, 'A.pdf'), file(12, 'Course.pdf'), file(13, 'Z.pdf')]],
    ...more,
  });
}

/** jsdom lays nothing out: the list is as wide as a phone. */
const width = jest.spyOn(HTMLElement.prototype, 'clientWidth', 'get');

class Watching {
  observe() {}
  unobserve() {}
  disconnect() {}
}

beforeEach(() => {
  width.mockReturnValue(400);
  globalThis.ResizeObserver = Watching;
});
afterAll(() => jest.restoreAllMocks());

describe('the reader', () => {
  it('shows the first pages of a document in three widths, and fetches only those near', async () => {
    serve();
    await renderProduct('/zones/7/files/12');
    const first = await screen.findByRole('img', { name: 'Page 1' });
    expect(first).toHaveAttribute('src', '/api/files/12/pages/1?width=1200');
    expect(first.getAttribute('srcset')).toContain('/api/files/12/pages/1?width=600 600w');
    expect(first.getAttribute('srcset')).toContain('/api/files/12/pages/1?width=2000 2000w');
    expect(await screen.findByText('Page 1 of 30')).toBeVisible();
    expect(screen.getAllByRole('listitem')).toHaveLength(4);
    expect(screen.getByAltText('Page 3')).toHaveAttribute('src');
    expect(screen.getByAltText('Page 4')).not.toHaveAttribute('src');
    expect(screen.queryByRole('navigation')).not.toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Download' })).toHaveAttribute('href', '/api/files/12/download');
  });

  it('begins with the page of the address, before the pages are known', async () => {
    serve({ 'GET /api/files/12/pages': () => new Promise<never>(() => undefined) });
    await renderProduct('/zones/7/files/12?page=9');
    expect(await screen.findByRole('img', { name: 'Page 9' })).toHaveAttribute(
      'src',
      '/api/files/12/pages/9?width=1200',
    );
  });

  it('leads to the files before and after, and back to the folder', async () => {
    serve({ 'GET /api/files/13': [200, file(13, 'Z.pdf')], 'GET /api/files/13/pages': [200, ready(1)] });
    const { address } = await renderProduct('/zones/7/files/12');
    expect(await screen.findByRole('link', { name: 'Next file' })).toHaveAttribute('href', '/zones/7/files/13');
    expect(screen.getByRole('link', { name: 'Previous file' })).toHaveAttribute('href', '/zones/7/files/11');
    fireEvent.keyDown(document.body, { key: 'ArrowRight' });
    expect(await screen.findByRole('heading', { level: 1, name: 'Z.pdf' })).toBeVisible();
    expect(address()).toBe('/zones/7/files/13');
    expect(screen.queryByRole('link', { name: 'Next file' })).not.toBeInTheDocument();
    fireEvent.keyDown(document.body, { key: 'Escape' });
    expect(address()).toBe('/zones/7/folders/3?item=file-13');
  });

  it('asks again until a document is drawn', async () => {
    let asked = 0;
    serve({
      'GET /api/files/12/pages': () =>
        ++asked < 2 ? [200, { state: 'waiting', failure: null, count: null, pages: [] }] : [200, ready(2)],
    });
    await renderProduct('/zones/7/files/12');
    expect(await screen.findByText('This document is being prepared')).toBeVisible();
    expect(await screen.findByText('Page 1 of 2')).toBeVisible();
  });

  it('says why a document cannot be shown, and lets who manages it try again', async () => {
    const failed = { state: 'failed', failure: 'damaged', count: null, pages: [] };
    const mine = file(12, 'Course.pdf', { can: { ...can, rename: true } });
    const server = serve({
      'GET /api/files/12': [200, mine],
      'GET /api/files/12/pages': [200, failed],
      'POST /api/files/12/pages/retry': [204],
    });
    const { user } = await renderProduct('/zones/7/files/12');
    expect(await screen.findByText('This document is damaged and cannot be shown')).toBeVisible();
    server.answer('GET /api/files/12/pages', [200, ready(1)]);
    await user.click(screen.getByRole('button', { name: 'Try Again' }));
    expect(await screen.findByText('Page 1 of 1')).toBeVisible();
  });

  it('lets nobody else try again', async () => {
    serve({
      'GET /api/user': [200, someone({ language: 'tr' })],
      'GET /api/files/12/pages': [200, { state: 'failed', failure: 'locked', count: null, pages: [] }],
    });
    await renderProduct('/zones/7/files/12', { language: 'tr' });
    expect(await screen.findByText('Bu belge bir parolayla kilitlenmiş')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Tekrar Dene' })).not.toBeInTheDocument();
  });

  it('says in the words of the server why a page cannot be shown', async () => {
    serve({ 'GET /api/files/12/pages/1': refusal(503, 'DRAWING_BUSY', 'Too many pages are being drawn.') });
    const { user } = await renderProduct('/zones/7/files/12');
    fireEvent.error(await screen.findByRole('img', { name: 'Page 1' }));
    expect(await screen.findByText('Too many pages are being drawn.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Try Again' }));
    expect(screen.getByRole('img', { name: 'Page 1' })).toHaveAttribute('src');
  });

  it('shows a picture, and no download where it is not allowed', async () => {
    const picture = { mimeType: 'image/png', can: { ...can, download: false } };
    const server = serve({ 'GET /api/files/12': [200, file(12, 'Wheel.png', picture)] });
    await renderProduct('/zones/7/files/12');
    expect(await screen.findByRole('img', { name: 'Wheel.png' })).toHaveAttribute('src', '/api/files/12/view');
    expect(screen.queryByRole('link', { name: 'Download' })).not.toBeInTheDocument();
    expect(server.callsOf('GET /api/files/12/pages')).toHaveLength(0);
  });

  it.each(['12', 'nonsense'])('says that a file is gone, or that there is none of that name: %s', async (id) => {
    serve({ 'GET /api/files/12': refusal(404, 'FILE_NOT_FOUND', 'File not found') });
    await renderProduct(`/zones/7/files/${id}`);
    expect(await screen.findByRole('alert')).toHaveTextContent('This file is not here any more');
    expect(screen.getByRole('alert')).toHaveTextContent('Back to the files');
  });

  it('is where old addresses of previews lead', async () => {
    serve({ 'GET /api/zones/7/folders': [200, []] });
    const { address } = await renderProduct('/zones/7/folders/3?preview=12');
    expect(await screen.findByText('Page 1 of 30')).toBeVisible();
    expect(address()).toBe('/zones/7/files/12');
  });
});
