import { screen } from '@testing-library/react';
import { pretendApi, someone } from '../../../test/api';
import { renderProduct } from '../../../test/render';
import { someZone } from '../../../test/zones';
import type { StoredFile } from './entries';

const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

const file = (mimeType: string) =>
  ({
    ...{ id: 5, name: 'Score', originalName: 'Score', mimeType, size: 10, zoneId: 7 },
    ...{ viewCount: 0, downloadCount: 0, viewable: true, readOnly: false, allowDownload: true, allowText: true },
    ...{ createdAt: '2026-11-20T10:00:00.000Z', updatedAt: '2026-11-20T10:00:00.000Z' },
    ...{ thumbnailUrl: '/api/files/5/thumbnail', document: { state: 'ready', failure: null } },
    can: {
      view: true,
      download: true,
      rename: false,
      move: false,
      delete: false,
      allowDownload: false,
      seeOpenings: false,
    },
  }) as StoredFile;

async function thumbnail(mimeType: string, layout: 'grid' | 'list') {
  localStorage.setItem('zonary.files.view', layout);
  pretendApi({
    'GET /api/user': [200, someone()],
    'GET /api/zones/7': [200, someZone()],
    'GET /api/zones/7/folders': [200, []],
    'GET /api/zones/7/files': [200, [file(mimeType)]],
    'GET /api/zones/7/join-requests': [200, []],
  });
  await renderProduct('/zones/7');
  // Cards are a list, rows with columns a grid.
  const shown = await screen.findByRole(layout === 'grid' ? 'list' : 'grid', { name: 'Folders and files' });
  return shown.querySelector<HTMLImageElement>('img')!;
}

afterEach(() => localStorage.clear());

describe('the thumbnail of a file', () => {
  it.each([docx, 'text/plain', 'image/svg+xml', 'image/tiff', 'application/pdf'])(
    'shows the top of a page: %s',
    async (mimeType) => {
      const shown = await thumbnail(mimeType, 'grid');
      expect(shown).toHaveStyle({ objectPosition: 'top', borderTopWidth: '1px', borderTopStyle: 'solid' });
    },
  );

  it('shows the middle of a photograph', async () => {
    expect(await thumbnail('image/jpeg', 'grid')).toHaveStyle({ objectPosition: 'center' });
  });

  it('is framed in the list, where a white page on white could not be seen', async () => {
    const shown = await thumbnail(docx, 'list');
    expect(shown).toHaveStyle({ objectPosition: 'top', borderTopWidth: '1px', borderTopStyle: 'solid' });
  });
});
