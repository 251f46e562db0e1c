import type { UploadItem } from './upload-item';

type UpdateItem = (item: UploadItem) => UploadItem;

/** Holds the items of an upload queue and notifies subscribers of changes. */
export class UploadItemStore {
  private items: readonly UploadItem[] = [];
  private readonly listeners = new Set<() => void>();

  /** Returns the same array until something changes. */
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

  /** Updates only items that are still in the list, so late events of removed items have no effect. */
  updateItems(ids: readonly number[], changes: Partial<UploadItem>): void {
    if (ids.length === 0) return;
    const idSet = new Set(ids);
    this.updateEach((item) => (idSet.has(item.id) ? { ...item, ...changes } : item));
  }
}
