import { machine } from '../../lib/proof/machine.mjs';

it('what a run runs on is said in a line, also where there is no Chromium', () => {
  expect(machine(process.execPath, null)).toMatch(
    /^\d+ cores.*, [\d.]+ GB of [\d.]+ GB memory free, [\d.]+ GB disk free, load [\d.]+, Node\.js v\d+\.\d+\.\d+ \(scripts: v.*\), no Chromium$/,
  );
});

it('a program that does not start is named, and ends no run', () => {
  expect(machine(process.execPath, '/nowhere/chromium')).toMatch(/, \/nowhere\/chromium does not tell its version$/);
});
