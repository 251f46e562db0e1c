import { once } from 'node:events';
import { request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { holdBack, type HeldFault } from './held-fault.js';
import { createHttpServer } from './create-http-server.js';
import { MARK_OBJECT_NAME } from '../../../src/platform/storage/ownership/storage-mark.js';

export type S3Call =
  'begin' | 'part' | 'complete' | 'abort' | 'upload' | 'copy' | 'read' | 'stat' | 'delete' | 'list' | 'list uploads';

/** A simulated failure of a call. */
export type S3Fault =
  /** An error response. */
  | { readonly status: number; readonly code: string }
  /** The connection is cut after this many bytes of an upload's request or a read's response. */
  | { readonly cutAfter: number }
  /** The response stops after this many bytes. */
  | { readonly stallAfter: number }
  /** The request is passed on, or its response, only later. */
  | HeldFault
  /** The request is never answered. */
  | 'silence'
  /** The call is executed, but the connection is cut before the response. */
  | 'lost answer'
  /** The response has the ETag of other bytes. */
  | 'wrong etag';

/** A proxy in front of an S3 server that makes chosen calls fail. Calls on the ownership mark pass unchanged. */
export class S3FaultProxy {
  readonly calls: S3Call[] = [];
  private readonly faults: { call: S3Call; fault: S3Fault; times: number; after: number }[] = [];
  private pendingCount = 0;

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {}

  /** @param target origin of the S3 server */
  static async start(target: string): Promise<S3FaultProxy> {
    const server = createHttpServer();
    const proxy = new S3FaultProxy(server, new URL(target));
    server.on('request', (message, response) => void proxy.handleRequest(message, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Requests whose response isn't complete. */
  get pendingRequests(): number {
    return this.pendingCount;
  }

  countCalls(call: S3Call): number {
    return this.calls.filter((entry) => entry === call).length;
  }

  /**
   * Makes calls of one kind fail.
   * @param times how many of them
   * @param after how many succeed before
   */
  injectFault(call: S3Call, fault: S3Fault, times = 1, after = 0): void {
    this.faults.push({ call, fault, times, after });
  }

  /** Removes all remaining faults. */
  clearFaults(): void {
    this.faults.length = 0;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async handleRequest(message: IncomingMessage, response: ServerResponse): Promise<void> {
    this.pendingCount += 1;
    response.once('close', () => (this.pendingCount -= 1));
    message.on('error', () => undefined);
    response.on('error', () => undefined);
    const call = classifyCall(message);
    const isMark = message.url!.includes(MARK_OBJECT_NAME);
    if (!isMark) this.calls.push(call);
    await this.execute(message, response, isMark ? null : this.nextFault(call));
  }

  private nextFault(call: S3Call): S3Fault | null {
    const planned = this.faults.find((entry) => entry.call === call && entry.times > 0);
    if (!planned) return null;
    if (planned.after > 0) {
      planned.after -= 1;
      return null;
    }
    planned.times -= 1;
    return planned.fault;
  }

  private async execute(message: IncomingMessage, response: ServerResponse, fault: S3Fault | null): Promise<void> {
    // Reading only a part of the body detaches the socket from the message.
    const { socket } = message;
    if (fault === 'silence') return void message.resume();
    const isUpload = message.method === 'PUT';
    const limit = isObject(fault) && 'cutAfter' in fault && isUpload ? fault.cutAfter : Infinity;
    const body = await readBody(message, limit);
    if (body === null) return void socket.destroy();
    if (isObject(fault) && 'status' in fault) {
      const error = `<?xml version="1.0"?><Error><Code>${fault.code}</Code><Message>A simulated fault</Message></Error>`;
      return void response.writeHead(fault.status, { 'Content-Type': 'application/xml' }).end(error);
    }
    await holdBack(fault, 'request');
    this.forward(
      message,
      body,
      (answer) => void sendAnswer(answer, response, fault),
      () => socket.destroy(),
    );
  }

  private forward(
    { method, url, headers }: IncomingMessage,
    body: Buffer,
    onAnswer: (answer: IncomingMessage) => void,
    onError: () => void,
  ): void {
    const { hostname, port } = this.target;
    // The host is part of the signature, so it stays that of this proxy.
    const upstream = request({ hostname, port, method, path: url, headers }, onAnswer);
    upstream.on('error', onError);
    upstream.end(body);
  }
}

const isObject = (fault: S3Fault | null): fault is Exclude<S3Fault, string> =>
  typeof fault === 'object' && fault !== null;

async function sendAnswer(answer: IncomingMessage, response: ServerResponse, fault: S3Fault | null): Promise<void> {
  if (fault === 'lost answer') {
    answer.resume();
    return void response.socket?.destroy();
  }
  await holdBack(fault, 'response');
  const etag = fault === 'wrong etag' ? { etag: `"${'0'.repeat(32)}"` } : {};
  response.writeHead(answer.statusCode!, { ...answer.headers, ...etag });
  response.flushHeaders();
  if (!isObject(fault) || 'status' in fault || 'held' in fault) return void answer.pipe(response);
  const limit = 'cutAfter' in fault ? fault.cutAfter : fault.stallAfter;
  let sent = 0;
  answer.on('data', (chunk: Buffer) => {
    if (sent < limit) response.write(chunk.subarray(0, limit - sent));
    sent += chunk.length;
    if (sent >= limit && 'cutAfter' in fault) response.socket?.destroySoon();
  });
}

function classifyCall({ method, url, headers }: IncomingMessage): S3Call {
  const { pathname, searchParams } = new URL(url!, 'http://proxy');
  const hasUploadId = searchParams.has('uploadId');
  const isObjectCall = pathname.split('/').filter(Boolean).length > 1;
  if (method === 'POST') return hasUploadId ? 'complete' : 'begin';
  if (method === 'DELETE') return hasUploadId ? 'abort' : 'delete';
  if (method === 'HEAD') return 'stat';
  if (method === 'PUT') {
    if (headers['x-amz-copy-source'] !== undefined) return 'copy';
    return hasUploadId ? 'part' : 'upload';
  }
  if (isObjectCall) return 'read';
  return searchParams.has('uploads') ? 'list uploads' : 'list';
}

/** Returns null after `limit` bytes, or when the client has disconnected. */
async function readBody(message: IncomingMessage, limit: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of message as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= limit) return null;
    }
  } catch {
    return null;
  }
  return Buffer.concat(chunks);
}
