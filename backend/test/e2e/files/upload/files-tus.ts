import { request, type ClientRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Actor, TestZone } from '../../../support/people/actors.js';
import type { Client } from '../../../support/world.js';

export const OFFSET_CONTENT_TYPE = 'application/offset+octet-stream';

/** Headers of a request that creates an upload. */
export function creationHeaders(metadata: Record<string, string | number>, length: number): Record<string, string> {
  const pairs = Object.entries(metadata).map(
    ([key, value]) => `${key} ${Buffer.from(String(value)).toString('base64')}`,
  );
  return { 'Tus-Resumable': '1.0.0', 'Upload-Length': String(length), 'Upload-Metadata': pairs.join(',') };
}

/** Creates an upload; returns the supertest request. */
export function postUpload(
  client: Client,
  zone: Pick<TestZone, 'id'>,
  filename: string,
  length: number,
  extraMetadata = {},
) {
  return client.post('/api/uploads').set(creationHeaders({ filename, zoneId: zone.id, ...extraMetadata }, length));
}

/** Creates an upload successfully; returns its URL. */
export async function createUpload(
  client: Client,
  zone: Pick<TestZone, 'id'>,
  filename: string,
  length: number,
  extraMetadata = {},
) {
  const { headers } = await postUpload(client, zone, filename, length, extraMetadata).expect(201);
  return headers.location as string;
}

/** Sends bytes of an upload. */
export function sendChunk(client: Client, address: string, offset: number, body: Buffer | string) {
  return client
    .patch(address)
    .set({ 'Tus-Resumable': '1.0.0', 'Upload-Offset': String(offset), 'Content-Type': OFFSET_CONTENT_TYPE })
    .send(Buffer.from(body as string) as never);
}

/** Requests the offset of an upload. */
export const requestOffset = (client: Client, address: string) => client.head(address).set('Tus-Resumable', '1.0.0');

/** Returns the offset of an existing upload. */
export async function readOffset(client: Client, address: string): Promise<number> {
  const { headers } = await requestOffset(client, address).expect(200);
  return Number(headers['upload-offset']);
}

export const cancelUpload = (client: Client, address: string) => client.delete(address).set('Tus-Resumable', '1.0.0');

/** The cookies of an actor, for raw requests. */
export function cookieHeaderOf({ client }: Actor, url: string): string {
  const { hostname } = new URL(url);
  const access = { domain: hostname, path: '/', secure: false, script: false };
  return client.jar.getCookies(access as never).toValueString();
}

/** Opens a raw PATCH request, to be written in chunks. */
export function openPatch(url: string, cookie: string, address: string, offset: number, length: number | null) {
  const clientRequest: ClientRequest = request(`${url}${address}`, {
    method: 'PATCH',
    headers: {
      'Tus-Resumable': '1.0.0',
      'Upload-Offset': offset,
      'Content-Type': OFFSET_CONTENT_TYPE,
      'Sec-Fetch-Site': 'same-origin',
      Cookie: cookie,
      ...(length === null ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': length }),
    },
  });
  clientRequest.setNoDelay(true);
  clientRequest.flushHeaders();
  const result = new Promise<{ status: number; headers: Record<string, string>; code?: string }>((resolve, reject) => {
    clientRequest.on('response', (response) => {
      text(response).then((body) => {
        const { code } = (body ? JSON.parse(body) : {}) as { code?: string };
        resolve({ status: response.statusCode!, headers: response.headers as Record<string, string>, code });
      }, reject);
    });
    clientRequest.on('error', reject);
  });
  result.catch(() => undefined);
  return {
    write: (bytes: Buffer) =>
      new Promise<void>((resolve, reject) =>
        clientRequest.write(bytes, (error) => (error ? reject(error) : resolve())),
      ),
    end: () => clientRequest.end(),
    abort: () => clientRequest.destroy(),
    answer: () => result,
  };
}
