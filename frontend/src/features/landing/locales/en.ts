export default {
  headline: 'Share your documents with the people who follow you',
  description:
    'Put your files into zones, let people in with one link, see who has joined and email them. For video creators, teachers, coaches and authors.',
  lead: 'Put your files into zones, let people in with one link, see who has joined, and email all of them from the same place.',
  start: 'Start Building Your Audience',
  tour: 'Watch Demo',
  dashboard: 'My Dashboard',
  upgrade: 'Upgrade Plan',
  note: 'Free plan available. No credit card needed.',
  shot: 'A zone as its owner sees it: folders and files, with size, views and downloads',
  compare: {
    title: 'A shared folder wasn’t made for an audience',
    topic: 'What you need',
    before: 'Ordinary file storage',
    after: 'A zone',
    rows: {
      people: {
        topic: 'Letting people in',
        before: 'You enter email addresses one by one. With a hundred people, that’s a job of its own.',
        after: 'One link. You see everyone who has joined and can remove anyone.',
      },
      addresses: {
        topic: 'Knowing who reads your files',
        before: 'Your files are passed on, and you never find out who reads them.',
        after: 'Everyone joins with an email address they’ve confirmed.',
      },
      mail: {
        topic: 'Emailing them',
        before: 'You need a second service, and have to keep its list up to date.',
        after: 'Campaigns to the members of a zone, with their consent and a way to unsubscribe in every email.',
      },
      links: {
        topic: 'Sharing links',
        before: 'A link works forever, wherever it ends up.',
        after: 'Links that expire on a date or after a number of uses, or ask for a password.',
      },
      insight: {
        topic: 'Seeing what works',
        before: 'You can only guess whether anyone opened a file.',
        after: 'Views, downloads and joins for each file and each link.',
      },
    },
  },
  features: {
    title: 'What you get',
    creators: {
      title: 'Made for creators',
      text: 'Folders, previews in the browser, and large files. Uploads resume after a lost connection. Members read on their phones without installing anything.',
    },
    mail: {
      title: 'Email built in',
      text: 'Write, preview, schedule and send to the members of a zone. The report shows what was delivered, opened and clicked.',
    },
    zones: {
      title: 'Public and private zones',
      text: 'Anyone with the link can join a public zone. Only people you invite or give a temporary link can join a private one.',
    },
  },
  audiences: {
    title: 'Who it’s for',
    videos: {
      title: 'YouTubers',
      text: 'Project files, presets and notes for a video, behind the link in its description.',
    },
    educators: {
      title: 'Educators',
      text: 'Course material organised week by week, and an email when there’s something new.',
    },
    coaches: {
      title: 'Coaches',
      text: 'A private zone for each group, with worksheets that only its members can open.',
    },
    authors: {
      title: 'Authors',
      text: 'Sample chapters for readers, and a list of people who want to hear about your next book.',
    },
  },
  figures: {
    title: 'On this site',
    creators: 'creators share files here',
    files: 'files are shared',
    people: 'people have joined a zone',
  },
  pricing: {
    title: 'Free to start',
    text: 'One zone, 100 members, 1 GB and 100 emails a month are free for as long as you like. Paid plans start at $3.99 a month.',
    action: 'See the Plans',
  },
  faq: {
    title: 'Frequently asked questions',
    account: {
      question: 'Do my members need an account?',
      answer:
        'They only enter their email address and confirm it with one click. If they want to come back, they can set a name and a password later.',
    },
    leave: {
      question: 'How do people leave?',
      answer:
        'With one click, in the zone or in any email. They don’t have to sign in, and they won’t get any more emails.',
    },
    files: {
      question: 'Which files can I share?',
      answer:
        'Any kind, from documents to long videos. Pictures, videos, audio, PDF and text open in the browser, and Office documents if this site can show them; other files are downloaded. You can turn off downloads for a file.',
    },
    see: {
      question: 'Who can see my files?',
      answer:
        'You and the members of the zone. Access is checked every time a file is opened; no file has a public address.',
    },
    cost: {
      question: 'What happens when I reach a limit of my plan?',
      answer:
        'Nothing is deleted and nobody is locked out. You just can’t add more until you’re below the limit again or change your plan.',
    },
  },
  closing: {
    title: 'Your first zone is a few clicks away',
    text: 'Create an account, add a file to a zone, and send someone the link.',
  },
  steps: {
    title: 'A short tour',
    position: '{{step}} of {{count}}',
    previous: 'Back',
    next: 'Next',
    done: 'Done',
    zone: {
      title: 'A zone holds your files',
      text: 'Add folders and files by drag and drop, and see how often they’re viewed and downloaded.',
    },
    share: {
      title: 'You share it with a link',
      text: 'Temporary links expire automatically and can ask for a password. A public zone has one permanent link with a QR code.',
    },
    join: {
      title: 'People join with their email address',
      text: 'They see whose zone it is, agree to your emails, and confirm with one click.',
    },
    campaign: {
      title: 'You email everyone in the zone',
      text: 'Your text on one side, a preview of the email on the other.',
    },
    dashboard: {
      title: 'You see how it’s going',
      text: 'Zones, files, members and downloads, and the latest activity.',
    },
  },
};
