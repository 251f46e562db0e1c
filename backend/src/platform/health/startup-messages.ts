import { Injectable } from '@nestjs/common';

/** A line for the person who has started the process. @param url of the product, without a slash at its end */
export type StartupMessage = (url: string) => string;

/** What a process that serves people prints once it is ready, after the line that says so: to the terminal, not to the log. */
@Injectable()
export class StartupMessages {
  private readonly factories: (() => Promise<StartupMessage | null>)[] = [];

  /** @param make asked once, when the process listens; null where there is nothing to say */
  add(factory: () => Promise<StartupMessage | null>): void {
    this.factories.push(factory);
  }

  /** All that there is to say at this start. */
  async collect(): Promise<StartupMessage[]> {
    const messages: (StartupMessage | null)[] = [];
    for (const make of this.factories) messages.push(await make());
    return messages.filter((announcement) => announcement !== null);
  }
}
