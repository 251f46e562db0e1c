export default {
  title: 'Leave {{zone}}',
  titlePlain: 'Leave a zone',
  loading: 'Loading the zone…',
  leave: {
    title: 'Leave “{{zone}}”?',
    text: 'Members of a zone receive all of its emails. To stop them, leave the zone.',
    action: 'Leave Zone',
    onlyMails: 'Stay without Emails',
    noMails: 'You don’t receive the emails of this zone.',
    agree: 'Agree and Receive Emails',
    failed: 'Failed to leave zone',
  },
  confirm: {
    title: 'Are you sure?',
    textPublic:
      'You’ll lose access to the files in “{{zone}}” and won’t receive its emails. You can join again through its public link.',
    textPrivate:
      'You’ll lose access to the files in “{{zone}}” and won’t receive its emails. You’ll need a new invitation to come back.',
    action: 'Yes, Leave the Zone',
    stay: 'Stay in the Zone',
  },
  left: {
    title: 'You have left “{{zone}}”',
    text: 'You’ll no longer receive its emails.',
    mistake: 'Was it a mistake? You can undo it here until {{date}}.',
    undo: 'Return to the Zone',
    rejoinPublic: 'You can join again through the zone’s public link.',
    rejoinPrivate: 'To come back, you need a new invitation from the owner.',
  },
  gone: {
    title: 'This zone no longer exists',
    text: 'You’ll no longer receive its emails. You don’t need to do anything else.',
  },
  invalid: {
    title: 'Invalid or expired unsubscribe link',
    text: 'Please open the link in one of the emails of the zone again.',
    home: 'Go to the Home Page',
  },
};
