import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

interface Operation {
  operationId: string;
  summary?: string;
  'x-access'?: string;
  parameters?: { in: string; name: string }[];
  responses: Record<string, { content?: Record<string, { schema?: object }> }>;
}

describe('openapi.json', () => {
  const folder = mkdtempSync(join(tmpdir(), 'zonary-openapi-'));
  const committed = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8')) as {
    paths: Record<string, Record<string, Operation>>;
  };
  const operations = Object.entries(committed.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  );
  afterAll(() => rmSync(folder, { recursive: true }));

  it('matches the controllers (npm run openapi writes it)', () => {
    const fresh = join(folder, 'openapi.json');
    execFileSync(process.execPath, [join(root, 'dist/backend/src/cli/openapi.js'), fresh], { cwd: root });
    expect(JSON.parse(readFileSync(fresh, 'utf8'))).toEqual(committed);
  });

  it('matches the generated types of the frontend', () => {
    const fresh = join(folder, 'schema.d.ts');
    const program = join(root, 'node_modules/openapi-typescript/bin/cli.js');
    execFileSync(process.execPath, [program, join(root, 'openapi.json'), '-o', fresh], { stdio: 'pipe' });
    const types = readFileSync(join(root, 'frontend/src/shared/api/schema.d.ts'), 'utf8');
    expect(readFileSync(fresh, 'utf8')).toBe(types);
  });

  it('contains no two classes of the same name', () => {
    const source = join(root, 'backend/src');
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const names = files.flatMap((file) =>
      [...readFileSync(join(source, file), 'utf8').matchAll(/^export (?:abstract )?class (\w+Dto)\b/gm)].map(
        ([, name]) => name!,
      ),
    );
    expect(names.length).toBeGreaterThan(100);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it.each(operations)('$name documents its path parameters and error responses', ({ name, operation }) => {
    const inPath = [...name.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter).sort();
    const documented = (operation.parameters ?? [])
      .filter((parameter) => parameter.in === 'path')
      .map((parameter) => parameter.name);
    expect(documented.sort()).toEqual(inPath);
    const errors = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400);
    expect(errors.length).toBeGreaterThan(0);
    for (const [, { content }] of errors)
      expect(content).toEqual({ 'application/json': { schema: { $ref: '#/components/schemas/ErrorBody' } } });
  });

  it.each(operations)('$name has a summary, its access and typed responses', ({ operation }) => {
    expect(operation.summary).toBeTruthy();
    expect(operation['x-access']).toBeTruthy();
    const good = Object.entries(operation.responses).filter(([status]) => /^2|^3/.test(status));
    expect(good.length).toBeGreaterThan(0);
    for (const [status, { content }] of good) {
      if (!['204', '206', '302', '304'].includes(status)) expect(content).toBeTruthy();
    }
  });
});
