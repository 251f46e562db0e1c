/** Creating the first zone together with its first content. */
export default {
  text: 'You don’t have a zone yet. A zone holds the files you share with your members. Create your first one here.',
  name: 'Zone name',
  proposed: 'My First Zone',
  nameRequired: 'Please give the zone a name.',
  who: 'Who can join',
  anybody: 'Anyone with the link',
  anybodyText: 'You get a link to share, and anyone who opens it can join.',
  invited: 'Only people I invite',
  invitedText: 'There’s no link. You invite each person yourself.',
  later: 'You can change both later.',
  failed: 'Couldn’t create the zone',
};
