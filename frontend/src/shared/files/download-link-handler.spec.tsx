import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fireEvent, screen } from '@testing-library/react';
import { renderComponent } from '../../../test/render';
import { DownloadLinkHandler } from './download-link-handler';

jest.mock('./download', () => ({ startDownload: jest.fn() }));
const { startDownload } = jest.requireMock<{ startDownload: jest.Mock }>('./download');

const sampleLinks = (
  <>
    <DownloadLinkHandler />
    <a href="/api/zones/7/members/export?all=1" download>
      <span>Download CSV</span>
    </a>
    <a href="/zones/7" download>
      Page
    </a>
  </>
);

beforeEach(() => startDownload.mockClear());

describe('Download link handler', () => {
  it.each([
    ['a click', 'click', {}],
    ['a click that opens another tab', 'click', { ctrlKey: true }],
    ['a click with Command', 'click', { metaKey: true }],
    ['a click that opens another window', 'click', { shiftKey: true }],
    ['the middle button', 'auxclick', { button: 1 }],
  ])('handles %s itself so that errors can be shown', async (_, kind, options) => {
    await renderComponent(sampleLinks);
    const event = new MouseEvent(kind, { bubbles: true, cancelable: true, ...options });
    fireEvent(screen.getByText('Download CSV'), event);
    expect(event.defaultPrevented).toBe(true);
    expect(startDownload).toHaveBeenCalledWith('/api/zones/7/members/export?all=1', expect.any(Function));
  });

  it('leaves other links and the context menu to the browser', async () => {
    await renderComponent(sampleLinks);
    fireEvent.click(screen.getByText('Page'));
    fireEvent(screen.getByText('Download CSV'), new MouseEvent('auxclick', { bubbles: true, button: 2 }));
    expect(startDownload).not.toHaveBeenCalled();
  });
});

/** Links to the API, by how they are written in the source. */
const API_LINK_PATTERN = /href=\{?(?:[`"']\/api\/|downloadUrl\(|csvUrl\})/g;
/** An HTML page, not a download. */
const API_DOCS_URL = '"/api/docs"';

it('requires the download attribute on every link to the API', () => {
  const source = join(__dirname, '../..');
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /(?<!spec)\.tsx$/.test(path),
  );
  const links = files.flatMap((path) => {
    const text = readFileSync(join(source, path), 'utf8');
    return [...text.matchAll(API_LINK_PATTERN)].map(({ index }) => ({ path, tag: tagAround(text, index) }));
  });
  expect(links.length).toBeGreaterThan(8);
  const linksWithoutDownload = links.filter(({ tag }) => !tag.includes(API_DOCS_URL) && !/\sdownload[\s>=]/.test(tag));
  expect(linksWithoutDownload).toEqual([]);
});

/** Returns the JSX tag around an index, ignoring the `>` of arrow functions. */
function tagAround(text: string, index: number): string {
  const start = text.lastIndexOf('<', index);
  const end = text.slice(index).search(/[^=]>/);
  return text.slice(start, index + end + 2);
}
