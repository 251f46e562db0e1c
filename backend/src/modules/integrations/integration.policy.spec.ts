import { canSeeCustomers } from './integration.policy.js';

describe('canSeeCustomers', () => {
  it('is true for super admins and false for other admins', () => {
    expect(canSeeCustomers({ isSuperAdmin: true })).toBe(true);
    expect(canSeeCustomers({ isSuperAdmin: false })).toBe(false);
  });
});
