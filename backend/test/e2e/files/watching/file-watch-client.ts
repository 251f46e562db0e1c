import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { Actor } from '../../../support/people/actors.js';
import type { World } from '../../../support/world.js';

/** A client with an open file: the received events, and the end of the stream. */
export class FileWatchClient {
  text = '';
  /** Resolves with all events when the response has ended. */
  readonly ended: Promise<string>;

  private constructor(readonly response: IncomingMessage) {
    response.setEncoding('utf8').on('data', (chunk: string) => (this.text += chunk));
    this.ended = once(response, 'close').then(() => this.text);
    // After a failed test the promise isn't awaited, so its rejection is ignored.
    this.ended.catch(() => undefined);
  }

  static async open(world: World, { client }: Actor, fileId: number, method = 'GET'): Promise<FileWatchClient> {
    const { hostname } = new URL(world.url);
    const cookie = client.jar.getCookies({ domain: hostname, path: '/', secure: false, script: false } as never);
    const headers = { Cookie: cookie.toValueString(), 'Accept-Encoding': 'gzip, br', 'Sec-Fetch-Site': 'same-origin' };
    const clientRequest = request(`${world.url}/api/files/${fileId}/watch`, { method, headers, agent: false }).end();
    const [response] = (await once(clientRequest, 'response')) as [IncomingMessage];
    return new FileWatchClient(response);
  }

  get eventNames(): string[] {
    return [...this.text.matchAll(/^event: (\w+)$/gm)].map(([, name]) => name!);
  }

  disconnect(): void {
    this.response.destroy();
  }
}
