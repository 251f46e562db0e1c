import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { Actor } from '../../../support/people/actors.js';
import type { World } from '../../../support/world.js';

/** A reader who has a file open, as their browser has: what it is told, and when that ends. */
export class FileWatchClient {
  text = '';
  /** Settled with all that was told, when the answer has ended. */
  readonly ended: Promise<string>;

  private constructor(readonly response: IncomingMessage) {
    response.setEncoding('utf8').on('data', (chunk: string) => (this.text += chunk));
    this.ended = once(response, 'close').then(() => this.text);
    // A test that has failed asks for it no more, and what ends then is nobody's fault.
    this.ended.catch(() => undefined);
  }

  static async open(world: World, { client }: Actor, fileId: number, method = 'GET'): Promise<FileWatchClient> {
    const { hostname } = new URL(world.url);
    const cookie = client.jar.getCookies({ domain: hostname, path: '/', secure: false, script: false } as never);
    const headers = { Cookie: cookie.toValueString(), 'Accept-Encoding': 'gzip, br', 'Sec-Fetch-Site': 'same-origin' };
    const clientRequest = request(`${world.url}/api/files/${fileId}/watch`, { method, headers, agent: false }).end();
    const [answer] = (await once(clientRequest, 'response')) as [IncomingMessage];
    return new FileWatchClient(answer);
  }

  get eventNames(): string[] {
    return [...this.text.matchAll(/^event: (\w+)$/gm)].map(([, name]) => name!);
  }

  disconnect(): void {
    this.response.destroy();
  }
}
