import type { RenderingService } from '../../../../platform/rendering/rendering.service.js';
import type { RateLimitService } from '../../../../platform/http/limits/rate-limit.service.js';
import type { AccessibleFile } from '../../access/file-access.repository.js';
import type { ReadableDocumentService } from '../readable-document.service.js';
import { AttachmentService } from './attachment.service.js';

const file = { id: 1, allowDownload: true, role: 'owner', mountId: null } as unknown as AccessibleFile;

it('limits each user to four attachments at a time so that slow clients do not fill the disk', async () => {
  const rendering = {
    withAttachment: <T>(_source: unknown, _number: number, use: (taken: object) => Promise<T>) =>
      use({ name: 'a.txt', path: '/nowhere', size: 5 }),
  } as unknown as RenderingService;
  const readable = { findReadable: () => Promise.resolve({ source: {} }) } as unknown as ReadableDocumentService;
  const limits = { consume: () => Promise.resolve() } as unknown as RateLimitService;
  const service = new AttachmentService(readable, rendering, limits);
  const ends: (() => void)[] = [];
  const read = (userId: number) =>
    service.sendAttachment(file, 1, { unlocked: null, userId }, () => new Promise((resolve) => ends.push(resolve)));

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
