import type { DrawingService } from '../../../../platform/drawing/drawing.service.js';
import type { RateLimits } from '../../../../platform/http/limits/rate-limits.service.js';
import type { ViewedFile } from '../../access/file-access.service.js';
import type { ReadableDocuments } from '../readable-documents.service.js';
import { AttachmentReader } from './attachment-reader.service.js';

const file = { id: 1, allowDownload: true, role: 'owner', mountId: null } as unknown as ViewedFile;

it('gives each person four attachments at a time, so that slow readers do not fill the disk', async () => {
  const drawing = {
    attachment: <T>(_source: unknown, _number: number, use: (taken: object) => Promise<T>) =>
      use({ name: 'a.txt', path: '/nowhere', size: 5 }),
  } as unknown as DrawingService;
  const readable = { find: () => Promise.resolve({ source: {} }) } as unknown as ReadableDocuments;
  const limits = { spend: () => Promise.resolve() } as unknown as RateLimits;
  const reader = new AttachmentReader(readable, drawing, limits);
  const ends: (() => void)[] = [];
  const read = (userId: number) =>
    reader.read(file, 1, { unlocked: null, userId }, () => new Promise((resolve) => ends.push(resolve)));

  const reading = [1, 1, 1, 1, 2].map(read);
  await expect(read(1)).rejects.toMatchObject({ status: 503, code: 'DRAWING_BUSY' });
  ends.shift()!();
  await reading[0];
  reading.push(read(1));
  await new Promise((resolve) => setImmediate(resolve));
  for (const end of ends) end();
  await Promise.all(reading);
  const last = read(1);
  await new Promise((resolve) => setImmediate(resolve));
  ends.at(-1)!();
  await last;
});
