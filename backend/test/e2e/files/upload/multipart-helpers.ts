import { request, type ClientRequest } from 'node:http';
import type { Actor } from '../../../support/people/actors.js';
import type { Client, World } from '../../../support/world.js';

/** One part of a form: a file if it has a name, else a text field. */
export interface FormPart {
  readonly field?: string;
  readonly name?: string;
  readonly body: Buffer | string;
}

/** A multipart body with unmodified names, which common clients would sanitise. */
export function buildMultipart(...parts: FormPart[]): { type: string; body: Buffer } {
  const boundary = 'zonary-test-boundary';
  const chunks = parts.flatMap(({ field, name, body }) => {
    const file = name === undefined ? '' : `; filename="${name}"\r\nContent-Type: application/octet-stream`;
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${field ?? 'files'}"${file}\r\n\r\n`;
    return [Buffer.from(head), Buffer.from(body), Buffer.from('\r\n')];
  });
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]),
  };
}

/** Uploads files to a zone; `query` starts with a question mark. */
export function postFiles(client: Client, zoneId: number, parts: FormPart[], query = '') {
  const { type, body } = buildMultipart(...parts);
  return client.post(`/api/zones/${zoneId}/files${query}`).set('Content-Type', type).send(body);
}

/** Uploads one file successfully and returns its entry in the response. */
export async function uploadFile(client: Client, zoneId: number, name: string, body: Buffer | string, query = '') {
  const response = await postFiles(client, zoneId, [{ name, body }], query).expect(201);
  return response.body[0] as { id: number; originalName: string; mimeType: string; size: number };
}

/** Creates a folder and returns its id. */
export async function createFolder(client: Client, zoneId: number, name: string, parentId?: number): Promise<number> {
  const { body } = await client.post(`/api/zones/${zoneId}/folders`).send({ name, parentId }).expect(201);
  return body.id as number;
}

export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Polls until the condition holds. */
export async function pollUntil(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** A raw upload; each `write` resolves when the bytes have been sent. */
export function openUpload(
  world: World,
  actor: Actor,
  zoneId: number,
  type: string,
  length: number | null,
  query = '',
) {
  const { hostname } = new URL(world.url);
  const cookie = actor.client.jar.getCookies({ domain: hostname, path: '/', secure: false, script: false } as never);
  const clientRequest: ClientRequest = request(`${world.url}/api/zones/${zoneId}/files${query}`, {
    method: 'POST',
    headers: {
      'Content-Type': type,
      'Sec-Fetch-Site': 'same-origin',
      Cookie: cookie.toValueString(),
      ...(length === null ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': length }),
    },
  });
  clientRequest.setNoDelay(true);
  const status = new Promise<number>((resolve, reject) => {
    clientRequest.on('response', (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode!));
    });
    clientRequest.on('error', reject);
  });
  status.catch(() => undefined);
  let sentBytes = 0;
  return {
    write: async (bytes: Buffer) => {
      sentBytes += bytes.length;
      await new Promise<void>((resolve, reject) =>
        clientRequest.write(bytes, (error) => (error ? reject(error) : resolve())),
      );
      await new Promise((resolve) => setImmediate(resolve));
      if (sentBytes === length || length === null) clientRequest.end();
    },
    abort: () => clientRequest.destroy(),
    status: () => status,
  };
}
