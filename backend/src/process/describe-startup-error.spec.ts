import { createServer } from 'node:net';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOrCreateSecrets } from '../platform/config/app-secret.js';
import { ConfigError } from '../platform/config/read-variables.js';
import { EmbeddedPostgresError } from '../platform/database/embedded/embedded-postgres.error.js';
import { describeStartupError } from './describe-startup-error.js';

const withCode = (code: string, more: object = {}) => Object.assign(new Error('x'), { code }, more);

describe('describeStartupError', () => {
  it('reports that the port is in use and what to do', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as { port: number };
    const second = createServer().listen(port, '127.0.0.1');
    const [error] = (await once(second, 'error')) as [Error];
    holder.close();
    expect(describeStartupError(error)).toBe(
      `Port ${port} is in use by another program. Stop that program, or set PORT to a free one, as in PORT=3001 npm start.`,
    );
  });

  it.each([
    ['ECONNREFUSED', 'no database server answers'],
    ['28P01', 'rejects the password'],
    ['57P03', 'is starting or stopping'],
    ['53300', 'accepts no more connections'],
    ['EAI_AGAIN', "can't be resolved at the moment"],
    ['3D000', 'does not exist on its server'],
  ])('reports what is wrong with the database (%s), however deep the cause', (code, sentence) => {
    const reason = withCode(code);
    expect(describeStartupError(reason)).toContain(sentence);
    expect(describeStartupError(new Error('Migrating failed', { cause: new AggregateError([reason]) }))).toContain(
      sentence,
    );
  });

  it('reports what is wrong with the data folder', () => {
    let thrown: unknown;
    try {
      mkdirSync('/dev/null/data');
    } catch (error) {
      thrown = error;
    }
    expect(describeStartupError(thrown)).toBe("Zonary cannot use /dev/null/data: part of its path isn't a folder.");
    const full = withCode('ENOSPC', { path: '/data/app-secret', syscall: 'write' });
    expect(describeStartupError(full)).toBe('Zonary cannot use /data/app-secret: the disk is full.');
  });

  describe('for an unusable data folder', () => {
    const folder = mkdtempSync(join(tmpdir(), 'zonary-startup-error-'));
    afterAll(() => rmSync(folder, { recursive: true }));

    /** Returns the error message when secrets are to be created there. */
    function sentence(dataDir: string): string {
      try {
        readOrCreateSecrets(dataDir);
        return 'made';
      } catch (error) {
        return describeStartupError(error);
      }
    }

    it('names the folder and not a temporary file in it', () => {
      chmodSync(folder, 0o555);
      // Root may write anywhere.
      const isRoot = process.geteuid!() === 0;
      if (isRoot) process.seteuid!(65_534);
      try {
        expect(sentence(folder)).toBe(
          `Zonary cannot use ${folder}: this user isn't allowed to write there. Start Zonary as the owner of the folder, or set DATA_DIR to another folder.`,
        );
      } finally {
        if (isRoot) process.seteuid!(0);
        chmodSync(folder, 0o755);
      }
    });

    it('reports a file where the folder should be', () => {
      writeFileSync(join(folder, 'file'), '');
      expect(sentence(join(folder, 'file'))).toBe(
        `Zonary cannot use ${join(folder, 'file')}: part of its path isn't a folder.`,
      );
    });
  });

  it('returns our own messages without a stack and unexpected errors with it', () => {
    expect(describeStartupError(new ConfigError('PORT must be a number'))).toBe('PORT must be a number');
    expect(describeStartupError(new EmbeddedPostgresError('DATA_FOLDER_IN_USE', 'In use.'))).toBe('In use.');
    expect(describeStartupError(new TypeError('odd'))).toMatch(/^Zonary couldn't start\.\nTypeError: odd\n +at /);
    expect(describeStartupError('odd')).toBe("Zonary couldn't start.\nodd");
  });
});
