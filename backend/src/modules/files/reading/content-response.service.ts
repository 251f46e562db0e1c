import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AppConfig } from '../../../platform/config/app-config.js';
import { freezeList } from '../../../platform/constants/freeze-list.js';
import type { ByteRange } from '../../../platform/storage/storage.js';
import type { ViewingKind } from '../../activity/entities/viewing.entity.js';
import type { AccessibleFile } from '../access/file-access.repository.js';
import { fileErrors } from '../files.errors.js';
import { contentDisposition, matchesEtag, parseRange } from '../shared/content-headers.js';
import { ContentDeliveryService, type DeliveryHeaders, type Reader } from './content-delivery.service.js';

/** File content must not run scripts, load resources or navigate, even if a browser renders it as a document. */
const CONTENT_CSP = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; media-src 'self'";

export interface ContentRequest {
  readonly file: AccessibleFile;
  readonly kind: ViewingKind;
  readonly reader: Reader;
  /** URL on the separate content origin to redirect to; null to serve the bytes from here. */
  readonly contentOriginUrl: string | null;
}

/** Answers requests for the bytes of files, by users and by guests of links. */
@Injectable()
export class ContentResponseService {
  /** Origin that may show files in a frame: the app's pages. */
  private readonly frameAncestor: string;

  constructor(
    private readonly contentDelivery: ContentDeliveryService,
    { contentUrl, appUrl }: AppConfig,
  ) {
    this.frameAncestor = contentUrl === null ? "'self'" : new URL(appUrl).origin;
  }

  /**
   * Answers a request for a file: the bytes, a range, 304, or a redirect to a URL that serves it.
   * @throws DOWNLOAD_NOT_ALLOWED, RANGE_NOT_SATISFIABLE, STORAGE_UNAVAILABLE
   */
  async sendContent(
    { file, kind, reader, contentOriginUrl }: ContentRequest,
    request: Request,
    response: Response,
  ): Promise<void> {
    const delivery = this.contentDelivery.resolveDelivery(file, kind);
    if (matchesEtag(request.headers['if-none-match'], delivery.etag)) {
      response.status(304).set({ ETag: delivery.etag, 'Cache-Control': 'private, no-cache' }).end();
      return;
    }
    const range = requestedRange(request, delivery, file.size);
    if (range === 'unsatisfiable') {
      response.setHeader('Content-Range', `bytes */${file.size}`);
      throw fileErrors.RANGE_NOT_SATISFIABLE();
    }
    if (request.method === 'HEAD') {
      this.setHeaders(response, file, delivery, range, await this.contentDelivery.getContentType(file, delivery));
      response.end();
      return;
    }
    const address = (await this.contentDelivery.getStorageUrl(file, kind, reader)) ?? contentOriginUrl;
    if (address !== null) {
      redirect(response, address);
      return;
    }
    const type = await this.contentDelivery.getContentType(file, delivery);
    const sendfileHeader = isPlainRead(request, range)
      ? await this.contentDelivery.getSendfileHeader(file, kind, reader, range)
      : null;
    if (sendfileHeader !== null) {
      this.setHeaders(response, file, delivery, null, type);
      // The web server answers the range, so it sets these.
      for (const name of ['Content-Length', 'Accept-Ranges']) response.removeHeader(name);
      response.setHeader(...sendfileHeader);
      response.end();
      return;
    }
    const whole = { start: 0, end: file.size - 1 };
    const bytes = await this.contentDelivery.openContent(file, kind, reader, range ?? whole);
    this.setHeaders(response, file, delivery, range, type);
    const sent = await bytes.sendTo(response).catch(() => -1);
    // If the client disconnects or the disk fails midway, close the connection. The client notices from Content-Length
    // that the body is incomplete.
    if (sent === lengthOf(range ?? whole)) response.end();
    else response.destroy();
  }

  private setHeaders(
    response: Response,
    file: AccessibleFile,
    { disposition, etag }: DeliveryHeaders,
    range: ByteRange | null,
    type: string,
  ): void {
    response.status(range ? 206 : 200).set({
      'Content-Type': type,
      'Content-Length': String(range ? lengthOf(range) : file.size),
      'Content-Disposition': contentDisposition(disposition, file.originalName),
      'Content-Security-Policy': `${CONTENT_CSP}; frame-ancestors ${this.frameAncestor}; sandbox`,
      'X-Content-Type-Options': 'nosniff',
      'Accept-Ranges': 'bytes',
      'Cache-Control': 'private, no-cache',
      ETag: etag,
      ...(range ? { 'Content-Range': `bytes ${range.start}-${range.end}/${file.size}` } : {}),
    });
  }
}

function redirect(response: Response, address: string): void {
  response.setHeader('Cache-Control', 'private, no-store');
  response.redirect(address);
}

/** Ranges apply to GET only. If the file has changed (If-Range), the whole file is sent. */
function requestedRange(request: Request, { etag }: DeliveryHeaders, size: number): ByteRange | null | 'unsatisfiable' {
  const condition = request.headers['if-range'];
  if (request.method !== 'GET' || (condition !== undefined && condition !== etag)) return null;
  return parseRange(request.headers.range, size);
}

/** Conditions that a web server in front would compare with its own validators of the file. */
const CONDITIONS = freezeList(['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since', 'if-range']);

/** Whether any web server understands the request as we do: without conditions, and for the whole file or one range. */
function isPlainRead({ headers }: Request, range: ByteRange | null): boolean {
  return CONDITIONS.every((name) => headers[name] === undefined) && (headers.range === undefined || range !== null);
}

function lengthOf({ start, end }: ByteRange): number {
  return end - start + 1;
}
