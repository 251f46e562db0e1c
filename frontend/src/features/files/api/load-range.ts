/** The largest page of the server. */
const PAGE_SIZE = 1000;
const PARALLEL_REQUESTS = 4;

type LoadPage<T> = (offset: number, limit: number) => Promise<{ data?: T[] }>;

/** Loads the items of a list from `first` up to, but without, `end`, in as few requests as possible. */
export async function loadRange<T>(first: number, end: number, loadPage: LoadPage<T>): Promise<T[]> {
  const offsets: number[] = [];
  for (let offset = first; offset < end; offset += PAGE_SIZE) offsets.push(offset);
  const items: T[] = [];
  for (let done = 0; done < offsets.length; done += PARALLEL_REQUESTS) {
    const pages = await Promise.all(
      offsets
        .slice(done, done + PARALLEL_REQUESTS)
        .map((offset) => loadPage(offset, Math.min(PAGE_SIZE, end - offset))),
    );
    for (const { data } of pages) items.push(...(data ?? []));
  }
  return items;
}
