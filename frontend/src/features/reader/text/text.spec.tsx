import { act, createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { errorResponse } from '../../../../test/api';
import { fileAbilities, mockElementWidth, mockDocumentApi, makeFile } from '../../../../test/documents';
import { renderApp } from '../../../../test/render';

const readable = makeFile(12, 'Course.pdf', { can: { ...fileAbilities, text: true } });
const text = (words: unknown[], links: object[] = []) => [200, { words, links }] as const;
const words = [
  ...[
    ['Soft', 100, 100, 80, 20],
    ['exam\u00ad', 200, 100, 80, 20],
  ],
  ...[
    ['ple', 100, 130, 80, 20],
    ['ends', 200, 130, 80, 20],
  ],
];
const getPageItem = (number: number) => screen.getByAltText(`Page ${number}`).closest('li')!;
const loadPageImage = (number: number) => fireEvent.load(screen.getByAltText(`Page ${number}`));

async function openReader(more: Parameters<typeof mockDocumentApi>[0] = {}) {
  const api = mockDocumentApi({ 'GET /api/files/12': [200, readable], ...more });
  const rendered = await renderApp('/zones/7/files/12');
  await screen.findByLabelText('Page, out of 30');
  return { ...rendered, api };
}

beforeEach(() => {
  localStorage.clear();
  mockElementWidth(400);
  window.scrollTo = jest.fn();
  window.scrollBy = jest.fn();
  Element.prototype.scrollBy = jest.fn();
});
afterEach(() => jest.restoreAllMocks());

describe('Text layer of a page', () => {
  it('is loaded after the image and placed over it as lines', async () => {
    const { api } = await openReader({ 'GET /api/files/12/pages/1/text': text(words) });
    expect(api.callsTo('GET /api/files/12/pages/1/text')).toEqual([]);
    loadPageImage(1);
    const line = (await within(getPageItem(1)).findByText('Soft')).closest('p')!;
    expect(line).toHaveStyle({ left: '10%', top: '10%', width: '90%', height: '2%' });
    expect(line.querySelectorAll('span')[1]).toHaveStyle({ top: '0%' });
    // Each word extends to the next, and the last one to the end of the line, however its letters are stretched.
    const reach = [...line.querySelectorAll('span')].map(
      ({ style }) => parseFloat(style.width) * parseFloat(/scaleX\((.*)\)/.exec(style.transform)![1]!),
    );
    expect(reach[0]).toBeCloseTo(100 / 9, 0);
    expect(reach[1]).toBeCloseTo(800 / 9, 0);
    expect(line.querySelectorAll('span')[1]!.style.left).toMatch(/^11\.1/);
    expect(getPageItem(1).querySelectorAll('p')).toHaveLength(2);
    expect(api.calls.filter(({ route }) => route.endsWith('/text'))).toHaveLength(1);
  });

  it('is loaded even when the image fails', async () => {
    await openReader({ 'GET /api/files/12/pages/1/text': text(words) });
    fireEvent.error(screen.getByAltText('Page 1'));
    expect(await screen.findByText('ends')).toBeInTheDocument();
  });

  it('rotates with the page', async () => {
    await openReader({ 'GET /api/files/12/pages/1/text': text(words) });
    loadPageImage(1);
    const layer = (await screen.findByText('ends')).closest<HTMLElement>('.z-reader-words')!;
    expect(parseFloat(layer.style.width)).toBeCloseTo(400, 0);
    expect(layer.style.transform).toBe('');
    fireEvent.keyDown(document.body, { key: 'r' });
    expect(layer.style.transform).toContain('rotate(90deg)');
    expect(parseFloat(layer.style.width)).toBeCloseTo(283, 0);
  });

  it('is copied with its lines and rejoined hyphenated words', async () => {
    await openReader({ 'GET /api/files/12/pages/1/text': text(words) });
    loadPageImage(1);
    await screen.findByText('ends');
    jest.spyOn(window, 'getSelection').mockReturnValue({ toString: () => getPageItem(1).textContent } as Selection);
    const clipboardData = { setData: jest.fn() };
    const copying = createEvent.copy(getPageItem(1), { clipboardData });
    fireEvent(getPageItem(1), copying);
    expect(clipboardData.setData).toHaveBeenCalledWith('text/plain', 'Soft example ends');
    expect(copying.defaultPrevented).toBe(true);
  });

  it('announces to screen readers that it is missing or failed to load', async () => {
    await openReader({
      'GET /api/files/12/pages/1/text': text([]),
      'GET /api/files/12/pages/2/text': errorResponse(422, 'DOCUMENT_FAILED', 'This document is damaged.'),
    });
    loadPageImage(1);
    loadPageImage(2);
    expect(await within(getPageItem(1)).findByText('This page has no readable text.')).toBeInTheDocument();
    expect(
      await within(getPageItem(2)).findByText('Couldn’t read the text of page 2. This document is damaged.'),
    ).toBeInTheDocument();
  });

  it('is requested again while the server is extracting it', async () => {
    jest.useFakeTimers({ advanceTimers: true });
    let requestCount = 0;
    await openReader({
      'GET /api/files/12/pages/1/text': () =>
        ++requestCount < 3 ? errorResponse(409, 'DOCUMENT_NOT_READY', 'This document is being prepared.') : text(words),
    });
    loadPageImage(1);
    await waitFor(() => expect(requestCount).toBe(1));
    await jest.advanceTimersByTimeAsync(1000);
    await jest.advanceTimersByTimeAsync(2000);
    expect(await screen.findByText('ends')).toBeInTheDocument();
    jest.useRealTimers();
  });

  it('is not requested without permission, which the menu explains', async () => {
    const { api } = await openReader({
      'GET /api/files/12': [200, makeFile(12, 'Course.pdf')],
      'GET /api/files/13': [200, makeFile(13, 'Z.pdf')],
    });
    loadPageImage(1);
    expect(screen.getByText('The text of this document can’t be selected or searched.')).toBeInTheDocument();
    await screen.findByRole('link', { name: 'Next File' });
    // By the time the next file is shown, any request would have been sent.
    fireEvent.keyDown(document.body, { key: 'ArrowRight' });
    expect(await screen.findByRole('heading', { level: 1, name: 'Z.pdf' })).toBeVisible();
    expect(api.calls.filter(({ route }) => route.endsWith('/text'))).toEqual([]);
  });

  it('of 100 lines is rendered in steps while the browser is idle', async () => {
    const idle: (() => void)[] = [];
    window.requestIdleCallback = (action) => idle.push(action as () => void);
    window.cancelIdleCallback = () => undefined;
    const many = Array.from({ length: 100 }, (_, index) => [`w${index}`, 0, (index % 40) * 25, 50, 20]);
    await openReader({ 'GET /api/files/12/pages/1/text': text(many) });
    loadPageImage(1);
    const lines = () => getPageItem(1).querySelectorAll('p').length;
    for (const there of [0, 20, 40, 60, 80]) {
      await waitFor(() => expect(idle).toHaveLength(1));
      expect(lines()).toBe(there);
      act(idle.pop()!);
    }
    expect(lines()).toBe(100);
    expect(idle).toEqual([]);
    Reflect.deleteProperty(window, 'requestIdleCallback');
  });
});

describe('Links of a page', () => {
  const links = [
    { x: 190, y: 90, w: 100, h: 30, url: 'https://example.org/colours' },
    { x: 90, y: 90, w: 90, h: 30, page: 12 },
  ];

  it('lead to a page of the document or name the host they open', async () => {
    const { user } = await openReader({ 'GET /api/files/12/pages/1/text': text(words, links) });
    loadPageImage(1);
    const outside = await screen.findByRole('link', { name: 'exam – opens example.org in a new tab' });
    expect(outside).toHaveAttribute('href', 'https://example.org/colours');
    expect(outside).toHaveAttribute('target', '_blank');
    expect(outside).toHaveAttribute('rel', 'noopener noreferrer');
    expect(outside).toHaveAttribute('title', 'opens example.org in a new tab');
    const inside = screen.getByRole('link', { name: 'Soft – Go to page 12' });
    expect(inside.compareDocumentPosition(outside)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(inside).toHaveAttribute('href', '/zones/7/files/12?page=12');
    await user.click(inside);
    expect(window.scrollTo).toHaveBeenLastCalledWith({ top: 11 * 582, behavior: 'instant' });
  });

  it('move the focus to the target page', async () => {
    const nearbyLinks = [{ x: 90, y: 90, w: 90, h: 30, page: 3 }];
    localStorage.setItem('zonary.reader.flow', 'single');
    const { user } = await openReader({ 'GET /api/files/12/pages/1/text': text(words, nearbyLinks) });
    loadPageImage(1);
    await user.click(await screen.findByRole('link', { name: 'Soft – Go to page 3' }));
    await waitFor(() => expect(getPageItem(3)).toHaveFocus());
  });
});

describe('High-density screens', () => {
  const originalPixelRatio = window.devicePixelRatio;
  const wider = () => getPageItem(1).querySelector('img[hidden]');
  const line = (connection: object | undefined) =>
    Object.defineProperty(navigator, 'connection', { value: connection, configurable: true });
  beforeEach(() => {
    window.devicePixelRatio = 3;
  });
  afterEach(() => {
    window.devicePixelRatio = originalPixelRatio;
    line(undefined);
  });

  it('load a sharper image for the current page once its neighbours are loaded', async () => {
    jest.useFakeTimers({ advanceTimers: true });
    await openReader();
    loadPageImage(1);
    await act(() => jest.advanceTimersByTimeAsync(2000));
    expect(wider()).toBeNull();
    for (const neighbour of [2, 3]) loadPageImage(neighbour);
    expect(wider()).toHaveAttribute('src', '/api/files/12/pages/1?width=1200');
    fireEvent.load(wider()!);
    expect(screen.getByAltText('Page 1')).toHaveAttribute('src', '/api/files/12/pages/1?width=1200');
    for (const neighbour of [2, 3])
      expect(screen.getByAltText(`Page ${neighbour}`)).toHaveAttribute(
        'src',
        `/api/files/12/pages/${neighbour}?width=600`,
      );
    jest.useRealTimers();
  });

  it.each([{ saveData: true }, { effectiveType: '3g' }])(
    'load no sharper image on a limited connection: %j',
    async (connection) => {
      line(connection);
      jest.useFakeTimers({ advanceTimers: true });
      await openReader();
      for (const number of [1, 2, 3]) loadPageImage(number);
      await act(() => jest.advanceTimersByTimeAsync(2000));
      expect(wider()).toBeNull();
      jest.useRealTimers();
    },
  );
});

it('keeps the current image when a wider one fails to load', async () => {
  await openReader();
  loadPageImage(1);
  for (const key of ['+', '+', '+']) fireEvent.keyDown(document.body, { key });
  const wider = await waitFor(() => {
    const found = getPageItem(1).querySelector<HTMLImageElement>('img[hidden]');
    expect(found).toHaveAttribute('src', '/api/files/12/pages/1?width=1200');
    return found!;
  });
  fireEvent.error(wider);
  expect(screen.getByAltText('Page 1')).toHaveAttribute('src', '/api/files/12/pages/1?width=600');
  expect(screen.queryByText('Couldn’t show page 1')).not.toBeInTheDocument();
  fireEvent.load(wider);
  expect(screen.getByAltText('Page 1')).toHaveAttribute('src', '/api/files/12/pages/1?width=1200');
  expect(getPageItem(1).querySelector('img[hidden]')).toBeNull();
});
