import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeOfficeProfile } from '../../../../src/platform/rendering/office/office-profile.js';
import { waitUntil } from '../../../support/wait-until.js';
import { describeWithOffice, OFFICE_PATH } from './office-fixture.js';
import { odt, paragraph, withUserFunction } from './office-samples.js';

/** The settings that disable macros. Each is sufficient by itself. */
const SETTINGS = {
  DisableMacrosExecution: ['true', 'false'],
  MacroSecurityLevel: ['3', '0'],
} as const;
type Name = keyof typeof SETTINGS;

/** Replaces some settings by values that allow macros. */
const without = (settings: string, names: readonly Name[]) =>
  names.reduce((text, name) => {
    const [start, [expectedValue, open]] = [`<prop oor:name="${name}" oor:op="fuse"><value>`, SETTINGS[name]];
    expect(text).toContain(`${start}${expectedValue}<`);
    return text.replace(`${start}${expectedValue}<`, `${start}${open}<`);
  }, settings);

/**
 * LibreOffice 7.4 runs no macros when it only converts to PDF, whatever the settings. To test the settings, it opens a
 * document, as for interactive users, with a profile that the product has written.
 */
describeWithOffice('Macro in an opened document', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'zonary-macros-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, maxRetries: 5 }));

  /**
   * Whether the macro ran.
   * @param names settings removed from the profile
   */
  async function hasRun(names: readonly Name[]): Promise<boolean> {
    const pathOf = (name: string) => join(folder, name);
    await writeOfficeProfile(pathOf('profile'));
    const settings = pathOf('profile/user/registrymodifications.xcu');
    writeFileSync(settings, without(readFileSync(settings, 'utf8'), names));
    writeFileSync(pathOf('document.ods'), withUserFunction('Light', pathOf('mark')));
    writeFileSync(pathOf('other.odt'), odt(paragraph('Light')));
    const profile = `-env:UserInstallation=${pathToFileURL(pathOf('profile')).href}`;
    const opened = ['--headless', '--norestore', '--nolockcheck', pathOf('document.ods')];
    const child = spawn(
      OFFICE_PATH!,
      [profile, ...opened, '--convert-to', 'pdf', '--outdir', folder, pathOf('other.odt')],
      {
        cwd: folder,
        stdio: 'ignore',
        detached: true,
        env: { PATH: process.env.PATH, HOME: folder, TMPDIR: folder, LANG: 'C.UTF-8' },
      },
    );
    const ended = once(child, 'exit');
    try {
      // A document is opened before another is converted, and its cells are calculated when it is opened.
      await waitUntil('the other document is converted', () => existsSync(pathOf('other.pdf')), 120_000);
      return existsSync(pathOf('mark'));
    } finally {
      process.kill(-child.pid!, 'SIGKILL');
      await ended;
    }
  }

  it.each<[string, Name[]]>([
    ['as written for each document', []],
    ['that allows all macros, but has macros disabled', ['MacroSecurityLevel']],
    ['that has macros enabled, but requires the highest security', ['DisableMacrosExecution']],
  ])('does not run in the profile %s', async (_which, names) => {
    expect(await hasRun(names)).toBe(false);
  });

  it('runs in another profile, which proves that these tests would detect it', async () => {
    expect(await hasRun(['DisableMacrosExecution', 'MacroSecurityLevel'])).toBe(true);
  });
});
