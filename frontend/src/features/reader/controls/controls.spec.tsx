import { act, createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { pretendWidth, serveDocument, someFile } from '../../../../test/documents';
import { renderProduct } from '../../../../test/render';

const list = () => screen.getByRole('list', { name: 'Pages of Course.pdf' });
const press = (key: string, more: object = {}, on: Element = document.body) => fireEvent.keyDown(on, { key, ...more });
const field = () => screen.getByLabelText<HTMLInputElement>('Page, out of 30');

async function open(more: Parameters<typeof serveDocument>[0] = {}) {
  serveDocument(more);
  const shown = await renderProduct('/zones/7/files/12');
  await screen.findByLabelText('Page, out of 30');
  return shown;
}

beforeEach(() => {
  localStorage.clear();
  pretendWidth(400);
  window.scrollTo = jest.fn();
  window.scrollBy = jest.fn();
  Element.prototype.scrollBy = jest.fn();
  Element.prototype.scrollTo = jest.fn();
});
afterEach(() => jest.restoreAllMocks());

describe('the keys of the reader', () => {
  it('zoom by the width of the pages, and ask for a wider picture then', async () => {
    await open();
    expect(list()).toHaveStyle({ width: '400px' });
    for (const key of ['+', '=', '+']) press(key, { shiftKey: key === '+' });
    expect(list()).toHaveStyle({ width: '800px' });
    await waitFor(() =>
      expect(screen.getByAltText('Page 1')).toHaveAttribute('src', '/api/files/12/pages/1?width=1200'),
    );
    expect(screen.getByAltText('Page 1').style.transform).toBe('');
    press('-');
    expect(list()).toHaveStyle({ width: '600px' });
    press('0', { ctrlKey: true });
    expect(list()).toHaveStyle({ width: '400px' });
    press('+', { metaKey: true });
    expect(list()).toHaveStyle({ width: '500px' });
    press('+', { altKey: true });
    expect(list()).toHaveStyle({ width: '500px' });
  });

  it('rotate the place of the pages and what stands in it', async () => {
    await open();
    const height = () => within(list()).getAllByRole('listitem')[0]!.style.height;
    expect(height()).toBe('566px');
    press('r');
    expect(height()).toBe('283px');
    expect(screen.getByAltText('Page 1').style).toMatchObject({ width: '283px', height: '400px' });
    press('R', { shiftKey: true });
    expect(height()).toBe('283px');
    for (let turns = 0; turns < 3; turns++) press('r');
    expect(height()).toBe('566px');
  });

  it('that are one letter or sign do nothing for whoever has turned them off', async () => {
    await open();
    // jsdom opens no dialogs.
    const showModal = jest.fn();
    HTMLDialogElement.prototype.showModal = showModal;
    const box = screen.getByLabelText('Single-character shortcuts work without Ctrl or ⌘');
    expect(box).toBeChecked();
    fireEvent.click(box);
    expect(localStorage.getItem('zonary.characterKeys')).toBe('off');
    for (const key of ['+', '-', 'r', 'f', 'g', '?', '/']) expect(press(key)).toBe(true);
    expect(list()).toHaveStyle({ width: '400px' });
    press('+', { ctrlKey: true });
    expect(list()).toHaveStyle({ width: '500px' });
    fireEvent.click(box);
    press('0');
    expect(list()).toHaveStyle({ width: '400px' });
    expect(showModal).not.toHaveBeenCalled();
    press('?');
    expect(showModal).toHaveBeenCalled();
    Reflect.deleteProperty(HTMLDialogElement.prototype, 'showModal');
  });

  it('are left to whoever types, and to what others do with Ctrl, Alt and Meta', async () => {
    const { address } = await open();
    press('g');
    expect(field()).toHaveFocus();
    for (const key of ['+', 'r', 'f', 'ArrowRight']) press(key, {}, field());
    for (const held of [{ ctrlKey: true }, { altKey: true }, { metaKey: true }])
      for (const key of ['r', 'f', 'g', 'ArrowRight', 'Escape']) press(key, held);
    expect(list()).toHaveStyle({ width: '400px' });
    expect(screen.getByAltText('Page 1').style.transform).toBe('');
    expect(screen.queryByRole('button', { name: 'Leave full screen' })).not.toBeInTheDocument();
    expect(address()).toBe('/zones/7/files/12');
  });

  it('go to the page whose number is typed, to the last for one beyond it, and nowhere for words', async () => {
    const { user } = await open();
    press('g');
    await user.keyboard('12{Enter}');
    expect(field()).not.toHaveFocus();
    // 566 pixels a page and 16 between two, as jsdom places all at the top.
    expect(window.scrollTo).toHaveBeenLastCalledWith({ top: 11 * 582, behavior: 'instant' });
    press('g');
    await user.keyboard('999{Enter}');
    expect(window.scrollTo).toHaveBeenLastCalledWith({ top: 29 * 582, behavior: 'instant' });
    press('g');
    await user.keyboard('2.5{Enter}');
    expect(window.scrollTo).toHaveBeenLastCalledWith({ top: 582, behavior: 'instant' });
    jest.mocked(window.scrollTo).mockClear();
    press('g');
    await user.keyboard('x{Enter}');
    expect(window.scrollTo).not.toHaveBeenCalled();
    press('g');
    await user.keyboard('7{Escape}');
    expect(field()).toHaveValue('1');
    expect(window.scrollTo).not.toHaveBeenCalled();
  });

  it('take the bar away where the browser has no full screen, and bring it back', async () => {
    const { address } = await open();
    press('f');
    expect(screen.queryByRole('link', { name: 'Back to the files' })).not.toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Leave full screen' })).toBeVisible();
    press('Escape');
    expect(screen.getByRole('link', { name: 'Back to the files' })).toBeVisible();
    expect(address()).toBe('/zones/7/files/12');
  });
});

it('Escape closes the menu, and nothing behind it', async () => {
  const { address } = await open();
  const summary = screen.getByLabelText('More');
  const menu = summary.closest('details')!;
  menu.open = true;
  press('Escape', {}, summary);
  expect(menu.open).toBe(false);
  expect(address()).toBe('/zones/7/files/12');
  press('Escape', {}, summary);
  expect(address()).toBe('/zones/7/folders/3?item=file-12');
});

it('on a phone one zooms in the menu as often as one likes, and it stays open', async () => {
  const wide = window.matchMedia;
  jest
    .spyOn(window, 'matchMedia')
    .mockImplementation((query) => ({ ...wide(query), matches: /max-width/.test(query) }));
  await open();
  const menu = screen.getByLabelText('More').closest('details')!;
  menu.open = true;
  for (let times = 0; times < 2; times++) fireEvent.click(screen.getByRole('button', { name: 'Zoom In' }));
  expect(list()).toHaveStyle({ width: '600px' });
  expect(menu.open).toBe(true);
  fireEvent.click(screen.getByRole('button', { name: 'Fit to Width' }));
  expect(list()).toHaveStyle({ width: '400px' });
  fireEvent.click(screen.getByRole('button', { name: 'Rotate' }));
  expect(menu.open).toBe(false);
});

it('on a phone no keys are listed, which it has not', async () => {
  const wide = window.matchMedia;
  jest
    .spyOn(window, 'matchMedia')
    .mockImplementation((query) => ({ ...wide(query), matches: /max-width/.test(query) }));
  await open();
  expect(screen.getByRole('button', { name: 'Rotate', hidden: true })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Keyboard shortcuts', hidden: true })).not.toBeInTheDocument();
});

describe('taps on a page', () => {
  const finger = (x: number, y: number) => ({ clientX: x, clientY: y, identifier: 1, target: list() });
  const send = (event: Event, at: number) =>
    fireEvent(list(), Object.defineProperty(event, 'timeStamp', { value: at, configurable: true }));
  /** A finger that goes down at a time, in milliseconds, and up 50 ms later, perhaps at another place. */
  function tap(at: number, [x, y] = [100, 100], [toX, toY] = [x!, y!]) {
    send(createEvent.touchStart(list(), { touches: [finger(x!, y!)] }), at);
    send(createEvent.touchEnd(list(), { touches: [], changedTouches: [finger(toX!, toY!)] }), at + 50);
  }

  it('bring it near when they are two, and back to the width', async () => {
    await open();
    tap(1000);
    expect(list()).toHaveStyle({ width: '400px' });
    tap(1150, [108, 96]);
    expect(list()).toHaveStyle({ width: '800px' });
    tap(3000);
    tap(3150);
    expect(list()).toHaveStyle({ width: '400px' });
  });

  it('that are slow, apart, or scroll do nothing', async () => {
    await open();
    tap(1000);
    tap(1600);
    tap(5000);
    tap(5150, [100, 300]);
    tap(9000, [100, 100], [100, 180]);
    tap(9150, [100, 180]);
    expect(list()).toHaveStyle({ width: '400px' });
  });
});

describe('a document page by page', () => {
  it('shows one page, turned by keys and buttons, and goes on where one was', async () => {
    const { user, address } = await open();
    await user.click(screen.getByRole('button', { name: 'Page by Page' }));
    expect(within(list()).getAllByRole('listitem')).toHaveLength(1);
    press('ArrowRight');
    expect(await screen.findByAltText('Page 2')).toBeVisible();
    expect(address()).toContain('/files/12');
    await user.click(screen.getByRole('button', { name: 'Next Page' }));
    await waitFor(() => expect(field()).toHaveValue('3'));
    expect(screen.getByText('Page 3 of 30')).toHaveAttribute('role', 'status');
    expect(address()).toBe('/zones/7/files/12?page=3');
    press('End');
    await waitFor(() => expect(field()).toHaveValue('30'));
    expect(screen.getByRole('button', { name: 'Next Page' })).toBeDisabled();
    press('Home');
    await waitFor(() => expect(field()).toHaveValue('1'));
    expect(localStorage.getItem('zonary.reader.flow')).toBe('single');
  });
});

describe('the strip of small pages', () => {
  it('shows those in view by pictures that count as no view, and leads to a page', async () => {
    jest.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600);
    const { user } = await open();
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

  it('asks again for what did not come, after a pause or once there is a network again', async () => {
    jest.useFakeTimers({ advanceTimers: true });
    jest.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600);
    localStorage.setItem('zonary.reader.strip', 'open');
    await open();
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

  it('lies over what is read on a phone, so it goes once one has chosen, and does not come by itself', async () => {
    const wide = window.matchMedia;
    jest
      .spyOn(window, 'matchMedia')
      .mockImplementation((query) => ({ ...wide(query), matches: /max-width/.test(query) }));
    localStorage.setItem('zonary.reader.strip', 'open');
    const { user } = await open();
    expect(screen.queryByRole('navigation', { name: 'Thumbnails' })).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Pages and Contents', pressed: false }));
    await user.click(screen.getByRole('button', { name: 'Go to page 2' }));
    expect(screen.queryByRole('navigation', { name: 'Thumbnails' })).not.toBeInTheDocument();
  });
});

it('what is no document has no zoom, but the whole screen', async () => {
  serveDocument({ 'GET /api/files/12': [200, someFile(12, 'Wheel.png', { mimeType: 'image/png' })] });
  await renderProduct('/zones/7/files/12');
  expect(await screen.findByRole('img', { name: 'Wheel.png' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Zoom In' })).not.toBeInTheDocument();
  // The browser's own zoom is what there is.
  expect(press('+', { ctrlKey: true })).toBe(true);
  press('f');
  expect(screen.getByRole('button', { name: 'Leave full screen' })).toBeVisible();
});

it('the surroundings that somebody has chosen stay', async () => {
  const { user, container } = await open();
  const around = () => container.querySelector('[data-around]')?.getAttribute('data-around');
  expect(around()).toBe('paper');
  await user.click(screen.getByRole('button', { name: 'Sepia' }));
  expect(around()).toBe('sepia');
  expect(localStorage.getItem('zonary.reader.around')).toBe('sepia');
});
