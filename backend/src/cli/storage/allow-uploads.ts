import type { AppConfig } from '../../platform/config/app-config.js';
import { directUploadSource } from '../../platform/storage/s3/s3-location.js';
import { CommandError } from '../backup/run-command.js';

/**
 * Sets the rule of the bucket that lets pages of APP_URL send uploads to it.
 * @returns what was done, for the operator
 */
export async function allowUploads({ storageUrl, appUrl }: AppConfig): Promise<string> {
  if (directUploadSource(storageUrl) === null) {
    throw new CommandError('Direct uploads need a bucket with directUploads=yes: STORAGE_URL=s3://…?directUploads=yes');
  }
  const { S3Storage } = await import('../../platform/storage/s3/s3-storage.js');
  const { origin } = new URL(appUrl);
  await new S3Storage({ url: storageUrl }).allowOrigin(origin);
  return `Pages of ${origin} can send uploads to the bucket. Check it with npm run doctor.`;
}
