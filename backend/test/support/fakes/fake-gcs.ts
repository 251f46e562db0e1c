import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FakeBucket, type MultipartError, type SessionResult } from './fake-gcs-bucket.js';
import { hasValidSignature } from './fake-gcs-signature.js';
import { holdBack, type HeldFault } from './held-fault.js';
import { MARK_OBJECT_NAME } from '../../../src/platform/storage/ownership/storage-mark.js';
import { createHttpServer } from './create-http-server.js';

export type FakeGcsCall =
  | 'begin'
  | 'part'
  | 'question'
  | 'cancel'
  | 'upload'
  | 'read'
  | 'stat'
  | 'delete'
  | 'list'
  | 'rewrite'
  | 'signed'
  | MultipartCall;

/** A call of the XML API. */
type MultipartCall = 'begin multipart' | 'send part' | 'complete' | 'abort' | 'list multiparts';

/** A simulated failure of a call. */
export type FakeGcsFault =
  /** An error response. */
  | { readonly status: number }
  /** The connection is cut after this many bytes of the request's or response's body. */
  | { readonly cutAfter: number }
  /** The response stops after this many bytes. */
  | { readonly stallAfter: number }
  /** The request is passed on, or its response, only later. */
  | HeldFault
  /** The request is never answered. */
  | 'silence'
  /** The call is executed, but the connection is cut before the response. */
  | 'lost answer';

interface GcsRequest {
  readonly call: FakeGcsCall;
  readonly name: string;
  readonly url: URL;
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Google Cloud Storage's JSON API on a local port, as far as our driver uses it: simple and resumable uploads, range
 * reads, metadata, deletion, paginated lists and signed URLs; and the multipart uploads of its XML API.
 */
export class FakeGcs {
  /** Every call in order, with its credentials. */
  readonly calls: { readonly call: FakeGcsCall; readonly name: string; readonly authorization: string | undefined }[] =
    [];
  /** Objects per page of a list. */
  pageSize = 2;
  /** If set, calls without this bearer token are rejected, except signed URLs. */
  requiredToken: string | null = null;
  /** If set, verifies signed URLs. */
  publicKey: string | null = null;
  private readonly faults: { call: FakeGcsCall; fault: FakeGcsFault; times: number; after: number }[] = [];
  private pendingCount = 0;

  private constructor(
    private readonly server: Server,
    readonly bucket: FakeBucket,
  ) {}

  static async start(bucket = 'zonary-test'): Promise<FakeGcs> {
    const server = createHttpServer();
    const fake = new FakeGcs(server, new FakeBucket(bucket));
    server.on('request', (message, response) => void fake.handleRequest(message, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Requests whose response isn't complete. */
  get pendingRequests(): number {
    return this.pendingCount;
  }

  /** Number of calls on stored files; accesses to the storage's ownership mark don't count. */
  countCalls(call: FakeGcsCall): number {
    return this.calls.filter((entry) => entry.call === call && !entry.name.endsWith(MARK_OBJECT_NAME)).length;
  }

  /**
   * Makes calls of one kind fail.
   * @param times how many of them
   * @param after how many succeed before
   */
  injectFault(call: FakeGcsCall, fault: FakeGcsFault, times = 1, after = 0): void {
    this.faults.push({ call, fault, times, after });
  }

  /** Removes all remaining faults. */
  clearFaults(): void {
    this.faults.length = 0;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async handleRequest(message: IncomingMessage, response: ServerResponse): Promise<void> {
    this.pendingCount += 1;
    response.once('close', () => (this.pendingCount -= 1));
    message.on('error', () => undefined);
    response.on('error', () => undefined);
    const request = this.parseRequest(message, response);
    if (!request) return void sendError(response, 404, 'notFound');
    const { authorization } = message.headers;
    this.calls.push({ call: request.call, name: request.name, authorization });
    if (!this.isAuthorised(request, authorization)) return void sendError(response, 401, 'authError');
    await this.execute(request, this.nextFault(request.call));
  }

  private parseRequest(message: IncomingMessage, response: ServerResponse): GcsRequest | null {
    const url = new URL(message.url!, 'http://fake');
    const [, upload, bucket, name] = /^(\/upload)?\/storage\/v1\/b\/([^/]+)\/o(?:\/(.+))?$/.exec(url.pathname) ?? [];
    const isSignedUrl = url.searchParams.has('X-Goog-Signature');
    const multipartCall = upload || bucket ? null : classifyMultipartCall(message, url);
    const nameInPath =
      isSignedUrl || multipartCall ? url.pathname.slice(this.bucket.name.length + 2) : decodeURIComponent(name ?? '');
    const jsonCall = bucket === this.bucket.name ? classifyCall(message, url, upload, name) : null;
    const call = isSignedUrl ? 'signed' : (multipartCall ?? jsonCall);
    return call && { call, name: nameInPath || (url.searchParams.get('name') ?? ''), url, message, response };
  }

  private isAuthorised({ call, url, message }: GcsRequest, authorization: string | undefined): boolean {
    if (call === 'signed') return this.publicKey !== null && hasValidSignature(url, message, this.publicKey);
    const isSessionCall = url.searchParams.has('upload_id');
    return this.requiredToken === null || isSessionCall || authorization === `Bearer ${this.requiredToken}`;
  }

  private nextFault(call: FakeGcsCall): FakeGcsFault | null {
    const planned = this.faults.find((entry) => entry.call === call && entry.times > 0);
    if (!planned) return null;
    if (planned.after > 0) {
      planned.after -= 1;
      return null;
    }
    planned.times -= 1;
    return planned.fault;
  }

  private async execute(request: GcsRequest, fault: FakeGcsFault | null): Promise<void> {
    const { message, response, call } = request;
    const { socket } = message;
    if (fault === 'silence') return void message.resume();
    if (fault && typeof fault === 'object' && 'status' in fault) {
      return void sendError(response, fault.status, 'backendError');
    }
    const maxBytes = fault && typeof fault === 'object' && 'cutAfter' in fault ? fault.cutAfter : Infinity;
    const { body, isComplete } = await readBody(message, call === 'read' ? Infinity : maxBytes);
    if (!isComplete) {
      if (call === 'part')
        this.bucket.receiveChunk(getUploadId(request), message.headers['content-range'] ?? '', body, true);
      return void socket.destroy();
    }
    await holdBack(fault, 'request');
    if (fault === 'lost answer' || (isHeld(fault) && fault.held === 'response')) {
      this.respond(request, body, createDiscardedResponse());
      await holdBack(fault, 'response');
      return void socket.destroy();
    }
    this.respond(
      request,
      body,
      call === 'read' && fault && !isHeld(fault) ? createFaultyResponse(response, fault) : response,
    );
  }

  private respond(request: GcsRequest, body: Buffer, response: MinimalResponse): void {
    const { call, name, url, message } = request;
    switch (call) {
      case 'begin': {
        const id = this.bucket.beginUpload(name, message.headers['x-upload-content-type']?.toString() ?? '');
        const address = `${this.url}${url.pathname}?uploadType=resumable&upload_id=${id}`;
        return void response.writeHead(200, { Location: address }).end('{}');
      }
      case 'part':
      case 'question':
        return sendSessionResponse(
          response,
          this.bucket.receiveChunk(getUploadId(request), message.headers['content-range']!, body),
        );
      case 'cancel':
        return sendSessionResponse(response, this.bucket.cancelUpload(getUploadId(request)));
      case 'upload':
        if (url.searchParams.get('ifGenerationMatch') === '0' && this.bucket.objects.has(name)) {
          return sendError(response, 412, 'conditionNotMet');
        }
        return sendJson(response, 200, this.bucket.putObject(name, body, message.headers['content-type']));
      case 'list': {
        const { searchParams } = url;
        const pageSize = Math.min(Number(searchParams.get('maxResults') ?? 1000), this.pageSize);
        const page = this.bucket.listObjects(searchParams.get('prefix') ?? '', pageSize, searchParams.get('pageToken'));
        return sendJson(response, 200, page);
      }
      case 'rewrite': {
        const [from = '', to = ''] = name.split('/rewriteTo/b/').map((part) => part.replace(/^[^/]+\/o\//, ''));
        const result = this.bucket.copyObject(from, to, url.searchParams.get('rewriteToken'));
        return result ? sendJson(response, 200, result) : sendError(response, 404, 'notFound');
      }
      case 'stat': {
        const found = this.bucket.toResource(name);
        return found ? sendJson(response, 200, found) : sendError(response, 404, 'notFound');
      }
      case 'delete':
        return this.bucket.objects.delete(name)
          ? void response.writeHead(204).end()
          : sendError(response, 404, 'notFound');
      case 'begin multipart': {
        const id = this.bucket.beginMultipart(name);
        return sendXml(
          response,
          200,
          `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
        );
      }
      case 'send part':
      case 'complete':
      case 'abort':
        return this.respondToMultipart(request, body, response);
      case 'list multiparts': {
        const { searchParams } = url;
        const after = searchParams.get('upload-id-marker') ?? '';
        const { xml, last } = this.bucket.listMultiparts(searchParams.get('prefix') ?? '', this.pageSize, after);
        const next =
          last === null ? '' : `<NextKeyMarker>any</NextKeyMarker><NextUploadIdMarker>${last}</NextUploadIdMarker>`;
        const state = `<IsTruncated>${last !== null}</IsTruncated>`;
        return sendXml(response, 200, `<ListMultipartUploadsResult>${state}${next}${xml}</ListMultipartUploadsResult>`);
      }
      default:
        return this.sendObject(request, response);
    }
  }

  private respondToMultipart({ call, url }: GcsRequest, body: Buffer, response: MinimalResponse): void {
    const id = url.searchParams.get('uploadId') ?? '';
    if (call === 'abort') {
      if (!this.bucket.abortMultipart(id)) return sendXmlError(response, 'NoSuchUpload');
      return void response.writeHead(204).end();
    }
    if (call === 'send part') {
      const part = this.bucket.putPart(id, Number(url.searchParams.get('partNumber')), body);
      if (typeof part === 'string') return sendXmlError(response, part);
      return void response.writeHead(200, { ETag: part.etag }).end();
    }
    const listed = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]*)<\/ETag>/g)];
    const parts = listed.map(([, number, etag]) => ({ number: Number(number), etag: etag! }));
    const result = this.bucket.completeMultipart(id, parts);
    if (typeof result === 'string') return sendXmlError(response, result);
    sendXml(response, 200, '<CompleteMultipartUploadResult/>');
  }

  private sendObject({ name, url, message }: GcsRequest, response: MinimalResponse): void {
    const object = this.bucket.objects.get(name);
    if (!object) return sendError(response, 404, 'notFound');
    const { length } = object.bytes;
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(message.headers.range ?? '') ?? [];
    const start = Number(first ?? 0);
    if (first !== undefined && start >= length) return sendError(response, 416, 'requestedRangeNotSatisfiable');
    const end = Math.min(last ? Number(last) : length - 1, length - 1);
    const part = object.bytes.subarray(start, end + 1);
    const disposition = url.searchParams.get('response-content-disposition');
    response.writeHead(first === undefined ? 200 : 206, {
      'Content-Type': url.searchParams.get('response-content-type') ?? object.type,
      'Content-Length': String(part.length),
      ...(disposition ? { 'Content-Disposition': disposition } : {}),
      ...(first === undefined ? {} : { 'Content-Range': `bytes ${start}-${end}/${length}` }),
    });
    response.end(part);
  }
}

/** The part of a response that handlers use. */
interface MinimalResponse {
  writeHead(status: number, headers?: Record<string, string>): MinimalResponse;
  end(body?: Buffer | string): unknown;
}

function createDiscardedResponse(): MinimalResponse {
  const response: MinimalResponse = { writeHead: () => response, end: () => undefined };
  return response;
}

/** Sends the headers and only the start of the body. */
function createFaultyResponse(
  response: ServerResponse,
  fault: Exclude<FakeGcsFault, string | HeldFault>,
): MinimalResponse {
  const faultyResponse: MinimalResponse = {
    writeHead: (status, headers) => (response.writeHead(status, headers), faultyResponse),
    end: (body) => {
      const maxBytes = 'cutAfter' in fault ? fault.cutAfter : 'stallAfter' in fault ? fault.stallAfter : 0;
      response.flushHeaders();
      response.write(Buffer.from(body ?? '').subarray(0, maxBytes), () => {
        if ('cutAfter' in fault) response.socket?.destroy();
      });
    },
  };
  return faultyResponse;
}

const isHeld = (fault: FakeGcsFault | null): fault is HeldFault =>
  typeof fault === 'object' && fault !== null && 'held' in fault;

function classifyMultipartCall({ method }: IncomingMessage, { searchParams }: URL): MultipartCall | null {
  if (searchParams.has('uploads')) return method === 'POST' ? 'begin multipart' : 'list multiparts';
  if (!searchParams.has('uploadId')) return null;
  if (method === 'PUT') return 'send part';
  return method === 'POST' ? 'complete' : 'abort';
}

function classifyCall(
  { method, headers }: IncomingMessage,
  url: URL,
  upload?: string,
  name?: string,
): FakeGcsCall | null {
  if (upload) {
    if (method === 'DELETE') return 'cancel';
    if (method === 'PUT') return /^bytes \*\/\*$/.test(headers['content-range'] ?? '') ? 'question' : 'part';
    return url.searchParams.get('uploadType') === 'resumable' ? 'begin' : 'upload';
  }
  if (method === 'DELETE') return 'delete';
  if (url.pathname.includes('/rewriteTo/b/')) return 'rewrite';
  if (name === undefined) return 'list';
  return url.searchParams.get('alt') === 'media' ? 'read' : 'stat';
}

const getUploadId = ({ url }: GcsRequest): string => url.searchParams.get('upload_id') ?? '';

/** Reads at most `maxBytes` of a body. */
async function readBody(message: IncomingMessage, maxBytes: number): Promise<{ body: Buffer; isComplete: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of message as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= maxBytes) return { body: Buffer.concat(chunks).subarray(0, maxBytes), isComplete: false };
    }
  } catch {
    return { body: Buffer.concat(chunks), isComplete: false };
  }
  return { body: Buffer.concat(chunks), isComplete: true };
}

function sendSessionResponse(response: MinimalResponse, result: SessionResult): void {
  if (result.status === 200) return sendJson(response, 200, result.object);
  if (result.status !== 308) return sendError(response, result.status, 'invalid');
  const range = result.received > 0 ? { Range: `bytes=0-${result.received - 1}` } : undefined;
  response.writeHead(308, { ...range, 'Content-Length': '0' }).end();
}

function sendJson(response: MinimalResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

function sendXml(response: MinimalResponse, status: number, xml: string): void {
  response.writeHead(status, { 'Content-Type': 'application/xml' }).end(`<?xml version='1.0'?>${xml}`);
}

function sendXmlError(response: MinimalResponse, code: MultipartError): void {
  sendXml(response, code === 'NoSuchUpload' ? 404 : 400, `<Error><Code>${code}</Code></Error>`);
}

function sendError(response: MinimalResponse, code: number, reason: string): void {
  sendJson(response, code, { error: { code, message: reason, errors: [{ reason, message: reason }] } });
}
