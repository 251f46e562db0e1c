export default {
  title: 'Shared with Me',
  description: 'Zones of others that you are a member of.',
  notice:
    'As a member you receive ALL emails from the owners of these zones. The only way to stop them is to leave the zone.',
  empty: {
    title: 'Nothing is shared with you yet',
    text: 'Zones that you join, or that you are invited to, appear here.',
    action: 'Go to My Zones',
  },
  failed: 'The zones could not be loaded',
  list: 'Zones shared with you',
  sort: { name: 'Name', role: 'Role', updated: 'Updated' },
  roles: { owner: 'Owner', admin: 'Admin', member: 'Member' },
  columns: { expiry: 'Access', actions: 'Actions' },
  expiry: {
    never: 'Never expires',
    expired: 'Expired',
    today: 'Expires today',
    tomorrow: 'Expires tomorrow',
    days: 'Expires in {{count}} days',
  },
  updated: 'Updated {{date}}',
  view: 'View Files',
  viewOf: 'View Files of {{name}}',
};
