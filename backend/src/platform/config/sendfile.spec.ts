import { ConfigError } from './read-variables.js';
import { resolveSendfile } from './sendfile.js';

describe('resolveSendfile', () => {
  it('names an internal location, or the path of the folder', () => {
    const folder = 'file:///srv/zonary-files';
    expect(resolveSendfile(null, folder)).toBeNull();
    expect(resolveSendfile('x-accel:/protected/', `${folder} 2`)).toEqual({
      header: 'X-Accel-Redirect',
      prefix: '/protected/',
    });
    expect(resolveSendfile('x-sendfile', folder)).toEqual({ header: 'X-Sendfile', prefix: '/srv/zonary-files/' });
  });

  it('has no effect with a bucket, whose files no web server can send', () => {
    expect(resolveSendfile('x-accel:/protected/', 's3://bucket?region=eu-central-1')).toBeNull();
    expect(resolveSendfile('x-sendfile', 'gs://bucket')).toBeNull();
  });

  it.each([
    ['x-sendfile', 'file:///srv/zonary files', /path/],
    ['x-sendfile', 'file:///srv/caf%C3%A9', /path/],
  ])('rejects %s with %s', (value, storageUrl, reason) => {
    expect(() => resolveSendfile(value, storageUrl)).toThrow(ConfigError);
    expect(() => resolveSendfile(value, storageUrl)).toThrow(reason);
  });
});
