export default {
  headline: 'Share your documents with the people who follow you',
  lead: 'Put your files into zones, invite people with one link, and know who is inside. For video makers, teachers, coaches and authors.',
  start: 'Start Building Your Audience',
  dashboard: 'My Dashboard',
  note: 'The free plan costs nothing and asks for no card.',
  how: {
    title: 'How it works',
    zone: {
      title: 'Make a zone',
      text: 'A zone holds the files and folders that belong together. It is private, or open to everybody with the link.',
    },
    share: {
      title: 'Share one link',
      text: 'Whoever follows it gives an e-mail address, agrees to your mail, and confirms it with one click.',
    },
    read: {
      title: 'They read and download',
      text: 'Your files open in the browser. Nothing is public: every file asks first who wants it.',
    },
  },
  sample: {
    label: 'An example of a zone with three files',
    name: 'Watercolour course',
    members: '128 members',
    files: { first: 'Week 1 – Brushes and paper.pdf', second: 'Week 2 – Washes.mp4', third: 'Colour chart.png' },
  },
};
