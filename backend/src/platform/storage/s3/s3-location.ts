/** Where an S3-compatible service keeps the objects, as given by `STORAGE_URL`. */
export interface S3Location {
  readonly bucket: string;
  /** Begins the name of every object; empty, or ends with a slash. */
  readonly prefix: string;
  /** Null: the region of this machine's AWS configuration. */
  readonly region: string | null;
  /** Origin of a service other than Amazon's. */
  readonly endpoint: string | null;
  /** The bucket is part of the path, not of the host name. */
  readonly isPathStyle: boolean;
  /** Encryption by the service; null: what the bucket is set to. */
  readonly encryption: 'AES256' | 'aws:kms' | null;
  /** Key of `aws:kms`; null: Amazon's own. */
  readonly kmsKey: string | null;
  /** Whether browsers may be sent to the service, by addresses that are valid for minutes. */
  readonly isDirect: boolean;
  /** Whether browsers may also send the parts of uploads to the service; the bucket needs a CORS rule then. */
  readonly acceptsDirectParts: boolean;
}

const BUCKET_AND_PREFIX = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/(?!\.+(?:\/|$))[\w.-]+)*)$/;

const AMAZON = 'amazonaws.com';
const CHINA = 'amazonaws.com.cn';

/** Allowed values of each parameter. */
const parameters: Readonly<Record<string, { readonly pattern: RegExp; readonly hint: string }>> = {
  region: { pattern: /^[a-z0-9-]{2,40}$/, hint: 'a region such as eu-central-1' },
  endpoint: { pattern: /^https?:\/\/[^/?#@]+\/?$/, hint: 'an address without a path such as https://s3.example.com' },
  style: { pattern: /^(?:path|host)$/, hint: 'path or host' },
  sse: { pattern: /^(?:AES256|aws:kms)$/, hint: 'AES256 or aws:kms' },
  kmsKey: { pattern: /^[\w:/-]{1,2048}$/, hint: 'the id or ARN of a key' },
  direct: { pattern: /^(?:yes|no)$/, hint: 'yes or no' },
  directUploads: { pattern: /^(?:yes|no)$/, hint: 'yes or no' },
};

/**
 * Parses `s3://bucket/prefix?region=…&endpoint=…&style=path|host&sse=…&kmsKey=…&direct=yes|no&directUploads=yes|no`.
 * @throws Error that says what the address must look like
 */
export function parseS3Location(address: string): S3Location {
  const [path = '', query = ''] = address.split(/\?(.*)/s);
  const [, bucket, folders] = BUCKET_AND_PREFIX.exec(path.replace(/\/+$/, '')) ?? [];
  if (!bucket) {
    throw new Error(
      'must name a bucket, with or without a prefix of letters, digits and dashes: s3://bucket/prefix?region=eu-central-1',
    );
  }
  const values = parseParameters(query);
  const endpoint = values.get('endpoint')?.replace(/\/$/, '') ?? null;
  if (endpoint !== null && !URL.canParse(endpoint)) throw new Error(`must have ${describe('endpoint')}`);
  const kmsKey = values.get('kmsKey') ?? null;
  const encryption = (values.get('sse') ?? null) as S3Location['encryption'];
  if (kmsKey !== null && encryption !== 'aws:kms') throw new Error('must have sse=aws:kms where it has a kmsKey');
  const acceptsDirectParts = values.get('directUploads') === 'yes';
  // The address of the bucket must be known to the Content-Security-Policy of pages.
  if (acceptsDirectParts && endpoint === null && !values.has('region')) {
    throw new Error('must have a region where it has directUploads=yes');
  }
  return {
    bucket,
    prefix: folders ? `${folders.slice(1)}/` : '',
    region: values.get('region') ?? null,
    endpoint,
    isPathStyle: (values.get('style') ?? (endpoint ? 'path' : 'host')) === 'path',
    encryption,
    kmsKey,
    // A page served by HTTPS can't open an address without it, and a service without it is rarely public.
    isDirect: (values.get('direct') ?? (endpoint?.startsWith('http:') ? 'no' : 'yes')) === 'yes',
    acceptsDirectParts,
  };
}

/**
 * Returns the address of the bucket as a source of a Content-Security-Policy; null if browsers don't send uploads to it.
 * @param url as STORAGE_URL
 */
export function directUploadSource(url: string): string | null {
  if (!url.startsWith('s3:')) return null;
  const { acceptsDirectParts, bucket, region, endpoint, isPathStyle } = parseS3Location(url);
  if (!acceptsDirectParts) return null;
  const origin = new URL(endpoint ?? `https://s3.${region}.${region!.startsWith('cn-') ? CHINA : AMAZON}`);
  // A certificate for all buckets of a service isn't valid for names with dots, so the SDK puts these into the path.
  if (isPathStyle || bucket.includes('.')) return `${origin.origin}/${bucket}/`;
  return `${origin.protocol}//${bucket}.${origin.host}`;
}

function parseParameters(query: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    if (!Object.hasOwn(parameters, name)) {
      throw new Error(`must only have the parameters ${Object.keys(parameters).join(', ')}`);
    }
    if (values.has(name) || !parameters[name]!.pattern.test(value)) throw new Error(`must have ${describe(name)}`);
    values.set(name, value);
  }
  return values;
}

const describe = (name: string) => `as ${name} ${parameters[name]!.hint}`;
