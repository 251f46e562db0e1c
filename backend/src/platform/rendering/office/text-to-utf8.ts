import { readFile, stat, writeFile } from 'node:fs/promises';
import { MIB } from '../../text/byte-units.js';
import { RenderError } from '../rendering.errors.js';

/** Maximum bytes of a text to convert. More would be hundreds of thousands of lines, which never finish in time. */
const MAX_TEXT = 16 * MIB;

/**
 * Rewrites a text file as UTF-8, because LibreOffice doesn't detect encodings.
 * @throws RenderError for a file that is too large
 */
export async function convertToUtf8(path: string): Promise<void> {
  if ((await stat(path)).size > MAX_TEXT) throw new RenderError('too-large');
  const bytes = await readFile(path);
  // NUL terminates text in C programs.
  await writeFile(path, decode(bytes).replaceAll('\u0000', ''), { mode: 0o600 });
}

/** Decodes by byte order mark, else as UTF-8, else as a Windows code page. */
function decode(bytes: Buffer): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1254').decode(bytes);
  }
}
