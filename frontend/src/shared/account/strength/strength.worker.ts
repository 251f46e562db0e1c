import { createPasswordEvaluator, type EvaluationRequest } from './password-evaluator';

/*
 * Judges passwords beside the page, which stays quick meanwhile: the dictionaries are large, and a password can take a
 * quarter of a second. Nothing leaves the browser.
 */
const evaluate = createPasswordEvaluator();

addEventListener('message', ({ data }: MessageEvent<EvaluationRequest>) => postMessage(evaluate(data)));
