import type { Schema } from '../../../shared/api/client';

type Zone = Pick<Schema<'ZoneDto'>, 'id' | 'name' | 'ownerId' | 'can'>;

/** Why entries of a zone can't be moved to another one by hand; null if they can. */
export type ZoneError = 'alreadyHere' | 'notManaged' | 'otherOwner' | null;

export function findZoneError(source: Pick<Zone, 'id' | 'ownerId'>, target: Zone): ZoneError {
  if (target.id === source.id) return 'alreadyHere';
  if (!target.can.manageFiles) return 'notManaged';
  return target.ownerId === source.ownerId ? null : 'otherOwner';
}

/** Sorts zones for the panel: possible targets first, both parts in their given order. */
export function sortZoneTargets<T extends Zone>(source: Pick<Zone, 'id' | 'ownerId'>, zones: readonly T[]): T[] {
  const isTarget = (zone: T) => findZoneError(source, zone) === null;
  return [...zones.filter(isTarget), ...zones.filter((zone) => !isTarget(zone))];
}
