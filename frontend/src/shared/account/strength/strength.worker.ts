import { createJudge, type Question } from './judging';

/*
 * Judges passwords beside the page, which stays quick meanwhile: the dictionaries are large, and a password can take a
 * quarter of a second. Nothing leaves the browser.
 */
const answer = createJudge();

addEventListener('message', ({ data }: MessageEvent<Question>) => postMessage(answer(data)));
