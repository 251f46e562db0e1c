import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { Actor } from '../../../support/people/actors.js';
import type { World } from '../../../support/world.js';

/** A reader who has a file open, as their browser has: what it is told, and when that ends. */
export class OpenReader {
  text = '';
  /** Settled with all that was told, when the answer has ended. */
  readonly ended: Promise<string>;

  private constructor(readonly answer: IncomingMessage) {
    answer.setEncoding('utf8').on('data', (piece: string) => (this.text += piece));
    this.ended = once(answer, 'close').then(() => this.text);
    // A test that has failed asks for it no more, and what ends then is nobody's fault.
    this.ended.catch(() => undefined);
  }

  static async open(world: World, { client }: Actor, fileId: number, method = 'GET'): Promise<OpenReader> {
    const { hostname } = new URL(world.url);
    const cookie = client.jar.getCookies({ domain: hostname, path: '/', secure: false, script: false } as never);
    const headers = { Cookie: cookie.toValueString(), 'Accept-Encoding': 'gzip, br', 'Sec-Fetch-Site': 'same-origin' };
    const call = request(`${world.url}/api/files/${fileId}/watch`, { method, headers, agent: false }).end();
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    return new OpenReader(answer);
  }

  get events(): string[] {
    return [...this.text.matchAll(/^event: (\w+)$/gm)].map(([, name]) => name!);
  }

  leave(): void {
    this.answer.destroy();
  }
}
