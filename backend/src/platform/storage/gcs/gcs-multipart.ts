import { createHash } from 'node:crypto';
import { BucketError } from '../bucket/bucket-call.js';
import { BucketMultipart, nullIfNoUpload, type ListedMultipart } from '../bucket/bucket-multipart.js';
import type { UploadBytes } from '../bucket/bucket-upload.js';
import type { GcsApi, GcsObject } from './gcs-api.js';

/** A multipart upload of Google's XML API; the JSON API has none. */
export class GcsMultipart extends BucketMultipart {
  constructor(
    private readonly api: GcsApi,
    private readonly name: string,
    private readonly remoteId: string,
  ) {
    super();
  }

  /**
   * Begins a multipart upload. A repeated call may have begun a second one, which `removeUnfinished` ends.
   * @returns its id
   */
  static begin(api: GcsApi, name: string): Promise<string> {
    const headers = { 'Content-Type': 'application/octet-stream' };
    const call = { name: 'begin multipart', method: 'POST', url: api.xmlUrl(name, 'uploads'), headers } as const;
    return api.callWithRetry({ ...call, expects: [200] }, async (response) => {
      const remoteId = readElement(await response.text(), 'UploadId');
      if (!remoteId) throw new BucketError('begin multipart', 200, 'no upload', false);
      return remoteId;
    });
  }

  /** Lists the multipart uploads under a prefix. */
  static async *list(api: GcsApi, prefix: string): AsyncIterable<ListedMultipart> {
    for (let markers: string | null = ''; markers !== null;) {
      const url = api.xmlUrl(null, `uploads&prefix=${encodeURIComponent(prefix)}${markers}`);
      const call = { name: 'list multiparts', method: 'GET', url, expects: [200] } as const;
      const page = await api.callWithRetry(call, (response) => response.text());
      for (const [, upload = ''] of page.matchAll(/<Upload>(.*?)<\/Upload>/gs)) {
        const [name, remoteId, begunAt] = ['Key', 'UploadId', 'Initiated'].map((tag) => readElement(upload, tag));
        if (name && remoteId && begunAt) yield { name, remoteId, begunAt: new Date(begunAt) };
      }
      markers = readElement(page, 'IsTruncated') === 'true' ? nextMarkers(page) : null;
    }
  }

  async send(number: number, bytes: UploadBytes): Promise<string | null> {
    const md5 = createHash('md5').update(bytes).digest('base64');
    const url = this.api.xmlUrl(this.name, `partNumber=${number}&uploadId=${encodeURIComponent(this.remoteId)}`);
    const patience = this.api.timeouts.part;
    const call = { name: 'send part', method: 'PUT', url, headers: { 'Content-MD5': md5 }, body: bytes } as const;
    const sending = this.api.callWithRetry({ ...call, patience, expects: [200] }, async (response) => {
      await response.text();
      const etag = response.headers.get('etag');
      if (!etag) throw new BucketError('send part', 200, 'no ETag', false);
      return etag;
    });
    return nullIfNoUpload(sending);
  }

  async abort(patience?: number): Promise<void> {
    const call = { name: 'abort', method: 'DELETE', url: this.url, expects: [200, 204, 404] } as const;
    const read = async (response: Response) => void (await response.text());
    await (patience === undefined
      ? this.api.callWithRetry(call, read)
      : this.api.callOnce({ ...call, patience }, read));
  }

  protected async completeParts(etags: readonly string[]): Promise<void> {
    const parts = etags.map((etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`);
    const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
    const headers = { 'Content-Type': 'application/xml' };
    const patience = this.api.timeouts.part;
    const call = { name: 'complete', method: 'POST', url: this.url, headers, body, patience, expects: [200] } as const;
    await this.api.callWithRetry(call, (response) => response.text());
  }

  protected readSize(): Promise<number | null> {
    const url = this.api.objectUrl(this.name, { fields: 'size' });
    const call = { name: 'stat', method: 'GET', url, expects: [200, 404] } as const;
    return this.api.callWithRetry(call, async (response) => {
      const text = await response.text();
      return response.status === 404 ? null : Number((JSON.parse(text) as Pick<GcsObject, 'size'>).size);
    });
  }

  private get url(): URL {
    return this.api.xmlUrl(this.name, `uploadId=${encodeURIComponent(this.remoteId)}`);
  }
}

/** Returns the text of the first element with this tag. Names and ids that we read contain nothing to unescape. */
function readElement(xml: string, tag: string): string | null {
  return new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(xml)?.[1] ?? null;
}

function nextMarkers(page: string): string {
  const [key, id] = ['NextKeyMarker', 'NextUploadIdMarker'].map((tag) =>
    encodeURIComponent(readElement(page, tag) ?? ''),
  );
  return `&key-marker=${key}&upload-id-marker=${id}`;
}
