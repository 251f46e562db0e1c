import { getAppName } from '../../app-name';
import type { EvaluationResponse, PasswordEvaluation, PasswordOwner } from './password-evaluator';

/** Judges passwords without keeping the page waiting; loaded when somebody is about to set one. */
export class PasswordEvaluatorClient {
  private readonly worker = new Worker(new URL('./strength.worker.ts', import.meta.url), { type: 'module' });
  private lastRequestId = 0;

  /** @param onJudged told of the judgement of what was asked about last; nothing, where this browser cannot judge */
  constructor(onEvaluated: (evaluation: PasswordEvaluation) => void) {
    this.worker.addEventListener('message', ({ data }: MessageEvent<EvaluationResponse>) => {
      if (data.id === this.lastRequestId) onEvaluated(data.evaluation);
    });
  }

  /** Asks about a password; earlier questions are not answered any more. */
  evaluate(password: string, owner: PasswordOwner): void {
    this.lastRequestId++;
    this.worker.postMessage({ id: this.lastRequestId, password, owner, appName: getAppName() });
  }

  /** Gives back what the dictionaries take. */
  terminate(): void {
    this.worker.terminate();
  }
}
