import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../platform/config/app-config.js';
import type { Sentence } from '../../../platform/errors/app-error.js';
import { Preparations } from '../../../platform/health/preparations.js';
import { Turns } from '../../../platform/http/limits/turns.js';
import { fieldError } from '../../../platform/http/reading/validation.js';
import { commonPasswords } from './common-passwords.js';
import { estimatorOptions, judge, type Judgement, type Means, type PasswordOwner } from './judge.js';
import { turkishWords } from './turkish-words.js';

const tooCommon: Sentence = {
  en: 'This password is too common. Please choose another one.',
  tr: 'Bu parola çok sık kullanılıyor. Lütfen başka bir parola seçin.',
};
const tooWeak: Sentence = {
  en: 'This password is easy to guess. Use several unrelated words, without your name, email address or dates.',
  tr: 'Bu parola kolay tahmin edilebilir. Adınızı, e-posta adresinizi veya tarihleri kullanmadan birbiriyle ilgisiz birkaç sözcük seçin.',
};
const ownName: Sentence = {
  en: "Please don't use your name or email address in the password.",
  tr: 'Lütfen parolada adınızı veya e-posta adresinizi kullanmayın.',
};
const sentences: Record<NonNullable<Judgement['fault']>, Sentence> = { common: tooCommon, own: ownName, weak: tooWeak };

/** Decides whether a password is strong enough, the same wherever one is set. */
@Injectable()
export class PasswordStrength {
  private means: Promise<Means> | null = null;
  private readonly turns = new Turns({ atOnce: 1, pauses: true });

  /**
   * The dictionaries are loaded before the first request: for a quarter of a second, and a second on a busy machine, the
   * process does nothing else.
   */
  constructor(
    private readonly config: AppConfig,
    preparations: Preparations,
  ) {
    preparations.add(async () => void (await this.loaded()));
  }

  /**
   * What is wrong with a password as a sentence for its person, or null when nothing is. Judging holds the process up for
   * some hundredths of a second: one at a time, and as long as it took others have theirs.
   * @param owner as far as it is known
   * @throws SERVER_BUSY when too many wait
   */
  async fault(password: string, owner: PasswordOwner): Promise<Sentence | null> {
    const means = await this.loaded();
    const { fault } = await this.turns.run(() => judge(means, password, owner, this.config.appName));
    return fault && sentences[fault];
  }

  /**
   * Refuses a password that is not strong enough.
   * @param field the field of the form, for the message
   * @throws VALIDATION_FAILED, SERVER_BUSY
   */
  async refuseWeak(password: string, field: string, owner: PasswordOwner): Promise<void> {
    const fault = await this.fault(password, owner);
    if (fault) throw fieldError(field, fault);
  }

  private loaded(): Promise<Means> {
    return (this.means ??= loadMeans());
  }
}

/** The dictionaries take 50 MB; processes that judge no password, such as workers, do without them. */
async function loadMeans(): Promise<Means> {
  const [core, language, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ]);
  const library = { dictionaries: [language.dictionary, english.dictionary], graphs: language.adjacencyGraphs };
  const options = estimatorOptions(library, { turkish: turkishWords, common: commonPasswords });
  return { estimator: new core.ZxcvbnFactory(options), common: commonPasswords };
}
