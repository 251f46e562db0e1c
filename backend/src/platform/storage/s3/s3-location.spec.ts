import { parseS3Location } from './s3-location.js';

describe('parseS3Location', () => {
  it('reads a bucket of Amazon', () => {
    expect(parseS3Location('s3://zonary-files')).toEqual({
      bucket: 'zonary-files',
      prefix: '',
      region: null,
      endpoint: null,
      isPathStyle: false,
      encryption: null,
      kmsKey: null,
      isDirect: true,
    });
  });

  it('reads all parameters', () => {
    const query = 'region=eu-central-1&endpoint=https://s3.example.com/&style=host&sse=aws:kms&kmsKey=alias/files';
    expect(parseS3Location(`s3://zonary.files/some/Prefix-1/?${query}`)).toEqual({
      bucket: 'zonary.files',
      prefix: 'some/Prefix-1/',
      region: 'eu-central-1',
      endpoint: 'https://s3.example.com',
      isPathStyle: false,
      encryption: 'aws:kms',
      kmsKey: 'alias/files',
      isDirect: true,
    });
  });

  it.each([
    ['endpoint=https://s3.example.com', { isPathStyle: true, isDirect: true }],
    ['endpoint=http://garage:3900', { isPathStyle: true, isDirect: false }],
    ['endpoint=http://garage:3900&direct=yes', { isDirect: true }],
    ['direct=no', { isPathStyle: false, isDirect: false }],
    ['style=path', { isPathStyle: true }],
    ['sse=AES256', { encryption: 'AES256', kmsKey: null }],
  ])('fills in what %s leaves open', (query, expected) => {
    expect(parseS3Location(`s3://bucket?${query}`)).toMatchObject(expected);
  });

  it.each([
    's3://',
    's3:///prefix',
    's3://Bucket',
    's3://b',
    's3://under_score',
    's3://user:password@bucket',
    's3://bucket/../other',
    's3://bucket/a//b',
    's3://bucket/a b',
    's3://bucket?password=x',
    's3://bucket?region=a&region=b',
    's3://bucket?region=',
    's3://bucket?endpoint=s3.example.com',
    's3://bucket?endpoint=https://user:password@s3.example.com',
    's3://bucket?endpoint=https://s3.example.com/path',
    's3://bucket?endpoint=https://[1',
    's3://bucket?style=virtual',
    's3://bucket?sse=none',
    's3://bucket?kmsKey=alias/files',
    's3://bucket?sse=AES256&kmsKey=alias/files',
    's3://bucket?direct=true',
    's3://bucket?__proto__=x',
  ])('rejects %s', (address) => {
    expect(() => parseS3Location(address)).toThrow(/^must /);
  });
});
