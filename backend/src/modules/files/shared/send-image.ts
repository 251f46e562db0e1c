import type { Readable } from 'node:stream';
import type { Request, Response } from 'express';
import { sendStream } from '../../../platform/streams/send-stream.js';
import { matchesEtag } from './content-headers.js';

/** An image generated from a file. */
interface ImageContent {
  readonly etag: string;
  /** Bytes. */
  readonly size: number;
  readonly bytes: Readable;
}

/**
 * Sends a WebP image generated from a file. The browser caches it but revalidates every time.
 * @param etag version of the current image; if the browser has it, 304 is sent and nothing is opened
 * @param open returns the image to send
 * @param beforeSend called before each response, including 304, for example to count a view
 * @throws STORAGE_UNAVAILABLE
 */
export async function sendImage(
  request: Request,
  response: Response,
  etag: string,
  open: () => Promise<ImageContent>,
  beforeSend: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const cacheHeaders = { 'Cache-Control': 'private, no-cache' };
  if (matchesEtag(request.headers['if-none-match'], etag)) {
    await beforeSend();
    response
      .status(304)
      .set({ ...cacheHeaders, ETag: etag })
      .end();
    return;
  }
  const image = await open();
  await beforeSend();
  response.set({ ...cacheHeaders, ...imageHeaders(image.size), ETag: image.etag });
  await sendStream(image.bytes, response);
}

/** Sends a WebP image that must not be cached, not even by the browser. */
export function sendUncached(response: Response, bytes: Buffer): void {
  response.set({ 'Cache-Control': 'private, no-store', ...imageHeaders(bytes.length) }).end(bytes);
}

const imageHeaders = (size: number) => ({
  'Content-Type': 'image/webp',
  'Content-Length': String(size),
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'X-Content-Type-Options': 'nosniff',
});
