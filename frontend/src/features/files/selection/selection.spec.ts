import { extended, kept, nothing, toggled } from './selection';

const list = ['a', 'b', 'c', 'd', 'e'];
const chosen = (selection: { keys: ReadonlySet<string> }) => [...selection.keys].sort().join('');

describe('a selection', () => {
  it('takes an item up and drops it again', () => {
    const one = toggled(nothing, 'b');
    expect(chosen(toggled(one, 'd'))).toBe('bd');
    expect(chosen(toggled(one, 'b'))).toBe('');
  });

  it('reaches from the item chosen last to another one, in both directions', () => {
    const one = toggled(nothing, 'c');
    expect(chosen(extended(one, list, 'e'))).toBe('cde');
    expect(chosen(extended(one, list, 'a'))).toBe('abc');
    expect(chosen(extended(extended(one, list, 'e'), list, 'b'))).toBe('bcde');
  });

  it('begins at the item itself when nothing was chosen, or what was chosen is gone', () => {
    expect(chosen(extended(nothing, list, 'd'))).toBe('d');
    expect(chosen(extended({ keys: new Set(), anchor: 'gone' }, list, 'd'))).toBe('d');
  });

  it('forgets what left the list, and stays the same object when nothing did', () => {
    const two = toggled(toggled(nothing, 'a'), 'c');
    expect(chosen(kept(two, ['b', 'c']))).toBe('c');
    expect(kept(two, list)).toBe(two);
    expect(kept(nothing, [])).toBe(nothing);
  });
});
