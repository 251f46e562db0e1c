export interface ListPage<T> {
  items: T[];
  /** Items in the whole list, not only on this page. */
  total: number;
  /** Cursor of the next page; null on the last one. */
  next: string | null;
}

/** Builds a page from a list response and its headers. */
export function toPage<T>(items: T[] | undefined, headers: Headers): ListPage<T> {
  const rows = items ?? [];
  const total = Number(headers.get('x-total-count') ?? rows.length);
  return { items: rows, total, next: nextCursor(headers.get('link')) };
}

/** Returns the cursor from a header such as `Link: </api/…?cursor=abc>; rel="next"`. */
export function nextCursor(link: string | null): string | null {
  const url = /<([^>]*)>\s*;\s*rel="?next"?/.exec(link ?? '')?.[1];
  return url ? new URL(url, location.origin).searchParams.get('cursor') : null;
}
