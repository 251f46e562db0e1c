import { Injectable } from '@nestjs/common';

/** A line for the person who has started the process. @param url of the product, without a slash at its end */
export type Announcement = (url: string) => string;

/** What a process that serves people prints once it is ready, after the line that says so: to the terminal, not to the log. */
@Injectable()
export class Announcements {
  private readonly makers: (() => Promise<Announcement | null>)[] = [];

  /** @param make asked once, when the process listens; null where there is nothing to say */
  add(make: () => Promise<Announcement | null>): void {
    this.makers.push(make);
  }

  /** All that there is to say at this start. */
  async collect(): Promise<Announcement[]> {
    const made: (Announcement | null)[] = [];
    for (const make of this.makers) made.push(await make());
    return made.filter((announcement) => announcement !== null);
  }
}
