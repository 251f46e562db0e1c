import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const source = join(import.meta.dirname, '../../src');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  // What modules are made of are classes, not constants.
  .filter((name) => name.endsWith('.ts') && !/\.(spec|module)\.ts$/.test(name))
  .map((name) => ({ name, text: readFileSync(join(source, name), 'utf8') }));

/** What is written in decorators, be it over several lines. */
const decorators = (text: string) => text.match(/@\w+\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g)?.join('\n') ?? '';
/** Names of lists of a file that are begun so, and that a decorator of the file is given. */
const given = (text: string, begun: string) => {
  const inDecorators = decorators(text);
  return [...text.matchAll(new RegExp(`^(?:export )?const (\\w+)(?:: [^=\\n]+)? = ${begun}`, 'gm'))]
    .map(([, name]) => name!)
    .filter((name) => new RegExp(`\\b${name}\\b`).test(inDecorators));
};

/** Decorators keep what they are given, and Swagger hands it out: who sorts it there would sort it for the product. */
it('lists passed to decorators are frozen (freezeList)', () => {
  expect(files.flatMap(({ text }) => given(text, 'freezeList\\(')).length).toBeGreaterThan(5);
  const open = files.flatMap(({ name, text }) => given(text, '\\[').map((list) => `${name}: ${list}`));
  expect(open).toEqual([]);
});
