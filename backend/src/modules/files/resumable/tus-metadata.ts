import type { Upload } from '@tus/server';
import { Transform } from 'class-transformer';
import { IsInt, IsNotEmpty, IsString, Max, Min } from 'class-validator';
import { say, validationPipe } from '../../../platform/http/validation.js';
import { UploadTargetDto } from '../dto/file.dto.js';
import { fileErrors } from '../files.errors.js';
import type { UploadWish } from './resumable-uploads.service.js';

const notAZone = say('This is not a zone', 'Bu bir bölge değil');

/** What `Upload-Metadata` says of an upload. Other keys (`filetype` and those of other clients) count for nothing. */
class UploadMetadata extends UploadTargetDto {
  @IsNotEmpty()
  @IsString()
  filename: string;

  @Transform(({ value }: { value: unknown }) => Number(value))
  @IsInt(notAZone)
  @Min(1, notAZone)
  @Max(Number.MAX_SAFE_INTEGER, notAZone)
  zoneId: number;
}

const pipe = validationPipe();

/**
 * What an upload is to become, as its client announces it.
 * @throws VALIDATION_FAILED
 */
export async function wishOf({ id, size, metadata }: Upload): Promise<UploadWish> {
  if (size === undefined) throw fileErrors.UPLOAD_LENGTH_REQUIRED();
  const { filename, zoneId, folderId, onConflict } = metadata ?? {};
  const given = Object.entries({ filename, zoneId, folderId, onConflict }).filter(([, value]) => value != null);
  const type = { type: 'body', metatype: UploadMetadata } as const;
  const announced = (await pipe.transform(Object.fromEntries(given), type)) as UploadMetadata;
  return {
    id,
    length: size,
    name: announced.filename,
    zoneId: announced.zoneId,
    folderId: announced.folderId ?? null,
    rename: announced.onConflict === 'rename',
  };
}
