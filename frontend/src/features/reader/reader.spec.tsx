import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { errorResponse, makeUser } from '../../../test/api';
import { makeDocumentPages, fileAbilities, mockElementWidth, mockDocumentApi, makeFile } from '../../../test/documents';
import { renderApp } from '../../../test/render';

beforeEach(() => mockElementWidth(400));
afterEach(() => jest.restoreAllMocks());

describe('Reader', () => {
  it('loads the first pages as narrow as needed, then the nearby ones', async () => {
    mockDocumentApi();
    await renderApp('/zones/7/files/12');
    const first = await screen.findByRole('img', { name: 'Page 1' });
    expect(first).toHaveAttribute('src', '/api/files/12/pages/1?width=600');
    expect(first).not.toHaveAttribute('srcset');
    expect(await screen.findByLabelText('Page, out of 30')).toHaveValue('1');
    expect(screen.getAllByRole('listitem')).toHaveLength(4);
    expect(screen.getByAltText('Page 2')).not.toHaveAttribute('src');
    fireEvent.load(first);
    expect(screen.getByAltText('Page 3')).toHaveAttribute('src');
    expect(screen.getByAltText('Page 4')).not.toHaveAttribute('src');
    expect(screen.queryByRole('navigation')).not.toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Download' })).toHaveAttribute('href', '/api/files/12/download');
  });

  it('starts with the page of the URL before the page list is loaded', async () => {
    mockDocumentApi({ 'GET /api/files/12/pages': () => new Promise<never>(() => undefined) });
    await renderApp('/zones/7/files/12?page=9');
    expect(await screen.findByRole('img', { name: 'Page 9' })).toHaveAttribute(
      'src',
      '/api/files/12/pages/9?width=600',
    );
  });

  it('links to the previous and next file and back to the folder', async () => {
    mockDocumentApi({
      'GET /api/files/13': [200, makeFile(13, 'Z.pdf')],
      'GET /api/files/13/pages': [200, makeDocumentPages(1)],
    });
    const { address } = await renderApp('/zones/7/files/12');
    expect(await screen.findByRole('link', { name: 'Next File' })).toHaveAttribute('href', '/zones/7/files/13');
    expect(screen.getByRole('link', { name: 'Previous File' })).toHaveAttribute('href', '/zones/7/files/11');
    fireEvent.keyDown(document.body, { key: 'ArrowRight' });
    expect(await screen.findByRole('heading', { level: 1, name: 'Z.pdf' })).toBeVisible();
    expect(address()).toBe('/zones/7/files/13');
    expect(screen.queryByRole('link', { name: 'Next File' })).not.toBeInTheDocument();
    fireEvent.keyDown(document.body, { key: 'Escape' });
    expect(address()).toBe('/zones/7/folders/3?item=file-13');
  });

  it('finds the neighbours of a file far down its folder by its position', async () => {
    const fileAt = (index: number) => makeFile(index === 149 ? 12 : 1000 + index, `File ${index}.pdf`);
    mockDocumentApi({
      'GET /api/zones/7/files': ({ url }) => {
        const offset = Number(new URL(url).searchParams.get('offset') ?? 0);
        const files = Array.from({ length: Math.min(100, 250 - offset) }, (_, index) => fileAt(offset + index));
        return [200, files, { 'X-Total-Count': '250' }];
      },
      'GET /api/zones/7/files/position': [200, { index: 149 }],
    });
    await renderApp('/zones/7/files/12');
    expect(await screen.findByRole('link', { name: 'Next File' })).toHaveAttribute('href', '/zones/7/files/1150');
    expect(screen.getByRole('link', { name: 'Previous File' })).toHaveAttribute('href', '/zones/7/files/1148');
  });

  it('polls until the document is rendered', async () => {
    let requestCount = 0;
    mockDocumentApi({
      'GET /api/files/12/pages': () =>
        ++requestCount < 2
          ? [200, { state: 'waiting', failure: null, count: null, pages: [] }]
          : [200, makeDocumentPages(2)],
    });
    await renderApp('/zones/7/files/12');
    expect(await screen.findByText('This document is being prepared')).toBeVisible();
    expect(await screen.findByLabelText('Page, out of 2')).toHaveValue('1');
  });

  it('shows why a document can’t be displayed and lets managers retry', async () => {
    const failed = { state: 'failed', failure: 'damaged', count: null, pages: [] };
    const managedFile = makeFile(12, 'Course.pdf', { can: { ...fileAbilities, rename: true } });
    const server = mockDocumentApi({
      'GET /api/files/12': [200, managedFile],
      'GET /api/files/12/pages': [200, failed],
      'POST /api/files/12/pages/retry': [204],
    });
    const { user } = await renderApp('/zones/7/files/12');
    expect(await screen.findByText('This document is damaged and can’t be shown')).toBeVisible();
    server.setResponse('GET /api/files/12/pages', [200, makeDocumentPages(1)]);
    await user.click(screen.getByRole('button', { name: 'Try Again' }));
    expect(await screen.findByLabelText('Page, out of 1')).toHaveValue('1');
  });

  it('offers no retry to other users', async () => {
    mockDocumentApi({
      'GET /api/user': [200, makeUser({ language: 'tr' })],
      'GET /api/files/12/pages': [200, { state: 'failed', failure: 'damaged', count: null, pages: [] }],
    });
    await renderApp('/zones/7/files/12', { language: 'tr' });
    expect(await screen.findByRole('alert')).toHaveTextContent('Bu belge hasarlı ve gösterilemiyor');
    expect(screen.queryByRole('button', { name: 'Yeniden Dene' })).not.toBeInTheDocument();
  });

  it('shows the server’s reason when a page can’t be displayed', async () => {
    mockDocumentApi({
      'GET /api/files/12/pages/1': errorResponse(503, 'DRAWING_BUSY', 'Too many pages are being drawn.'),
    });
    const { user } = await renderApp('/zones/7/files/12');
    fireEvent.error(await screen.findByRole('img', { name: 'Page 1' }));
    expect(await screen.findByText('Too many pages are being drawn.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Try Again' }));
    expect(screen.getByRole('img', { name: 'Page 1' })).toHaveAttribute('src');
  });

  it('reloads a page once the rate limit allows it', async () => {
    jest.useFakeTimers({ advanceTimers: true });
    mockDocumentApi({
      'GET /api/files/12/pages/1': errorResponse(429, 'TOO_MANY_REQUESTS', 'Too many tries.', { retryAfter: 39 }),
    });
    await renderApp('/zones/7/files/12');
    fireEvent.error(await screen.findByRole('img', { name: 'Page 1' }));
    expect(await screen.findByText('Too many tries.')).toBeVisible();
    await act(() => jest.advanceTimersByTimeAsync(38_000));
    expect(screen.queryByRole('img', { name: 'Page 1' })).not.toBeInTheDocument();
    await act(() => jest.advanceTimersByTimeAsync(1000));
    expect(screen.getByRole('img', { name: 'Page 1' })).toHaveAttribute('src', '/api/files/12/pages/1?width=600');
    jest.useRealTimers();
  });

  it('reloads a page that failed offline once the network is back', async () => {
    const server = mockDocumentApi({
      'GET /api/files/12/pages/1': () => Promise.reject(new TypeError('Failed to fetch')),
    });
    await renderApp('/zones/7/files/12');
    fireEvent.error(await screen.findByRole('img', { name: 'Page 1' }));
    expect(await screen.findByText('Couldn’t show page 1')).toBeVisible();
    await waitFor(() => expect(server.callsTo('GET /api/files/12/pages/1')).not.toEqual([]));
    // Requested in the width that failed.
    expect(server.callsTo('GET /api/files/12/pages/1')[0]!.query.get('width')).toBe('600');
    fireEvent(window, new Event('online'));
    expect(screen.getByRole('img', { name: 'Page 1' })).toHaveAttribute('src', '/api/files/12/pages/1?width=600');
  });

  it('loads all slides that fit into the window at once', async () => {
    // Each page is 225 pixels high, in a window of 768 pixels.
    const slides = {
      ...makeDocumentPages(30),
      pages: Array.from({ length: 30 }, () => ({ width: 1600, height: 900 })),
    };
    mockDocumentApi({ 'GET /api/files/12/pages': [200, slides] });
    await renderApp('/zones/7/files/12');
    await screen.findByLabelText('Page, out of 30');
    expect(screen.getByAltText('Page 4')).not.toHaveAttribute('src');
    fireEvent.load(screen.getByAltText('Page 1'));
    expect(screen.getByAltText('Page 4')).toHaveAttribute('src');
  });

  it('explains when a file can be neither displayed nor downloaded', async () => {
    mockDocumentApi({
      'GET /api/files/12': [
        200,
        makeFile(12, 'Brushes.zip', { mimeType: 'application/zip', can: { ...fileAbilities, download: false } }),
      ],
    });
    await renderApp('/zones/7/files/12');
    expect(await screen.findByRole('heading', { name: 'Preview not available' })).toBeVisible();
    expect(screen.getByText('“Brushes.zip” can only be downloaded, and downloads aren’t allowed here.')).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Download' })).not.toBeInTheDocument();
  });

  it('shows the original image, or its rendered page when download is not allowed', async () => {
    const server = mockDocumentApi({
      'GET /api/files/11': [200, makeFile(11, 'Whole.png', { mimeType: 'image/png' })],
      'GET /api/files/12': [
        200,
        makeFile(12, 'Wheel.png', { mimeType: 'image/png', can: { ...fileAbilities, download: false } }),
      ],
      'GET /api/files/12/pages': [200, makeDocumentPages(1)],
    });
    const { unmount } = await renderApp('/zones/7/files/11');
    expect(await screen.findByRole('img', { name: 'Whole.png' })).toHaveAttribute('src', '/api/files/11/view');
    expect(server.callsTo('GET /api/files/11/pages')).toHaveLength(0);
    unmount();
    await renderApp('/zones/7/files/12');
    expect(await screen.findByRole('img', { name: 'Page 1' })).toHaveAttribute(
      'src',
      expect.stringMatching(/^\/api\/files\/12\/pages\/1\?width=\d+$/),
    );
    expect(screen.queryByRole('link', { name: 'Download' })).not.toBeInTheDocument();
  });

  it.each([
    ['audio/mpeg', 'audio'],
    ['video/mp4', 'video'],
  ])('streams media without download permission and offers no saving: %s', async (mimeType, tag) => {
    mockDocumentApi({
      'GET /api/files/12': [200, makeFile(12, 'Lesson', { mimeType, can: { ...fileAbilities, download: false } })],
    });
    const { container } = await renderApp('/zones/7/files/12');
    await screen.findByRole('heading', { name: 'Lesson' });
    const player = container.querySelector(tag);
    expect(player).toHaveAttribute('src', '/api/files/12/media');
    expect(player).toHaveAttribute('controlslist', 'nodownload');
  });

  it.each(['12', 'nonsense'])('shows that the file does not exist: %s', async (id) => {
    mockDocumentApi({ 'GET /api/files/12': errorResponse(404, 'FILE_NOT_FOUND', 'File not found') });
    await renderApp(`/zones/7/files/${id}`);
    expect(await screen.findByRole('alert')).toHaveTextContent('This file no longer exists');
    expect(screen.getByRole('alert')).toHaveTextContent('Back to the Files');
  });

  it('is opened by old preview URLs', async () => {
    mockDocumentApi({ 'GET /api/zones/7/folders': [200, []] });
    const { address } = await renderApp('/zones/7/folders/3?preview=12');
    expect(await screen.findByLabelText('Page, out of 30')).toHaveValue('1');
    expect(address()).toBe('/zones/7/files/12');
  });
});
