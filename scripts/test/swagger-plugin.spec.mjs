import { readFileSync } from 'node:fs';
import { projectPath } from '../lib/project.mjs';
import { captureOutput } from '../lib/run.mjs';
import { createTempFolder } from './support.mjs';

const folder = createTempFolder();
afterAll(() => folder.remove());

const sources = {
  'backend/src/zones/zone.dto.ts': 'export class ZoneDto { name: string; }',
  'backend/src/pages/page.dto.ts': `
    import { ZoneDto } from '../zones/zone.dto.js';
    export class PageDto { zones: ZoneDto[]; first: ZoneDto; }`,
  'backend/src/pages/pages.controller.ts': `
    import { PageDto } from './page.dto.js';
    const Get = (): MethodDecorator => () => undefined;
    export class PagesController { @Get() find(): Promise<PageDto> { throw new Error(); } }`,
};

/**
 * Compiles the sources below folders of these names with the plugins of `nest-cli.json`.
 * @returns the text of a built file
 */
async function build(names) {
  const paths = Object.keys(sources);
  for (const name of names) for (const path of paths) folder.write(`${name}/${path}`, sources[path]);
  for (const name of names) folder.write(`${name}/package.json`, { type: 'module' });
  const program = folder.write(
    'build.mjs',
    `
    import ts from ${JSON.stringify(projectPath('node_modules/typescript/lib/typescript.js'))};
    import { PluginsLoader } from ${JSON.stringify(projectPath('node_modules/@nestjs/cli/lib/compiler/plugins/plugins-loader.js'))};
    import cli from ${JSON.stringify(projectPath('nest-cli.json'))} with { type: 'json' };
    const { beforeHooks } = new PluginsLoader().load(cli.compilerOptions.plugins, { pathToSource: '.' });
    for (const name of ${JSON.stringify(names)}) {
      const base = import.meta.dirname + '/' + name + '/';
      const program = ts.createProgram(${JSON.stringify(paths)}.map((path) => base + path), {
        ...{ target: ts.ScriptTarget.ES2024, module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
        ...{ experimentalDecorators: true, emitDecoratorMetadata: true, isolatedModules: true, types: [], lib: ['lib.es2024.d.ts'] },
        ...{ rootDir: base + 'backend', outDir: base + 'dist/backend' },
      });
      program.emit(undefined, undefined, undefined, false, { before: beforeHooks.map((hook) => hook(program)) });
    }`,
  );
  const { code, output } = await captureOutput(process.execPath, [program]);
  expect([code, output]).toEqual([0, '']);
  return (name, path) => readFileSync(`${folder.path}/${name}/dist/backend/src/${path}`, 'utf8');
}

it('emits relative imports for any name of the project folder', async () => {
  const odd = ['Zonäry Größe', '動画 😀 (2)', 'a%20b'];
  const built = await build(['zonary', ...odd]);
  expect(built('zonary', 'pages/page.dto.js')).toContain('from "../zones/zone.dto.js"');
  expect(built('zonary', 'pages/pages.controller.js')).toContain('from "./page.dto.js"');
  for (const name of odd) {
    for (const path of ['pages/page.dto.js', 'pages/pages.controller.js'])
      expect([name, built(name, path)]).toEqual([name, built('zonary', path)]);
  }
});
