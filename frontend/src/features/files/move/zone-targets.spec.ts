import { makeForeignZone, makeZone } from '../../../../test/zones';
import { findZoneError, sortZoneTargets } from './zone-targets';

describe('Zones as targets', () => {
  const source = makeZone();
  const own = makeZone({ id: 8 });
  const managed = makeForeignZone({ id: 9, ownerId: 2, can: own.can });
  const read = makeForeignZone({ id: 10 });

  it('are zones of the same owner in which the user may manage files', () => {
    expect([source, own, managed, read].map((zone) => findZoneError(source, zone))).toEqual([
      ...['alreadyHere', null],
      ...['otherOwner', 'notManaged'],
    ]);
    const siblingOfManaged = makeForeignZone({ id: 11, ownerId: 2, can: own.can });
    expect([own, siblingOfManaged].map((zone) => findZoneError(managed, zone))).toEqual(['otherOwner', null]);
  });

  it('come before the others', () => {
    expect(sortZoneTargets(source, [source, read, own, managed]).map(({ id }) => id)).toEqual([8, 7, 10, 9]);
  });
});
