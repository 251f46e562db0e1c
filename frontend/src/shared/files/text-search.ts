/** In characters. */
const MAX_QUERY_LENGTH = 200;

const cjk = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]`;
const SEARCHABLE_PATTERN = new RegExp(`^(?:.{3}|${cjk}.|.${cjk})`, 'su');

/**
 * Whether documents can be searched for this: at least three characters, or two if one is Chinese, Japanese or Korean.
 */
export const isSearchable = (query: string): boolean => SEARCHABLE_PATTERN.test(query);

/** Cuts the input to the length that the server accepts. */
export const toSearchQuery = (input: string): string => [...input].slice(0, MAX_QUERY_LENGTH).join('').trim();

/** In milliseconds. While documents are being indexed, the search is repeated; each wait is longer by this step. */
const POLL_INTERVAL_STEP = 2_000;

/** Text searches are always refetched, and repeated while documents are being indexed. */
export const textSearchOptions = {
  staleTime: 0,
  refetchInterval: ({ state }: { state: { data?: { isReading: boolean }; dataUpdateCount: number } }) =>
    state.data?.isReading === true && POLL_INTERVAL_STEP * state.dataUpdateCount,
};
