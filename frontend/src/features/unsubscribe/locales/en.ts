export default {
  title: 'Leave {{zone}}',
  titlePlain: 'Leave a zone',
  loading: 'Looking for the zone…',
  leave: {
    title: 'Leave “{{zone}}”?',
    text: 'Members of a zone receive all of its emails. To stop them, leave the zone.',
    action: 'Leave Zone',
    onlyMails: 'Stay without emails',
    noMails: 'You do not receive the emails of this zone.',
    agree: 'Agree and receive emails',
    failed: 'Failed to leave zone',
  },
  confirm: {
    title: 'Are you sure?',
    textPublic: 'The files of “{{zone}}” close to you and its emails stop. You can join again by its public link.',
    textPrivate:
      'The files of “{{zone}}” close to you and its emails stop. You can come back only by a new invitation.',
    action: 'Yes, leave the zone',
    stay: 'Stay in the zone',
  },
  left: {
    title: 'You have left “{{zone}}”',
    text: 'You will not receive its emails any more.',
    mistake: 'Was it a mistake? Until {{date}} you can take it back here.',
    undo: 'Go back into the zone',
    rejoinPublic: 'You can join again by the public link of the zone.',
    rejoinPrivate: 'You can come back by a new invitation of its owner.',
  },
  gone: {
    title: 'This zone is not there any more',
    text: 'You will not receive its emails any more. There is nothing else to do.',
  },
  invalid: {
    title: 'Invalid or expired unsubscribe link',
    text: 'Please open the link in one of the emails of the zone again.',
    home: 'Go to the home page',
  },
};
