import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { errorResponse, makeUser, type MockResponse } from '../../../../test/api';
import { makeFile, mockDocumentApi, mockElementWidth, noPosition } from '../../../../test/documents';
import { renderApp } from '../../../../test/render';
import { formatPlayTime } from './play-time';

const stored = (position: object): MockResponse => [200, { ...noPosition, ...position }];
const POST = 'POST /api/files/12/position';

beforeEach(() => {
  localStorage.clear();
  // In this mode pages change without a layout, which jsdom doesn't have.
  localStorage.setItem('zonary.reader.flow', 'single');
  mockElementWidth(400);
  window.scrollTo = jest.fn();
});
afterEach(() => jest.restoreAllMocks());

type Queries = Awaited<ReturnType<typeof renderApp>>['queries'];

const getPageField = () => screen.getByLabelText('Page, out of 30');
/** Waits until the document and the stored position are loaded. */
const waitForReader = async (queries: Queries) => {
  await screen.findByLabelText('Page, out of 30');
  await waitFor(() => expect(queries.isFetching()).toBe(0));
};
const waitForPage = (page: string) => waitFor(() => expect(getPageField()).toHaveValue(page));
const goToNextPage = () => fireEvent.click(screen.getByRole('button', { name: 'Next Page' }));
const leavePage = () => fireEvent(window, new Event('pagehide'));

describe('Position in a document', () => {
  it('is saved when the reader has moved on and leaves the page, for the account of the page', async () => {
    const server = mockDocumentApi();
    const { queries } = await renderApp('/zones/7/files/12');
    await waitForReader(queries);
    leavePage();
    expect(server.callsTo(POST)).toEqual([]);
    goToNextPage();
    await waitForPage('2');
    leavePage();
    leavePage();
    await waitFor(() => expect(server.callsTo(POST)).toHaveLength(1));
    const { body, headers } = server.callsTo(POST)[0]!;
    expect(body).toEqual({ page: 2, fraction: 0 });
    expect(headers.get('X-Account')).toBe('1');
  });

  it('is saved when the reader closes the document', async () => {
    const server = mockDocumentApi();
    const { queries, unmount } = await renderApp('/zones/7/files/12');
    await waitForReader(queries);
    goToNextPage();
    await waitForPage('2');
    unmount();
    await waitFor(() => expect(server.callsTo(POST).map(({ body }) => body)).toEqual([{ page: 2, fraction: 0 }]));
  });

  it('is no longer sent after the server has rejected it', async () => {
    const server = mockDocumentApi({ [POST]: errorResponse(404, 'FILE_NOT_FOUND', 'File not found') });
    const { queries } = await renderApp('/zones/7/files/12');
    await waitForReader(queries);
    for (const page of ['2', '3']) {
      goToNextPage();
      await waitForPage(page);
      leavePage();
      await waitFor(() => expect(server.callsTo(POST)).toHaveLength(1));
      await act(() => new Promise((resolve) => setTimeout(resolve)));
    }
    expect(server.callsTo(POST)).toHaveLength(1);
  });

  it('is offered when another device is further, and not overwritten until the reader decides', async () => {
    const server = mockDocumentApi({ 'GET /api/files/12/position': stored({ page: 12 }) });
    const { user } = await renderApp('/zones/7/files/12');
    const offer = await screen.findByRole('button', { name: 'Continue at Page 12' });
    expect(getPageField()).toHaveValue('1');
    goToNextPage();
    await waitForPage('2');
    leavePage();
    expect(server.callsTo(POST)).toEqual([]);
    await user.click(offer);
    await waitForPage('12');
    expect(offer).not.toBeInTheDocument();
    leavePage();
    await waitFor(() => expect(server.callsTo(POST).map(({ body }) => body)).toEqual([{ page: 12, fraction: 0 }]));
  });

  it('can be dismissed, in Turkish too', async () => {
    mockDocumentApi({
      'GET /api/user': [200, makeUser({ language: 'tr' })],
      'GET /api/files/12/position': stored({ page: 12 }),
    });
    const { user } = await renderApp('/zones/7/files/12', { language: 'tr' });
    const offer = await screen.findByRole('button', { name: '12. Sayfadan Devam Et' });
    await user.click(screen.getByRole('button', { name: 'Şimdi Değil' }));
    expect(offer).not.toBeInTheDocument();
  });

  it('is offered at the last page if there are fewer pages now, and not where the reader is already', async () => {
    mockDocumentApi({ 'GET /api/files/12/position': stored({ page: 99 }) });
    const { unmount } = await renderApp('/zones/7/files/12');
    expect(await screen.findByRole('button', { name: 'Continue at Page 30' })).toBeVisible();
    unmount();
    mockDocumentApi({ 'GET /api/files/12/position': stored({ page: 12 }) });
    const { queries } = await renderApp('/zones/7/files/12?page=12');
    await waitForReader(queries);
    expect(screen.queryByRole('button', { name: /^Continue at/ })).not.toBeInTheDocument();
  });
});

describe('Position in audio and video', () => {
  const film: MockResponse = [200, makeFile(12, 'Film.mp4', { mimeType: 'video/mp4' })];
  const findPlayer = async (container: HTMLElement) => {
    await screen.findByRole('heading', { name: 'Film.mp4' });
    const player = container.querySelector('video')!;
    Object.defineProperty(player, 'duration', { value: 600 });
    fireEvent(player, new Event('durationchange'));
    return player;
  };

  it('is saved in seconds', async () => {
    const server = mockDocumentApi({ 'GET /api/files/12': film });
    const { container, queries } = await renderApp('/zones/7/files/12');
    const player = await findPlayer(container);
    await waitFor(() => expect(queries.isFetching()).toBe(0));
    player.currentTime = 65.4;
    fireEvent(player, new Event('timeupdate'));
    leavePage();
    await waitFor(() => expect(server.callsTo(POST).map(({ body }) => body)).toEqual([{ seconds: 65 }]));
  });

  it('is offered once the length is known', async () => {
    mockDocumentApi({ 'GET /api/files/12': film, 'GET /api/files/12/position': stored({ seconds: 245 }) });
    const { container, user } = await renderApp('/zones/7/files/12');
    const player = await findPlayer(container);
    await user.click(await screen.findByRole('button', { name: 'Continue at 4:05' }));
    expect(player.currentTime).toBe(245);
    expect(screen.queryByRole('button', { name: /^Continue at/ })).not.toBeInTheDocument();
  });

  it.each([
    [5, '0:05'],
    [245, '4:05'],
    [3845, '1:04:05'],
  ])('of %s seconds is written as %s', (seconds, text) => {
    expect(formatPlayTime(seconds)).toBe(text);
  });
});
