import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppConfig } from '../platform/config/app-config.js';
import { workerEnv } from './worker-process.js';

const dataDir = mkdtempSync(join(tmpdir(), 'zonary-worker-'));
afterAll(() => rmSync(dataDir, { recursive: true }));

/** Returns the configuration of the worker that a process with these variables starts. */
function workerOf(env: Record<string, string>): AppConfig {
  const given = { DATA_DIR: dataDir, ...env };
  const connection = { host: 'localhost', port: 5432, user: 'zonary', password: 'secret', database: 'zonary' };
  return AppConfig.from(workerEnv(given, AppConfig.from(given), connection));
}

describe('Worker of ROLE=all', () => {
  it('applies the address from the settings, like its parent', () => {
    const config = workerOf({ PORT: '3210' });
    expect(config.effectiveSetting('address')).toMatchObject({ value: 'http://localhost:3210', source: 'default' });
    config.applySettings({ address: 'http://zones.example', name: 'Sample' });
    expect([config.appUrl, config.appName]).toEqual(['http://zones.example', 'Sample']);
  });

  it('has none of the memory settings of web processes', () => {
    const config = AppConfig.from({ DATA_DIR: dataDir });
    const connection = { host: 'localhost', port: 5432, user: 'zonary', database: 'zonary' };
    const env = workerEnv({ MALLOC_TRIM_THRESHOLD_: '65536', MALLOC_MMAP_THRESHOLD_: '65536' }, config, connection);
    expect(env).toMatchObject({ MALLOC_ARENA_MAX: '1' });
    expect(Object.keys(env).filter((name) => name.includes('THRESHOLD'))).toEqual([]);
  });

  it('has the variables of its parent', () => {
    const config = workerOf({ APP_URL: 'https://by-variable.example', ROLE: 'all' });
    config.applySettings({ address: 'http://zones.example' });
    expect([config.appUrl, config.role]).toEqual(['https://by-variable.example', 'worker']);
  });
});
