import { mockApi, makeUser, type MockResponse } from './api';
import { makeZone } from './zones';

export const fileAbilities = { view: true, download: true, text: false, rename: false, allowDownload: false };

/** A file in folder 3 of zone 7. */
export const makeFile = (id: number, originalName: string, changes: object = {}) => ({
  id,
  originalName,
  size: 2048,
  zoneId: 7,
  folderId: 3,
  mimeType: 'application/pdf',
  viewable: true,
  can: fileAbilities,
  createdAt: '2026-11-20T10:00:00.000Z',
  updatedAt: '2026-11-20T10:00:00.000Z',
  ...changes,
});

/** The pages of a rendered A4 document. */
export const makeDocumentPages = (pageCount: number) => ({
  state: 'ready',
  failure: null,
  count: pageCount,
  pages: Array.from({ length: pageCount }, () => ({ width: 595, height: 842 })),
  outline: [],
  hidden: null,
  attachments: [],
  recordsReading: false,
});

export const noPosition = { page: null, fraction: 0, seconds: null, updatedAt: null };

/** Zone 7 with document 12 of 30 pages, between two other files. */
export function mockDocumentApi(extraResponses: Record<string, MockResponse> = {}) {
  return mockApi({
    'GET /api/user': [200, makeUser()],
    'GET /api/zones/7': [200, makeZone()],
    'GET /api/files/12': [200, makeFile(12, 'Course.pdf')],
    'GET /api/files/12/pages': [200, makeDocumentPages(30)],
    'GET /api/files/12/position': [200, noPosition],
    'POST /api/files/12/position': [204],
    'GET /api/zones/7/files': [200, [makeFile(11, 'A.pdf'), makeFile(12, 'Course.pdf'), makeFile(13, 'Z.pdf')]],
    ...extraResponses,
  });
}

class ResizeObserverStub {
  observe() {}
  unobserve() {}
  disconnect() {}
}

/** jsdom has no layout, so every element gets this width. */
export function mockElementWidth(pixels: number): void {
  jest.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(pixels);
  globalThis.ResizeObserver = ResizeObserverStub;
}
