import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface SourceMap {
  readonly sources: readonly string[];
  readonly mappings: string;
}

/** Folder of the built server, whose files have source maps. No stack names such files when run from source (tests). */
const BUILD_URL = new URL('../../../', import.meta.url).href;
const POSITION = /(file:\/\/[^\s()]+\.js):(\d+):\d+/g;
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Functions that return the source position of a line, by URL of the built file; null for a file without a map. */
const sourceFinders = new Map<string, ((line: number) => string | null) | null>();

/**
 * Replaces positions in built files by those in the sources, for logs. Node's own support for source maps reads all maps
 * at the start, which takes 0.7 s and 145 MB (ADR 0063); this reads the maps of the files in a stack, once.
 * @param stack as in `Error.stack`
 */
export function toSourceStack(stack: string): string {
  return stack.replace(POSITION, (position, url: string, line: string) => {
    if (!url.startsWith(BUILD_URL)) return position;
    let find = sourceFinders.get(url);
    if (find === undefined) sourceFinders.set(url, (find = createSourceFinder(url)));
    return find?.(Number(line)) ?? position;
  });
}

function createSourceFinder(url: string): ((line: number) => string | null) | null {
  let map: SourceMap;
  try {
    map = JSON.parse(readFileSync(fileURLToPath(`${url}.map`), 'utf8')) as SourceMap;
  } catch {
    // The error to log matters more than a missing map.
    return null;
  }
  const { sources } = map;
  const positions = decodePositions(map.mappings);
  return (line) => {
    const [source = -1, sourceLine] = positions.subarray(2 * (line - 1), 2 * line);
    return source < 0 ? null : `${new URL(sources[source]!, url).href}:${sourceLine! + 1}`;
  };
}

/**
 * Decodes the mappings of a source map (https://tc39.es/ecma426/#sec-mappings).
 * @returns for each built line the index of the source and the 0-based line of its first position; -1 if there is none
 */
export function decodePositions(mappings: string): Int32Array {
  const digits = new Uint8Array(128);
  for (let index = 0; index < BASE64.length; index++) digits[BASE64.charCodeAt(index)] = index;
  const lines = mappings.split(';');
  const positions = new Int32Array(2 * lines.length).fill(-1);
  // Built column, source, source line, source column and name. All are relative to the segment before.
  const fields = [0, 0, 0, 0, 0];
  for (const [line, segments] of lines.entries()) {
    for (const segment of segments.split(',')) {
      let [field, value, shift] = [0, 0, 0];
      for (let index = 0; index < segment.length; index++) {
        const digit = digits[segment.charCodeAt(index)]!;
        value |= (digit & 31) << shift;
        shift += 5;
        if (digit & 32) continue;
        fields[field++]! += value & 1 ? -(value >> 1) : value >> 1;
        value = shift = 0;
      }
      if (field > 1 && positions[2 * line] === -1) positions.set(fields.slice(1, 3), 2 * line);
    }
  }
  return positions;
}
