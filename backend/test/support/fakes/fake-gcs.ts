import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FakeBucket, type SessionAnswer } from './fake-gcs-bucket.js';
import { isSigned } from './fake-gcs-signature.js';
import { MARK_OBJECT_NAME } from '../../../src/platform/storage/ownership/storage-mark.js';

export type FakeGcsCall =
  'begin' | 'part' | 'question' | 'cancel' | 'upload' | 'read' | 'stat' | 'delete' | 'list' | 'rewrite' | 'signed';

/** What goes wrong with a call. */
export type FakeGcsFault =
  /** It is refused. */
  | { readonly status: number }
  /** The connection is cut after so many bytes of the body, the request's or the answer's. */
  | { readonly cutAfter: number }
  /** So many bytes of the answer come, and then nothing. */
  | { readonly stallAfter: number }
  /** It is heard and never answered. */
  | 'silence'
  /** It is carried out, and the connection is cut instead of an answer. */
  | 'lost answer';

interface Request {
  readonly call: FakeGcsCall;
  readonly name: string;
  readonly url: URL;
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Google's JSON API of object storage on a port of this machine, as far as our driver speaks it: uploads in one piece
 * and resumable ones, reads with ranges, metadata, deletion, lists in pages, and signed addresses.
 */
export class FakeGcs {
  /** Every call, in the order in which they came, with the credentials that they carried. */
  readonly calls: { readonly call: FakeGcsCall; readonly name: string; readonly authorization: string | undefined }[] =
    [];
  /** Objects on one page of a list. */
  pageSize = 2;
  /** When set, calls without this bearer token are refused; signed addresses need none. */
  token: string | null = null;
  /** When set, signed addresses are checked with it. */
  publicKey: string | null = null;
  private readonly faults: { call: FakeGcsCall; fault: FakeGcsFault; times: number; after: number }[] = [];
  private underWay = 0;

  private constructor(
    private readonly server: Server,
    readonly bucket: FakeBucket,
  ) {}

  static async start(bucket = 'zonary-test'): Promise<FakeGcs> {
    const server = createServer();
    const fake = new FakeGcs(server, new FakeBucket(bucket));
    server.on('request', (message, response) => void fake.answer(message, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Requests whose connection still waits for the rest of the answer. */
  get waiting(): number {
    return this.underWay;
  }

  /** How often something was done with contents; the mark of the storage is looked at on the side. */
  count(call: FakeGcsCall): number {
    return this.calls.filter((one) => one.call === call && !one.name.endsWith(MARK_OBJECT_NAME)).length;
  }

  /**
   * Lets calls of one kind fail.
   * @param times how many of them; 1 unless told
   * @param after how many go well before
   */
  fail(call: FakeGcsCall, fault: FakeGcsFault, times = 1, after = 0): void {
    this.faults.push({ call, fault, times, after });
  }

  /** Ends all faults that are left. */
  recover(): void {
    this.faults.length = 0;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    this.underWay += 1;
    response.once('close', () => (this.underWay -= 1));
    message.on('error', () => undefined);
    response.on('error', () => undefined);
    const request = this.understand(message, response);
    if (!request) return void refuse(response, 404, 'notFound');
    const { authorization } = message.headers;
    this.calls.push({ call: request.call, name: request.name, authorization });
    if (!this.mayCall(request, authorization)) return void refuse(response, 401, 'authError');
    await this.carryOut(request, this.takeFault(request.call));
  }

  private understand(message: IncomingMessage, response: ServerResponse): Request | null {
    const url = new URL(message.url!, 'http://fake');
    const [, upload, bucket, name] = /^(\/upload)?\/storage\/v1\/b\/([^/]+)\/o(?:\/(.+))?$/.exec(url.pathname) ?? [];
    const signed = url.searchParams.has('X-Goog-Signature');
    const inPath = signed ? url.pathname.slice(this.bucket.name.length + 2) : decodeURIComponent(name ?? '');
    const call = signed ? 'signed' : bucket === this.bucket.name ? callOf(message, url, upload, name) : null;
    return call && { call, name: inPath || (url.searchParams.get('name') ?? ''), url, message, response };
  }

  private mayCall({ call, url, message }: Request, authorization: string | undefined): boolean {
    if (call === 'signed') return this.publicKey !== null && isSigned(url, message, this.publicKey);
    const ofSession = url.searchParams.has('upload_id');
    return this.token === null || ofSession || authorization === `Bearer ${this.token}`;
  }

  private takeFault(call: FakeGcsCall): FakeGcsFault | null {
    const planned = this.faults.find((one) => one.call === call && one.times > 0);
    if (!planned) return null;
    if (planned.after > 0) {
      planned.after -= 1;
      return null;
    }
    planned.times -= 1;
    return planned.fault;
  }

  private async carryOut(request: Request, fault: FakeGcsFault | null): Promise<void> {
    const { message, response, call } = request;
    const { socket } = message;
    if (fault === 'silence') return void message.resume();
    if (fault && typeof fault === 'object' && 'status' in fault) {
      return void refuse(response, fault.status, 'backendError');
    }
    const most = fault && typeof fault === 'object' && 'cutAfter' in fault ? fault.cutAfter : Infinity;
    const { body, whole } = await bodyOf(message, call === 'read' ? Infinity : most);
    if (!whole) {
      if (call === 'part') this.bucket.receive(sessionOf(request), message.headers['content-range'] ?? '', body, true);
      return void socket.destroy();
    }
    if (fault === 'lost answer') {
      this.perform(request, body, unheard());
      return void socket.destroy();
    }
    this.perform(request, body, call === 'read' && fault ? faulty(response, fault) : response);
  }

  private perform(request: Request, body: Buffer, response: Answering): void {
    const { call, name, url, message } = request;
    switch (call) {
      case 'begin': {
        const id = this.bucket.begin(name, message.headers['x-upload-content-type']?.toString() ?? '');
        const address = `${this.url}${url.pathname}?uploadType=resumable&upload_id=${id}`;
        return void response.writeHead(200, { Location: address }).end('{}');
      }
      case 'part':
      case 'question':
        return ofSession(response, this.bucket.receive(sessionOf(request), message.headers['content-range']!, body));
      case 'cancel':
        return ofSession(response, this.bucket.cancel(sessionOf(request)));
      case 'upload':
        if (url.searchParams.get('ifGenerationMatch') === '0' && this.bucket.objects.has(name)) {
          return refuse(response, 412, 'conditionNotMet');
        }
        return json(response, 200, this.bucket.put(name, body, message.headers['content-type']));
      case 'list': {
        const { searchParams } = url;
        const asked = Math.min(Number(searchParams.get('maxResults') ?? 1000), this.pageSize);
        const page = this.bucket.list(searchParams.get('prefix') ?? '', asked, searchParams.get('pageToken'));
        return json(response, 200, page);
      }
      case 'rewrite': {
        const [from = '', to = ''] = name.split('/rewriteTo/b/').map((part) => part.replace(/^[^/]+\/o\//, ''));
        const answer = this.bucket.rewrite(from, to, url.searchParams.get('rewriteToken'));
        return answer ? json(response, 200, answer) : refuse(response, 404, 'notFound');
      }
      case 'stat': {
        const found = this.bucket.describe(name);
        return found ? json(response, 200, found) : refuse(response, 404, 'notFound');
      }
      case 'delete':
        return this.bucket.objects.delete(name)
          ? void response.writeHead(204).end()
          : refuse(response, 404, 'notFound');
      default:
        return this.read(request, response);
    }
  }

  private read({ name, url, message }: Request, response: Answering): void {
    const object = this.bucket.objects.get(name);
    if (!object) return refuse(response, 404, 'notFound');
    const { length } = object.bytes;
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(message.headers.range ?? '') ?? [];
    const start = Number(first ?? 0);
    if (first !== undefined && start >= length) return refuse(response, 416, 'requestedRangeNotSatisfiable');
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

/** The part of a response that an answer uses. */
interface Answering {
  writeHead(status: number, headers?: Record<string, string>): Answering;
  end(body?: Buffer | string): unknown;
}

function unheard(): Answering {
  const nothing: Answering = { writeHead: () => nothing, end: () => undefined };
  return nothing;
}

/** Sends the head and only the beginning of the body. */
function faulty(response: ServerResponse, fault: Exclude<FakeGcsFault, string>): Answering {
  const broken: Answering = {
    writeHead: (status, headers) => (response.writeHead(status, headers), broken),
    end: (body) => {
      const most = 'cutAfter' in fault ? fault.cutAfter : 'stallAfter' in fault ? fault.stallAfter : 0;
      response.flushHeaders();
      response.write(Buffer.from(body ?? '').subarray(0, most), () => {
        if ('cutAfter' in fault) response.socket?.destroy();
      });
    },
  };
  return broken;
}

function callOf({ method, headers }: IncomingMessage, url: URL, upload?: string, name?: string): FakeGcsCall | null {
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

const sessionOf = ({ url }: Request): string => url.searchParams.get('upload_id') ?? '';

/** Reads a body, at most so many bytes of it. */
async function bodyOf(message: IncomingMessage, most: number): Promise<{ body: Buffer; whole: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of message as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= most) return { body: Buffer.concat(chunks).subarray(0, most), whole: false };
    }
  } catch {
    return { body: Buffer.concat(chunks), whole: false };
  }
  return { body: Buffer.concat(chunks), whole: true };
}

function ofSession(response: Answering, answer: SessionAnswer): void {
  if (answer.status === 200) return json(response, 200, answer.object);
  if (answer.status !== 308) return refuse(response, answer.status, 'invalid');
  const range = answer.received > 0 ? { Range: `bytes=0-${answer.received - 1}` } : undefined;
  response.writeHead(308, { ...range, 'Content-Length': '0' }).end();
}

function json(response: Answering, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

function refuse(response: Answering, code: number, reason: string): void {
  json(response, code, { error: { code, message: reason, errors: [{ reason, message: reason }] } });
}
