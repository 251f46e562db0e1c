import type { UploadItem } from './upload-item';

type Each = (item: UploadItem) => UploadItem;

/** The files of a queue as they stand, and who is told of their changes. */
export class ItemList {
  private items: readonly UploadItem[] = [];
  private readonly listeners = new Set<() => void>();

  /** The same array until something changes. */
  readonly snapshot = (): readonly UploadItem[] => this.items;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  set(items: readonly UploadItem[]): void {
    this.items = items;
    this.listeners.forEach((listener) => listener());
  }

  change(each: Each): void {
    this.set(this.items.map(each));
  }

  /** What is not in the list any more is not changed, so nothing that comes late from it is shown. */
  update(ids: readonly number[], changes: Partial<UploadItem>): void {
    if (ids.length === 0) return;
    const chosen = new Set(ids);
    this.change((item) => (chosen.has(item.id) ? { ...item, ...changes } : item));
  }
}
