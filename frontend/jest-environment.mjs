import './jest-selectors.mjs';
import { TestEnvironment } from 'jest-environment-jsdom';

/** Globals of browsers that jsdom lacks; those of Node follow the same standards. */
const fromNode = [
  ...['fetch', 'Request', 'Response', 'Headers', 'FormData', 'Blob', 'File', 'AbortController', 'AbortSignal'],
  ...['TextEncoder', 'TextDecoder', 'ReadableStream', 'WritableStream', 'TransformStream', 'BroadcastChannel'],
  ...['structuredClone', 'CompressionStream', 'DecompressionStream'],
];

/** A light, wide screen with a mouse: queries for dark colours, narrow screens and touch don't match. */
function matchMedia(query) {
  const noop = () => undefined;
  const listeners = {
    addEventListener: noop,
    removeEventListener: noop,
    addListener: noop,
    removeListener: noop,
  };
  return { matches: /min-width/.test(query), media: query, ...listeners };
}

/** A worker that never answers. Tests that need one replace it. */
class SilentWorker {
  addEventListener() {}
  postMessage() {}
  terminate() {}
}

/** jsdom with HTTP, text encoding and media queries. */
export default class BrowserEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    const JsdomFormData = this.global.FormData;
    for (const name of fromNode) this.global[name] = globalThis[name];
    // Node's can be sent in requests, but only jsdom's can read a form of the page.
    this.global.FormData = new Proxy(FormData, {
      construct: (NodeFormData, [form, ...rest]) =>
        form === undefined ? new NodeFormData() : new JsdomFormData(form, ...rest),
    });
    this.global.matchMedia = matchMedia;
    this.global.Worker = SilentWorker;
    this.global.scrollTo = () => undefined;
    // jsdom doesn't implement canvas and prints a long message on each call.
    this.global.HTMLCanvasElement.prototype.getContext = () => null;
  }
}
