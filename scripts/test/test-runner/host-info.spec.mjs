import { describeHost } from '../../lib/test-runner/host-info.mjs';

it('describes the host in one line, even without Chromium', () => {
  expect(describeHost(process.execPath, null)).toMatch(
    /^\d+ cores.*, [\d.]+ GB of [\d.]+ GB memory free, [\d.]+ GB disk free, load [\d.]+, Node\.js v\d+\.\d+\.\d+ \(scripts: v.*\), no Chromium$/,
  );
});

it('names a program that does not start without failing the run', () => {
  expect(describeHost(process.execPath, '/nowhere/chromium')).toMatch(/, \/nowhere\/chromium \(unknown version\)$/);
});
