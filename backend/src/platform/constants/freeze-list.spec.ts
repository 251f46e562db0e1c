import { freezeList } from './freeze-list.js';

describe('freezeList', () => {
  it('makes the list, its entries and nested values immutable', () => {
    const list = freezeList([{ id: 'b', limits: { zones: 1 }, features: ['links'] }, { id: 'a' }]) as unknown as {
      id: string;
      limits: { zones: number };
      features: string[];
    }[];
    expect(() => list.sort((one, other) => one.id.localeCompare(other.id))).toThrow(TypeError);
    expect(() => list.push(list[0]!)).toThrow(TypeError);
    expect(() => (list[0]!.limits.zones = 2)).toThrow(TypeError);
    expect(() => list[0]!.features.reverse().push('more')).toThrow(TypeError);
    expect(list.map(({ id }) => id)).toEqual(['b', 'a']);
  });
});
