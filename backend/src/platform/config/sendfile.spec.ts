import { ConfigError } from './read-variables.js';
import { resolveSendfile } from './sendfile.js';

describe('resolveSendfile', () => {
  it('names an internal location, or the path of the folder', () => {
    const folder = 'file:///srv/zonary-files';
    expect(resolveSendfile(null, 's3://bucket')).toBeNull();
    expect(resolveSendfile('x-accel:/protected/', `${folder} 2`)).toEqual({
      header: 'X-Accel-Redirect',
      prefix: '/protected/',
    });
    expect(resolveSendfile('x-sendfile', folder)).toEqual({ header: 'X-Sendfile', prefix: '/srv/zonary-files/' });
  });

  it.each([
    ['x-accel:/protected/', 's3://bucket?region=eu-central-1', /STORAGE_URL/],
    ['x-sendfile', 'gs://bucket', /STORAGE_URL/],
    ['x-sendfile', 'file:///srv/zonary files', /path/],
    ['x-sendfile', 'file:///srv/caf%C3%A9', /path/],
  ])('rejects %s with %s', (value, storageUrl, reason) => {
    expect(() => resolveSendfile(value, storageUrl)).toThrow(ConfigError);
    expect(() => resolveSendfile(value, storageUrl)).toThrow(reason);
  });
});
