import { Injectable } from '@nestjs/common';
import { LIST_LIMIT, toPage, type Page } from '../../../platform/http/lists/list.js';
import type { FolderPathDto } from '../dto/folder.dto.js';
import type { SearchHitDto, SearchQueryDto } from '../dto/search.dto.js';
import { FileListService } from '../reading/file-list.service.js';
import { FolderListService } from '../reading/folder-list.service.js';
import { ItemTreeRepository } from '../shared/item-tree.repository.js';
import { FILE_KIND, FileSearchRepository, type SearchHit } from './file-search.repository.js';

/** Finds files and folders by name wherever the viewer has access. */
@Injectable()
export class FileSearchService {
  constructor(
    private readonly search: FileSearchRepository,
    private readonly tree: ItemTreeRepository,
    private readonly fileList: FileListService,
    private readonly folderList: FolderListService,
  ) {}

  /**
   * Finds files and folders whose names contain all words, ordered by name. An item that is visible in several zones is
   * returned once: in its own zone if the viewer is a member of it, otherwise through a mirror.
   * @param zoneId search only this zone and its mirrors; null for all of the viewer's zones
   */
  async searchByName(
    userId: number,
    zoneId: number | null,
    { q, limit = LIST_LIMIT, cursor }: SearchQueryDto,
  ): Promise<Page<SearchHitDto>> {
    const rows = await this.search.searchByName(userId, zoneId, { q, limit: limit + 1, cursor });
    const total = rows[0]?.total ?? 0;
    const page = toPage(rows, limit, total, ({ name, kind, id }) => [name, kind, id]);
    return { ...page, items: await this.toDtos(page.items, userId) };
  }

  /** Converts hits to DTOs with their current state; items that no longer exist are left out. */
  async toDtos(hits: readonly SearchHit[], userId: number): Promise<SearchHitDto[]> {
    const paths = await this.tree.findFolderPaths(hits.flatMap(({ placeId }) => placeId ?? []));
    const views = hits.map((hit) => {
      const path = visiblePath(hit, paths);
      const at = { zoneId: hit.zoneId, role: hit.role, readOnly: hit.mountId !== null };
      return { ...at, hit, path, inside: path.at(-1)?.id ?? null, depth: path.length + 1 };
    });
    const isFile = ({ hit }: { hit: SearchHit }) => hit.kind === FILE_KIND;
    const files = await this.fileList.findVisible(
      new Map(views.filter(isFile).map((at) => [at.hit.id, { ...at, folderId: at.inside }])),
      userId,
    );
    const folders = await this.folderList.findVisible(
      new Map(views.filter((view) => !isFile(view)).map((at) => [at.hit.id, { ...at, parentId: at.inside }])),
      userId,
    );
    return views.flatMap(({ hit: { kind, id, name, zoneId, zoneName }, path }): SearchHitDto[] => {
      const [file, folder] = kind === FILE_KIND ? [files.get(id) ?? null, null] : [null, folders.get(id) ?? null];
      if (!file && !folder) return [];
      return [{ kind: kind === FILE_KIND ? 'file' : 'folder', id, name, zoneId, zoneName, path, file, folder }];
    });
  }
}

/** Hides the folders above the source of a mirror from the viewer; the mount folder takes the source's place. */
function visiblePath(
  { placeId, mountId, mountName, sourceId }: SearchHit,
  paths: ReadonlyMap<number, FolderPathDto[]>,
): FolderPathDto[] {
  const path = placeId === null ? [] : (paths.get(placeId) ?? []);
  if (mountId === null) return path;
  return [{ id: mountId, name: mountName! }, ...path.slice(path.findIndex(({ id }) => id === sourceId) + 1)];
}
