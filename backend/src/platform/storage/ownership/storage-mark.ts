/** Name of the object that identifies the owner of a storage. Other keys never contain a dash. */
export const MARK_OBJECT_NAME = 'zonary-installation';

/** A heartbeat of the installation that uses the storage: a token that only their database knows. */
export interface StorageHeartbeat {
  readonly word: string;
  /** ISO 8601, by the clock of their database. */
  readonly at: string;
  /** The unknown heartbeat that they considered the last of a stopped installation, and when they did so. */
  readonly after?: { readonly word: string; readonly at: string };
}

export interface StorageMark {
  /** The installation's id. */
  readonly installation: string;
  /** Number of renewals of the mark. */
  readonly turn: number;
  /** A restore into this storage has started and not finished. */
  readonly restoring?: boolean;
  /** Missing until the first process that serves requests has started. */
  readonly beat?: StorageHeartbeat;
}

/** Serialises the mark, with an explanation for people who find the object. */
export function serializeMark({ installation, turn, restoring, beat }: StorageMark): string {
  const about =
    'This storage belongs to the Zonary installation of this id. Keep this object: without it nothing is stored here.';
  return `${JSON.stringify({ installation, turn, ...(restoring ? { restoring } : {}), beat, about }, null, 2)}\n`;
}

/** Parses a mark; null for anything that `serializeMark` hasn't written. */
export function parseMark(text: string): StorageMark | null {
  try {
    const { installation, turn, restoring, beat } = JSON.parse(text) as Partial<StorageMark>;
    if (typeof installation !== 'string' || !Number.isInteger(turn)) return null;
    return { installation, turn: turn!, restoring: restoring === true, ...(isHeartbeat(beat) ? { beat } : {}) };
  } catch {
    return null;
  }
}

function isHeartbeat(beat: unknown): beat is StorageHeartbeat {
  const { word, at } = (beat ?? {}) as Partial<StorageHeartbeat>;
  return typeof word === 'string' && typeof at === 'string' && !Number.isNaN(Date.parse(at));
}
