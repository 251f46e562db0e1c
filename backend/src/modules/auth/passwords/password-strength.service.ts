import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../platform/config/app-config.js';
import type { LocalizedText } from '../../../platform/errors/app-error.js';
import { WarmupTasks } from '../../../platform/health/warmup-tasks.js';
import { ConcurrencyLimiter } from '../../../platform/http/limits/concurrency-limiter.js';
import { fieldError } from '../../../platform/http/parsing/validation.js';
import { commonPasswords } from './common-passwords.js';
import {
  createEstimatorOptions,
  evaluatePassword,
  type PasswordEvaluation,
  type PasswordEvaluationContext,
  type PasswordOwner,
} from './password-strength.js';
import { turkishWords } from './turkish-words.js';

const tooCommonMessage: LocalizedText = {
  en: 'This password is too common. Please choose another one.',
  tr: 'Bu parola çok sık kullanılıyor. Lütfen başka bir parola seçin.',
};
const tooWeakMessage: LocalizedText = {
  en: 'This password is easy to guess. Use several unrelated words, without your name, email address or dates.',
  tr: 'Bu parola kolay tahmin edilebilir. Adınızı, e-posta adresinizi veya tarihleri kullanmadan birbiriyle ilgisiz birkaç sözcük seçin.',
};
const personalDataMessage: LocalizedText = {
  en: "Please don't use your name or email address in the password.",
  tr: 'Lütfen parolada adınızı veya e-posta adresinizi kullanmayın.',
};
const messages: Record<NonNullable<PasswordEvaluation['rejection']>, LocalizedText> = {
  common: tooCommonMessage,
  own: personalDataMessage,
  weak: tooWeakMessage,
};

/** Decides whether a password is strong enough, wherever one is set. */
@Injectable()
export class PasswordStrengthService {
  private context: Promise<PasswordEvaluationContext> | null = null;
  private readonly limiter = new ConcurrencyLimiter({ maxConcurrent: 1, pausesBetween: true });

  /**
   * Loads the dictionaries before the first request: loading blocks the process for 250 ms, or a second on a busy
   * machine.
   */
  constructor(
    private readonly config: AppConfig,
    warmupTasks: WarmupTasks,
  ) {
    warmupTasks.add(async () => void (await this.getContext()));
  }

  /**
   * Returns the problem with a password as a sentence for the user, or null. Evaluation blocks the process for some
   * tens of milliseconds, so one runs at a time, with a pause of the same length for other work after it.
   * @param owner as far as known
   * @throws SERVER_BUSY if too many calls are waiting
   */
  async findProblem(password: string, owner: PasswordOwner): Promise<LocalizedText | null> {
    const context = await this.getContext();
    const { rejection } = await this.limiter.run(() => evaluatePassword(context, password, owner, this.config.appName));
    return rejection && messages[rejection];
  }

  /**
   * Asserts that a password is strong enough.
   * @param field form field for the error message
   * @throws VALIDATION_FAILED, SERVER_BUSY
   */
  async assertStrong(password: string, field: string, owner: PasswordOwner): Promise<void> {
    const problem = await this.findProblem(password, owner);
    if (problem) throw fieldError(field, problem);
  }

  private getContext(): Promise<PasswordEvaluationContext> {
    return (this.context ??= loadContext());
  }
}

/** The dictionaries take 50 MB. Processes that evaluate no passwords, such as workers, don't load them. */
async function loadContext(): Promise<PasswordEvaluationContext> {
  const [core, language, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ]);
  const library = { dictionaries: [language.dictionary, english.dictionary], graphs: language.adjacencyGraphs };
  const options = createEstimatorOptions(library, { turkish: turkishWords, common: commonPasswords });
  return { estimator: new core.ZxcvbnFactory(options), common: commonPasswords };
}
