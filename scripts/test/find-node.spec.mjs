import { isNodeSupported } from '../lib/find-node.mjs';

it.each([
  ['24.21.0', true],
  ['22.17.0', true],
  ['22.16.9', false],
  ['20.20.2', false],
  ['', false],
])('decides whether Node %s is supported: %s', (version, isSupported) => {
  expect(isNodeSupported(version)).toBe(isSupported);
});
