import { entryKey, type Entry, type StoredFile } from '../entries';
import { addEntries, emptySelection, removeEntries, toggleEntry, type Selection } from './selection';

const [a, b, c] = [1, 2, 3].map((id): Entry => ({ kind: 'file', file: { id } as StoredFile })) as [Entry, Entry, Entry];
const selectedIds = ({ entries }: Selection) => [...entries.values()].map(entryKey).join(' ');

describe('Selection', () => {
  it('toggles an entry, which begins a range', () => {
    const one = toggleEntry(emptySelection, b, 1);
    expect(selectedIds(toggleEntry(one, c, 2))).toBe('file-2 file-3');
    const none = toggleEntry(one, b, 1);
    expect(selectedIds(none)).toBe('');
    expect(none.anchor).toEqual({ entry: b, index: 1 });
  });

  it('adds and removes entries, and keeps the beginning of the range', () => {
    const all = addEntries(toggleEntry(emptySelection, b, 1), [a, b, c]);
    expect(selectedIds(all)).toBe('file-2 file-1 file-3');
    const { entries, anchor } = removeEntries(all, [c]);
    expect([...entries.keys()]).toEqual(['file-2', 'file-1']);
    expect(anchor).toEqual({ entry: b, index: 1 });
  });
});
