import { parseStorageUrl } from './parsers.js';

describe('an address of the storage', () => {
  it.each([
    ['file:///var/lib/files/', 'file:///var/lib/files'],
    ['gs://zonary-files', 'gs://zonary-files'],
    ['gs://zonary-files/', 'gs://zonary-files'],
    ['gs://zonary.files_1/some/Prefix-1/', 'gs://zonary.files_1/some/Prefix-1'],
  ])('is taken: %s', (value, taken) => {
    expect(parseStorageUrl(value)).toBe(taken);
  });

  it.each([
    's3://bucket',
    'bucket',
    'gs://',
    'gs:///prefix',
    'gs://Bucket',
    'gs://b',
    'gs://user@bucket',
    'gs://bucket/../other',
    'gs://bucket/a//b',
    'gs://bucket/a b',
    'gs://bucket?x=1',
  ])('is refused: %s', (value) => {
    expect(() => parseStorageUrl(value)).toThrow(/^must /);
  });
});
