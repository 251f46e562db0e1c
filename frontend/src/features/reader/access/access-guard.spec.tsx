import { act, screen, waitFor } from '@testing-library/react';
import { notSignedInResponse, mockApi, errorResponse, makeUser, type MockResponse } from '../../../../test/api';
import { renderApp } from '../../../../test/render';
import { makeZone } from '../../../../test/zones';

const can = { view: true, download: true, rename: false, allowDownload: false };
const file = {
  id: 12,
  originalName: 'Notes.txt',
  size: 5,
  zoneId: 7,
  folderId: null,
  mimeType: 'text/plain',
  viewable: true,
  can,
  createdAt: '2026-11-20T10:00:00.000Z',
  updatedAt: '2026-11-20T10:00:00.000Z',
};
const notFound = errorResponse(404, 'FILE_NOT_FOUND', 'File not found');

/** Fake `EventSource` controlled by the test. */
class FakeEventSource extends EventTarget {
  static readonly CLOSED = 2;
  static instances: FakeEventSource[] = [];
  readyState = 1;
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;

  constructor(readonly url: string) {
    super();
    FakeEventSource.instances.push(this);
  }

  close(): void {
    this.readyState = FakeEventSource.CLOSED;
  }

  /** Simulates a rejected stream: the browser doesn't reconnect. */
  simulateRejection(): void {
    this.close();
    act(() => this.onerror?.());
  }

  simulateEvent(name: string): void {
    act(() => void this.dispatchEvent(new Event(name)));
  }
}

const openStreams = () => FakeEventSource.instances.filter(({ readyState }) => readyState !== FakeEventSource.CLOSED);
const setVisibility = (state: 'visible' | 'hidden') => {
  jest.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
};

function mockServer(more: Record<string, MockResponse> = {}) {
  return mockApi({
    'GET /api/user': [200, makeUser()],
    'GET /api/zones/7': [200, makeZone()],
    'GET /api/files/12': [200, file],
    'GET /api/files/12/view': [200, 'light'],
    'GET /api/zones/7/files': [200, [file]],
    ...more,
  });
}

async function openReader() {
  await renderApp('/zones/7/files/12');
  expect(await screen.findByRole('document', { name: 'Notes.txt' })).toBeVisible();
  await waitFor(() => expect(openStreams()).toHaveLength(1));
}

beforeEach(() => {
  FakeEventSource.instances = [];
  Object.assign(globalThis, { EventSource: FakeEventSource });
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => void delete (globalThis as { EventSource?: unknown }).EventSource);

describe('Access guard of the reader', () => {
  it('hides the file and links to the home page when access is revoked', async () => {
    const server = mockServer();
    await openReader();
    expect(openStreams()[0]!.url).toBe('/api/files/12/watch');
    server.setResponse('GET /api/files/12', notFound);
    server.setResponse('GET /api/zones/7/files', notFound);
    openStreams()[0]!.simulateEvent('gone');
    expect(screen.getByRole('alert')).toHaveTextContent('This file is no longer shared with you');
    expect(screen.getByRole('link', { name: 'Go to the Dashboard' })).toHaveAttribute('href', '/');
    expect(document.body).not.toHaveTextContent('Notes.txt');
    expect(document.title).not.toContain('Notes.txt');
    expect(openStreams()).toHaveLength(0);
    await waitFor(() => expect(server.callsTo('GET /api/files/12')).toHaveLength(2));
    expect(screen.getByRole('alert')).toHaveTextContent('This file is no longer shared with you');
  });

  it('keeps the event stream open only while the page is visible', async () => {
    mockServer();
    await openReader();
    setVisibility('hidden');
    expect(openStreams()).toHaveLength(0);
    setVisibility('visible');
    expect(openStreams()).toHaveLength(1);
    expect(FakeEventSource.instances).toHaveLength(2);
  });

  it('closes when replaced by newer streams and reopens when the page becomes visible', async () => {
    mockServer();
    await openReader();
    openStreams()[0]!.simulateEvent('replaced');
    expect(openStreams()).toHaveLength(0);
    setVisibility('visible');
    expect(openStreams()).toHaveLength(1);
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  it.each([403, 404])('hides the file when the stream is rejected for missing access: %s', async (status) => {
    const server = mockServer();
    await openReader();
    server.setResponse('GET /api/files/12', errorResponse(status, 'FILE_NOT_FOUND', 'File not found'));
    openStreams()[0]!.simulateRejection();
    expect(await screen.findByRole('alert')).toHaveTextContent('This file is no longer shared with you');
  });

  it('keeps the file open on other stream errors and reconnects with growing delays', async () => {
    const server = mockServer();
    await openReader();
    const scheduledRetries: [after: number, then: () => void][] = [];
    const originalSetTimeout = window.setTimeout;
    // Captures only the reconnect timers, which the test fires by hand.
    window.setTimeout = ((then: () => void, after?: number) =>
      [2000, 5000].includes(after!)
        ? scheduledRetries.push([after!, then])
        : originalSetTimeout(then, after)) as typeof setTimeout;
    const getDelays = () => scheduledRetries.map(([after]) => after);
    const runLastRetry = () => scheduledRetries.at(-1)![1]();
    server.setResponse('GET /api/files/12', errorResponse(503, 'BUSY', 'Please try again.'));
    openStreams()[0]!.simulateRejection();
    await waitFor(() => expect(getDelays()).toEqual([2000]));
    runLastRetry();
    expect(openStreams()).toHaveLength(1);
    openStreams()[0]!.simulateRejection();
    await waitFor(() => expect(getDelays()).toEqual([2000, 5000]));
    window.setTimeout = originalSetTimeout;
    expect(screen.getByRole('document', { name: 'Notes.txt' })).toBeVisible();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  it('asks to sign in on an expired session and hides the file', async () => {
    const server = mockServer();
    await openReader();
    server.setResponse('GET /api/files/12', notSignedInResponse);
    openStreams()[0]!.simulateEvent('gone');
    expect(await screen.findByRole('dialog')).toBeVisible();
    expect(document.body).not.toHaveTextContent('Notes.txt');
  });
});
