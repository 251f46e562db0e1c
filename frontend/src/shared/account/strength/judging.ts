import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary as leaked } from '@zxcvbn-ts/language-common';
import { dictionary as english } from '@zxcvbn-ts/language-en';
import { commonPasswords } from '../../../../../backend/src/modules/auth/passwords/common-passwords';
import {
  estimatorOptions,
  judge,
  type Judgement,
  type Means,
  type PasswordOwner,
} from '../../../../../backend/src/modules/auth/passwords/judge';
import { turkishWords } from '../../../../../backend/src/modules/auth/passwords/turkish-words';

export type { Judgement, PasswordOwner };

/** A password to be judged; the answer names the same number. */
export interface Question {
  readonly id: number;
  readonly password: string;
  readonly owner: PasswordOwner;
  readonly appName: string;
}

export interface Answer {
  readonly id: number;
  readonly judgement: Judgement;
}

/** Ready to judge as the server does, with the very same words. Making it takes a third of a second. */
export function createJudge(): (question: Question) => Answer {
  const library = { dictionaries: [leaked, english], graphs: adjacencyGraphs };
  const options = estimatorOptions(library, { turkish: turkishWords, common: commonPasswords });
  const means: Means = { estimator: new ZxcvbnFactory(options), common: commonPasswords };
  return ({ id, password, owner, appName }) => ({ id, judgement: judge(means, password, owner, appName) });
}
