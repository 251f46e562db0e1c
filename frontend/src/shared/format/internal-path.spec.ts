import { internalPath } from './internal-path';

describe('internalPath', () => {
  it.each([
    ['/zones?sort=name#top', '/zones?sort=name#top'],
    [`${location.origin}/settings`, '/settings'],
    ['/a/../zones', '/zones'],
  ])('maps %s to %s', (address, path) => {
    expect(internalPath(address, '/')).toBe(path);
  });

  it.each([
    null,
    '',
    'https://evil.example',
    '//evil.example',
    '/\\\\evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    'javascript:alert(1)',
  ])('maps %s to the fallback', (address) => {
    expect(internalPath(address, '/home')).toBe('/home');
  });
});
