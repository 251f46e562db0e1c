/** Most letters that documents can be searched for. */
const MAX_QUERY_LENGTH = 200;

const cjk = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]`;
const SEARCHABLE_PATTERN = new RegExp(`^(?:.{3}|${cjk}.|.${cjk})`, 'su');

/** Whether documents can be searched for it: at least three letters, or two with one of Chinese, Japanese or Korean. */
export const isSearchable = (query: string): boolean => SEARCHABLE_PATTERN.test(query);

/** What documents are searched for when this is typed: as much of it as the server takes. */
export const toSearchQuery = (input: string): string => [...input].slice(0, MAX_QUERY_LENGTH).join('').trim();

/** Milliseconds after which documents are searched again while some are being read; each wait is longer by as much. */
const POLL_INTERVAL_STEP = 2_000;

/** Documents are searched anew each time, and again while some are being read. */
export const textSearchOptions = {
  staleTime: 0,
  refetchInterval: ({ state }: { state: { data?: { isReading: boolean }; dataUpdateCount: number } }) =>
    state.data?.isReading === true && POLL_INTERVAL_STEP * state.dataUpdateCount,
};
