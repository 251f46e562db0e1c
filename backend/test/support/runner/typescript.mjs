import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';
import { backendTransform } from './transform.mjs';

/** Sources import each other by the names of the built files. */
const isSource = (url) => url.startsWith('file:') && !url.includes('/node_modules/');

registerHooks({
  resolve(specifier, context, next) {
    const isRelativeJs = specifier.startsWith('.') && specifier.endsWith('.js');
    if (!isRelativeJs || !context.parentURL?.includes('.ts')) return next(specifier, context);
    try {
      return next(`${specifier.slice(0, -3)}.ts`, context);
    } catch {
      return next(specifier, context);
    }
  },
  load(url, context, next) {
    const [path] = url.split('?');
    if (!isSource(url) || !path.endsWith('.ts')) return next(url, context);
    const filename = fileURLToPath(path);
    const { code } = transformSync(readFileSync(filename, 'utf8'), {
      ...backendTransform,
      filename,
      swcrc: false,
    });
    return { format: 'module', source: code, shortCircuit: true };
  },
});
