import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fireEvent, screen } from '@testing-library/react';
import { renderPiece } from '../../../test/render';
import { DownloadLinks } from './download-links';

jest.mock('./download', () => ({ getDownload: jest.fn() }));
const { getDownload } = jest.requireMock<{ getDownload: jest.Mock }>('./download');

const piece = (
  <>
    <DownloadLinks />
    <a href="/api/zones/7/members/export?all=1" download>
      <span>Export CSV</span>
    </a>
    <a href="/zones/7" download>
      Page
    </a>
  </>
);

beforeEach(() => getDownload.mockClear());

describe('a link that downloads from the API', () => {
  it.each([
    ['a click', 'click', {}],
    ['a click for another tab', 'click', { ctrlKey: true }],
    ['one with Command', 'click', { metaKey: true }],
    ['one for another window', 'click', { shiftKey: true }],
    ['the middle button', 'auxclick', { button: 1 }],
  ])('is followed by the page itself upon %s, so that a refusal can be told', async (_, kind, options) => {
    await renderPiece(piece);
    const event = new MouseEvent(kind, { bubbles: true, cancelable: true, ...options });
    fireEvent(screen.getByText('Export CSV'), event);
    expect(event.defaultPrevented).toBe(true);
    expect(getDownload).toHaveBeenCalledWith('/api/zones/7/members/export?all=1', expect.any(Function));
  });

  it('leaves other links and the menu of the right button to the browser', async () => {
    await renderPiece(piece);
    fireEvent.click(screen.getByText('Page'));
    fireEvent(screen.getByText('Export CSV'), new MouseEvent('auxclick', { bubbles: true, button: 2 }));
    expect(getDownload).not.toHaveBeenCalled();
  });
});

/** Where a link leads to the API, by its way of being written. */
const toApi = /href=\{?(?:[`"']\/api\/|downloadAddress\(|csv\})/g;
/** It is a page to be read. */
const read = '"/api/docs"';

it('every link to the API says that it downloads, and so is treated in this one way', () => {
  const source = join(__dirname, '../..');
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /(?<!spec)\.tsx$/.test(path),
  );
  const links = files.flatMap((path) => {
    const text = readFileSync(join(source, path), 'utf8');
    return [...text.matchAll(toApi)].map(({ index }) => ({ path, tag: tagAround(text, index) }));
  });
  expect(links.length).toBeGreaterThan(8);
  const careless = links.filter(({ tag }) => !tag.includes(read) && !/\sdownload[\s>=]/.test(tag));
  expect(careless).toEqual([]);
});

/** From its opening bracket to what closes it; an arrow's is none. */
function tagAround(text: string, at: number): string {
  const begin = text.lastIndexOf('<', at);
  const end = text.slice(at).search(/[^=]>/);
  return text.slice(begin, at + end + 2);
}
