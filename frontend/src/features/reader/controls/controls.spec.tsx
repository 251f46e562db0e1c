import { act, createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { mockElementWidth, mockDocumentApi, makeFile } from '../../../../test/documents';
import { renderApp } from '../../../../test/render';

const getPageList = () => screen.getByRole('list', { name: 'Pages of Course.pdf' });
const pressKey = (key: string, more: object = {}, on: Element = document.body) =>
  fireEvent.keyDown(on, { key, ...more });
const getPageField = () => screen.getByLabelText<HTMLInputElement>('Page, out of 30');

async function openReader(more: Parameters<typeof mockDocumentApi>[0] = {}) {
  mockDocumentApi(more);
  const rendered = await renderApp('/zones/7/files/12');
  await screen.findByLabelText('Page, out of 30');
  return rendered;
}

beforeEach(() => {
  localStorage.clear();
  mockElementWidth(400);
  window.scrollTo = jest.fn();
  window.scrollBy = jest.fn();
  Element.prototype.scrollBy = jest.fn();
  Element.prototype.scrollTo = jest.fn();
});
afterEach(() => jest.restoreAllMocks());

describe('Keyboard shortcuts of the reader', () => {
  it('zoom the pages and load wider images', async () => {
    await openReader();
    expect(getPageList()).toHaveStyle({ width: '400px' });
    for (const key of ['+', '=', '+']) pressKey(key, { shiftKey: key === '+' });
    expect(getPageList()).toHaveStyle({ width: '800px' });
    await waitFor(() =>
      expect(screen.getByAltText('Page 1')).toHaveAttribute('src', '/api/files/12/pages/1?width=1200'),
    );
    expect(screen.getByAltText('Page 1').style.transform).toBe('');
    pressKey('-');
    expect(getPageList()).toHaveStyle({ width: '600px' });
    pressKey('0', { ctrlKey: true });
    expect(getPageList()).toHaveStyle({ width: '400px' });
    pressKey('+', { metaKey: true });
    expect(getPageList()).toHaveStyle({ width: '500px' });
    pressKey('+', { altKey: true });
    expect(getPageList()).toHaveStyle({ width: '500px' });
  });

  it('rotate the pages and their layout', async () => {
    await openReader();
    const getItemHeight = () => within(getPageList()).getAllByRole('listitem')[0]!.style.height;
    expect(getItemHeight()).toBe('566px');
    pressKey('r');
    expect(getItemHeight()).toBe('283px');
    expect(screen.getByAltText('Page 1').style).toMatchObject({ width: '283px', height: '400px' });
    pressKey('R', { shiftKey: true });
    expect(getItemHeight()).toBe('283px');
    for (let turns = 0; turns < 3; turns++) pressKey('r');
    expect(getItemHeight()).toBe('566px');
  });

  it('of a single character do nothing when turned off', async () => {
    await openReader();
    // jsdom doesn't implement `showModal`.
    const showModal = jest.fn();
    HTMLDialogElement.prototype.showModal = showModal;
    const box = screen.getByLabelText('Single-character shortcuts work without Ctrl or ⌘');
    expect(box).toBeChecked();
    fireEvent.click(box);
    expect(localStorage.getItem('zonary.characterKeys')).toBe('off');
    for (const key of ['+', '-', 'r', 'f', 'g', '?', '/']) expect(pressKey(key)).toBe(true);
    expect(getPageList()).toHaveStyle({ width: '400px' });
    pressKey('+', { ctrlKey: true });
    expect(getPageList()).toHaveStyle({ width: '500px' });
    fireEvent.click(box);
    pressKey('0');
    expect(getPageList()).toHaveStyle({ width: '400px' });
    expect(showModal).not.toHaveBeenCalled();
    pressKey('?');
    expect(showModal).toHaveBeenCalled();
    Reflect.deleteProperty(HTMLDialogElement.prototype, 'showModal');
  });

  it('are ignored while typing and with Ctrl, Alt or Meta', async () => {
    const { address } = await openReader();
    pressKey('g');
    expect(getPageField()).toHaveFocus();
    for (const key of ['+', 'r', 'f', 'ArrowRight']) pressKey(key, {}, getPageField());
    for (const modifiers of [{ ctrlKey: true }, { altKey: true }, { metaKey: true }])
      for (const key of ['r', 'f', 'g', 'ArrowRight', 'Escape']) pressKey(key, modifiers);
    expect(getPageList()).toHaveStyle({ width: '400px' });
    expect(screen.getByAltText('Page 1').style.transform).toBe('');
    expect(screen.queryByRole('button', { name: 'Leave Full Screen' })).not.toBeInTheDocument();
    expect(address()).toBe('/zones/7/files/12');
  });

  it('go to the typed page, to the last page for larger numbers and ignore text', async () => {
    const { user } = await openReader();
    pressKey('g');
    await user.keyboard('12{Enter}');
    expect(getPageField()).not.toHaveFocus();
    // 566 pixels per page and a gap of 16; jsdom places every element at the top.
    expect(window.scrollTo).toHaveBeenLastCalledWith({ top: 11 * 582, behavior: 'instant' });
    pressKey('g');
    await user.keyboard('999{Enter}');
    expect(window.scrollTo).toHaveBeenLastCalledWith({ top: 29 * 582, behavior: 'instant' });
    pressKey('g');
    await user.keyboard('2.5{Enter}');
    expect(window.scrollTo).toHaveBeenLastCalledWith({ top: 582, behavior: 'instant' });
    jest.mocked(window.scrollTo).mockClear();
    pressKey('g');
    await user.keyboard('x{Enter}');
    expect(window.scrollTo).not.toHaveBeenCalled();
    pressKey('g');
    await user.keyboard('7{Escape}');
    expect(getPageField()).toHaveValue('1');
    expect(window.scrollTo).not.toHaveBeenCalled();
  });

  it('hide the toolbar without full-screen support and restore it', async () => {
    const { address } = await openReader();
    pressKey('f');
    expect(screen.queryByRole('link', { name: 'Back to the Files' })).not.toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Leave Full Screen' })).toBeVisible();
    pressKey('Escape');
    expect(screen.getByRole('link', { name: 'Back to the Files' })).toBeVisible();
    expect(address()).toBe('/zones/7/files/12');
  });
});

it('closes only the menu on Escape', async () => {
  const { address } = await openReader();
  const summary = screen.getByLabelText('More');
  const menu = summary.closest('details')!;
  menu.open = true;
  pressKey('Escape', {}, summary);
  expect(menu.open).toBe(false);
  expect(address()).toBe('/zones/7/files/12');
  pressKey('Escape', {}, summary);
  expect(address()).toBe('/zones/7/folders/3?item=file-12');
});

it('keeps the menu open while zooming on a phone', async () => {
  const originalMatchMedia = window.matchMedia;
  jest
    .spyOn(window, 'matchMedia')
    .mockImplementation((query) => ({ ...originalMatchMedia(query), matches: /max-width/.test(query) }));
  await openReader();
  const menu = screen.getByLabelText('More').closest('details')!;
  menu.open = true;
  for (let times = 0; times < 2; times++) fireEvent.click(screen.getByRole('button', { name: 'Zoom In' }));
  expect(getPageList()).toHaveStyle({ width: '600px' });
  expect(menu.open).toBe(true);
  fireEvent.click(screen.getByRole('button', { name: 'Fit to Width' }));
  expect(getPageList()).toHaveStyle({ width: '400px' });
  fireEvent.click(screen.getByRole('button', { name: 'Rotate' }));
  expect(menu.open).toBe(false);
});

it('hides the list of keyboard shortcuts on a phone', async () => {
  const originalMatchMedia = window.matchMedia;
  jest
    .spyOn(window, 'matchMedia')
    .mockImplementation((query) => ({ ...originalMatchMedia(query), matches: /max-width/.test(query) }));
  await openReader();
  expect(screen.getByRole('button', { name: 'Rotate', hidden: true })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Keyboard Shortcuts', hidden: true })).not.toBeInTheDocument();
});

describe('Double tap on a page', () => {
  const touchAt = (x: number, y: number) => ({ clientX: x, clientY: y, identifier: 1, target: getPageList() });
  const dispatchAt = (event: Event, at: number) =>
    fireEvent(getPageList(), Object.defineProperty(event, 'timeStamp', { value: at, configurable: true }));
  /** Touches the screen at a time in milliseconds and lifts the finger 50 ms later, optionally elsewhere. */
  function tap(at: number, [x, y] = [100, 100], [toX, toY] = [x!, y!]) {
    dispatchAt(createEvent.touchStart(getPageList(), { touches: [touchAt(x!, y!)] }), at);
    dispatchAt(createEvent.touchEnd(getPageList(), { touches: [], changedTouches: [touchAt(toX!, toY!)] }), at + 50);
  }

  it('zooms in and back to the page width', async () => {
    await openReader();
    tap(1000);
    expect(getPageList()).toHaveStyle({ width: '400px' });
    tap(1150, [108, 96]);
    expect(getPageList()).toHaveStyle({ width: '800px' });
    tap(3000);
    tap(3150);
    expect(getPageList()).toHaveStyle({ width: '400px' });
  });

  it('ignores taps that are slow, apart or scroll', async () => {
    await openReader();
    tap(1000);
    tap(1600);
    tap(5000);
    tap(5150, [100, 300]);
    tap(9000, [100, 100], [100, 180]);
    tap(9150, [100, 180]);
    expect(getPageList()).toHaveStyle({ width: '400px' });
  });
});

describe('Page-by-page mode', () => {
  it('shows one page, turned by keys and buttons, from the current position', async () => {
    const { user, address } = await openReader();
    await user.click(screen.getByRole('button', { name: 'Page by Page' }));
    expect(within(getPageList()).getAllByRole('listitem')).toHaveLength(1);
    pressKey('ArrowRight');
    expect(await screen.findByAltText('Page 2')).toBeVisible();
    expect(address()).toContain('/files/12');
    await user.click(screen.getByRole('button', { name: 'Next Page' }));
    await waitFor(() => expect(getPageField()).toHaveValue('3'));
    expect(screen.getByText('Page 3 of 30')).toHaveAttribute('role', 'status');
    expect(address()).toBe('/zones/7/files/12?page=3');
    pressKey('End');
    await waitFor(() => expect(getPageField()).toHaveValue('30'));
    expect(screen.getByRole('button', { name: 'Next Page' })).toBeDisabled();
    pressKey('Home');
    await waitFor(() => expect(getPageField()).toHaveValue('1'));
    expect(localStorage.getItem('zonary.reader.flow')).toBe('single');
  });
});

describe('Thumbnail strip', () => {
  it('loads the visible thumbnails without counting views and goes to the chosen page', async () => {
    jest.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600);
    const { user } = await openReader();
    await user.click(screen.getByRole('button', { name: 'Pages and Contents', pressed: false }));
    const strip = screen.getByRole('navigation', { name: 'Thumbnails' });
    const pages = within(strip).getAllByRole('button');
    expect(pages.length).toBeLessThan(8);
    expect(pages[0]).toHaveAttribute('aria-current', 'page');
    expect(pages[1]).not.toHaveAttribute('aria-current');
    expect(strip.querySelector('img')).toHaveAttribute('src', '/api/files/12/pages/1?width=600&strip');
    await user.click(within(strip).getByRole('button', { name: 'Go to page 3' }));
    expect(window.scrollTo).toHaveBeenLastCalledWith({ top: 2 * 582, behavior: 'instant' });
    expect(strip).toBeInTheDocument();
  });

  it('reloads failed thumbnails after a delay or once online', async () => {
    jest.useFakeTimers({ advanceTimers: true });
    jest.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600);
    localStorage.setItem('zonary.reader.strip', 'open');
    await openReader();
    const button = screen.getByRole('button', { name: 'Go to page 2' });
    const picture = () => button.querySelector('img');
    const first = await waitFor(() => picture()!);
    fireEvent.error(first);
    expect(picture()).toBeNull();
    expect(button).toHaveTextContent('2');
    await act(() => jest.advanceTimersByTimeAsync(2000));
    expect(picture()).not.toBe(first);
    fireEvent.error(picture()!);
    await act(() => jest.advanceTimersByTimeAsync(2000));
    expect(picture()).toBeNull();
    fireEvent(window, new Event('online'));
    expect(picture()).toHaveAttribute('src', '/api/files/12/pages/2?width=600&strip');
    jest.useRealTimers();
  });

  it('overlays the page on a phone, closes after a choice and does not open by itself', async () => {
    const originalMatchMedia = window.matchMedia;
    jest
      .spyOn(window, 'matchMedia')
      .mockImplementation((query) => ({ ...originalMatchMedia(query), matches: /max-width/.test(query) }));
    localStorage.setItem('zonary.reader.strip', 'open');
    const { user } = await openReader();
    expect(screen.queryByRole('navigation', { name: 'Thumbnails' })).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Pages and Contents', pressed: false }));
    await user.click(screen.getByRole('button', { name: 'Go to page 2' }));
    expect(screen.queryByRole('navigation', { name: 'Thumbnails' })).not.toBeInTheDocument();
  });
});

it('shows no zoom but full screen for files without pages', async () => {
  mockDocumentApi({ 'GET /api/files/12': [200, makeFile(12, 'Wheel.png', { mimeType: 'image/png' })] });
  await renderApp('/zones/7/files/12');
  expect(await screen.findByRole('img', { name: 'Wheel.png' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Zoom In' })).not.toBeInTheDocument();
  // The browser's own zoom is available here.
  expect(pressKey('+', { ctrlKey: true })).toBe(true);
  pressKey('f');
  expect(screen.getByRole('button', { name: 'Leave Full Screen' })).toBeVisible();
});

it('remembers the chosen background', async () => {
  const { user, container } = await openReader();
  const getBackground = () => container.querySelector('[data-around]')?.getAttribute('data-around');
  expect(getBackground()).toBe('paper');
  await user.click(screen.getByRole('button', { name: 'Sepia' }));
  expect(getBackground()).toBe('sepia');
  expect(localStorage.getItem('zonary.reader.around')).toBe('sepia');
});
