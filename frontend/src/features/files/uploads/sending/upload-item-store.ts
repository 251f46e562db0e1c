import type { UploadItem } from './upload-item';

type UpdateItem = (item: UploadItem) => UploadItem;

/** The files of a queue as they stand, and who is told of their changes. */
export class UploadItemStore {
  private items: readonly UploadItem[] = [];
  private readonly listeners = new Set<() => void>();

  /** The same array until something changes. */
  readonly getSnapshot = (): readonly UploadItem[] => this.items;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  setItems(items: readonly UploadItem[]): void {
    this.items = items;
    this.listeners.forEach((listener) => listener());
  }

  updateEach(updateItem: UpdateItem): void {
    this.setItems(this.items.map(updateItem));
  }

  /** What is not in the list any more is not changed, so nothing that comes late from it is shown. */
  updateItems(ids: readonly number[], changes: Partial<UploadItem>): void {
    if (ids.length === 0) return;
    const idSet = new Set(ids);
    this.updateEach((item) => (idSet.has(item.id) ? { ...item, ...changes } : item));
  }
}
