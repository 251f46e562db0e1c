import { execFileSync, spawnSync } from 'node:child_process';
import { projectPath } from '../lib/project.mjs';
import { checkCommitMessage } from '../lib/commit-message.mjs';
import { createTempFolder } from './support.mjs';

const folder = createTempFolder();
afterAll(() => folder.remove());

it.each([
  ['Retry inserts that race with partition creation', []],
  ['x'.repeat(73).replace('x', 'X'), ['the subject has 73 characters; the limit is 72.']],
  ['X'.repeat(72), []],
  ['Böyle 72 harf: '.padEnd(72, 'ş'), []],
  ['fix the thing', ['the subject starts with a capital letter.']],
  ['Fix the thing.', ['the subject does not end with a full stop.']],
  ['Fix the thing\nbecause', ['a blank line separates the subject from the rest.']],
  ['Fix the thing\n\nBecause of a reason.', []],
  ['# a comment of git\nFix the thing\n# another', []],
  [`Merge branch '${'x'.repeat(80)}'`, []],
])('warns about %j: %j', (message, warnings) => {
  expect(checkCommitMessage(message)).toEqual(warnings);
});

it('is installed as a hook that warns without blocking the commit', () => {
  const git = (...args) => execFileSync('git', ['-C', folder.path, ...args], { encoding: 'utf8' });
  git('init', '-q');
  git('config', 'core.hooksPath', projectPath('scripts/hooks'));
  folder.write('a.txt', 'a');
  git('add', '.');
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
  const { status, stderr } = spawnSync('git', ['-C', folder.path, ...identity, 'commit', '-qm', 'fix it.'], {
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  expect(stderr).toContain('the subject starts with a capital letter.');
  expect(git('log', '--format=%s').trim()).toBe('fix it.');
});
