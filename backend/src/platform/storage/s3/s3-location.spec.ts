import { S3Client, UploadPartCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { directUploadSource, parseS3Location } from './s3-location.js';

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
      acceptsDirectParts: false,
    });
  });

  it('reads all parameters', () => {
    const query =
      'region=eu-central-1&endpoint=https://s3.example.com/&style=host&sse=aws:kms&kmsKey=alias/files&directUploads=yes';
    expect(parseS3Location(`s3://zonary.files/some/Prefix-1/?${query}`)).toEqual({
      bucket: 'zonary.files',
      prefix: 'some/Prefix-1/',
      region: 'eu-central-1',
      endpoint: 'https://s3.example.com',
      isPathStyle: false,
      encryption: 'aws:kms',
      kmsKey: 'alias/files',
      isDirect: true,
      acceptsDirectParts: true,
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
    's3://bucket?directUploads=yes',
    's3://bucket?__proto__=x',
  ])('rejects %s', (address) => {
    expect(() => parseS3Location(address)).toThrow(/^must /);
  });
});

describe('directUploadSource', () => {
  it.each([
    's3://my-bucket?region=eu-central-1',
    's3://my.bucket?region=us-east-1',
    's3://my-bucket?region=cn-north-1',
    's3://my-bucket?region=eu-central-1&style=path',
    's3://my-bucket?endpoint=https://s3.example.com:9000',
    's3://my-bucket?endpoint=https://s3.example.com&style=host',
  ])('covers the addresses to which parts of %s are sent, and no other bucket', async (url) => {
    const { bucket: Bucket, region, endpoint, isPathStyle } = parseS3Location(url);
    const client = new S3Client({
      region: region ?? 'us-east-1',
      ...(endpoint && { endpoint }),
      forcePathStyle: isPathStyle,
      credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
    });
    const part = new UploadPartCommand({ Bucket, Key: 'files/a', UploadId: 'u', PartNumber: 1 });
    const source = directUploadSource(`${url}&directUploads=yes`)!;
    expect((await getSignedUrl(client, part)).startsWith(source)).toBe(true);
    expect(source).toContain(Bucket);
    expect(directUploadSource(url)).toBeNull();
  });

  it('is empty for other storages', () => {
    expect([directUploadSource('file:///data'), directUploadSource('gs://bucket')]).toEqual([null, null]);
  });
});
