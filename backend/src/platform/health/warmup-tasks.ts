import { Injectable } from '@nestjs/common';

type WarmupTask = () => Promise<void>;

/** Tasks that a web process runs once before it accepts requests, so that no request has to wait for them. */
@Injectable()
export class WarmupTasks {
  private readonly tasks: WarmupTask[] = [];

  /** @param task an error it throws aborts the start */
  add(task: WarmupTask): void {
    this.tasks.push(task);
  }

  /** Runs all tasks one after the other; called before the process listens. */
  async run(): Promise<void> {
    for (const task of this.tasks) await task();
  }
}
