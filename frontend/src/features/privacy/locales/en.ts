export default {
  title: 'Privacy',
  lead: 'What {{name}} keeps about you, and for how long.',
  whileMember: 'While You Have an Account',
  account:
    'We keep your name, email address, language and settings until you delete your account. They’re then deleted immediately, and the data that depends on them within minutes.',
  membership:
    'We keep which zones you’re in, and when you last visited each one, for as long as you’re a member. Only you can see when you last visited. We keep where you stopped reading in your latest 100 files; only you can see that too. We keep which emails you agreed to as proof for as long as the zone and your account exist.',
  lives: 'What Expires',
  livesText: 'Records of how you use the service are deleted automatically:',
  what: 'What',
  howLong: 'For how long',
  ips: 'IP addresses of visits, opened emails and account changes',
  linkUsages:
    'Individual attempts to join through a link, and addresses entered to open one; the totals are kept without your data. If you sent files through a link, the address stays with them',
  campaignEvents: 'Individual email opens and clicks; the totals of a report are kept',
  activity: 'What happened in a zone, such as joining or opening a file; daily totals are kept',
  reading: 'Each page that you read in a file, and for how long; the totals are kept, and how far you read',
  webhookBodies: 'The exact messages that shops and payment providers send us about a purchase',
  days_one: '{{formatted}} day',
  days_other: '{{formatted}} days',
  forever: 'As long as the service runs',
  how: 'How It Works Here',
  tracking:
    'Emails from creators may record whether they were opened and which of their links were clicked. Creators can turn this off.',
  readingText:
    'When you read a document in a zone, its owner can see which pages you read, when and for how long, if you agreed to that when you joined. Owners can turn this off. You can download what is recorded about you with your data.',
  places: {
    country:
      'When you visit through a link, we look up the country of your IP address in a file on our own server. Your IP address isn’t sent to anyone for this.',
    city: 'When you visit through a link, we look up the country and city of your IP address in a file on our own server. Your IP address isn’t sent to anyone for this.',
  },
  files: {
    machine: 'Files are stored on this service’s own server.',
    bucket: 'Files are stored with a cloud provider, in Google Cloud Storage.',
  },
  payments:
    'Stripe handles payments for plans and receives your name, address and card details. Your card number never reaches us.',
  singleSignOn:
    'If you sign in with {{name}}, {{name}} learns of each sign-in and gives us your name and email address.',
  terms: 'Terms',
  imprint: 'Imprint',
  elsewhere: 'Read it here:',
  loading: 'Loading…',
  rights: 'What You Can Do',
  rightsText: 'In your settings, you can download everything we keep about you, correct it, and delete your account.',
  contact: 'Questions? Write to:',
  failed: 'Couldn’t load this text.',
};
