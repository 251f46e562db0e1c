import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/product.mjs';

const SMALL_CHUNK_BYTES = 2000;

/** Counts the scripts of the built page. */
export function measureBuild() {
  const assets = join(root, 'dist/frontend/assets');
  const sizes = readdirSync(assets)
    .filter((name) => name.endsWith('.js'))
    .map((name) => statSync(join(assets, name)).size);
  return { chunks: sizes.length, small: sizes.filter((size) => size < SMALL_CHUNK_BYTES).length };
}

/** Counts the files and lines of the page's source, including specs, without generated files. */
export function measureSource() {
  const source = join(root, 'frontend/src');
  const names = readdirSync(source, { recursive: true }).filter(
    (name) => /\.(?:tsx?|css)$/.test(name) && !name.endsWith('schema.d.ts'),
  );
  const lines = names.reduce((sum, name) => sum + readFileSync(join(source, name), 'utf8').split('\n').length, 0);
  return { files: names.length, lines };
}
