import { readFile, stat, writeFile } from 'node:fs/promises';
import { MIB } from '../../text/byte-units.js';
import { RenderError } from '../rendering.errors.js';

/** Bytes of a text of which pages are made. More of it is hundreds of thousands of lines, and never ready in time. */
const MAX_TEXT = 16 * MIB;

/**
 * Writes a text anew as UTF-8: LibreOffice tells no encoding by itself.
 * @throws RenderError for one that is too large
 */
export async function convertToUtf8(path: string): Promise<void> {
  if ((await stat(path)).size > MAX_TEXT) throw new RenderError('too-large');
  const bytes = await readFile(path);
  // NUL ends a text for programs in C.
  await writeFile(path, decode(bytes).replaceAll('\u0000', ''), { mode: 0o600 });
}

/** By its mark, else as UTF-8, else as programs of Windows write it here. */
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
