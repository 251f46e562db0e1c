import { getAppName } from '../../site/app-name';
import type { EvaluationResponse, PasswordEvaluation, PasswordOwner } from './password-evaluator';

/** Evaluates passwords in a web worker. Loaded when the user is about to set a password. */
export class PasswordEvaluatorClient {
  private readonly worker = new Worker(new URL('./strength.worker.ts', import.meta.url), { type: 'module' });
  private lastRequestId = 0;

  /**
   * @param onEvaluated called with the evaluation of the last requested password; never called in browsers that cannot
   * evaluate
   */
  constructor(onEvaluated: (evaluation: PasswordEvaluation) => void) {
    this.worker.addEventListener('message', ({ data }: MessageEvent<EvaluationResponse>) => {
      if (data.id === this.lastRequestId) onEvaluated(data.evaluation);
    });
  }

  /** Requests an evaluation. Earlier requests are dropped. */
  evaluate(password: string, owner: PasswordOwner): void {
    this.lastRequestId++;
    this.worker.postMessage({ id: this.lastRequestId, password, owner, appName: getAppName() });
  }

  /** Ends the worker and frees the memory of the dictionaries. */
  terminate(): void {
    this.worker.terminate();
  }
}
