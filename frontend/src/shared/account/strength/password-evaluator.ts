import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary as leaked } from '@zxcvbn-ts/language-common';
import { dictionary as english } from '@zxcvbn-ts/language-en';
import { commonPasswords } from '../../../../../backend/src/modules/auth/passwords/common-passwords';
import {
  createEstimatorOptions,
  evaluatePassword,
  type PasswordEvaluation,
  type PasswordEvaluationContext,
  type PasswordOwner,
} from '../../../../../backend/src/modules/auth/passwords/password-strength';
import { turkishWords } from '../../../../../backend/src/modules/auth/passwords/turkish-words';

export type { PasswordEvaluation, PasswordOwner };

/** The response carries the same `id`. */
export interface EvaluationRequest {
  readonly id: number;
  readonly password: string;
  readonly owner: PasswordOwner;
  readonly appName: string;
}

export interface EvaluationResponse {
  readonly id: number;
  readonly evaluation: PasswordEvaluation;
}

/** Creates an evaluator that uses the same code as the server. Takes about a third of a second. */
export function createPasswordEvaluator(): (question: EvaluationRequest) => EvaluationResponse {
  const library = { dictionaries: [leaked, english], graphs: adjacencyGraphs };
  const options = createEstimatorOptions(library, { turkish: turkishWords, common: commonPasswords });
  const context: PasswordEvaluationContext = { estimator: new ZxcvbnFactory(options), common: commonPasswords };
  return ({ id, password, owner, appName }) => ({
    id,
    evaluation: evaluatePassword(context, password, owner, appName),
  });
}
