import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const source = join(import.meta.dirname, '../../src');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  // Module files define classes, not constants.
  .filter((name) => name.endsWith('.ts') && !/\.(spec|module)\.ts$/.test(name))
  .map((name) => ({ name, text: readFileSync(join(source, name), 'utf8') }));

/** Extracts the decorators of a file, also across lines. */
const decorators = (text: string) => text.match(/@\w+\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g)?.join('\n') ?? '';
/** Names of the file's lists that start like this and are passed to a decorator of the file. */
const namesPassed = (text: string, start: string) => {
  const inDecorators = decorators(text);
  return [...text.matchAll(new RegExp(`^(?:export )?const (\\w+)(?:: [^=\\n]+)? = ${start}`, 'gm'))]
    .map(([, name]) => name!)
    .filter((name) => new RegExp(`\\b${name}\\b`).test(inDecorators));
};

/**
 * Decorators keep their arguments and Swagger exposes them: sorting such a list in the docs would sort it in the
 * product.
 */
it('lists passed to decorators are frozen (freezeList)', () => {
  expect(files.flatMap(({ text }) => namesPassed(text, 'freezeList\\(')).length).toBeGreaterThan(5);
  const open = files.flatMap(({ name, text }) => namesPassed(text, '\\[').map((list) => `${name}: ${list}`));
  expect(open).toEqual([]);
});
