import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createContext, Script } from 'node:vm';
import type { AppConfig } from '../../config/app-config.js';
import type { Language } from '../../errors/app-error.js';

/** A page as somebody signed out sees it first; title and description are for its document. */
export interface RenderedPage {
  readonly html: string;
  readonly title: string;
  /** Null: the same as that of the whole site. */
  readonly description: string | null;
}

/** What the build of the page can draw (frontend/src/app/page-renderers.tsx). */
export type RenderedPageName = 'landing' | 'publicJoin' | 'temporaryJoin';
type PageRenderers = Record<
  RenderedPageName,
  (language: Language, site: object | null, answer: object | null) => RenderedPage
>;
type RendererModule = (module: object, exports: object, require: NodeJS.Require) => void;

/**
 * Draws pages on the server, by the very components that draw them in a browser. They run among globals of their own, for
 * they take what looks like a browser for one, and so would libraries of the server.
 */
export class SsrRenderer {
  private renderers: Promise<PageRenderers> | null = null;

  /** @param file built beside the page; it is read when something is drawn for the first time */
  constructor(
    private readonly file: string,
    private readonly site: Pick<AppConfig, 'appName' | 'isBillingEnabled'>,
  ) {}

  /**
   * @param site what the API says of this installation; null while nothing does
   * @param answer what it says of what the page shows
   */
  async renderPage(
    name: RenderedPageName,
    language: Language,
    site: object | null,
    answer: object | null = null,
  ): Promise<RenderedPage> {
    this.renderers ??= this.loadRenderers().catch((error: unknown) => {
      this.renderers = null;
      throw error;
    });
    return (await this.renderers)[name](language, site, answer);
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

/** As much of a browser as the page looks at when it is drawn; nothing in it reaches the network. */
function browserGlobals(site: Pick<AppConfig, 'appName' | 'isBillingEnabled'>): object {
  const unreachable = () => Promise.reject(new Error('A drawn page asks for nothing.'));
  // As the document itself says it (documents.ts); asked for at each page, because both can be set while the server runs.
  const marks: Record<string, () => string> = {
    'application-name': () => site.appName,
    plans: () => (site.isBillingEnabled ? '' : 'none'),
  };
  const querySelector = (selector: string) => ({ content: marks[/name="([^"]+)/.exec(selector)?.[1] ?? '']?.() ?? '' });
  const element = { setAttribute: () => undefined, lang: 'en' };
  return {
    ...{ console, setTimeout, clearTimeout, queueMicrotask, performance, structuredClone },
    ...{ URL, URLSearchParams, TextEncoder, TextDecoder, Request, Response, Headers, AbortController },
    process: { env: {} },
    fetch: unreachable,
    document: { documentElement: element, querySelector, getElementById: () => null },
    localStorage: { getItem: () => null, setItem: () => undefined, removeItem: () => undefined },
    location: new URL('http://localhost/'),
    navigator: { language: 'en', languages: ['en'], onLine: true, platform: '' },
  };
}
