import { createPasswordEvaluator, type EvaluationRequest } from './password-evaluator';

/* Evaluates passwords off the main thread: the dictionaries are large, and one password can take a quarter of a
   second. Nothing leaves the browser. */
const evaluate = createPasswordEvaluator();

addEventListener('message', ({ data }: MessageEvent<EvaluationRequest>) => postMessage(evaluate(data)));
