/** Most letters that documents can be searched for. */
const MOST = 200;

const cjk = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]`;
const longEnough = new RegExp(`^(?:.{3}|${cjk}.|.${cjk})`, 'su');

/** Whether documents can be searched for it: at least three letters, or two with one of Chinese, Japanese or Korean. */
export const isLongEnough = (words: string): boolean => longEnough.test(words);

/** What documents are searched for when this is typed: as much of it as the server takes. */
export const searchedText = (typed: string): string => [...typed].slice(0, MOST).join('').trim();

/** Milliseconds after which documents are searched again while some are being read; each wait is longer by as much. */
const READING_WAIT = 2_000;

/** Documents are searched anew each time, and again while some are being read. */
export const textSearchOptions = {
  staleTime: 0,
  refetchInterval: ({ state }: { state: { data?: { isReading: boolean }; dataUpdateCount: number } }) =>
    state.data?.isReading === true && READING_WAIT * state.dataUpdateCount,
};
