import { fileURLToPath } from 'node:url';
import { ConfigError } from './read-variables.js';

/** How the web server in front learns which file to send. */
export interface Sendfile {
  readonly header: 'X-Accel-Redirect' | 'X-Sendfile';
  /** Precedes the object key in the header: an internal location of the web server, or the path of the folder. */
  readonly prefix: string;
}

/**
 * Decides whether the web server in front sends the files of a storage, and how it learns which.
 * @param value of the variable SENDFILE
 * @returns null if Zonary sends the files itself
 * @throws ConfigError for a folder that `x-sendfile` can't name
 */
export function resolveSendfile(value: string | null, storageUrl: string): Sendfile | null {
  // A web server can't send files of a bucket. No error: the compose file sets the variable for everybody.
  if (value === null || !storageUrl.startsWith('file:')) return null;
  if (value !== 'x-sendfile') return { header: 'X-Accel-Redirect', prefix: value.slice('x-accel:'.length) };
  const folder = fileURLToPath(storageUrl);
  // Versions of mod_xsendfile differ in whether they decode the header, so nothing in it may need encoding.
  if (!/^[\w./-]+$/.test(folder)) {
    throw new ConfigError(
      `SENDFILE=x-sendfile needs a folder whose path consists of letters, digits, dots and dashes, unlike ${folder}.`,
    );
  }
  return { header: 'X-Sendfile', prefix: `${folder}/` };
}
