import { TestEnvironment } from 'jest-environment-jsdom';

/** What browsers have and jsdom leaves out; Node's own are the same standard. */
const fromNode = [
  ...['fetch', 'Request', 'Response', 'Headers', 'FormData', 'Blob', 'File', 'AbortController', 'AbortSignal'],
  ...['TextEncoder', 'TextDecoder', 'ReadableStream', 'WritableStream', 'TransformStream', 'BroadcastChannel'],
  ...['structuredClone', 'CompressionStream', 'DecompressionStream'],
];

/** A light, wide screen with a mouse: no query about darkness, narrowness or touch holds. */
function matchMedia(query) {
  const nothing = () => undefined;
  const listeners = {
    addEventListener: nothing,
    removeEventListener: nothing,
    addListener: nothing,
    removeListener: nothing,
  };
  return { matches: /min-width/.test(query), media: query, ...listeners };
}

/** A page in jsdom that can also talk HTTP, encode text and be asked about its screen. */
export default class BrowserEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    for (const name of fromNode) this.global[name] = globalThis[name];
    this.global.matchMedia = matchMedia;
    this.global.scrollTo = () => undefined;
  }
}
