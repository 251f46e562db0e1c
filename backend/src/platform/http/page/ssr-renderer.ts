import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createContext, Script } from 'node:vm';
import type { AppConfig } from '../../config/app-config.js';
import type { Language } from '../../errors/app-error.js';

/** The initial view of a page when signed out, with the title and description of its document. */
export interface RenderedPage {
  readonly html: string;
  readonly title: string;
  /** Null for the description of the whole site. */
  readonly description: string | null;
}

/** Pages that the frontend's SSR build can render (frontend/src/app/page-renderers.tsx). */
export type RenderedPageName = 'landing' | 'signIn' | 'publicJoin' | 'temporaryJoin';
type PageRenderers = Record<
  RenderedPageName,
  (language: Language, site: object | null, data: object | null) => RenderedPage
>;
type RendererModule = (module: object, exports: object, require: NodeJS.Require) => void;

/**
 * Renders pages on the server with the frontend's components. They run in a context with their own globals, because
 * they detect a browser by its globals, and so would libraries of the server.
 */
export class SsrRenderer {
  private renderers: Promise<PageRenderers> | null = null;

  /** @param file the SSR module in the frontend's build, loaded on first use */
  constructor(
    private readonly file: string,
    private readonly site: Pick<AppConfig, 'appName' | 'isBillingEnabled'>,
  ) {}

  /**
   * @param site the API's data about this installation; null when unavailable
   * @param data the API's data for the page
   */
  async renderPage(
    name: RenderedPageName,
    language: Language,
    site: object | null,
    data: object | null = null,
  ): Promise<RenderedPage> {
    this.renderers ??= this.loadRenderers().catch((error: unknown) => {
      this.renderers = null;
      throw error;
    });
    return (await this.renderers)[name](language, site, data);
  }

  private async loadRenderers(): Promise<PageRenderers> {
    const code = await readFile(this.file, 'utf8');
    const script = new Script(`(function (module, exports, require) {${code}\n})`, { filename: this.file });
    const run = script.runInContext(createContext(browserGlobals(this.site))) as RendererModule;
    const module = { exports: {} as { createPageRenderers: () => Promise<PageRenderers> } };
    run(module, module.exports, createRequire(this.file));
    return module.exports.createPageRenderers();
  }
}

/** The browser globals that rendering uses; none of them can access the network. */
function browserGlobals(site: Pick<AppConfig, 'appName' | 'isBillingEnabled'>): object {
  const unreachable = () => Promise.reject(new Error('A server-rendered page must not send requests.'));
  // The same as in the document (html-document-builder.ts); evaluated for each page, because both can change at
  // runtime.
  const marks: Record<string, () => string> = {
    'application-name': () => site.appName,
    plans: () => (site.isBillingEnabled ? '' : 'none'),
  };
  const querySelector = (selector: string) => ({ content: marks[/name="([^"]+)/.exec(selector)?.[1] ?? '']?.() ?? '' });
  const element = { setAttribute: () => undefined, lang: 'en' };
  return {
    console,
    setTimeout,
    clearTimeout,
    queueMicrotask,
    performance,
    structuredClone,
    URL,
    URLSearchParams,
    TextEncoder,
    TextDecoder,
    Request,
    Response,
    Headers,
    AbortController,
    process: { env: {} },
    fetch: unreachable,
    document: { documentElement: element, querySelector, getElementById: () => null },
    localStorage: { getItem: () => null, setItem: () => undefined, removeItem: () => undefined },
    location: new URL('http://localhost/'),
    navigator: { language: 'en', languages: ['en'], onLine: true, platform: '' },
    // The sign-in page offers passkeys, which current browsers support.
    PublicKeyCredential: () => undefined,
  };
}
