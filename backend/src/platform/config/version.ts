import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Manifest {
  readonly name?: string;
  readonly version?: string;
}

/**
 * Reads the product version from the nearest package.json above this file that belongs to the product.
 * @returns a semantic version, such as `0.2.0`
 */
export function productVersion(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, 'package.json');
    if (!existsSync(path)) continue;
    const { name, version } = JSON.parse(readFileSync(path, 'utf8')) as Manifest;
    if (name === 'zonary' && version) return version;
  }
  throw new Error('The package.json of the product is not above its program.');
}
