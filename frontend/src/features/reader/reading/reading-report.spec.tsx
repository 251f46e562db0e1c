import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { errorResponse, mockApi, type MockResponse } from '../../../../test/api';
import { makeDocumentPages, makeFile, mockDocumentApi, mockElementWidth } from '../../../../test/documents';
import { renderApp } from '../../../../test/render';
import type { Schema } from '../../../shared/api/client';
import { reportReading, type ReportResult } from '../source/keepalive-requests';
import { ReadingReport } from './reading-report';

type Batch = Schema<'ReadingBatchDto'>;

const REPORT = 'POST /api/files/12/pages/reading';

afterEach(() => jest.restoreAllMocks());

const secondsOf = ({ entries }: Batch) => entries.map(({ page, ms }) => [page, Math.floor(ms / 1000)]);

describe('ReadingReport', () => {
  /** Milliseconds. */
  let now = 0;
  beforeEach(() => {
    now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });

  function renderReport(result: ReportResult) {
    const batches: Batch[] = [];
    const report = (_: number, batch: Batch) => {
      batches.push(batch);
      return Promise.resolve(result);
    };
    const element = (page: number) => <ReadingReport report={report} fileId={12} version={3} page={page} />;
    const { rerender, unmount } = render(element(1));
    return { batches, unmount, goToPage: (page: number) => rerender(element(page)) };
  }
  /** Reads for some seconds and leaves the page, then returns. */
  const readAndLeave = async (seconds: number) => {
    now += 1000 * seconds;
    fireEvent(window, new Event('pagehide'));
    // The result of the report arrives.
    await act(() => Promise.resolve());
    now += 60_000;
    fireEvent(window, new Event('pageshow'));
  };

  it('sends the time of each page when the reader leaves the page, and when they close the document', async () => {
    const { batches, unmount, goToPage } = renderReport('recorded');
    now += 5000;
    goToPage(2);
    await readAndLeave(7);
    now += 3000;
    unmount();
    expect(batches.map(secondsOf)).toEqual([
      [
        [1, 5],
        [2, 7],
      ],
      [[2, 3]],
    ]);
    expect(batches[0]).toMatchObject({ batch: expect.stringMatching(/^[0-9a-f-]{36}$/), version: 3 });
    expect(batches[1]!.batch).not.toBe(batches[0]!.batch);
  });

  it('adds times that were lost to the next batch', async () => {
    const { batches } = renderReport('lost');
    await readAndLeave(5);
    await readAndLeave(6);
    expect(batches.map(secondsOf)).toEqual([[[1, 5]], [[1, 11]]]);
  });

  it('ends where nothing is recorded', async () => {
    const { batches, unmount } = renderReport('ended');
    await readAndLeave(5);
    await readAndLeave(6);
    unmount();
    expect(batches.map(secondsOf)).toEqual([[[1, 5]]]);
  });
});

describe('reportReading', () => {
  const batch = { batch: '0b9f7f2e-6f0f-4d8e-9a6c-2f6f1f0d8a11', version: 3, entries: [{ page: 1, ms: 5000 }] };

  it.each<[ReportResult, MockResponse]>([
    ['recorded', [200, { isRecorded: true }]],
    ['ended', [200, { isRecorded: false }]],
    ['ended', errorResponse(409, 'FILE_CHANGED', 'Replaced')],
    ['lost', errorResponse(429, 'TOO_MANY_REQUESTS', 'Later')],
    ['lost', errorResponse(423, 'DOCUMENT_LOCKED', 'Locked')],
    ['lost', [503]],
  ])('is %s after %j', async (result, response) => {
    mockApi({ [REPORT]: response });
    expect(await reportReading(12, batch)).toBe(result);
  });

  it('is lost without a connection', async () => {
    globalThis.fetch = () => Promise.reject(new TypeError('Failed to fetch'));
    expect(await reportReading(12, batch)).toBe('lost');
  });
});

describe('Reader', () => {
  beforeEach(() => {
    localStorage.clear();
    // In this mode pages change without a layout, which jsdom doesn't have.
    localStorage.setItem('zonary.reader.flow', 'single');
    mockElementWidth(400);
    window.scrollTo = jest.fn();
  });

  it.each([
    ['reports reading', true, 1],
    ['reports nothing where the server records nothing', false, 0],
  ])('%s', async (_, recordsReading, count) => {
    const server = mockDocumentApi({
      'GET /api/files/12': [200, makeFile(12, 'Course.pdf', { version: 3 })],
      'GET /api/files/12/pages': [200, { ...makeDocumentPages(30), recordsReading }],
      [REPORT]: [200, { isRecorded: true }],
    });
    const { queries } = await renderApp('/zones/7/files/12');
    await screen.findByLabelText('Page, out of 30');
    await waitFor(() => expect(queries.isFetching()).toBe(0));
    fireEvent.click(screen.getByRole('button', { name: 'Next Page' }));
    await waitFor(() => expect(screen.getByLabelText('Page, out of 30')).toHaveValue('2'));
    const now = performance.now() + 5000;
    jest.spyOn(performance, 'now').mockReturnValue(now);
    fireEvent(window, new Event('pagehide'));
    // The position is sent at the same time.
    await waitFor(() => expect(server.callsTo('POST /api/files/12/position')).toHaveLength(1));
    await waitFor(() => expect(server.callsTo(REPORT)).toHaveLength(count));
    for (const { body, headers } of server.callsTo(REPORT)) {
      expect(body).toMatchObject({
        version: 3,
        entries: expect.arrayContaining([{ page: 2, ms: expect.any(Number) }]),
      });
      expect(headers.get('X-Account')).toBe('1');
    }
  });
});
