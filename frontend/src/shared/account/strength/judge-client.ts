import { appName } from '../../app-name';
import type { Answer, PasswordEvaluation, PasswordOwner } from './judging';

/** Judges passwords without keeping the page waiting; loaded when somebody is about to set one. */
export class PasswordJudge {
  private readonly worker = new Worker(new URL('./strength.worker.ts', import.meta.url), { type: 'module' });
  private asked = 0;

  /** @param onJudged told of the judgement of what was asked about last; nothing, where this browser cannot judge */
  constructor(onJudged: (judgement: PasswordEvaluation) => void) {
    this.worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
      if (data.id === this.asked) onJudged(data.judgement);
    });
  }

  /** Asks about a password; earlier questions are not answered any more. */
  ask(password: string, owner: PasswordOwner): void {
    this.asked++;
    this.worker.postMessage({ id: this.asked, password, owner, appName: appName() });
  }

  /** Gives back what the dictionaries take. */
  end(): void {
    this.worker.terminate();
  }
}
