import { canSeeCustomers } from './integration.policy.js';

describe('the customers in what was delivered', () => {
  it('are shown to super admins, and masked for other admins', () => {
    expect(canSeeCustomers({ isSuperAdmin: true })).toBe(true);
    expect(canSeeCustomers({ isSuperAdmin: false })).toBe(false);
  });
});
