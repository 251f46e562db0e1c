import { extendSelection, retainListed, emptySelection, toggleKey } from './selection';

const list = ['a', 'b', 'c', 'd', 'e'];
const selectedKeys = (selection: { keys: ReadonlySet<string> }) => [...selection.keys].sort().join('');

describe('Selection', () => {
  it('toggles an item', () => {
    const one = toggleKey(emptySelection, 'b');
    expect(selectedKeys(toggleKey(one, 'd'))).toBe('bd');
    expect(selectedKeys(toggleKey(one, 'b'))).toBe('');
  });

  it('extends from the last selected item in both directions', () => {
    const one = toggleKey(emptySelection, 'c');
    expect(selectedKeys(extendSelection(one, list, 'e'))).toBe('cde');
    expect(selectedKeys(extendSelection(one, list, 'a'))).toBe('abc');
    expect(selectedKeys(extendSelection(extendSelection(one, list, 'e'), list, 'b'))).toBe('bcde');
  });

  it('starts at the item itself when the anchor is missing', () => {
    expect(selectedKeys(extendSelection(emptySelection, list, 'd'))).toBe('d');
    expect(selectedKeys(extendSelection({ keys: new Set(), anchor: 'gone' }, list, 'd'))).toBe('d');
  });

  it('drops items no longer listed and keeps its identity when nothing changed', () => {
    const two = toggleKey(toggleKey(emptySelection, 'a'), 'c');
    expect(selectedKeys(retainListed(two, ['b', 'c']))).toBe('c');
    expect(retainListed(two, list)).toBe(two);
    expect(retainListed(emptySelection, [])).toBe(emptySelection);
  });
});
