import type { Viewer } from '../../platform/http/parsing/viewer.js';

/** Whether customer data in deliveries is shown; other admins see the structure, with personal data masked. */
export function canSeeCustomers(viewer: Pick<Viewer, 'isSuperAdmin'>): boolean {
  return viewer.isSuperAdmin;
}
