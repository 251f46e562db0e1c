import { pretendApi, someone, type Answer } from './api';
import { someZone } from './zones';

export const fileRights = { view: true, download: true, text: false, rename: false, allowDownload: false };

/** A file of zone 7, in its folder 3. */
export const someFile = (id: number, originalName: string, changes: object = {}) => ({
  ...{ id, originalName, size: 2048, zoneId: 7, folderId: 3, mimeType: 'application/pdf', viewable: true },
  ...{ can: fileRights, createdAt: '2026-11-20T10:00:00.000Z', updatedAt: '2026-11-20T10:00:00.000Z', ...changes },
});

/** A document of pages of A4 that is drawn. */
export const drawnPages = (count: number) => ({
  ...{ state: 'ready', failure: null, count },
  pages: Array.from({ length: count }, () => ({ width: 595, height: 842 })),
  outline: [],
  hidden: null,
  attachments: [],
});

/** Zone 7 with the document 12 of 30 pages, between two other files. */
export function serveDocument(more: Record<string, Answer> = {}) {
  return pretendApi({
    'GET /api/user': [200, someone()],
    'GET /api/zones/7': [200, someZone()],
    'GET /api/files/12': [200, someFile(12, 'Course.pdf')],
    'GET /api/files/12/pages': [200, drawnPages(30)],
    'GET /api/zones/7/files': [200, [someFile(11, 'A.pdf'), someFile(12, 'Course.pdf'), someFile(13, 'Z.pdf')]],
    ...more,
  });
}

class Watching {
  observe() {}
  unobserve() {}
  disconnect() {}
}

/** jsdom lays nothing out: all is as wide as this. */
export function pretendWidth(pixels: number): void {
  jest.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(pixels);
  globalThis.ResizeObserver = Watching;
}
