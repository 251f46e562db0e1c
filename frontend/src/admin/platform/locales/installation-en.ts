/** The texts of the tab in which super admins set what the installation is. */
export default {
  failed: 'The settings of the installation could not be loaded',
  save: 'Save Changes',
  saved: 'The installation is changed',
  saveFailed: 'The installation could not be changed',
  needsStart:
    'The address has changed between http and https. Cookies and security headers follow at the next start of the product.',
  byVariable: 'Set by the variable {{variable}}. Change it there, or remove it and start again to set it here.',
  emptyIs: 'Empty means: {{value}}',
  emptyIt: 'Empty it to go back to the default.',
  parts: { purpose: 'Purpose', service: 'This installation', mails: 'Mails', company: 'Who runs it' },
  partTexts: {
    purpose:
      'Whether plans, limits and prices mean anything here. It can be changed at any time; nothing stored is lost.',
    service: 'What people see of it. Changes hold within seconds, also in processes that run elsewhere.',
    mails: 'Who writes, and whom people can write to.',
    company: 'Stands in the footer of the public pages.',
  },
  defaultPlan: {
    label: 'Plan of a new account',
    help: 'What everybody has who pays for no larger plan and was given none. Other limits hold for everybody within minutes.',
  },
  name: { label: 'Name', help: 'In the page and in mails.' },
  address: {
    label: 'Public address',
    help: 'Where links in mails lead, such as https://zones.example.com. Passkeys belong to an address: those of the old one do not open the new one.',
  },
  mailFrom: { label: 'Sender', help: 'Such as Zones <hello@example.com>. The mail server must let it send.' },
  contactEmail: { label: 'Contact address', help: 'Shown to people who have a question about plans.' },
  companyName: { label: 'Company' },
  companyDirector: { label: 'Managing director' },
  companyType: { label: 'Kind of business' },
  companyPhone: { label: 'Telephone' },
  companyAddress: { label: 'Postal address', help: 'Also stands in campaign mails of owners who have set none.' },
};
