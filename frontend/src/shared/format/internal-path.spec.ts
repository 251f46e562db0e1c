import { internalPath } from './internal-path';

describe('a page of ours to go to', () => {
  it.each([
    ['/zones?sort=name#top', '/zones?sort=name#top'],
    [`${location.origin}/settings`, '/settings'],
    ['/a/../zones', '/zones'],
  ])('%s leads to %s', (address, path) => {
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
  ])('%s leads to the fallback', (address) => {
    expect(internalPath(address, '/home')).toBe('/home');
  });
});
