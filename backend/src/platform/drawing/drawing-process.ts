import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { DrawingFailure } from './drawing.errors.js';
import type { Answer, Greeting, Wish } from './drawing-protocol.js';
import { ProcessorLimit, processorTimeOf, type Verdict } from './limits/processor-time.js';

const PROGRAM = fileURLToPath(new URL('./drawing-child.mjs', import.meta.url));
/** All of the environment that it gets: how its programs and folders are found, and nothing that is a secret. */
const ENVIRONMENT = ['PATH', 'TMPDIR', 'SystemRoot'];
/** As V8 ends a process that gets no more memory, and as the C library does. */
const OUT_OF_MEMORY = ['SIGABRT', 'SIGTRAP', 134, 133];

type Ending = Verdict | 'killed' | 'memory' | 'other';

/** The process ended before it had answered. */
export class ProcessEnded extends Error {
  /**
   * @param why `late`: ended by us, because it used too much processor time; `starved`: because the machine gave it too
   * little of it; `killed`: by somebody else, such as a system without memory; `memory`: by its own limit of memory
   */
  constructor(readonly why: Ending) {
    super('The process that draws has ended.');
  }
}

/** One process that draws: it does one wish after the other, and is good for nothing more once one has failed it. */
export class DrawingProcess {
  private readonly child: ChildProcess;
  private readonly ended: Promise<Ending>;
  private answered: ((answer: Answer) => void) | undefined;
  private verdict: Verdict | undefined;

  private constructor(memory: number) {
    const env = Object.fromEntries(ENVIRONMENT.map((name) => [name, process.env[name]]));
    // No flag of this process: they are made for a server. What it would print could hold something of a document.
    this.child = spawn(process.execPath, [PROGRAM, String(memory)], {
      env: { ...env, MALLOC_ARENA_MAX: '1' },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    });
    this.ended = new Promise((resolve) => {
      this.child.on('error', () => resolve('other'));
      this.child.once('exit', (code, signal) => {
        const isMemory = OUT_OF_MEMORY.includes(signal ?? code ?? 0);
        resolve(this.verdict ?? (isMemory ? 'memory' : signal === 'SIGKILL' ? 'killed' : 'other'));
      });
    });
    this.child.on('message', (answer: Answer) => this.answered?.(answer));
    // One that waits for wishes holds up the end of nobody.
    this.child.unref();
    this.child.channel?.unref();
  }

  /**
   * Starts one. @param memory bytes that it may take, where the system can hold it to that
   * @throws ProcessEnded
   */
  static async start(memory: number, deadline: number): Promise<{ process: DrawingProcess; limited: boolean }> {
    const process = new DrawingProcess(memory);
    const { limited } = (await process.answer(deadline)) as unknown as Greeting;
    return { process, limited };
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /**
   * Has a wish done. Only one may be under way.
   * @param deadline milliseconds of processor time, after which the process is ended
   * @throws DrawingFailure for what the document is, ProcessEnded
   */
  async ask<T>(wish: Wish, deadline: number): Promise<T> {
    const answer = this.answer(deadline);
    // That it could not be sent shows by its end.
    this.child.send(wish, () => undefined);
    const told = await answer;
    if ('refused' in told) throw new DrawingFailure(told.refused);
    return told.done as T;
  }

  /** Ends it, whatever it does: it has nothing to lose. */
  async end(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  private async answer(deadline: number): Promise<Answer> {
    const limit = new ProcessorLimit(deadline);
    const [begun, usedBefore] = [performance.now(), processorTimeOf(this.child.pid) ?? 0];
    let timer: NodeJS.Timeout;
    const look = () => {
      const used = processorTimeOf(this.child.pid);
      const judged = limit.judge(performance.now() - begun, used === null ? null : used - usedBefore);
      if (typeof judged === 'number') {
        timer = setTimeout(look, judged);
        return;
      }
      this.verdict = judged;
      this.child.kill('SIGKILL');
    };
    timer = setTimeout(look, deadline);
    const answered = new Promise<Answer>((resolve) => {
      this.answered = resolve;
    });
    const ended = this.ended.then((why) => Promise.reject(new ProcessEnded(why)));
    try {
      return await Promise.race([answered, ended]);
    } finally {
      clearTimeout(timer);
      this.answered = undefined;
    }
  }
}
