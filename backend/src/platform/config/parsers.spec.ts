import express from 'express';
import { parseAppUrl, parseSendfile, parseTrustedProxies, parseStorageUrl } from './parsers.js';

describe('parseAppUrl', () => {
  it.each([
    ['https://zones.example', 'https://zones.example'],
    ['https://Zones.example:443/', 'https://zones.example'],
    ['http://localhost:0', 'http://localhost:0'],
    ['http://[::1]:3000/', 'http://[::1]:3000'],
  ])('accepts %s', (value, taken) => {
    expect(parseAppUrl(value)).toBe(taken);
  });

  it.each([
    'https://example.com/zonary',
    'https://example.com/zonary/',
    'https://example.com/?a=1',
    'https://a:b@example.com',
  ])('rejects a path, query or user with a message naming the origin: %s', (value) => {
    expect(() => parseAppUrl(value)).toThrow(
      /^must be an address without a path, query or user, such as https:\/\/example\.com: Zonary can't be served below a path/,
    );
  });

  it.each(['zones.example', 'ftp://zones.example'])('rejects %s', (value) => {
    expect(() => parseAppUrl(value)).toThrow('must be an address beginning with http: or https:');
  });
});

describe('parseStorageUrl', () => {
  it.each([
    ['file:///var/lib/files/', 'file:///var/lib/files'],
    ['s3://zonary-files?region=eu-central-1', 's3://zonary-files?region=eu-central-1'],
    ['gs://zonary-files', 'gs://zonary-files'],
    ['gs://zonary-files/', 'gs://zonary-files'],
    ['gs://zonary.files_1/some/Prefix-1/', 'gs://zonary.files_1/some/Prefix-1'],
  ])('accepts %s', (value, taken) => {
    expect(parseStorageUrl(value)).toBe(taken);
  });

  it.each([
    's3://',
    's3://Bucket',
    's3://bucket?password=x',
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
  ])('rejects %s', (value) => {
    expect(() => parseStorageUrl(value)).toThrow(/^must /);
  });
});

describe('parseSendfile', () => {
  it.each(['x-accel:/protected/', 'x-accel:/internal/files/', 'x-sendfile'])('accepts %s', (value) => {
    expect(parseSendfile(value)).toBe(value);
  });

  it.each(['on', 'x-accel', 'x-accel:protected/', 'x-accel:/protected', 'x-accel:/', 'x-accel:/../', 'x-sendfile:/a/'])(
    'rejects %s',
    (value) => {
      expect(() => parseSendfile(value)).toThrow(/^must /);
    },
  );
});

describe('parseTrustedProxies', () => {
  it.each([
    ['0', 0],
    ['2', 2],
    ['loopback', ['loopback']],
    ['10.0.0.1, 10.0.0.2', ['10.0.0.1', '10.0.0.2']],
    ['10.0.0.0/8,fd00::/8,uniquelocal', ['10.0.0.0/8', 'fd00::/8', 'uniquelocal']],
  ])('accepts %s, as Express does', (value, taken) => {
    expect(parseTrustedProxies(value)).toEqual(taken);
    expect(() => express().set('trust proxy', parseTrustedProxies(value))).not.toThrow();
  });

  it.each([
    'true',
    '-1',
    '1.5',
    '100',
    'proxy.example',
    '10.0.0.1,',
    '10.0.0.1;10.0.0.2',
    '0.0.0.0/0',
    '10.0.0.0/33',
    '1.2.3',
  ])('rejects %s', (value) => {
    expect(() => parseTrustedProxies(value)).toThrow(/^must be a number of proxies/);
  });
});
