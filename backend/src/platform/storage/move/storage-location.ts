import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseS3Location } from '../s3/s3-location.js';

/**
 * Returns the place that a storage URL names, without the options of the URL. Objects of a place that begins with
 * another, followed by a slash, are inside of it.
 */
export function toLocation(url: string): string {
  if (url.startsWith('file:')) return `file:${resolveLinks(fileURLToPath(url).replace(/(?<=.)\/+$/, ''))}`;
  if (!url.startsWith('s3:')) return url.replace(/\/+$/, '');
  const { endpoint, bucket, prefix } = parseS3Location(url);
  return `s3:${endpoint ?? 'amazon'}/${bucket}/${prefix}`.replace(/\/$/, '');
}

/** Whether two storage URLs name the same place. Two names of one service can't be recognised here. */
export const isSameLocation = (one: string, other: string): boolean => toLocation(one) === toLocation(other);

/** Whether a storage is inside of another, whose lists would include its objects. */
export function areNested(one: string, other: string): boolean {
  const [first, second] = [toLocation(one), toLocation(other)];
  return first.startsWith(`${second}/`) || second.startsWith(`${first}/`);
}

/** Resolves symbolic links; the folder may not exist yet. */
function resolveLinks(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    const parent = dirname(folder);
    return parent === folder ? folder : join(resolveLinks(parent), basename(folder));
  }
}
