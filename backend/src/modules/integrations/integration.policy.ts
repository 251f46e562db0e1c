import type { Viewer } from '../../platform/http/parsing/viewer.js';

/** Whether the customers in what was delivered are shown: other admins see its shape, with their data masked. */
export function canSeeCustomers(viewer: Pick<Viewer, 'isSuperAdmin'>): boolean {
  return viewer.isSuperAdmin;
}
