import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { makeDocumentPages, mockElementWidth, mockDocumentApi } from '../../../../test/documents';
import { renderApp } from '../../../../test/render';

const outline = [
  { title: 'Colours', page: 1, level: 1 },
  { title: 'Warm ones', page: 4, level: 2 },
  { title: 'Sources', page: null, level: 1 },
  { title: 'Brushes', page: 12, level: 1 },
];
const getContents = () => screen.getByRole('navigation', { name: 'Contents' });
const getChapter = (name: string) => within(getContents()).getByRole('button', { name });

async function openReader(query = '', entries: object[] = outline) {
  mockDocumentApi({ 'GET /api/files/12/pages': [200, { ...makeDocumentPages(30), outline: entries }] });
  const rendered = await renderApp(`/zones/7/files/12${query}`);
  await screen.findByLabelText('Page, out of 30');
  return rendered;
}

const mockPhone = () => {
  const originalMatchMedia = window.matchMedia;
  jest
    .spyOn(window, 'matchMedia')
    .mockImplementation((query) => ({ ...originalMatchMedia(query), matches: /max-width/.test(query) }));
};

beforeEach(() => {
  localStorage.clear();
  mockElementWidth(400);
  window.scrollTo = jest.fn();
  Element.prototype.scrollTo = jest.fn();
  Element.prototype.scrollBy = jest.fn();
});
afterEach(() => jest.restoreAllMocks());

describe('Contents of a document', () => {
  it('appear next to the thumbnails in keyboard-accessible tabs and are remembered', async () => {
    localStorage.setItem('zonary.reader.strip', 'open');
    const { user } = await openReader();
    const getTab = (name: string) => screen.getByRole('tab', { name });
    expect(getTab('Pages')).toHaveAttribute('aria-selected', 'true');
    expect(screen.getByRole('tabpanel', { name: 'Pages' })).toContainElement(
      screen.getByRole('navigation', { name: 'Thumbnails' }),
    );
    await user.click(getTab('Pages'));
    await user.keyboard('{ArrowRight}');
    expect(getTab('Contents')).toHaveFocus();
    expect(screen.getByRole('tabpanel', { name: 'Contents' })).toContainElement(getContents());
    expect(localStorage.getItem('zonary.reader.side')).toBe('contents');
    await user.keyboard('{ArrowLeft}');
    expect(getTab('Pages')).toHaveFocus();
    expect(screen.queryByRole('navigation', { name: 'Contents' })).not.toBeInTheDocument();
  });

  it('are nested, lead to their pages and mark the current chapter', async () => {
    localStorage.setItem('zonary.reader.strip', 'open');
    localStorage.setItem('zonary.reader.side', 'contents');
    localStorage.setItem('zonary.reader.flow', 'single');
    const { user } = await openReader('?page=5');
    await waitFor(() => expect(getChapter('Warm ones Page 4')).toHaveAttribute('aria-current', 'location'));
    expect(getChapter('Colours Page 1')).not.toHaveAttribute('aria-current');
    expect(getChapter('Warm ones Page 4').closest('ul')!.closest('li')).toContainElement(getChapter('Colours Page 1'));
    expect(within(getContents()).getByText('Sources').closest('button')).toBeNull();
    getChapter('Colours Page 1').focus();
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}');
    expect(getChapter('Brushes Page 12')).toHaveFocus();
    await user.keyboard('{Home}{ArrowUp}');
    expect(getChapter('Colours Page 1')).toHaveFocus();
    await user.keyboard('{End}{Enter}');
    await waitFor(() => expect(screen.getByLabelText('Page, out of 30')).toHaveValue('12'));
    expect(getChapter('Brushes Page 12')).toHaveAttribute('aria-current', 'location');
    expect(getChapter('Brushes Page 12')).toHaveFocus();
  });

  it('are not shown for a document without an outline', async () => {
    localStorage.setItem('zonary.reader.strip', 'open');
    localStorage.setItem('zonary.reader.side', 'contents');
    await openReader('', []);
    expect(screen.getByRole('navigation', { name: 'Thumbnails' })).toBeVisible();
    expect(screen.queryByRole('tab')).not.toBeInTheDocument();
  });
});

it('closes only the overlay on Escape on a phone', async () => {
  mockPhone();
  const { user, address } = await openReader();
  await user.click(screen.getByRole('button', { name: 'Pages and Contents', pressed: false }));
  fireEvent.keyDown(screen.getByRole('button', { name: 'Go to page 1' }), { key: 'Escape' });
  expect(screen.queryByRole('navigation', { name: 'Thumbnails' })).not.toBeInTheDocument();
  expect(screen.getByLabelText('More')).toHaveFocus();
  expect(address()).toBe('/zones/7/files/12');
  fireEvent.keyDown(document.body, { key: 'Escape' });
  await waitFor(() => expect(address()).toBe('/zones/7/folders/3?item=file-12'));
});
