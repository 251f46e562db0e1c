import { drawingErrors } from '../drawing.errors.js';
import type { DrawingTurns } from './drawing-turns.service.js';

interface Waiting {
  readonly owner: number;
  /** Does it; never rejects. */
  readonly begin: () => Promise<void>;
  readonly refuse: (error: Error) => void;
}

/**
 * Works of which one is done at a time. Next comes the one whose owner has taken least lately, so that nobody waits for more
 * than the one under way because of what another has ordered. When too many wait, whoever has most of them gives way.
 */
export class DrawingLine {
  private readonly waiting: Waiting[] = [];
  private isUnderWay = false;
  private serving: Promise<void> | null = null;

  /** @param limits `wishes`: works at most, the one under way included */
  constructor(
    private readonly turns: DrawingTurns,
    private readonly limits: { readonly wishes: number },
  ) {}

  /**
   * Does a work when it is its turn. @throws DRAWING_BUSY, also later when others need the place; what the work throws
   */
  async do<T>(owner: number, work: () => Promise<T>): Promise<T> {
    this.makeRoom(owner);
    return new Promise<T>((resolve, reject) => {
      const begin = () =>
        this.turns
          .charge(owner, work)
          .finally(() => (this.isUnderWay = false))
          .then(resolve, reject);
      this.waiting.push({ owner, begin, refuse: reject });
      this.serving ??= this.serve();
    });
  }

  /** Resolves when nothing is under way and nothing waits. */
  async idle(): Promise<void> {
    await this.serving;
  }

  private async serve(): Promise<void> {
    for (let next = this.next(); next; next = this.next()) {
      this.isUnderWay = true;
      await next.begin();
    }
    this.serving = null;
  }

  /** Takes out whose turn it is: of equals who came first. */
  private next(): Waiting | undefined {
    const used = this.waiting.map(({ owner }) => this.turns.usedBy(owner));
    const [next] = this.waiting.splice(used.indexOf(Math.min(...used)), 1);
    return next;
  }

  private makeRoom(owner: number): void {
    if (this.waiting.length + Number(this.isUnderWay) < this.limits.wishes) return;
    const counts = new Map<number, number>();
    for (const { owner: one } of this.waiting) counts.set(one, (counts.get(one) ?? 0) + 1);
    const most = Math.max(0, ...counts.values());
    if ((counts.get(owner) ?? 0) + 1 >= most) throw drawingErrors.DRAWING_BUSY();
    const at = this.waiting.findLastIndex(({ owner: one }) => counts.get(one) === most);
    const [last] = this.waiting.splice(at, 1);
    last!.refuse(drawingErrors.DRAWING_BUSY());
  }
}
