import { makeZone } from '../../../test/zones';
import { sortZones, type ZoneSortKey } from './sort-zones';

const zones = [
  makeZone({ id: 1, name: 'Zone 10', type: 'public', fileCount: 3, memberCount: 9, updatedAt: '2026-11-01T10:00:00Z' }),
  makeZone({
    id: 2,
    name: 'zone 2',
    type: 'private',
    fileCount: 30,
    memberCount: 1,
    updatedAt: '2026-11-03T10:00:00Z',
  }),
  makeZone({ id: 3, name: 'Çizim', type: 'private', fileCount: 3, memberCount: 5, updatedAt: '2026-11-02T10:00:00Z' }),
];
const ids = (by: ZoneSortKey, order: 'asc' | 'desc', list = zones) =>
  sortZones(list, { by, order }, 'tr').map(({ id }) => id);

describe('Sorting zones', () => {
  it('sorts by every key in both directions', () => {
    expect(ids('name', 'asc')).toEqual([3, 2, 1]);
    expect(ids('name', 'desc')).toEqual([1, 2, 3]);
    expect(ids('members', 'desc')).toEqual([1, 3, 2]);
    expect(ids('updated', 'desc')).toEqual([2, 3, 1]);
    expect(ids('updated', 'asc')).toEqual([1, 3, 2]);
  });

  it('sorts equal zones by name in either direction', () => {
    expect(ids('type', 'asc')).toEqual([3, 2, 1]);
    expect(ids('type', 'desc')).toEqual([1, 3, 2]);
    expect(ids('files', 'asc')).toEqual([3, 1, 2]);
    expect(ids('files', 'desc')).toEqual([2, 3, 1]);
  });

  it('lists favourites first and does not modify the given list', () => {
    const list = [...zones, makeZone({ id: 4, name: 'M', isFavorite: true, updatedAt: '2020-01-01T10:00:00Z' })];
    expect(ids('updated', 'desc', list)[0]).toBe(4);
    expect(ids('updated', 'asc', list)[0]).toBe(4);
    expect(list.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
  });
});
