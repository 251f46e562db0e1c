import './jest-selectors.mjs';
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

/** Works for nobody: what a page has done beside itself does not come. A test that wants it puts one in this place. */
class SilentWorker {
  addEventListener() {}
  postMessage() {}
  terminate() {}
}

/** A page in jsdom that can also talk HTTP, encode text and be asked about its screen. */
export default class BrowserEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    const OfForms = this.global.FormData;
    for (const name of fromNode) this.global[name] = globalThis[name];
    // Node's travels in requests but cannot read a form of the page.
    this.global.FormData = new Proxy(FormData, {
      construct: (Plain, [form, ...rest]) => (form === undefined ? new Plain() : new OfForms(form, ...rest)),
    });
    this.global.matchMedia = matchMedia;
    this.global.Worker = SilentWorker;
    this.global.scrollTo = () => undefined;
    // jsdom draws nothing, and says so at length each time it is asked to.
    this.global.HTMLCanvasElement.prototype.getContext = () => null;
  }
}
