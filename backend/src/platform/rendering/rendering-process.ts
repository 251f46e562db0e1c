import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { RenderError } from './rendering.errors.js';
import type { RenderResponse, ReadyMessage, RenderCommand } from './rendering-protocol.js';
import { CpuTimeLimit, cpuTimeOf, type CpuLimitVerdict } from './limits/cpu-time.js';

const CHILD_SCRIPT = fileURLToPath(new URL('./render-child.mjs', import.meta.url));
/** Environment variables passed to the child: those needed to find programs and folders, and no secrets. */
const PASSED_ENVIRONMENT = ['PATH', 'TMPDIR', 'SystemRoot'];
/** Exit codes and signals for running out of memory, of V8 and of the C library. */
const OUT_OF_MEMORY_EXITS = ['SIGABRT', 'SIGTRAP', 134, 133];

type EndReason = CpuLimitVerdict | 'killed' | 'memory' | 'other';

/** The process ended before it responded. */
export class RenderingProcessEndedError extends Error {
  /**
   * @param reason `late`: killed by us because it used too much CPU time; `starved`: killed because the machine gave it
   *   too little; `killed`: by another process, such as the kernel when memory runs out; `memory`: by its own memory
   *   limit
   */
  constructor(readonly reason: EndReason) {
    super('The rendering process exited.');
  }
}

/** A rendering process. It executes one command at a time, and must be replaced after an error. */
export class RenderingProcess {
  private readonly child: ChildProcess;
  private readonly ended: Promise<EndReason>;
  private onResponse: ((response: RenderResponse) => void) | undefined;
  private verdict: CpuLimitVerdict | undefined;

  private constructor(memory: number) {
    const env = Object.fromEntries(PASSED_ENVIRONMENT.map((name) => [name, process.env[name]]));
    // Without this process's flags, which are meant for a server. Output is ignored because it could contain document
    // content.
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
    this.child.on('message', (response: RenderResponse) => this.onResponse?.(response));
    // An idle child must not keep this process running.
    this.child.unref();
    this.child.channel?.unref();
  }

  /**
   * Starts a process.
   * @param memory memory limit in bytes, if the system supports one
   * @throws RenderingProcessEndedError
   */
  static async start(
    memory: number,
    deadline: number,
  ): Promise<{ process: RenderingProcess; isMemoryLimited: boolean }> {
    const process = new RenderingProcess(memory);
    const { isMemoryLimited } = (await process.waitForResponse(deadline)) as unknown as ReadyMessage;
    return { process, isMemoryLimited };
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /**
   * Executes a command. Only one may be running.
   * @param deadline milliseconds of CPU time after which the process is killed
   * @throws RenderError for problems of the document, RenderingProcessEndedError
   */
  async request<T>(command: RenderCommand, deadline: number): Promise<T> {
    const pending = this.waitForResponse(deadline);
    // If sending fails, the process's exit reports it.
    this.child.send(command, () => undefined);
    const response = await pending;
    if ('rejected' in response) throw new RenderError(response.rejected);
    return response.result as T;
  }

  /** Kills the process; it has no state to lose. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  private async waitForResponse(deadline: number): Promise<RenderResponse> {
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
    const responded = new Promise<RenderResponse>((resolve) => {
      this.onResponse = resolve;
    });
    const ended = this.ended.then((reason) => Promise.reject(new RenderingProcessEndedError(reason)));
    try {
      return await Promise.race([responded, ended]);
    } finally {
      clearTimeout(timer);
      this.onResponse = undefined;
    }
  }
}
