import { TestEnvironment } from 'jest-environment-jsdom';

/** What browsers have and jsdom leaves out; Node's own are the same standard. */
const fromNode = [
  ...['fetch', 'Request', 'Response', 'Headers', 'FormData', 'Blob', 'File', 'AbortController', 'AbortSignal'],
  ...['TextEncoder', 'TextDecoder', 'ReadableStream', 'WritableStream', 'TransformStream', 'BroadcastChannel'],
  ...['structuredClone', 'CompressionStream', 'DecompressionStream'],
];

/** A page in jsdom that can also talk HTTP and encode text. */
export default class BrowserEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    for (const name of fromNode) this.global[name] = globalThis[name];
  }
}
