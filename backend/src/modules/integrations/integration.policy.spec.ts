import { seesCustomers } from './integration.policy.js';

describe('the customers in what was delivered', () => {
  it('are shown to super admins, and masked for other admins', () => {
    expect(seesCustomers({ isSuperAdmin: true })).toBe(true);
    expect(seesCustomers({ isSuperAdmin: false })).toBe(false);
  });
});
