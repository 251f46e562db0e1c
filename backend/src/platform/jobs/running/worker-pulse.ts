import { Injectable } from '@nestjs/common';
import { SECOND } from '../../clock/clock.js';

/** A worker that did not get through to its work for this long is not ready, in milliseconds. */
export const SILENT_AFTER = 30 * SECOND;

/**
 * Hears of each look for work, and so notices one that never comes back. It beats once everybody who looks has come back
 * from a look since the last beat: a timer would go on beating beside a look that hangs, and so would the looks of others.
 */
@Injectable()
export class WorkerPulse {
  private readonly lookers = new Set<string>();
  private readonly back = new Set<string>();
  private readonly through = new Set<string>();
  private throughAt = this.now();
  private tell: (() => void) | null = null;

  /** From now on this one looks, again and again. */
  expect(looker: string): void {
    this.lookers.add(looker);
  }

  /**
   * A look came back.
   * @param gotThrough false when it failed: then the worker is not stuck, and not ready either
   */
  cameBack(looker: string, gotThrough: boolean): void {
    this.back.add(looker);
    if (gotThrough) this.through.add(looker);
    if (this.isRound(this.back)) this.tell?.();
    if (this.isRound(this.through)) this.throughAt = this.now();
  }

  /** Who is to hear each beat. */
  onBeat(tell: () => void): void {
    this.tell = tell;
  }

  /** Milliseconds since everybody got through to the work; at first since the start. */
  get silence(): number {
    return this.now() - this.throughAt;
  }

  get isAlive(): boolean {
    return this.silence < SILENT_AFTER;
  }

  /** Set by tests. */
  protected now(): number {
    return performance.now();
  }

  /** Whether all are there; they begin anew then. */
  private isRound(heard: Set<string>): boolean {
    for (const looker of this.lookers) if (!heard.has(looker)) return false;
    heard.clear();
    return true;
  }
}
