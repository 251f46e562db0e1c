import { machine } from '../../lib/proof/machine.mjs';

it('describes the host in one line, also without Chromium', () => {
  expect(machine(process.execPath, null)).toMatch(
    /^\d+ cores.*, [\d.]+ GB of [\d.]+ GB memory free, [\d.]+ GB disk free, load [\d.]+, Node\.js v\d+\.\d+\.\d+ \(scripts: v.*\), no Chromium$/,
  );
});

it('names a program that does not start without failing the run', () => {
  expect(machine(process.execPath, '/nowhere/chromium')).toMatch(/, \/nowhere\/chromium does not tell its version$/);
});
