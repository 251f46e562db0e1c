import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { areNested, isSameLocation } from './storage-location.js';

describe('storage locations', () => {
  it.each([
    ['file:///srv/files', 'file:///srv/files/', true],
    ['file:///srv/files', 'file:///srv/files2', false],
    ['s3://files', 's3://files/?region=eu-central-1&direct=no', true],
    ['s3://files', 's3://files?endpoint=https://s3.example.com', false],
    ['s3://files/a', 's3://files/b', false],
    ['gs://files', 'gs://files/', true],
    ['gs://files', 's3://files', false],
  ])('%s and %s are the same place: %s', (one, other, isSame) => expect(isSameLocation(one, other)).toBe(isSame));

  it.each([
    ['file:///srv/files', 'file:///srv/files/new', true],
    ['file:///srv/files', 'file:///srv/files-new', false],
    ['s3://files/a/b', 's3://files/a', true],
    ['gs://files', 'gs://files/a', true],
    ['gs://files', 'gs://files', false],
  ])('one of %s and %s is inside the other: %s', (one, other, isNested) =>
    expect(areNested(one, other)).toBe(isNested),
  );

  it('recognises a folder behind a symbolic link, also one that does not exist yet', () => {
    const folder = mkdtempSync(join(tmpdir(), 'zonary-location-'));
    try {
      mkdirSync(join(folder, 'disk'));
      symlinkSync(join(folder, 'disk'), join(folder, 'link'));
      const [direct, linked] = ['disk/files', 'link/files'].map((path) => pathToFileURL(join(folder, path)).href);
      expect(isSameLocation(direct!, linked!)).toBe(true);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
