import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { RenderError } from './rendering.errors.js';
import type { RenderResponse, ReadyMessage, RenderCommand } from './rendering-protocol.js';
import { CpuTimeLimit, cpuTimeOf, type CpuLimitVerdict } from './limits/cpu-time.js';

const CHILD_SCRIPT = fileURLToPath(new URL('./drawing-child.mjs', import.meta.url));
/** All of the environment that it gets: how its programs and folders are found, and nothing that is a secret. */
const PASSED_ENVIRONMENT = ['PATH', 'TMPDIR', 'SystemRoot'];
/** As V8 ends a process that gets no more memory, and as the C library does. */
const OUT_OF_MEMORY_EXITS = ['SIGABRT', 'SIGTRAP', 134, 133];

type EndReason = CpuLimitVerdict | 'killed' | 'memory' | 'other';

/** The process ended before it had answered. */
export class RenderingProcessEndedError extends Error {
  /**
   * @param why `late`: ended by us, because it used too much processor time; `starved`: because the machine gave it too
   * little of it; `killed`: by somebody else, such as a system without memory; `memory`: by its own limit of memory
   */
  constructor(readonly reason: EndReason) {
    super('The process that draws has ended.');
  }
}

/** One process that draws: it does one wish after the other, and is good for nothing more once one has failed it. */
export class RenderingProcess {
  private readonly child: ChildProcess;
  private readonly ended: Promise<EndReason>;
  private onAnswer: ((answer: RenderResponse) => void) | undefined;
  private verdict: CpuLimitVerdict | undefined;

  private constructor(memory: number) {
    const env = Object.fromEntries(PASSED_ENVIRONMENT.map((name) => [name, process.env[name]]));
    // No flag of this process: they are made for a server. What it would print could hold something of a document.
    this.child = spawn(process.execPath, [CHILD_SCRIPT, String(memory)], {
      env: { ...env, MALLOC_ARENA_MAX: '1' },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    });
    this.ended = new Promise((resolve) => {
      this.child.on('error', () => resolve('other'));
      this.child.once('exit', (code, signal) => {
        const isMemory = OUT_OF_MEMORY_EXITS.includes(signal ?? code ?? 0);
        resolve(this.verdict ?? (isMemory ? 'memory' : signal === 'SIGKILL' ? 'killed' : 'other'));
      });
    });
    this.child.on('message', (answer: RenderResponse) => this.onAnswer?.(answer));
    // One that waits for wishes holds up the end of nobody.
    this.child.unref();
    this.child.channel?.unref();
  }

  /**
   * Starts one. @param memory bytes that it may take, where the system can hold it to that
   * @throws RenderingProcessEndedError
   */
  static async start(memory: number, deadline: number): Promise<{ process: RenderingProcess; limited: boolean }> {
    const process = new RenderingProcess(memory);
    const { limited } = (await process.waitForAnswer(deadline)) as unknown as ReadyMessage;
    return { process, limited };
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /**
   * Has a wish done. Only one may be under way.
   * @param deadline milliseconds of processor time, after which the process is ended
   * @throws RenderError for what the document is, RenderingProcessEndedError
   */
  async request<T>(command: RenderCommand, deadline: number): Promise<T> {
    const answer = this.waitForAnswer(deadline);
    // That it could not be sent shows by its end.
    this.child.send(command, () => undefined);
    const response = await answer;
    if ('refused' in response) throw new RenderError(response.refused);
    return response.done as T;
  }

  /** Ends it, whatever it does: it has nothing to lose. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  private async waitForAnswer(deadline: number): Promise<RenderResponse> {
    const limit = new CpuTimeLimit(deadline);
    const [startedAt, usedBefore] = [performance.now(), cpuTimeOf(this.child.pid) ?? 0];
    let timer: NodeJS.Timeout;
    const checkLimit = () => {
      const used = cpuTimeOf(this.child.pid);
      const verdict = limit.check(performance.now() - startedAt, used === null ? null : used - usedBefore);
      if (typeof verdict === 'number') {
        timer = setTimeout(checkLimit, verdict);
        return;
      }
      this.verdict = verdict;
      this.child.kill('SIGKILL');
    };
    timer = setTimeout(checkLimit, deadline);
    const answered = new Promise<RenderResponse>((resolve) => {
      this.onAnswer = resolve;
    });
    const ended = this.ended.then((why) => Promise.reject(new RenderingProcessEndedError(why)));
    try {
      return await Promise.race([answered, ended]);
    } finally {
      clearTimeout(timer);
      this.onAnswer = undefined;
    }
  }
}
