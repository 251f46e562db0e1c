import { setPoolTenantOwner, setPoolTenantPerson } from '../../database/pool/pool-partitioning.js';
import type { AppRequest } from '../parsing/viewer.js';

/** Counts a request that writes into a zone against the places of that zone's owner; reading takes none of them. */
export function setPoolTenantForWrite(
  request: Pick<AppRequest, 'method'>,
  { ownerId }: { readonly ownerId: number },
): void {
  if (isWrite(request)) setPoolTenantOwner(ownerId);
}

/** Counts what somebody changes of their own against their places: it waits for their row. */
export function setPoolTenantForViewer(request: Pick<AppRequest, 'method' | 'viewer'>): void {
  if (request.viewer && isWrite(request)) setPoolTenantPerson(request.viewer.userId);
}

const isWrite = ({ method }: Pick<AppRequest, 'method'>) => method !== 'GET' && method !== 'HEAD';
