import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { query } from '../../platform/database/query.js';
import {
  inBatches,
  PersonalDataPort,
  type ErasureState,
  type Person,
  type PersonalData,
  type Rows,
} from '../auth/personal-data.port.js';
import { ZoneSchema } from '../zones/entities/zone.entity.js';
import { FileSchema } from './entities/file.entity.js';
import { FolderSchema } from './entities/folder.entity.js';
import { ResumableUploadSchema } from './entities/resumable-upload.entity.js';
import { UploadSchema } from './entities/upload.entity.js';
import { UploadIntents } from './upload-intents.service.js';

type Tables =
  typeof FileSchema | typeof FolderSchema | typeof ZoneSchema | typeof UploadSchema | typeof ResumableUploadSchema;

/** Folders and files of people. Those in their zones go with the zones; those in the zones of others stay there. */
@Injectable()
export class FilesPersonalData implements PersonalData, OnModuleInit {
  constructor(
    private readonly em: EntityManager,
    private readonly port: PersonalDataPort,
    private readonly intents: UploadIntents,
  ) {}

  onModuleInit(): void {
    this.port.register(this);
  }

  sections(em: EntityManager, { id }: Person): Record<string, Rows> {
    return {
      folders: folders(em, id),
      files: files(em, id, 'own'),
      filesInOtherZones: files(em, id, 'others'),
      uploads: uploads(em, id),
    };
  }

  /** Uploads that broke off hold objects which only their rows know, and these go with the person's row. */
  async erase({ id }: Person, signal: AbortSignal): Promise<ErasureState> {
    const em = this.em.fork();
    const rows = await query<Tables>(em)
      .selectFrom('uploads as u')
      .leftJoin('resumable_uploads as r', 'r.upload_id', 'u.id')
      .select(['u.id as id', 'u.object_key as objectKey', 'u.owner_id as ownerId'])
      .where((where) => where.or([where('u.owner_id', '=', id), where('r.user_id', '=', id)]))
      .execute();
    for (const intent of rows) {
      signal.throwIfAborted();
      await this.intents.abandon(em, intent);
    }
    return 'done';
  }
}

const folders = (em: EntityManager, userId: number) =>
  inBatches((last: { id: number } | null, limit) =>
    query<Tables>(em)
      .selectFrom('folders as f')
      .innerJoin('zones as z', 'z.id', 'f.zone_id')
      .select(['f.id as id', 'f.name as name', 'f.zone_id as zoneId', 'f.parent_id as parentId'])
      .select(['f.trashed_at as trashedAt', 'f.created_at as createdAt', 'f.updated_at as updatedAt'])
      .where('z.owner_id', '=', userId)
      .where('z.deleted_at', 'is', null)
      .where('f.id', '>', last?.id ?? 0)
      .orderBy('f.id')
      .limit(limit)
      .execute(),
  );

const files = (em: EntityManager, userId: number, whose: 'own' | 'others') =>
  inBatches((last: { id: number } | null, limit) => {
    const rows = query<Tables>(em)
      .selectFrom('files as f')
      .innerJoin('zones as z', 'z.id', 'f.zone_id')
      .select(['f.id as id', 'f.original_name as name', 'f.mime_type as mimeType', 'f.size as size'])
      .select(['f.sha256 as sha256', 'f.zone_id as zoneId', 'f.folder_id as folderId'])
      .select(['f.allow_download as allowDownload', 'f.trashed_at as trashedAt'])
      .select(['f.created_at as createdAt', 'f.updated_at as updatedAt'])
      .where('z.deleted_at', 'is', null)
      .where('f.id', '>', last?.id ?? 0)
      .orderBy('f.id')
      .limit(limit);
    if (whose === 'own') return rows.where('z.owner_id', '=', userId).execute();
    return rows.where('f.uploaded_by_id', '=', userId).where('z.owner_id', '!=', userId).execute();
  });

const uploads = (em: EntityManager, userId: number) =>
  inBatches((last: { id: string } | null, limit) =>
    query<Tables>(em)
      .selectFrom('resumable_uploads')
      .select(['id', 'name', 'zone_id as zoneId', 'folder_id as folderId', 'length', 'received'])
      .select(['file_id as fileId', 'created_at as createdAt', 'expires_at as expiresAt'])
      .where('user_id', '=', userId)
      .where((where) => (last ? where('id', '>', last.id) : where.lit(true)))
      .orderBy('id')
      .limit(limit)
      .execute(),
  );
