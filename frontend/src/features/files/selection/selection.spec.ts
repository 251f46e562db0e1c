import { extendSelection, retainListed, emptySelection, toggleKey } from './selection';

const list = ['a', 'b', 'c', 'd', 'e'];
const selectedKeys = (selection: { keys: ReadonlySet<string> }) => [...selection.keys].sort().join('');

describe('a selection', () => {
  it('takes an item up and drops it again', () => {
    const one = toggleKey(emptySelection, 'b');
    expect(selectedKeys(toggleKey(one, 'd'))).toBe('bd');
    expect(selectedKeys(toggleKey(one, 'b'))).toBe('');
  });

  it('reaches from the item chosen last to another one, in both directions', () => {
    const one = toggleKey(emptySelection, 'c');
    expect(selectedKeys(extendSelection(one, list, 'e'))).toBe('cde');
    expect(selectedKeys(extendSelection(one, list, 'a'))).toBe('abc');
    expect(selectedKeys(extendSelection(extendSelection(one, list, 'e'), list, 'b'))).toBe('bcde');
  });

  it('begins at the item itself when nothing was chosen, or what was chosen is gone', () => {
    expect(selectedKeys(extendSelection(emptySelection, list, 'd'))).toBe('d');
    expect(selectedKeys(extendSelection({ keys: new Set(), anchor: 'gone' }, list, 'd'))).toBe('d');
  });

  it('forgets what left the list, and stays the same object when nothing did', () => {
    const two = toggleKey(toggleKey(emptySelection, 'a'), 'c');
    expect(selectedKeys(retainListed(two, ['b', 'c']))).toBe('c');
    expect(retainListed(two, list)).toBe(two);
    expect(retainListed(emptySelection, [])).toBe(emptySelection);
  });
});
