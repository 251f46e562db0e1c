import type { Readable } from 'node:stream';
import type { Actor } from '../../../support/people/actors.js';
import { readZip, type ZipContent } from '../../../support/zip.js';

/** Request body for an archive. */
export interface ArchiveSelection {
  all?: boolean;
  fileIds?: number[];
  folderIds?: number[];
}

export const requestArchive = (actor: Actor, zoneId: number, selection: object) =>
  actor.client.post(`/api/zones/${zoneId}/download`).send(selection);

/** Downloads and unpacks an archive. */
export async function downloadArchive(actor: Actor, zoneId: number, selection: ArchiveSelection): Promise<ZipContent> {
  const { body } = await requestArchive(actor, zoneId, selection).buffer(true).parse(parseBytes).expect(200);
  return readZip(body as Buffer);
}

/** Parses a response as bytes, for supertest's `parse`. */
export function parseBytes(response: unknown, done: (error: Error | null, body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  (response as Readable).on('data', (chunk: Buffer) => chunks.push(chunk));
  (response as Readable).on('end', () => done(null, Buffer.concat(chunks)));
  (response as Readable).on('error', (error) => done(error, Buffer.alloc(0)));
}
