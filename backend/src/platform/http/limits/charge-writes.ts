import { chargeOwner } from '../../database/pool/places.js';
import type { AppRequest } from '../reading/viewer.js';

/** Counts a request that writes into a zone against the places of that zone's owner; reading takes none of them. */
export function chargeWrites({ method }: Pick<AppRequest, 'method'>, { ownerId }: { readonly ownerId: number }): void {
  if (method !== 'GET' && method !== 'HEAD') chargeOwner(ownerId);
}
