import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { drawnPages, pretendWidth, serveDocument } from '../../../../test/documents';
import { renderProduct } from '../../../../test/render';

const outline = [
  { title: 'Colours', page: 1, level: 1 },
  { title: 'Warm ones', page: 4, level: 2 },
  { title: 'Sources', page: null, level: 1 },
  { title: 'Brushes', page: 12, level: 1 },
];
const contents = () => screen.getByRole('navigation', { name: 'Contents' });
const chapter = (name: string) => within(contents()).getByRole('button', { name });

async function open(query = '', entries: object[] = outline) {
  serveDocument({ 'GET /api/files/12/pages': [200, { ...drawnPages(30), outline: entries }] });
  const shown = await renderProduct(`/zones/7/files/12${query}`);
  await screen.findByLabelText('Page, out of 30');
  return shown;
}

const onPhone = () => {
  const wide = window.matchMedia;
  jest
    .spyOn(window, 'matchMedia')
    .mockImplementation((query) => ({ ...wide(query), matches: /max-width/.test(query) }));
};

beforeEach(() => {
  localStorage.clear();
  pretendWidth(400);
  window.scrollTo = jest.fn();
  Element.prototype.scrollTo = jest.fn();
  Element.prototype.scrollBy = jest.fn();
});
afterEach(() => jest.restoreAllMocks());

describe('the contents of a document', () => {
  it('stand beside the small pages, by tabs that the arrows change, and are remembered', async () => {
    localStorage.setItem('zonary.reader.strip', 'open');
    const { user } = await open();
    const tab = (name: string) => screen.getByRole('tab', { name });
    expect(tab('Pages')).toHaveAttribute('aria-selected', 'true');
    expect(screen.getByRole('tabpanel', { name: 'Pages' })).toContainElement(
      screen.getByRole('navigation', { name: 'Thumbnails' }),
    );
    await user.click(tab('Pages'));
    await user.keyboard('{ArrowRight}');
    expect(tab('Contents')).toHaveFocus();
    expect(screen.getByRole('tabpanel', { name: 'Contents' })).toContainElement(contents());
    expect(localStorage.getItem('zonary.reader.side')).toBe('contents');
    await user.keyboard('{ArrowLeft}');
    expect(tab('Pages')).toHaveFocus();
    expect(screen.queryByRole('navigation', { name: 'Contents' })).not.toBeInTheDocument();
  });

  it('are nested, lead to their pages, by arrows too, and mark the chapter that is read', async () => {
    localStorage.setItem('zonary.reader.strip', 'open');
    localStorage.setItem('zonary.reader.side', 'contents');
    localStorage.setItem('zonary.reader.flow', 'single');
    const { user } = await open('?page=5');
    await waitFor(() => expect(chapter('Warm ones Page 4')).toHaveAttribute('aria-current', 'location'));
    expect(chapter('Colours Page 1')).not.toHaveAttribute('aria-current');
    expect(chapter('Warm ones Page 4').closest('ul')!.closest('li')).toContainElement(chapter('Colours Page 1'));
    expect(within(contents()).getByText('Sources').closest('button')).toBeNull();
    chapter('Colours Page 1').focus();
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}');
    expect(chapter('Brushes Page 12')).toHaveFocus();
    await user.keyboard('{Home}{ArrowUp}');
    expect(chapter('Colours Page 1')).toHaveFocus();
    await user.keyboard('{End}{Enter}');
    await waitFor(() => expect(screen.getByLabelText('Page, out of 30')).toHaveValue('12'));
    expect(chapter('Brushes Page 12')).toHaveAttribute('aria-current', 'location');
    expect(chapter('Brushes Page 12')).toHaveFocus();
  });

  it('are none of a document without an outline', async () => {
    localStorage.setItem('zonary.reader.strip', 'open');
    localStorage.setItem('zonary.reader.side', 'contents');
    await open('', []);
    expect(screen.getByRole('navigation', { name: 'Thumbnails' })).toBeVisible();
    expect(screen.queryByRole('tab')).not.toBeInTheDocument();
  });
});

it('on a phone Escape closes what lies over the pages, and nothing behind it', async () => {
  onPhone();
  const { user, address } = await open();
  await user.click(screen.getByRole('button', { name: 'Pages and Contents', pressed: false }));
  fireEvent.keyDown(screen.getByRole('button', { name: 'Go to page 1' }), { key: 'Escape' });
  expect(screen.queryByRole('navigation', { name: 'Thumbnails' })).not.toBeInTheDocument();
  expect(screen.getByLabelText('More')).toHaveFocus();
  expect(address()).toBe('/zones/7/files/12');
  fireEvent.keyDown(document.body, { key: 'Escape' });
  await waitFor(() => expect(address()).toBe('/zones/7/folders/3?item=file-12'));
});
