import { Injectable } from '@nestjs/common';

/** A line for the person who started the process. @param url public URL of the app, without a trailing slash */
export type StartupMessage = (url: string) => string;

/** Lines that a web process prints to the terminal (not to the log) when it is ready. */
@Injectable()
export class StartupMessages {
  private readonly factories: (() => Promise<StartupMessage | null>)[] = [];

  /** @param factory called once, when the process listens; returns null when there is nothing to say */
  add(factory: () => Promise<StartupMessage | null>): void {
    this.factories.push(factory);
  }

  /** Returns all messages of this start. */
  async collect(): Promise<StartupMessage[]> {
    const messages: (StartupMessage | null)[] = [];
    for (const make of this.factories) messages.push(await make());
    return messages.filter((announcement) => announcement !== null);
  }
}
