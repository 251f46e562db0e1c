import { Injectable } from '@nestjs/common';

/** What the drawn pages tell of this installation, of one moment. */
export interface Facts {
  /** For the marks in drawn pages, by their names: numbers are written as the language does, null is left out. */
  readonly marks: Readonly<Record<string, string | number | null>>;
  /** The same as the API gives it, so that the program of the page need not ask; null while it is not whole. */
  readonly answer: object | null;
}

/** Where the module that knows this installation brings what drawn pages tell of it. */
@Injectable()
export class PageFacts {
  private source: (() => Promise<Facts>) | null = null;

  /**
   * @param source asked at every visit: gives the same object for as long as nothing has changed, lets nobody wait, and
   * does not fail
   */
  register(source: () => Promise<Facts>): void {
    this.source = source;
  }

  /** What is true now; null when no module tells anything. */
  async current(): Promise<Facts | null> {
    return (await this.source?.()) ?? null;
  }
}
