import { act, screen, waitFor } from '@testing-library/react';
import { notSignedIn, pretendApi, refusal, someone, type Answer } from '../../../../test/api';
import { renderProduct } from '../../../../test/render';
import { someZone } from '../../../../test/zones';

const can = { view: true, download: true, rename: false, allowDownload: false };
const file = {
  ...{
    id: 12,
    originalName: 'Notes.txt',
    size: 5,
    zoneId: 7,
    folderId: null,
    mimeType: 'text/plain',
    viewable: true,
    can,
  },
  ...{ createdAt: '2026-11-20T10:00:00.000Z', updatedAt: '2026-11-20T10:00:00.000Z' },
};
const notFound = refusal(404, 'FILE_NOT_FOUND', 'File not found');

/** The stream as the browser holds it. */
class Stream extends EventTarget {
  static readonly CLOSED = 2;
  static all: Stream[] = [];
  readyState = 1;
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;

  constructor(readonly url: string) {
    super();
    Stream.all.push(this);
  }

  close(): void {
    this.readyState = Stream.CLOSED;
  }

  /** The server refused it: the browser does not ask again. */
  refuse(): void {
    this.close();
    act(() => this.onerror?.());
  }

  tell(name: string): void {
    act(() => void this.dispatchEvent(new Event(name)));
  }
}

const open = () => Stream.all.filter(({ readyState }) => readyState !== Stream.CLOSED);
const look = (state: 'visible' | 'hidden') => {
  jest.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
};

function serve(more: Record<string, Answer> = {}) {
  return pretendApi({
    'GET /api/user': [200, someone()],
    'GET /api/zones/7': [200, someZone()],
    'GET /api/files/12': [200, file],
    'GET /api/files/12/view': [200, 'light'],
    'GET /api/zones/7/files': [200, [file]],
    ...more,
  });
}

async function read() {
  await renderProduct('/zones/7/files/12');
  expect(await screen.findByRole('document', { name: 'Notes.txt' })).toBeVisible();
  await waitFor(() => expect(open()).toHaveLength(1));
}

beforeEach(() => {
  Stream.all = [];
  Object.assign(globalThis, { EventSource: Stream });
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => void delete (globalThis as { EventSource?: unknown }).EventSource);

describe('an open reader', () => {
  it('closes when it is told that the file is not theirs any more, and leads on', async () => {
    const server = serve();
    await read();
    expect(open()[0]!.url).toBe('/api/files/12/watch');
    server.answer('GET /api/files/12', notFound);
    server.answer('GET /api/zones/7/files', notFound);
    open()[0]!.tell('gone');
    expect(screen.getByRole('alert')).toHaveTextContent('This file is no longer shared with you');
    expect(screen.getByRole('link', { name: 'Go to Your Home Page' })).toHaveAttribute('href', '/');
    expect(document.body).not.toHaveTextContent('Notes.txt');
    expect(document.title).not.toContain('Notes.txt');
    expect(open()).toHaveLength(0);
    await waitFor(() => expect(server.callsOf('GET /api/files/12')).toHaveLength(2));
    expect(screen.getByRole('alert')).toHaveTextContent('This file is no longer shared with you');
  });

  it('holds a stream only while somebody looks', async () => {
    serve();
    await read();
    look('hidden');
    expect(open()).toHaveLength(0);
    look('visible');
    expect(open()).toHaveLength(1);
    expect(Stream.all).toHaveLength(2);
  });

  it('gives way to ten others, until it is looked at again', async () => {
    serve();
    await read();
    open()[0]!.tell('replaced');
    expect(open()).toHaveLength(0);
    look('visible');
    expect(open()).toHaveLength(1);
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  it.each([403, 404])('closes when the stream is refused because the file is not theirs: %s', async (status) => {
    const server = serve();
    await read();
    server.answer('GET /api/files/12', refusal(status, 'FILE_NOT_FOUND', 'File not found'));
    open()[0]!.refuse();
    expect(await screen.findByRole('alert')).toHaveTextContent('This file is no longer shared with you');
  });

  it('stays open when the stream is refused for another reason, and asks again after a pause that grows', async () => {
    const server = serve();
    await read();
    const waiting: [after: number, then: () => void][] = [];
    const usual = window.setTimeout;
    // Only what the stream waits for, which is let go by hand.
    window.setTimeout = ((then: () => void, after?: number) =>
      [2000, 5000].includes(after!) ? waiting.push([after!, then]) : usual(then, after)) as typeof setTimeout;
    const pauses = () => waiting.map(([after]) => after);
    const again = () => waiting.at(-1)![1]();
    server.answer('GET /api/files/12', refusal(503, 'BUSY', 'Please try again.'));
    open()[0]!.refuse();
    await waitFor(() => expect(pauses()).toEqual([2000]));
    again();
    expect(open()).toHaveLength(1);
    open()[0]!.refuse();
    await waitFor(() => expect(pauses()).toEqual([2000, 5000]));
    window.setTimeout = usual;
    expect(screen.getByRole('document', { name: 'Notes.txt' })).toBeVisible();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  it('asks to sign in where the session ended, with nothing of the file behind', async () => {
    const server = serve();
    await read();
    server.answer('GET /api/files/12', notSignedIn);
    open()[0]!.tell('gone');
    expect(await screen.findByRole('dialog')).toBeVisible();
    expect(document.body).not.toHaveTextContent('Notes.txt');
  });
});
