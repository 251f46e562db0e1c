import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { refusal, type Answer } from '../../../../test/api';
import { fileRights, pretendWidth, serveDocument, someFile } from '../../../../test/documents';
import { renderProduct } from '../../../../test/render';

const readable = someFile(12, 'Course.pdf', { can: { ...fileRights, text: true } });
const search = 'GET /api/files/12/pages/search';
const hit = (page: number, from = 5) => ({ page, from, length: 5, around: `Soft light ${page}` });
const hits = [hit(1), hit(4), hit(4, 16), hit(30)];
const text: Answer = [
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

const press = (key: string, more: object = {}, on: Element = document.body) => fireEvent.keyDown(on, { key, ...more });
const field = () => screen.getByLabelText<HTMLInputElement>('Search in the Document', { selector: 'input' });
const isClosed = () => expect(screen.queryByRole('search')).not.toBeInTheDocument();
const said = () => screen.getByRole('search').querySelector('[role=status]')!;
const marks = () => [...document.querySelectorAll('.z-reader-hit')].map((mark) => mark.hasAttribute('data-current'));
const wentTo = (page: number) =>
  expect(window.scrollTo).toHaveBeenLastCalledWith({ top: (page - 1) * 582, behavior: 'instant' });

async function open(more: Record<string, Answer> = {}, query = '') {
  const api = serveDocument({ 'GET /api/files/12': [200, readable], [search]: [200, hits], ...pages, ...more });
  const shown = await renderProduct(`/zones/7/files/12${query}`);
  await screen.findByLabelText('Page, out of 30');
  return { ...shown, api };
}

beforeEach(() => {
  localStorage.clear();
  pretendWidth(400);
  window.scrollTo = jest.fn();
  window.scrollBy = jest.fn();
  Element.prototype.scrollBy = jest.fn();
  Element.prototype.scrollIntoView = jest.fn();
});
afterEach(() => jest.restoreAllMocks());

describe('the search of a document', () => {
  it('opens by Ctrl+F and /, is the browser’s when asked once more, and gives the focus back', async () => {
    await open();
    const more = screen.getByLabelText('More');
    more.focus();
    expect(press('f', { ctrlKey: true }, more)).toBe(false);
    expect(field()).toHaveFocus();
    expect(press('f', { ctrlKey: true }, field())).toBe(true);
    expect(press('/', {}, field())).toBe(true);
    expect(press('Escape', {}, field())).toBe(false);
    isClosed();
    expect(more).toHaveFocus();
    press('/');
    expect(field()).toHaveFocus();
    expect(screen.queryByRole('combobox', { name: 'Search or jump to…' })).not.toBeInTheDocument();
    press('Escape');
    press('F', { metaKey: true });
    expect(field()).toHaveFocus();
  });

  it('leads from place to place, around and back, says where one is, and marks what it found', async () => {
    const { user, address, api } = await open();
    press('/');
    await user.keyboard('light{Enter}');
    await waitFor(() => expect(said()).toHaveTextContent('1 of 4, page 1: Soft light 1'));
    expect(api.callsOf(search).map((call) => call.query.get('q'))).toEqual(['light']);
    await waitFor(() => expect(marks()).toEqual([true]));
    expect(Element.prototype.scrollIntoView).toHaveBeenCalledTimes(1);
    await user.keyboard('{Enter}');
    expect(said()).toHaveTextContent('2 of 4, page 4');
    wentTo(4);
    await user.keyboard('{Shift>}{Enter}{/Shift}{Shift>}{Enter}{/Shift}');
    expect(said()).toHaveTextContent('4 of 4, page 30');
    wentTo(30);
    press('F3');
    expect(said()).toHaveTextContent('1 of 4');
    press('F3', { shiftKey: true });
    expect(said()).toHaveTextContent('4 of 4');
    await user.click(screen.getByRole('button', { name: 'Next Match' }));
    expect(said()).toHaveTextContent('1 of 4');
    expect(address()).toBe('/zones/7/files/12?find=light');
    await user.click(screen.getByRole('button', { name: 'Close Search' }));
    isClosed();
    expect(marks()).toEqual([]);
    expect(address()).toBe('/zones/7/files/12');
  });

  it('brings each place of a page into view', async () => {
    const { user } = await open({ [search]: [200, [hit(1), hit(1, 16)]] });
    press('/');
    await user.keyboard('light{Enter}');
    await waitFor(() => expect(marks()).toEqual([true, false]));
    await user.keyboard('{Enter}');
    expect(marks()).toEqual([false, true]);
    expect(Element.prototype.scrollIntoView).toHaveBeenCalledTimes(2);
  });

  it('does not bring back what somebody has gone away from', async () => {
    localStorage.setItem('zonary.reader.flow', 'single');
    const { user } = await open();
    press('/');
    await user.keyboard('light{Enter}');
    await waitFor(() => expect(marks()).toEqual([true]));
    press('ArrowRight');
    await screen.findByAltText('Page 2');
    expect(marks()).toEqual([]);
    press('ArrowLeft');
    await waitFor(() => expect(marks()).toEqual([true]));
    expect(Element.prototype.scrollIntoView).toHaveBeenCalledTimes(1);
  });

  it('says that it wants three letters, and that nothing was found', async () => {
    const { user, api } = await open({ [search]: [200, []] });
    press('/');
    await user.keyboard('li{Enter}');
    expect(said()).toHaveTextContent('Enter at least 3 letters (2 in Chinese, Japanese or Korean).');
    expect(api.callsOf(search)).toEqual([]);
    await user.keyboard('g{Enter}');
    await waitFor(() => expect(said()).toHaveTextContent('No matches found.'));
  });

  it('wants two characters of Chinese, Japanese or Korean', async () => {
    const { user, api } = await open({ [search]: [200, []] });
    press('/');
    await user.keyboard('日{Enter}');
    expect(said()).toHaveTextContent('Enter at least 3 letters (2 in Chinese, Japanese or Korean).');
    await user.keyboard('本{Enter}');
    await waitFor(() => expect(said()).toHaveTextContent('No matches found.'));
    expect(api.callsOf(search)).toHaveLength(1);
  });

  it('waits until the texts are read, and says so', async () => {
    const asked: number[] = [];
    jest.useFakeTimers({ advanceTimers: true });
    const answer = (): Answer => (asked.push(Date.now()) < 3 ? refusal(409, 'DOCUMENT_NOT_READY', 'No.') : [200, hits]);
    await open({ [search]: answer }, '?find=light');
    await waitFor(() => expect(said()).toHaveTextContent('The text of this document is still being read.'));
    await act(() => jest.advanceTimersByTimeAsync(1000));
    await act(() => jest.advanceTimersByTimeAsync(2000));
    await waitFor(() => expect(said()).toHaveTextContent('1 of 4'));
    expect(asked).toHaveLength(3);
    expect(asked[1]! - asked[0]!).toBeGreaterThanOrEqual(1000);
    expect(asked[2]! - asked[1]!).toBeGreaterThanOrEqual(2000);
    jest.useRealTimers();
  });

  it('says why it failed, and tries again', async () => {
    const { user, api } = await open({ [search]: refusal(503, 'DRAWING_BUSY', 'Too many pages are being drawn.') });
    press('/');
    await user.keyboard('light{Enter}');
    await waitFor(() => expect(said()).toHaveTextContent('Too many pages are being drawn.'));
    api.answer(search, [200, hits]);
    await user.keyboard('{Enter}');
    await waitFor(() => expect(said()).toHaveTextContent('1 of 4'));
  });

  it('begins with the page and the words of the address, without taking the focus', async () => {
    // jsdom scrolls nowhere, and page 1 would be read as soon as that is seen.
    jest.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue({ top: -3 * 582 } as DOMRect);
    const { address } = await open({}, '?page=4&find=light');
    await waitFor(() => expect(said()).toHaveTextContent('2 of 4, page 4'));
    expect(field()).toHaveValue('light');
    expect(field()).not.toHaveFocus();
    await waitFor(() => expect(marks()).toEqual([true, false]));
    expect(address()).toBe('/zones/7/files/12?page=4&find=light');
  });

  it('is not there where the text may not be taken', async () => {
    const { api } = await open({ 'GET /api/files/12': [200, someFile(12, 'Course.pdf')] }, '?find=light');
    expect(press('f', { ctrlKey: true })).toBe(true);
    isClosed();
    expect(screen.queryByRole('button', { name: 'Search in the Document' })).not.toBeInTheDocument();
    expect(api.callsOf(search)).toEqual([]);
  });
});
