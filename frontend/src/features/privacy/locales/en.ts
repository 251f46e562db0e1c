export default {
  title: 'Privacy',
  lead: 'What {{name}} keeps of you, and for how long.',
  whileMember: 'While You Have an Account',
  account:
    'Your name, email address, language and settings are kept until you delete your account. Deleting it takes them out at once, and what hangs on them within minutes.',
  membership:
    'In which zones you are, and when you were last in each, is kept for as long as you are there; the second is told to nobody but you. Which emails you agreed to is kept as proof for as long as the zone and your account exist.',
  lives: 'What Ages',
  livesText: 'What is written down as you use the service is removed by itself:',
  what: 'What',
  howLong: 'For how long',
  ips: 'Network addresses of visits, opened emails and changes of an account',
  linkUsages: 'Single tries to join by a link; its totals stay, without you',
  campaignEvents: 'Single openings of emails and clicks in them; the totals of a report stay',
  activity: 'What happened in a zone, such as joining or opening a file; figures by day stay',
  webhookBodies: 'What shops and payment providers send us of a purchase, word for word',
  days_one: '{{formatted}} day',
  days_other: '{{formatted}} days',
  forever: 'As long as the service runs',
  how: 'How It Works Here',
  tracking:
    'Emails of creators may note that they were opened and which of their links were clicked. A creator can leave that out.',
  places: {
    country:
      'The country of a visit by a link is told from its network address, by a file at this service: the address is sent to nobody for that.',
    city: 'Country and city of a visit by a link are told from its network address, by a file at this service: the address is sent to nobody for that.',
  },
  files: {
    machine: 'Files lie at the machine of this service.',
    bucket: 'Files lie at a cloud provider, in Google Cloud Storage.',
  },
  payments:
    'Who pays for a plan does so at Stripe, which learns name, address and card. The number of the card never comes here.',
  singleSignOn:
    'Who signs in by {{name}} is known there too: {{name}} learns of each such sign-in, and tells us the name and the email address.',
  terms: 'Terms',
  imprint: 'Imprint',
  elsewhere: 'It can be read here:',
  loading: 'Loading …',
  rights: 'What You Can Do',
  rightsText:
    'In your settings you can take along everything that is kept of you, correct it, and delete your account.',
  contact: 'Questions? Write to:',
  failed: 'This could not be loaded.',
};
