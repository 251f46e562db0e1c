interface CachedEntry<T> {
  readonly url: string | null;
  readonly transport: T;
  underWay: number;
}

/**
 * Caches one transport, created on first use and replaced when the mail server changes. The old one is closed after its
 * sends in progress, so that no email is lost or sent twice.
 */
export class CachedTransport<T> {
  private current: CachedEntry<T> | null = null;

  /**
   * @param createTransport creates a transport to a server; null is the development mailbox
   * @param closeTransport releases its resources
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

  /** Closes the cached transport; nothing may be sent afterwards. */
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
