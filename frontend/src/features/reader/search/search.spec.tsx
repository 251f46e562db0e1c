import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { errorResponse, type MockResponse } from '../../../../test/api';
import { fileAbilities, mockElementWidth, mockDocumentApi, makeFile } from '../../../../test/documents';
import { mockPhone } from '../../../../test/mobile';
import { renderApp } from '../../../../test/render';

const readable = makeFile(12, 'Course.pdf', { can: { ...fileAbilities, text: true } });
const search = 'GET /api/files/12/pages/search';
const hit = (page: number, from = 5) => ({ page, from, length: 5, around: `Soft light ${page}` });
const hits = [hit(1), hit(4), hit(4, 16), hit(30)];
const text: MockResponse = [
  200,
  {
    words: [
      ['Soft', 0, 0, 9, 9],
      ['light', 10, 0, 9, 9],
      ['more', 20, 0, 9, 9],
      ['light', 30, 0, 9, 9],
    ],
    links: [],
  },
];
const pages = { 'GET /api/files/12/pages/1/text': text, 'GET /api/files/12/pages/4/text': text };

const pressKey = (key: string, more: object = {}, on: Element = document.body) =>
  fireEvent.keyDown(on, { key, ...more });
const getSearchField = () => screen.getByLabelText<HTMLInputElement>('Search in the Document', { selector: 'input' });
const expectSearchClosed = () => expect(screen.queryByRole('search')).not.toBeInTheDocument();
const getStatus = () => screen.getByRole('search').querySelector('[role=status]')!;
const getHighlights = () =>
  [...document.querySelectorAll('.z-reader-hit')].map((mark) => mark.hasAttribute('data-current'));
const expectScrolledToPage = (page: number) =>
  expect(window.scrollTo).toHaveBeenLastCalledWith({ top: (page - 1) * 582, behavior: 'instant' });

async function openReader(more: Record<string, MockResponse> = {}, query = '') {
  const api = mockDocumentApi({ 'GET /api/files/12': [200, readable], [search]: [200, hits], ...pages, ...more });
  const rendered = await renderApp(`/zones/7/files/12${query}`);
  await screen.findByLabelText('Page, out of 30');
  return { ...rendered, api };
}

beforeEach(() => {
  localStorage.clear();
  mockElementWidth(400);
  window.scrollTo = jest.fn();
  window.scrollBy = jest.fn();
  Element.prototype.scrollBy = jest.fn();
  Element.prototype.scrollIntoView = jest.fn();
});
afterEach(() => jest.restoreAllMocks());

describe('Document search', () => {
  it('opens by Ctrl+F and /, yields to the browser’s search and restores the focus', async () => {
    await openReader();
    const more = screen.getByLabelText('More');
    more.focus();
    expect(pressKey('f', { ctrlKey: true }, more)).toBe(false);
    expect(getSearchField()).toHaveFocus();
    expect(pressKey('f', { ctrlKey: true }, getSearchField())).toBe(true);
    expect(pressKey('/', {}, getSearchField())).toBe(true);
    expect(pressKey('Escape', {}, getSearchField())).toBe(false);
    expectSearchClosed();
    expect(more).toHaveFocus();
    pressKey('/');
    expect(getSearchField()).toHaveFocus();
    expect(screen.queryByRole('combobox', { name: 'Search or jump to…' })).not.toBeInTheDocument();
    pressKey('Escape');
    pressKey('F', { metaKey: true });
    expect(getSearchField()).toHaveFocus();
  });

  it('opens from the bar on a phone', async () => {
    mockPhone();
    const { user } = await openReader();
    const button = screen.getByRole('button', { name: 'Search in the Document' });
    expect(button.closest('details')).toBeNull();
    await user.click(button);
    expect(getSearchField()).toHaveFocus();
  });

  it('cycles through the matches, shows the current position and highlights them', async () => {
    const { user, address, api } = await openReader();
    pressKey('/');
    await user.keyboard('light{Enter}');
    await waitFor(() => expect(getStatus()).toHaveTextContent('1 of 4, page 1: Soft light 1'));
    expect(api.callsTo(search).map((call) => call.query.get('q'))).toEqual(['light']);
    await waitFor(() => expect(getHighlights()).toEqual([true]));
    expect(Element.prototype.scrollIntoView).toHaveBeenCalledTimes(1);
    await user.keyboard('{Enter}');
    expect(getStatus()).toHaveTextContent('2 of 4, page 4');
    expectScrolledToPage(4);
    await user.keyboard('{Shift>}{Enter}{/Shift}{Shift>}{Enter}{/Shift}');
    expect(getStatus()).toHaveTextContent('4 of 4, page 30');
    expectScrolledToPage(30);
    pressKey('F3');
    expect(getStatus()).toHaveTextContent('1 of 4');
    pressKey('F3', { shiftKey: true });
    expect(getStatus()).toHaveTextContent('4 of 4');
    await user.click(screen.getByRole('button', { name: 'Next Match' }));
    expect(getStatus()).toHaveTextContent('1 of 4');
    expect(address()).toBe('/zones/7/files/12?find=light');
    await user.click(screen.getByRole('button', { name: 'Close Search' }));
    expectSearchClosed();
    expect(getHighlights()).toEqual([]);
    expect(address()).toBe('/zones/7/files/12');
  });

  it('scrolls each match of a page into view', async () => {
    const { user } = await openReader({ [search]: [200, [hit(1), hit(1, 16)]] });
    pressKey('/');
    await user.keyboard('light{Enter}');
    await waitFor(() => expect(getHighlights()).toEqual([true, false]));
    await user.keyboard('{Enter}');
    expect(getHighlights()).toEqual([false, true]);
    expect(Element.prototype.scrollIntoView).toHaveBeenCalledTimes(2);
  });

  it('does not scroll back to a match after the user has moved on', async () => {
    localStorage.setItem('zonary.reader.flow', 'single');
    const { user } = await openReader();
    pressKey('/');
    await user.keyboard('light{Enter}');
    await waitFor(() => expect(getHighlights()).toEqual([true]));
    pressKey('ArrowRight');
    await screen.findByAltText('Page 2');
    expect(getHighlights()).toEqual([]);
    pressKey('ArrowLeft');
    await waitFor(() => expect(getHighlights()).toEqual([true]));
    expect(Element.prototype.scrollIntoView).toHaveBeenCalledTimes(1);
  });

  it('requires three letters and reports when nothing was found', async () => {
    const { user, api } = await openReader({ [search]: [200, []] });
    pressKey('/');
    await user.keyboard('li{Enter}');
    expect(getStatus()).toHaveTextContent('Enter at least 3 letters (2 in Chinese, Japanese or Korean).');
    expect(api.callsTo(search)).toEqual([]);
    await user.keyboard('g{Enter}');
    await waitFor(() => expect(getStatus()).toHaveTextContent('No matches found.'));
  });

  it('requires two characters of Chinese, Japanese or Korean', async () => {
    const { user, api } = await openReader({ [search]: [200, []] });
    pressKey('/');
    await user.keyboard('日{Enter}');
    expect(getStatus()).toHaveTextContent('Enter at least 3 letters (2 in Chinese, Japanese or Korean).');
    await user.keyboard('本{Enter}');
    await waitFor(() => expect(getStatus()).toHaveTextContent('No matches found.'));
    expect(api.callsTo(search)).toHaveLength(1);
  });

  it('shows that texts are still being read and retries', async () => {
    const requestTimes: number[] = [];
    jest.useFakeTimers({ advanceTimers: true });
    const response = (): MockResponse =>
      requestTimes.push(Date.now()) < 3 ? errorResponse(409, 'DOCUMENT_NOT_READY', 'No.') : [200, hits];
    await openReader({ [search]: response }, '?find=light');
    await waitFor(() => expect(getStatus()).toHaveTextContent('The text of this document is still being read.'));
    await act(() => jest.advanceTimersByTimeAsync(1000));
    await act(() => jest.advanceTimersByTimeAsync(2000));
    await waitFor(() => expect(getStatus()).toHaveTextContent('1 of 4'));
    expect(requestTimes).toHaveLength(3);
    expect(requestTimes[1]! - requestTimes[0]!).toBeGreaterThanOrEqual(1000);
    expect(requestTimes[2]! - requestTimes[1]!).toBeGreaterThanOrEqual(2000);
    jest.useRealTimers();
  });

  it('shows why it failed and can be retried', async () => {
    const { user, api } = await openReader({
      [search]: errorResponse(503, 'DRAWING_BUSY', 'Too many pages are being drawn.'),
    });
    pressKey('/');
    await user.keyboard('light{Enter}');
    await waitFor(() => expect(getStatus()).toHaveTextContent('Too many pages are being drawn.'));
    api.setResponse(search, [200, hits]);
    await user.keyboard('{Enter}');
    await waitFor(() => expect(getStatus()).toHaveTextContent('1 of 4'));
  });

  it('starts from the page and query in the URL without taking the focus', async () => {
    // jsdom doesn't scroll, so page 1 would become the current page as soon as it is checked.
    jest.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue({ top: -3 * 582 } as DOMRect);
    const { address } = await openReader({}, '?page=4&find=light');
    await waitFor(() => expect(getStatus()).toHaveTextContent('2 of 4, page 4'));
    expect(getSearchField()).toHaveValue('light');
    expect(getSearchField()).not.toHaveFocus();
    await waitFor(() => expect(getHighlights()).toEqual([true, false]));
    expect(address()).toBe('/zones/7/files/12?page=4&find=light');
  });

  it('is not available when the text may not be taken', async () => {
    const { api } = await openReader({ 'GET /api/files/12': [200, makeFile(12, 'Course.pdf')] }, '?find=light');
    expect(pressKey('f', { ctrlKey: true })).toBe(true);
    expectSearchClosed();
    expect(screen.queryByRole('button', { name: 'Search in the Document' })).not.toBeInTheDocument();
    expect(api.callsTo(search)).toEqual([]);
  });
});
