/** Milliseconds without input after which somebody is no longer reading. */
export const IDLE_LIMIT = 30_000;

/** Measures for how long each page was visible while the reader was active. */
export class ReadingTimer {
  private readonly times = new Map<number, number>();
  /** Since when the time of the page hasn't been added; null while the window is hidden. */
  private startedAt: number | null = null;
  private activeUntil = 0;

  /** @param now returns milliseconds; must not follow changes of the computer's clock */
  constructor(
    private page: number,
    private readonly now = () => performance.now(),
  ) {}

  /** Starts to measure, when the window becomes visible. */
  resume(): void {
    this.startedAt ??= this.now();
    this.noteActivity();
  }

  /** Stops measuring, when the window is hidden. */
  pause(): void {
    this.addElapsed();
    this.startedAt = null;
  }

  /** To be called when the reader scrolls, moves the pointer or presses a key. */
  noteActivity(): void {
    this.addElapsed();
    this.activeUntil = this.now() + IDLE_LIMIT;
  }

  setPage(page: number): void {
    if (page === this.page) return;
    this.addElapsed();
    this.page = page;
  }

  /** Returns the times since the last call, in the order in which the pages were read. */
  takeTimes(): { page: number; ms: number }[] {
    this.addElapsed();
    const times = [...this.times].map(([page, ms]) => ({ page, ms: Math.round(ms) }));
    this.times.clear();
    return times.filter(({ ms }) => ms > 0);
  }

  /** Adds times that were taken but couldn't be sent. */
  restoreTimes(times: readonly { page: number; ms: number }[]): void {
    const later = [...this.times];
    this.times.clear();
    for (const { page, ms } of times) this.addTime(page, ms);
    for (const [page, ms] of later) this.addTime(page, ms);
  }

  private addElapsed(): void {
    if (this.startedAt === null) return;
    const now = this.now();
    const end = Math.min(now, this.activeUntil);
    if (end > this.startedAt) this.addTime(this.page, end - this.startedAt);
    this.startedAt = now;
  }

  private addTime(page: number, ms: number): void {
    const before = this.times.get(page) ?? 0;
    // The page that was read last must be the last one.
    this.times.delete(page);
    this.times.set(page, before + ms);
  }
}
