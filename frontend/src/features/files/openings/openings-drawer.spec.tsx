import { screen } from '@testing-library/react';
import { makeUser, mockApi } from '../../../../test/api';
import { renderComponent } from '../../../../test/render';
import type { StoredFile } from '../entries';
import { OpeningsDrawer } from './openings-drawer';

const first = '2026-11-28T10:03:00.000Z';
const opening = { userId: 1, name: 'Ada', email: 'ada@example.org', views: 1, downloads: 0, firstAt: first };

it.each([
  ['once', first, ['Nov 28, 2026, 10:03 AM']],
  ['several times', '2026-11-29T10:03:00.000Z', ['First Nov 28, 2026, 10:03 AM, last Nov 29, 2026, 10:03 AM']],
])('shows when a file was opened %s', async (_, lastAt, texts) => {
  mockApi({
    'GET /api/user': [200, makeUser({ timeZone: 'UTC' })],
    'GET /api/files/5/openings': [200, [{ ...opening, lastAt }]],
  });
  const file = { id: 5, originalName: 'Notes.txt' } as StoredFile;
  await renderComponent(<OpeningsDrawer file={file} onClose={() => undefined} />);
  await screen.findByText('ada@example.org');
  const normalized = document.body.textContent.replaceAll('\u202f', ' ');
  for (const text of texts) expect(normalized).toContain(text);
  expect(normalized.includes('First')).toBe(lastAt !== first);
});
