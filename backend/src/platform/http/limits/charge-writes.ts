import { chargeOwner, chargePerson } from '../../database/pool/places.js';
import type { AppRequest } from '../reading/viewer.js';

/** Counts a request that writes into a zone against the places of that zone's owner; reading takes none of them. */
export function chargeWrites(request: Pick<AppRequest, 'method'>, { ownerId }: { readonly ownerId: number }): void {
  if (isWrite(request)) chargeOwner(ownerId);
}

/** Counts what somebody changes of their own against their places: it waits for their row. */
export function chargeViewer(request: Pick<AppRequest, 'method' | 'viewer'>): void {
  if (request.viewer && isWrite(request)) chargePerson(request.viewer.userId);
}

const isWrite = ({ method }: Pick<AppRequest, 'method'>) => method !== 'GET' && method !== 'HEAD';
