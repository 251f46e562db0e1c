interface Kept<T> {
  readonly url: string | null;
  readonly transport: T;
  underWay: number;
}

/**
 * One transport at a time, made when it is first needed and anew once mails go to another server. The one before is closed
 * after what is under way over it, so that no mail is lost or sent twice for the change.
 */
export class KeptTransport<T> {
  private kept: Kept<T> | null = null;

  /**
   * @param make a transport to a server; null is the mailbox of development
   * @param close frees what it holds
   */
  constructor(
    private readonly make: (url: string | null) => T,
    private readonly close: (transport: T) => void,
  ) {}

  async use<R>(url: string | null, send: (transport: T) => Promise<R>): Promise<R> {
    const kept = this.to(url);
    kept.underWay++;
    try {
      return await send(kept.transport);
    } finally {
      kept.underWay--;
      if (kept !== this.kept) this.closeIdle(kept);
    }
  }

  /** Closes the one that is kept: nothing is sent any more. */
  end(): void {
    if (this.kept) this.close(this.kept.transport);
  }

  private to(url: string | null): Kept<T> {
    const before = this.kept;
    if (before?.url === url) return before;
    const now = { url, transport: this.make(url), underWay: 0 };
    this.kept = now;
    if (before) this.closeIdle(before);
    return now;
  }

  private closeIdle({ underWay, transport }: Kept<T>): void {
    if (underWay === 0) this.close(transport);
  }
}
