import { Injectable } from '@nestjs/common';

type Preparation = () => Promise<void>;

/** What a process that serves people does once before it takes requests, so that nobody's request has to wait for it. */
@Injectable()
export class Preparations {
  private readonly known: Preparation[] = [];

  /** @param preparation what it throws ends the start */
  add(preparation: Preparation): void {
    this.known.push(preparation);
  }

  /** Makes all of them, one after the other; the process asks for it before it listens. */
  async run(): Promise<void> {
    for (const prepare of this.known) await prepare();
  }
}
