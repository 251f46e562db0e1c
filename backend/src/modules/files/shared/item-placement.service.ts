import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { normaliseForComparison } from '../../../platform/text/normalise-for-search.js';
import { zoneErrors } from '../../zones/zones.errors.js';
import { fileErrors } from '../files.errors.js';
import { numberedFolderName, numberedName } from './file-name.js';
import { ItemTreeRepository, type ItemKind, type NewFolder } from './item-tree.repository.js';

/** Numbers tried per query when searching for a free name. */
const NUMBERS_PER_QUERY = 50;

/** Finds places and names for new, moved and restored items, under the lock of their zone. */
@Injectable()
export class ItemPlacementService {
  constructor(private readonly tree: ItemTreeRepository) {}

  /**
   * Locks a zone, see `ItemTreeRepository.lockZone`.
   * @returns the zone's name
   * @throws ZONE_NOT_FOUND
   */
  async lockZone(em: EntityManager, zoneId: number, purpose: 'tree' | 'files'): Promise<string> {
    const name = await this.tree.lockZone(em, zoneId, purpose);
    if (name === null) throw zoneErrors.ZONE_NOT_FOUND();
    return name;
  }

  /**
   * Returns the depth of a folder in its zone: 1 at the root, 0 for the root itself (`null`).
   * @throws FOLDER_NOT_FOUND if the folder is not, or no longer, in this zone
   */
  async getFolderDepth(em: EntityManager, zoneId: number, folderId: number | null): Promise<number> {
    if (folderId === null) return 0;
    const depth = await this.tree.findFolderDepth(em, zoneId, folderId);
    if (depth === null) throw fileErrors.FOLDER_NOT_FOUND();
    return depth;
  }

  /**
   * Inserts a folder; the zone must be locked with `tree`.
   * @returns its id
   * @throws DUPLICATE_NAMES
   */
  async insertFolder(em: EntityManager, folder: NewFolder): Promise<number> {
    const id = await this.tree.insertFolder(em, folder);
    if (id === null) throw fileErrors.DUPLICATE_NAMES({}, { names: [folder.name] });
    return id;
  }

  /**
   * Returns names that don't clash with the folder's content or with each other; taken names become "name (1).ext".
   * They stay free while the zone is locked with `tree`.
   */
  async findFreeNames(
    em: EntityManager,
    zoneId: number,
    folderId: number | null,
    names: readonly string[],
    kind: ItemKind = 'file',
  ): Promise<string[]> {
    const taken = new Set(
      (await this.tree.findTakenNames(em, zoneId, folderId, names, kind)).map(normaliseForComparison),
    );
    const lastTriedNumber = new Map<string, number>();
    const freeList: string[] = [];
    for (const name of names) {
      const key = normaliseForComparison(name);
      let freeName: string | undefined = taken.has(key) ? undefined : name;
      for (let from = lastTriedNumber.get(key) ?? 1; freeName === undefined; from += NUMBERS_PER_QUERY) {
        const candidates = Array.from({ length: NUMBERS_PER_QUERY }, (_, index) => addNumber(name, from + index, kind));
        const stored = new Set(await this.tree.findTakenNames(em, zoneId, folderId, candidates, kind));
        freeName = candidates.find(
          (candidate) => !stored.has(candidate) && !taken.has(normaliseForComparison(candidate)),
        );
        lastTriedNumber.set(key, from);
      }
      taken.add(normaliseForComparison(freeName));
      freeList.push(freeName);
    }
    return freeList;
  }
}

function addNumber(name: string, number: number, kind: ItemKind): string {
  return kind === 'file' ? numberedName(name, number) : numberedFolderName(name, number);
}
