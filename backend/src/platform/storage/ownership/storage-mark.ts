/** The name of the object that says whose a storage is. No key of ours has a dash. */
export const MARK_OBJECT_NAME = 'zonary-installation';

/** A sign of life of those who use the storage: a word that only their database knows. */
export interface StorageHeartbeat {
  readonly word: string;
  /** ISO 8601, by the clock of their database. */
  readonly at: string;
  /** The word of a beat that they did not know and took for the last of somebody who has ended, and when they did so. */
  readonly after?: { readonly word: string; readonly at: string };
}

export interface StorageMark {
  /** The id of the installation. */
  readonly installation: string;
  /** How often the mark was renewed. */
  readonly turn: number;
  /** A restore has begun to fill the storage, and has not ended. */
  readonly restoring?: boolean;
  /** Missing until the first process that serves has started. */
  readonly beat?: StorageHeartbeat;
}

/** The text of the object: for the program, and for the person who finds it. */
export function serializeMark({ installation, turn, restoring, beat }: StorageMark): string {
  const about =
    'This storage belongs to the Zonary installation of this id. Keep this object: without it nothing is stored here.';
  return `${JSON.stringify({ installation, turn, ...(restoring ? { restoring } : {}), beat, about }, null, 2)}\n`;
}

/** Reads what `serializeMark` has written; null for anything else. */
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
