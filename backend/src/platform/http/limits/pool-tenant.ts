import { setPoolTenantOwner, setPoolTenantPerson } from '../../database/pool/pool-partitioning.js';
import type { AppRequest } from '../parsing/viewer.js';

/** Makes a request that writes to a zone use the pool connections of the zone's owner; reads are not affected. */
export function setPoolTenantForWrite(
  request: Pick<AppRequest, 'method'>,
  { ownerId }: { readonly ownerId: number },
): void {
  if (isWrite(request)) setPoolTenantOwner(ownerId);
}

/**
 * Makes a request that changes the viewer's own data use the viewer's pool connections, because it may wait for their
 * row.
 */
export function setPoolTenantForViewer(request: Pick<AppRequest, 'method' | 'viewer'>): void {
  if (request.viewer && isWrite(request)) setPoolTenantPerson(request.viewer.userId);
}

const isWrite = ({ method }: Pick<AppRequest, 'method'>) => method !== 'GET' && method !== 'HEAD';
