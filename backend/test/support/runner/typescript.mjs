import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';
import { backendTransform } from './transform.mjs';

/** Sources import each other by the names of the built files. */
const isSource = (address) => address.startsWith('file:') && !address.includes('/node_modules/');

registerHooks({
  resolve(specifier, context, next) {
    const relative = specifier.startsWith('.') && specifier.endsWith('.js');
    if (!relative || !context.parentURL?.includes('.ts')) return next(specifier, context);
    try {
      return next(`${specifier.slice(0, -3)}.ts`, context);
    } catch {
      return next(specifier, context);
    }
  },
  load(url, context, next) {
    const [address] = url.split('?');
    if (!isSource(url) || !address.endsWith('.ts')) return next(url, context);
    const filename = fileURLToPath(address);
    const { code } = transformSync(readFileSync(filename, 'utf8'), {
      ...backendTransform,
      filename,
      swcrc: false,
    });
    return { format: 'module', source: code, shortCircuit: true };
  },
});
