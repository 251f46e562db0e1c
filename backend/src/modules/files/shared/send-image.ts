import type { Readable } from 'node:stream';
import type { Request, Response } from 'express';
import { sendStream } from '../../../platform/streams/send-stream.js';
import { matchesEtag } from './content-headers.js';

/** A picture that is made of a file. */
interface ImageContent {
  readonly etag: string;
  /** Bytes. */
  readonly size: number;
  readonly bytes: Readable;
}

/**
 * Sends a WebP that was made of a file: the browser keeps it and asks each time whether it still may.
 * @param etag of what is there now; a browser that has it is told so, and nothing is opened
 * @param open gives what is sent
 * @param onShown told before an answer after which the picture is on the screen, also one that the browser has kept
 * @throws STORAGE_UNAVAILABLE
 */
export async function sendImage(
  request: Request,
  response: Response,
  etag: string,
  open: () => Promise<ImageContent>,
  onShown: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const cacheHeaders = { 'Cache-Control': 'private, no-cache' };
  if (matchesEtag(request.headers['if-none-match'], etag)) {
    await onShown();
    response
      .status(304)
      .set({ ...cacheHeaders, ETag: etag })
      .end();
    return;
  }
  const image = await open();
  await onShown();
  response.set({ ...cacheHeaders, ...imageHeaders(image.size), ETag: image.etag });
  await sendStream(image.bytes, response);
}

/** Sends a WebP that nobody keeps, not even the browser. */
export function sendUncached(response: Response, bytes: Buffer): void {
  response.set({ 'Cache-Control': 'private, no-store', ...imageHeaders(bytes.length) }).end(bytes);
}

const imageHeaders = (size: number) => ({
  'Content-Type': 'image/webp',
  'Content-Length': String(size),
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'X-Content-Type-Options': 'nosniff',
});
