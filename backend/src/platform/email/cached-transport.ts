interface CachedEntry<T> {
  readonly url: string | null;
  readonly transport: T;
  underWay: number;
}

/**
 * One transport at a time, made when it is first needed and anew once mails go to another server. The one before is closed
 * after what is under way over it, so that no mail is lost or sent twice for the change.
 */
export class CachedTransport<T> {
  private current: CachedEntry<T> | null = null;

  /**
   * @param make a transport to a server; null is the mailbox of development
   * @param close frees what it holds
   */
  constructor(
    private readonly createTransport: (url: string | null) => T,
    private readonly closeTransport: (transport: T) => void,
  ) {}

  async withTransport<R>(url: string | null, send: (transport: T) => Promise<R>): Promise<R> {
    const entry = this.entryFor(url);
    entry.underWay++;
    try {
      return await send(entry.transport);
    } finally {
      entry.underWay--;
      if (entry !== this.current) this.closeIdle(entry);
    }
  }

  /** Closes the one that is kept: nothing is sent any more. */
  closeCurrent(): void {
    if (this.current) this.closeTransport(this.current.transport);
  }

  private entryFor(url: string | null): CachedEntry<T> {
    const before = this.current;
    if (before?.url === url) return before;
    const now = { url, transport: this.createTransport(url), underWay: 0 };
    this.current = now;
    if (before) this.closeIdle(before);
    return now;
  }

  private closeIdle({ underWay, transport }: CachedEntry<T>): void {
    if (underWay === 0) this.closeTransport(transport);
  }
}
