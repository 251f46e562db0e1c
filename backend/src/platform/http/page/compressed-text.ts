import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { freezeList } from '../../constants/freeze-list.js';

/** Encodings that the build writes beside each text file, smallest first. */
const encodings = freezeList([
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
]);
type Encoding = (typeof encodings)[number]['name'];

const chooseEncoding = (request: Request, has: (encoding: Encoding) => boolean): Encoding | null =>
  encodings.map(({ name }) => name).find((name) => has(name) && request.acceptsEncodings(name) === name) ?? null;

/**
 * Serves a folder of files with digests in their names, cacheable forever, in the smallest available encoding that the
 * client accepts.
 */
export function serveCompressedFiles(folder: string): RequestHandler {
  const files = new Set(readdirSync(folder).filter((name) => statSync(join(folder, name)).isFile()));
  const serve = express.static(folder, { immutable: true, maxAge: '365d', index: false });
  return (request: Request, response: Response, next: NextFunction) => {
    const name = request.path.slice(1);
    const suffixOf = (encoding: Encoding) => encodings.find((candidate) => candidate.name === encoding)!.suffix;
    if (encodings.some((encoding) => files.has(name + encoding.suffix))) response.vary('Accept-Encoding');
    const encoding = chooseEncoding(request, (candidate) => files.has(name + suffixOf(candidate)));
    if (encoding === null) return serve(request, response, next);
    response.type(name.slice(name.lastIndexOf('.') + 1)).setHeader('Content-Encoding', encoding);
    request.url = request.url.replace(name, name + suffixOf(encoding));
    serve(request, response, next);
  };
}

/** Brotli quality (0 to 11) for texts that are sent often. */
const CACHED_QUALITY = 9;

/** A text with its encodings, each compressed on first use. */
export class CompressedText {
  private readonly encoded = new Map<Encoding, Buffer>();
  /** Used as ETag. */
  private readonly digest: string;

  constructor(
    private readonly text: string,
    private readonly quality = CACHED_QUALITY,
  ) {
    this.digest = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  }

  /** Sends the encoding that the request accepts; the content type must already be set. */
  send(request: Request, response: Response): void {
    response.vary('Accept-Encoding');
    const encoding = chooseEncoding(request, () => true);
    response.setHeader('ETag', `"${this.digest}-${encoding ?? 'plain'}"`);
    if (encoding === null) return void response.send(this.text);
    response.setHeader('Content-Encoding', encoding);
    response.send(this.encode(encoding));
  }

  private encode(encoding: Encoding): Buffer {
    const bytes = this.encoded.get(encoding) ?? this.compress(encoding);
    this.encoded.set(encoding, bytes);
    return bytes;
  }

  private compress(encoding: Encoding): Buffer {
    if (encoding === 'gzip') return gzipSync(this.text, { level: this.quality });
    return brotliCompressSync(this.text, { params: { [constants.BROTLI_PARAM_QUALITY]: this.quality } });
  }
}
