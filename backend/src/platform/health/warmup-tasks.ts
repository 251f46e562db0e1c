import { Injectable } from '@nestjs/common';

type WarmupTask = () => Promise<void>;

/** What a process that serves people does once before it takes requests, so that nobody's request has to wait for it. */
@Injectable()
export class WarmupTasks {
  private readonly tasks: WarmupTask[] = [];

  /** @param preparation what it throws ends the start */
  add(task: WarmupTask): void {
    this.tasks.push(task);
  }

  /** Makes all of them, one after the other; the process asks for it before it listens. */
  async run(): Promise<void> {
    for (const task of this.tasks) await task();
  }
}
