export default {
  headline: 'Share your documents with the people who follow you',
  description:
    'Put files into zones, let people in with one link, know who is inside and write to them. For video makers, teachers, coaches and authors.',
  lead: 'Put your files into zones, let people in with one link, know who is inside, and write to all of them from the same place.',
  start: 'Start Building Your Audience',
  tour: 'Watch Demo',
  dashboard: 'My Dashboard',
  upgrade: 'Upgrade Plan',
  note: 'The free plan costs nothing and asks for no card.',
  shot: 'A zone as its owner sees it: folders and files, with size, views and downloads',
  compare: {
    title: 'A shared folder was not made for an audience',
    topic: 'What you need',
    before: 'Ordinary file storage',
    after: 'A zone',
    rows: {
      people: {
        topic: 'Letting people in',
        before: 'Addresses are typed in one by one; past a hundred people it is a job of its own.',
        after: 'One link. You see everybody who joined and can take anybody out again.',
      },
      addresses: {
        topic: 'Knowing who reads',
        before: 'Your files are passed on, and you never learn by whom they are read.',
        after: 'Everybody joins with an e-mail address that they have confirmed.',
      },
      mail: {
        topic: 'Writing to them',
        before: 'A second service, and a list that you copy there and keep up to date.',
        after: 'Campaigns to the members of a zone, with their consent and a way out in every mail.',
      },
      links: {
        topic: 'Handing out links',
        before: 'A link works for ever, wherever it ends up.',
        after: 'Links that end on a day, after a number of uses, or ask for a password.',
      },
      insight: {
        topic: 'Seeing what works',
        before: 'Whether anybody opened a file stays a guess.',
        after: 'Views, downloads and joins, for each file and each link.',
      },
    },
  },
  features: {
    title: 'What you get',
    creators: {
      title: 'Made for creators',
      text: 'Folders, previews in the browser, files up to 100 MB that resume after a lost connection. Members read on their phones without installing anything.',
    },
    mail: {
      title: 'E-mail built in',
      text: 'Write, preview, schedule and send to the members of a zone. The report shows what was delivered, opened and clicked.',
    },
    zones: {
      title: 'Public and private zones',
      text: 'A public zone is open to everybody with its link. Into a private one come only those whom you invite or give a temporary link.',
    },
  },
  audiences: {
    title: 'Who it is for',
    videos: {
      title: 'YouTubers',
      text: 'Project files, presets and notes for a video, behind the link in its description.',
    },
    educators: {
      title: 'Educators',
      text: 'Course material in order, week by week, and a mail when something new is there.',
    },
    coaches: {
      title: 'Coaches',
      text: 'A private zone for each group, with work sheets that only its members can open.',
    },
    authors: {
      title: 'Authors',
      text: 'Sample chapters for readers, and a list of those who want to hear of the next book.',
    },
  },
  figures: {
    title: 'In this installation',
    creators: 'creators share files here',
    files: 'files are shared',
    people: 'people have joined a zone',
  },
  pricing: {
    title: 'Free to begin with',
    text: 'One zone, 100 members, 1 GB and 100 mails a month cost nothing, for as long as you like. Paid plans begin at $3.99 a month.',
    action: 'See the plans',
  },
  faq: {
    title: 'Questions',
    account: {
      question: 'Do my members need an account?',
      answer:
        'They give an e-mail address and confirm it with one click. Whoever wants to come back sets a name and a password then.',
    },
    leave: {
      question: 'How do people leave?',
      answer:
        'By one click, in the zone or in any mail. Nobody has to sign in for it, and nothing more is sent to them.',
    },
    files: {
      question: 'Which files can I share?',
      answer:
        'Any kind, up to 100 MB each. Pictures, videos, sound, PDF and text open in the browser; the rest is downloaded. You may switch downloading off for a file.',
    },
    see: {
      question: 'Who can see my files?',
      answer: 'You, and the members of the zone. Every request for a file is checked; there are no open addresses.',
    },
    cost: {
      question: 'What happens when I reach a limit of my plan?',
      answer:
        'Nothing is deleted and nobody is locked out. Only adding more waits until you make room or change the plan.',
    },
  },
  closing: {
    title: 'Your first zone is a few clicks away',
    text: 'Make an account, put a file into a zone, and send somebody the link.',
  },
  steps: {
    title: 'A short tour',
    position: '{{step}} of {{count}}',
    previous: 'Back',
    next: 'Next',
    done: 'Done',
    zone: {
      title: 'A zone holds your files',
      text: 'Folders and files by drag and drop, with what was viewed and downloaded beside them.',
    },
    share: {
      title: 'You share it by link',
      text: 'Temporary links end by themselves and can ask for a password. An open zone has one lasting link with its QR code.',
    },
    join: {
      title: 'People join with their address',
      text: 'They see whose zone it is, agree to your mails, and confirm with one click.',
    },
    campaign: {
      title: 'You write to everybody inside',
      text: 'The text on one side, the mail as it will look on the other.',
    },
    dashboard: { title: 'You see how it goes', text: 'Zones, files, members and downloads, and what happened last.' },
  },
};
