import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/product.mjs';

const SMALL = 2000;

/** The scripts of the built page. */
export function built() {
  const assets = join(root, 'dist/frontend/assets');
  const sizes = readdirSync(assets)
    .filter((name) => name.endsWith('.js'))
    .map((name) => statSync(join(assets, name)).size);
  return { chunks: sizes.length, small: sizes.filter((size) => size < SMALL).length };
}

/** The page's source, including specs, without generated files. */
export function written() {
  const source = join(root, 'frontend/src');
  const names = readdirSync(source, { recursive: true }).filter(
    (name) => /\.(?:tsx?|css)$/.test(name) && !name.endsWith('schema.d.ts'),
  );
  const lines = names.reduce((sum, name) => sum + readFileSync(join(source, name), 'utf8').split('\n').length, 0);
  return { files: names.length, lines };
}
