import { Injectable } from '@nestjs/common';
import type { Language } from '../../errors/app-error.js';
import type { RenderedPageName } from './ssr-renderer.js';

/** What the drawn pages tell of this installation, of one moment. */
export interface SiteSnapshot {
  /** As the API gives it. */
  readonly site: object;
  /** While it is not whole the program of the page asks for itself. */
  readonly isComplete: boolean;
}

/** Pages of which each address shows something else; the server draws it when it is asked for. */
export interface PrerenderedPages {
  /** Their addresses; the first group names what is shown. */
  readonly path: RegExp;
  readonly renderer: RenderedPageName;
  /** The path of the API that gives the same. */
  readonly apiPath: (name: string) => string;
  /**
   * What the API answers to it.
   * @param network whom limits count
   * @throws what the API would
   */
  readonly loadResponse: (name: string, language: Language, network: string) => Promise<object>;
}

/** Pages that are not drawn, of which an address may lead nowhere. */
export interface StatusOnlyPages {
  /** Their addresses; the first group names what is looked up. */
  readonly path: RegExp;
  /**
   * @param network whom limits count
   * @throws what the API would say of it
   */
  readonly check: (name: string, network: string) => Promise<unknown>;
}

/** Where the modules bring what drawn pages show. */
@Injectable()
export class PrerenderRegistry {
  private source: (() => Promise<SiteSnapshot>) | null = null;
  private readonly pages: PrerenderedPages[] = [];
  private readonly statusOnly: StatusOnlyPages[] = [];

  /**
   * @param source asked at every visit: gives the same object for as long as nothing has changed, lets nobody wait, and
   * does not fail
   */
  registerSite(source: () => Promise<SiteSnapshot>): void {
    this.source = source;
  }

  /** Has pages drawn that show something of a module. */
  registerPages(pages: PrerenderedPages): void {
    this.pages.push(pages);
  }

  /** Has pages answer with the status of what they lead to. */
  registerStatusOnly(pages: StatusOnlyPages): void {
    this.statusOnly.push(pages);
  }

  /** Looks whether a page that is not drawn leads somewhere. @throws what the API would */
  async checkStatus(path: string, network: string): Promise<void> {
    for (const pages of this.statusOnly) {
      const name = pages.path.exec(path)?.[1];
      if (name !== undefined) await pages.check(name, network);
    }
  }

  /** What is true now; null when no module tells anything. */
  async currentSite(): Promise<SiteSnapshot | null> {
    return (await this.source?.()) ?? null;
  }

  /** The pages that an address belongs to, and what it names; null when it is drawn for nobody. */
  findPages(path: string): { readonly pages: PrerenderedPages; readonly name: string } | null {
    for (const pages of this.pages) {
      const name = pages.path.exec(path)?.[1];
      if (name !== undefined) return { pages, name };
    }
    return null;
  }
}
