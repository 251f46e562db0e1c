/** One page of a list. */
export interface ListPage<T> {
  items: T[];
  /** Of the whole list. */
  total: number;
  /** Where the following page begins; null at the end. */
  next: string | null;
}

/** Takes what a list answers, with its headers, and gives the page. */
export function toPage<T>(items: T[] | undefined, headers: Headers): ListPage<T> {
  const rows = items ?? [];
  const total = Number(headers.get('x-total-count') ?? rows.length);
  return { items: rows, total, next: nextCursor(headers.get('link')) };
}

/** The cursor in a header such as `Link: </api/…?cursor=abc>; rel="next"`. */
export function nextCursor(link: string | null): string | null {
  const url = /<([^>]*)>\s*;\s*rel="?next"?/.exec(link ?? '')?.[1];
  return url ? new URL(url, location.origin).searchParams.get('cursor') : null;
}
