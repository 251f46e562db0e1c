import type { Viewer } from '../../platform/http/reading/viewer.js';

/** Whether the customers in what was delivered are shown: other admins see its shape, with their data masked. */
export function seesCustomers(viewer: Pick<Viewer, 'isSuperAdmin'>): boolean {
  return viewer.isSuperAdmin;
}
