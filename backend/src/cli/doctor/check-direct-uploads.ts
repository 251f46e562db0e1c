import type { Multipart } from '../../platform/storage/multipart.js';
import { newObjectKey, type Storage } from '../../platform/storage/storage.js';
import { createFindings, describeReason, type Finding } from './finding.js';

const { ok, warn, bad } = createFindings('storage');
/** In milliseconds. */
const URL_LIFETIME = 60_000;
const PART = Buffer.from('part');
const SET_RULE = 'Until then they pass through the service. Set its CORS rule with npm run storage -- cors';

/** Sends a part to the bucket as a page of this origin would; nothing of it remains. */
export async function checkDirectUploads(storage: Storage, origin: string): Promise<Finding[]> {
  if (!storage.acceptsDirectParts) return [];
  try {
    const objectKey = newObjectKey('doctor');
    const multipart = { objectKey, remoteId: await storage.beginMultipart(objectKey) };
    try {
      return [await sendPart(storage, multipart, origin)];
    } finally {
      await storage.abortMultipart(multipart);
    }
  } catch (error) {
    return [bad(`Couldn't send a part of an upload to the bucket directly (${describeReason(error)}).`)];
  }
}

async function sendPart(storage: Storage, multipart: Multipart, origin: string): Promise<Finding> {
  const signed = await storage.signPart(multipart, 1, PART.length, URL_LIFETIME);
  if (!signed) return bad("Couldn't sign the address of a part. Check the credentials of the bucket.");
  const preflight = await fetch(signed.url, {
    method: 'OPTIONS',
    headers: { Origin: origin, 'Access-Control-Request-Method': 'PUT' },
  });
  if (!preflight.ok || !isAllowed(preflight, origin)) {
    return warn(`The bucket accepts no uploads from pages of ${origin}. ${SET_RULE}`);
  }
  const response = await fetch(signed.url, { method: 'PUT', headers: { Origin: origin }, body: PART });
  if (!response.ok) return bad(`The bucket answered a part of an upload with ${response.status}.`);
  const exposed = response.headers.get('access-control-expose-headers') ?? '';
  if (!isAllowed(response, origin) || !/\betag\b/i.test(exposed)) {
    return warn(`The bucket doesn't show pages of ${origin} the ETag of a part. ${SET_RULE}`);
  }
  return ok(`Browsers can send uploads from ${origin} to the bucket directly.`);
}

function isAllowed(response: Response, origin: string): boolean {
  const allowed = response.headers.get('access-control-allow-origin');
  return allowed === origin || allowed === '*';
}
