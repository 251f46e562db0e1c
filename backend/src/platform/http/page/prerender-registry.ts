import { Injectable } from '@nestjs/common';
import type { Language } from '../../errors/app-error.js';
import type { RenderedPageName } from './ssr-renderer.js';

/** Data about this installation in prerendered pages, at one point in time. */
export interface SiteSnapshot {
  /** The API response. */
  readonly site: object;
  /** While false, the frontend requests the data itself. */
  readonly isComplete: boolean;
}

/** Pages with different content per path, rendered on request. */
export interface PrerenderedPages {
  /** Matches the paths; the first group is the name of what is shown. */
  readonly path: RegExp;
  readonly renderer: RenderedPageName;
  /** The API path with the same data. */
  readonly apiPath: (name: string) => string;
  /**
   * Loads the API response.
   * @param network network to count for rate limits
   * @throws the API's errors
   */
  readonly loadResponse: (name: string, language: Language, network: string) => Promise<object>;
}

/** Pages that aren't prerendered, but whose paths may not exist. */
export interface StatusOnlyPages {
  /** Matches the paths; the first group is the name to look up. */
  readonly path: RegExp;
  /**
   * @param network network to count for rate limits
   * @throws the API's errors
   */
  readonly check: (name: string, network: string) => Promise<unknown>;
}

/** Registry to which modules add data and pages for prerendering. */
@Injectable()
export class PrerenderRegistry {
  private source: (() => Promise<SiteSnapshot>) | null = null;
  private readonly pages: PrerenderedPages[] = [];
  private readonly statusOnly: StatusOnlyPages[] = [];

  /**
   * @param source called for each visit: returns the same object as long as nothing has changed, returns quickly, and
   *   doesn't fail
   */
  registerSite(source: () => Promise<SiteSnapshot>): void {
    this.source = source;
  }

  /** Registers pages to prerender. */
  registerPages(pages: PrerenderedPages): void {
    this.pages.push(pages);
  }

  /** Registers pages that respond with the status of what they link to. */
  registerStatusOnly(pages: StatusOnlyPages): void {
    this.statusOnly.push(pages);
  }

  /** Checks whether a page that isn't prerendered exists. @throws the API's errors */
  async checkStatus(path: string, network: string): Promise<void> {
    for (const pages of this.statusOnly) {
      const name = pages.path.exec(path)?.[1];
      if (name !== undefined) await pages.check(name, network);
    }
  }

  /** Returns the current data; null when no module provides any. */
  async currentSite(): Promise<SiteSnapshot | null> {
    return (await this.source?.()) ?? null;
  }

  /** Returns the pages that match a path, and the name in it; null when the path isn't prerendered. */
  findPages(path: string): { readonly pages: PrerenderedPages; readonly name: string } | null {
    for (const pages of this.pages) {
      const name = pages.path.exec(path)?.[1];
      if (name !== undefined) return { pages, name };
    }
    return null;
  }
}
