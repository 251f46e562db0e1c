import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { addMilliseconds, Clock, MINUTE } from '../../../platform/clock/clock.js';
import { normaliseForComparison } from '../../../platform/text/normalise-for-search.js';
import { zoneAbilities } from '../../zones/access/zone.policy.js';
import { ZoneAccessRepository, type AccessibleZone } from '../../zones/access/zone-access.repository.js';
import { zoneErrors } from '../../zones/zones.errors.js';
import type { TrashedDto } from '../dto/items.dto.js';
import type { TransferConflictRule } from '../dto/transfer.dto.js';
import { fileErrors } from '../files.errors.js';
import { ItemPlacementService } from '../shared/item-placement.service.js';
import { ItemTreeRepository, type ItemKind, type NamedItem } from '../shared/item-tree.repository.js';
import { ItemTrashService } from '../trash/item-trash.service.js';
import { TransferRepository, type NewTransfer } from './transfer.repository.js';

/** How long a transfer can be undone. */
const UNDO_LIFETIME = 30 * MINUTE;

/** Where a request wants its items. */
export interface TransferRequest {
  readonly targetZoneId: number;
  /** Null for the root. */
  readonly targetFolderId: number | null;
  readonly onConflict: TransferConflictRule;
}

/** A folder, or the root, of a locked zone. */
export interface TransferTarget {
  readonly zoneId: number;
  readonly ownerId: number;
  readonly zoneName: string;
  readonly folderId: number | null;
  readonly onConflict: TransferConflictRule;
}

export interface NamedItems {
  readonly files: readonly NamedItem[];
  readonly folders: readonly NamedItem[];
}

export interface PlacedItems extends NamedItems {
  /** The items that they replace, which are in the trash now; null if there are none. */
  readonly replaced: (TrashedDto & { readonly folderIds: readonly number[] }) | null;
}

/** Decides where items may be copied or moved, and under which names. */
@Injectable()
export class TransferTargetService {
  constructor(
    private readonly clock: Clock,
    private readonly zoneAccess: ZoneAccessRepository,
    private readonly tree: ItemTreeRepository,
    private readonly placement: ItemPlacementService,
    private readonly itemTrash: ItemTrashService,
    private readonly transfers: TransferRepository,
  ) {}

  /**
   * Returns a zone whose files the user manages.
   * @throws ZONE_NOT_FOUND, ZONE_FORBIDDEN; OTHER_ZONE if it belongs to somebody else than `ownerId`
   */
  async findZone(zoneId: number, userId: number, ownerId?: number): Promise<AccessibleZone> {
    const zone = await this.zoneAccess.findAccessibleZone(zoneId, userId);
    if (!zone) throw zoneErrors.ZONE_NOT_FOUND();
    if (!zoneAbilities(zone.role).manageFiles) throw zoneErrors.ZONE_FORBIDDEN();
    if (ownerId !== undefined && zone.ownerId !== ownerId) throw fileErrors.OTHER_ZONE();
    return zone;
  }

  /**
   * Locks the trees of zones by ascending id, so that two transfers in opposite directions don't deadlock.
   * @returns their names by id
   * @throws ZONE_NOT_FOUND
   */
  async lockZones(em: EntityManager, zoneIds: readonly number[]): Promise<Map<number, string>> {
    const names = new Map<number, string>();
    for (const zoneId of [...new Set(zoneIds)].sort((a, b) => a - b)) {
      names.set(zoneId, await this.placement.lockZone(em, zoneId, 'tree'));
    }
    return names;
  }

  /** Returns the items that get a place: not those that are skipped, nor those that would replace themselves. */
  async findPlaceable(
    em: EntityManager,
    { zoneId, folderId, onConflict }: Pick<TransferTarget, 'zoneId' | 'folderId' | 'onConflict'>,
    { files, folders }: NamedItems,
  ): Promise<NamedItems> {
    if (onConflict === 'rename') return { files, folders };
    const taken = await this.findTaken(em, zoneId, folderId, { files, folders });
    const select = (items: readonly NamedItem[], existing: readonly NamedItem[]) =>
      onConflict === 'skip' ? withoutTaken(items, existing) : withoutIds(items, existing);
    return { files: select(files, taken.files), folders: select(folders, taken.folders) };
  }

  /**
   * Gives the items of `findPlaceable` names that are free in the target, whose zone must be locked. Moves the items
   * that they replace to the trash; the caller adjusts the counters.
   * @throws MIRROR_READ_ONLY if a mirror would be replaced; DUPLICATE_NAMES if the place of an item was taken in the
   * meantime
   */
  async placeItems(
    em: EntityManager,
    target: TransferTarget,
    userId: number,
    { files, folders }: NamedItems,
  ): Promise<PlacedItems> {
    const { zoneId, folderId } = target;
    const placeable = await this.findPlaceable(em, target, { files, folders });
    const missing = [...withoutIds(files, placeable.files), ...withoutIds(folders, placeable.folders)];
    if (missing.length > 0) throw fileErrors.DUPLICATE_NAMES({}, { names: missing.map(({ name }) => name) });
    const replaced =
      target.onConflict === 'replace' ? await this.trashReplaced(em, target, userId, { files, folders }) : null;
    const name = async (items: readonly NamedItem[], kind: ItemKind) => {
      const names = items.map((item) => item.name);
      const free = await this.placement.findFreeNames(em, zoneId, folderId, names, kind);
      return items.map(({ id }, index) => ({ id, name: free[index]! }));
    };
    return { files: await name(files, 'file'), folders: await name(folders, 'folder'), replaced };
  }

  /**
   * Records a transfer, so that it can be undone.
   * @returns the id for undoing it
   */
  async recordTransfer(em: EntityManager, transfer: Omit<NewTransfer, 'id' | 'expiresAt'>): Promise<string> {
    const id = randomUUID();
    const expiresAt = addMilliseconds(this.clock.now(), UNDO_LIFETIME);
    await this.transfers.insertTransfer(em, { ...transfer, id, expiresAt });
    return id;
  }

  private async trashReplaced(
    em: EntityManager,
    { zoneId, ownerId, zoneName, folderId }: TransferTarget,
    userId: number,
    items: NamedItems,
  ): Promise<PlacedItems['replaced']> {
    const taken = await this.findTaken(em, zoneId, folderId, items);
    if (taken.folders.some(({ isMirror }) => isMirror)) throw fileErrors.MIRROR_READ_ONLY();
    if (taken.files.length + taken.folders.length === 0) return null;
    const trashed = await this.itemTrash.trashItems(em, { zoneId, ownerId, zoneName, userId }, taken);
    return { ...trashed, folderIds: taken.folders.map(({ id }) => id) };
  }

  /** Returns the items that have the names, each once. */
  private async findTaken(em: EntityManager, zoneId: number, folderId: number | null, { files, folders }: NamedItems) {
    const placesOf = (items: readonly NamedItem[]) => items.map(({ name }) => ({ parentId: folderId, name }));
    const existingFiles = await this.tree.findChildFiles(em, zoneId, placesOf(files));
    const existingFolders = await this.tree.findChildFolders(em, zoneId, placesOf(folders));
    return { files: uniqueById(existingFiles), folders: uniqueById(existingFolders) };
  }
}

function uniqueById<T extends NamedItem>(items: readonly T[]): T[] {
  return [...new Map(items.map((item) => [item.id, item])).values()];
}

/** Leaves out items whose names exist, or are repeated. */
function withoutTaken(items: readonly NamedItem[], existing: readonly NamedItem[]): NamedItem[] {
  const keys = new Set(existing.map(({ name }) => normaliseForComparison(name)));
  return items.filter(({ name }) => {
    const key = normaliseForComparison(name);
    const isTaken = keys.has(key);
    keys.add(key);
    return !isTaken;
  });
}

function withoutIds(items: readonly NamedItem[], others: readonly NamedItem[]): NamedItem[] {
  const ids = new Set(others.map(({ id }) => id));
  return items.filter(({ id }) => !ids.has(id));
}
